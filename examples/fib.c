/* SPDX-License-Identifier: Apache-2.0 */
#include <filch.h>
#include <stdio.h>

FILCH_TASK(long, fib, int, n)
{
	if (n < 2)
		return n;
	FILCH_SPAWN(fib, n - 1);	 /* may run in another worker */
	long b = FILCH_CALL(fib, n - 2); /* runs here, now */
	return FILCH_SYNC(fib) + b;	 /* waits for the spawn and returns its result */
}

int main(void)
{
	if (filch_start(NULL)) { /* one worker for each processor */
		fprintf(stderr, "%s\n", filch_error_message());
		return 1;
	}
	printf("%ld\n", FILCH_RUN(fib, 42)); /* works in any thread */
	filch_stop();
}
