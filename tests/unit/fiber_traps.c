/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Traps: a fiber without stack is reported, errno belongs to the worker, a pinned fiber stays with its worker, and a
 * fiber with a floating-point environment of its own keeps it.
 */
#define _GNU_SOURCE
#include "../fixtures/child.h"
#include "../fixtures/fiber/fibers.h"
#include "../fixtures/sanitizer.h"

#include <fenv.h>
#include <pthread.h>
#include <string.h>
#include <sys/resource.h>

/* ---- no stack left ---- */

static int deeper(volatile char *above, int depth)
{
	volatile char here[512];

	here[0] = above ? above[0] : 0;
	return depth ? deeper(here, depth - 1) + here[0] : here[0];
}

static int overflows(void *arg, void **result)
{
	(void)result;
	return deeper(NULL, (int)(intptr_t)arg);
}

static void overflow(void *text)
{
	struct filch_fiber_options o = {.struct_size = sizeof(o), .name = "deep one"};
	struct filch_fiber *f;
	int pipes[2];

	CHILD_CHECK(pipe(pipes) == 0);
	if (!fork()) {
		struct rlimit no_core = {0, 0};

		setrlimit(RLIMIT_CORE, &no_core);
		dup2(pipes[1], STDERR_FILENO);
		begin_pool(NULL, 1, 0);
		CHILD_CHECK(filch_fiber_start(&f, NULL, overflows, (void *)100000, &o) == 0);
		filch_fiber_join(f, NULL);
		_exit(0);
	}
	close(pipes[1]);
	for (size_t used = 0; used < 400;) {
		ssize_t n = read(pipes[0], (char *)text + used, 400 - used);

		if (n <= 0)
			break;
		used += (size_t)n;
	}
	CHILD_CHECK(strstr(text, "fiber 'deep one' ran out of stack (64 KiB"));
}

static void reports_overflow(void)
{
	static char text[401];

	TEST_CHECK(test_in_child(overflow, text) == 0);
}

/* ---- errno ---- */

/* errno is that of the thread: a free fiber that goes on in another worker finds the value of that worker. */
__attribute__((noinline)) static int get_errno(void)
{
	__asm__("" ::: "memory");
	return errno;
}

__attribute__((noinline)) static void set_errno(int value)
{
	__asm__("" ::: "memory");
	errno = value;
}

static atomic_int moved, wrong;

static int migrates(void *arg, void **result)
{
	(void)arg;
	(void)result;
	for (int i = 0; i < 300; i++) {
		int before = filch_worker_id(), after;

		set_errno(1000 + before);
		filch_fiber_sleep(i % 3 ? 1000 : 0);
		after = filch_worker_id();
		if (before != after)
			atomic_fetch_add(&moved, 1);
		/* Never the value of the worker before: the functions above look anew. */
		if (get_errno() >= 1000 && get_errno() != 1000 + after)
			atomic_fetch_add(&wrong, 1);
	}
	return 0;
}

static void errno_stays(void)
{
	struct filch_fiber *f[8];

	begin_pool("chase_lev", 3, FILCH_FIBER_FREE);
	for (int i = 0; i < 8; i++)
		f[i] = go(migrates, NULL);
	for (int i = 0; i < 8; i++)
		TEST_CHECK(filch_fiber_join(f[i], NULL) == 0);
	TEST_CHECK(filch_stop() == 0);
	TEST_CHECK(atomic_load(&wrong) == 0);
	printf("%d moves\n", atomic_load(&moved));
}

static int stays(void *arg, void **result)
{
	int worker = filch_worker_id();

	(void)arg;
	(void)result;
	for (int i = 0; i < 100; i++) {
		filch_fiber_sleep((uint64_t)(i % 5) * 1000);
		TEST_CHECK(filch_worker_id() == worker);
	}
	return 0;
}

static void pinned_stays(void)
{
	struct filch_fiber_options o = {.struct_size = sizeof(o), .migrate = FILCH_FIBER_PINNED};
	struct filch_fiber *f[8];

	begin_pool("chase_lev", 3, FILCH_FIBER_FREE);
	for (int i = 0; i < 8; i++)
		TEST_CHECK(filch_fiber_start(&f[i], NULL, stays, NULL, &o) == 0);
	for (int i = 0; i < 8; i++)
		TEST_CHECK(filch_fiber_join(f[i], NULL) == 0);
	TEST_CHECK(filch_stop() == 0);
}

/* ---- the floating-point environment ---- */

/* With an environment of its own, which it does not set back. */
static int rounds_up(void *arg, void **result)
{
	bool own = filch_fiber_name(filch_fiber_self())[0] == 'o';

	(void)arg;
	(void)result;
	TEST_CHECK(fegetround() == FE_TONEAREST);
	if (own)
		TEST_CHECK(fesetround(FE_UPWARD) == 0);
	for (int i = 0; i < 50; i++) {
		if (i % 10)
			filch_fiber_yield();
		else
			filch_fiber_sleep(1000);
		TEST_CHECK(fegetround() == (own ? FE_UPWARD : FE_TONEAREST));
	}
	return 0;
}

/* Fibers that round up and fibers that do not share a worker, and stacks one after the other. */
static void keeps_rounding(int workers, int migrate)
{
	struct filch_fiber_options own = {.struct_size = sizeof(own), .name = "own", .fenv = 1},
				   shared = {.struct_size = sizeof(shared), .name = "shared"};
	struct filch_fiber *f[16];

	begin_pool("chase_lev", workers, migrate);
	for (int turn = 0; turn < 2; turn++) {
		for (int i = 0; i < 16; i++) {
			int err = filch_fiber_start(&f[i], NULL, rounds_up, NULL, i % 2 ? &own : &shared);

			if (err == -ENOTSUP) {
				printf("no environments on this machine\n");
				TEST_CHECK(i == 1 && filch_fiber_join(f[0], NULL) == 0 && filch_stop() == 0);
				return;
			}
			TEST_CHECK(err == 0);
		}
		for (int i = 0; i < 16; i++)
			TEST_CHECK(filch_fiber_join(f[i], NULL) == 0);
	}
	TEST_CHECK(filch_stop() == 0);
}

int main(void)
{
	keeps_rounding(1, FILCH_FIBER_PINNED);
	keeps_rounding(3, FILCH_FIBER_FREE);
	errno_stays();
	pinned_stays();
	if (!TEST_SANITIZED)
		reports_overflow();
	return 0;
}
