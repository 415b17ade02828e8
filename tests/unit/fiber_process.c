/* SPDX-License-Identifier: Apache-2.0 */
/* Fibers and processes: a child of fork() starts fibers again, and so does a process with little memory. */
#define _GNU_SOURCE
#include "../fixtures/child.h"
#include "../fixtures/fiber/fibers.h"

#include <sys/resource.h>

/* ---- fork ---- */

static int seven(void *arg, void **result)
{
	(void)arg;
	(void)result;
	filch_fiber_yield();
	return 7;
}

static void child(void *unused)
{
	(void)unused;
	CHILD_CHECK(filch_fiber_join(go(seven, NULL), NULL) == 7);
	CHILD_CHECK(filch_stop() == 0);
}

static void forks(void)
{
	begin_pool(NULL, 2, 0);
	TEST_CHECK(filch_fiber_join(go(seven, NULL), NULL) == 7);
	TEST_CHECK(test_in_child(child, NULL) == 0);
	TEST_CHECK(filch_fiber_join(go(seven, NULL), NULL) == 7);
	TEST_CHECK(filch_stop() == 0);
}

/* ---- no memory for stacks ---- */

static void without_memory(void *unused)
{
	struct filch_fiber_options huge = {.struct_size = sizeof(huge), .stack = (size_t)1 << 37};
	struct rlimit limit = {(rlim_t)2 << 30, (rlim_t)2 << 30};
	struct filch_fiber *f;

	(void)unused;
	CHILD_CHECK(setrlimit(RLIMIT_AS, &limit) == 0);
	begin_pool(NULL, 1, 0);
	CHILD_CHECK(filch_fiber_start(&f, NULL, seven, NULL, &huge) == 0);
	CHILD_CHECK(filch_fiber_join(f, NULL) == -ENOMEM);
	CHILD_CHECK(filch_fiber_join(go(seven, NULL), NULL) == 7);
	CHILD_CHECK(filch_stop() == 0);
}

int main(void)
{
	forks();
	TEST_CHECK(test_in_child(without_memory, NULL) == 0);
	return 0;
}
