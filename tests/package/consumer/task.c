/* SPDX-License-Identifier: Apache-2.0 */
/* A program with a task, as a user would write it, in C and in C++. */
#include <filch.h>

#include <stdio.h>

FILCH_TASK(long, sum, long, from, long, to)
{
	if (to - from == 1)
		return from;
	FILCH_SPAWN(sum, from, (from + to) / 2);
	long right = FILCH_CALL(sum, (from + to) / 2, to);
	return FILCH_SYNC(sum) + right;
}

static int by_number(const void *a, const void *b, void *arg)
{
	(void)arg;
	return *(const int *)a - *(const int *)b;
}

int main(void)
{
	int numbers[] = {3, 1, 2};
	int ok;

	if (filch_start(NULL)) {
		fprintf(stderr, "%s\n", filch_error_message());
		return 1;
	}
	ok = FILCH_RUN(sum, 0, 1000) == 499500;
	ok = ok && !filch_sort(NULL, numbers, 3, sizeof(numbers[0]), by_number, NULL) && numbers[0] == 1 &&
	     numbers[2] == 3;
	ok = !filch_stop() && ok;
	printf("task: %s\n", ok ? "ok" : "failed");
	return !ok;
}
