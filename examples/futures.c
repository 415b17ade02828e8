/* SPDX-License-Identifier: Apache-2.0 */
/* Counts primes. Each job counts the primes in one piece of the range, and its future has the number. */
#include <filch/pool.h>
#include <stdio.h>

#define PIECES 16
#define PIECE 20000

static int count_primes(void *arg, void **result)
{
	long from = (long)(intptr_t)arg * PIECE, count = 0;

	for (long n = from; n < from + PIECE; n++) {
		long d = 2;

		while (d * d <= n && n % d)
			d++;
		count += n >= 2 && d * d > n;
	}
	*result = (void *)(intptr_t)count;
	return 0; /* filch_future_wait returns this; an error would be negative */
}

int main(void)
{
	struct filch_future *piece[PIECES];
	long primes = 0;

	if (filch_start(NULL)) {
		fprintf(stderr, "futures: %s\n", filch_error_message());
		return 1;
	}
	for (intptr_t i = 0; i < PIECES; i++)
		if (filch_pool_submit(NULL, count_primes, (void *)i, &piece[i]))
			return 1;
	for (int i = 0; i < PIECES; i++) {
		void *count;

		if (filch_future_wait(piece[i], &count)) {
			fprintf(stderr, "futures: %s\n", filch_error_message());
			return 1;
		}
		primes += (long)(intptr_t)count;
		filch_future_destroy(piece[i]);
	}
	filch_stop();
	printf("%ld primes below %d\n", primes, PIECES * PIECE);
	return primes != 27608;
}
