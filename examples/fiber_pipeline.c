/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A pipeline of fibers that are connected by channels: numbers go in, each filter lets the multiples of one prime out,
 * and the last channel has the next prime. No stage needs a thread of its own. Link with filch_fiber.
 */
#include <filch.h>
#include <filch/fiber.h>
#include <stdio.h>

struct filter {
	struct filch_channel *in, *out;
	int prime;
};

static int generate(void *channel, void **result)
{
	int err = 0;

	(void)result;
	for (int n = 2; !err; n++)
		err = filch_channel_send(channel, &n);
	return err; /* -EPIPE: the reader has closed the channel */
}

static int filter(void *arg, void **result)
{
	struct filter *f = arg;
	int n, err;

	(void)result;
	while (!(err = filch_channel_recv(f->in, &n)))
		if (n % f->prime && (err = filch_channel_send(f->out, &n)))
			break;
	filch_channel_close(f->in); /* so all stages before end, too */
	return err;
}

int main(void)
{
	enum { PRIMES = 50, LAST = 229 };
	struct filch_options options = {.struct_size = sizeof(options), .workers = 2};
	struct filch_channel *channel[PRIMES + 1];
	struct filter filters[PRIMES];
	int prime = 0;

	if (filch_start(&options) || filch_channel_create(&channel[0], sizeof(int), 4) ||
	    filch_fiber_start(NULL, NULL, generate, channel[0], NULL))
		return 1;
	for (int i = 0; i < PRIMES; i++) {
		if (filch_channel_recv(channel[i], &prime) || filch_channel_create(&channel[i + 1], sizeof(int), 4))
			return 1;
		filters[i] = (struct filter){channel[i], channel[i + 1], prime};
		if (filch_fiber_start(NULL, NULL, filter, &filters[i], NULL))
			return 1;
	}
	printf("prime number %d is %d\n", PRIMES, prime);
	filch_channel_close(channel[PRIMES]);
	filch_stop(); /* waits until all stages have ended */
	for (int i = 0; i <= PRIMES; i++)
		filch_channel_destroy(channel[i]);
	return prime != LAST;
}
