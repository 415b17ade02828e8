/* SPDX-License-Identifier: Apache-2.0 */
#include <filch.h>
#include <stdio.h>

FILCH_TASK(long, fib, int, n)
{
	if (n < 2)
		return n;
	FILCH_SPAWN(fib, n - 1);
	long b = FILCH_CALL(fib, n - 2);
	return FILCH_SYNC(fib) + b;
}

int main(void)
{
	if (filch_start(NULL)) { /* options, or NULL: defaults and FILCH_* variables */
		fprintf(stderr, "%s\n", filch_error_message());
		return 1;
	}
	printf("%ld\n", FILCH_RUN(fib, 42)); /* from any thread; several threads at once too */
	filch_stop();
}
