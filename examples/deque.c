/* SPDX-License-Identifier: Apache-2.0 */
/* A deque without a pool. This thread pushes and pops numbers, another thread steals; each number comes out once. */
#include <filch/deque.h>
#include <pthread.h>
#include <stdio.h>

static void *thief(void *deque)
{
	uintptr_t item, sum = 0;
	int got;

	do {
		got = filch_deque_steal(deque, &item);
		if (got == FILCH_OK)
			sum += item;
	} while (got == FILCH_OK || got == FILCH_LOST); /* LOST: another thread was faster; EMPTY: none left */
	return (void *)sum;
}

int main(void)
{
	struct filch_deque *deque;
	pthread_t thread;
	uintptr_t item, popped = 0;
	void *stolen;

	if (filch_deque_create(&deque, "chase_lev", NULL))
		return 1;
	for (item = 1; item <= 1000000; item++)
		if (filch_deque_push(deque, item))
			return 1;
	if (pthread_create(&thread, NULL, thief, deque))
		return 1;
	while (filch_deque_pop(deque, &item) == FILCH_OK)
		popped += item;
	pthread_join(thread, &stolen);
	filch_deque_destroy(deque);
	printf("popped %llu, stolen %llu\n", (unsigned long long)popped, (unsigned long long)(uintptr_t)stolen);
	return popped + (uintptr_t)stolen != 500000500000; /* the sum of all numbers */
}
