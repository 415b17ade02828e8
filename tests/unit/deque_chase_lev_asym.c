/* SPDX-License-Identifier: Apache-2.0 */
/* The scenarios of all kinds, and systems that refuse membarrier() to the thieves. */
#define _GNU_SOURCE

#include "../../src/os/os.h"
#include "../fixtures/deque/unit.h"
#include "../fixtures/test.h"

#include <errno.h>
#include <filch/deque.h>
#include <stdarg.h>
#include <stdbool.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static bool refused;
static unsigned asked;

/*
 * The linker sends the library's calls of syscall() here (--wrap). The library never passes more arguments than these.
 */
long __real_syscall(long number, ...);
long __wrap_syscall(long number, ...);

long __wrap_syscall(long number, ...)
{
	long a[6];
	va_list arguments;

	va_start(arguments, number);
	for (unsigned i = 0; i < 6; i++)
		a[i] = va_arg(arguments, long);
	va_end(arguments);
	if (number == SYS_membarrier) {
		asked++;
		if (refused) {
			errno = EPERM;
			return -1;
		}
	}
	return __real_syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

static struct filch_deque *filled(void)
{
	struct filch_deque *d;

	TEST_CHECK(filch_deque_create(&d, "chase_lev_asym", NULL) == 0);
	for (uintptr_t i = 0; i < 4; i++)
		TEST_CHECK(filch_deque_push(d, i) == 0);
	return d;
}

/* Only a thief that finds an item calls membarrier(). The owner never does. */
static void thieves_pay(void)
{
	bool has = filchi_membarrier_ready();
	struct filch_deque *d = filled();
	uintptr_t item;

	asked = 0;
	TEST_CHECK(filch_deque_steal(d, &item) == FILCH_OK && item == 0);
	TEST_CHECK(asked == has);
	while (filch_deque_pop(d, &item) == FILCH_OK)
		;
	TEST_CHECK(filch_deque_steal(d, &item) == FILCH_EMPTY);
	TEST_CHECK(filch_deque_push(d, 5) == 0 && asked == has);
	filch_deque_destroy(d);
}

/* A sandbox forbids the call from the start: the deque works without it. */
static void never_allowed(void)
{
	struct filch_deque *d;
	uintptr_t item;

	refused = true;
	TEST_CHECK(!filchi_membarrier_ready() && !filchi_membarrier());
	d = filled();
	asked = 0;
	for (uintptr_t i = 0; i < 2; i++)
		TEST_CHECK(filch_deque_steal(d, &item) == FILCH_OK && item == i);
	TEST_CHECK(filch_deque_pop(d, &item) == FILCH_OK && item == 3);
	TEST_CHECK(asked == 0);
	filch_deque_destroy(d);
	TEST_CHECK(deque_unit("chase_lev_asym") == TEST_PASS);
	refused = false;
}

/* A sandbox forbids the call when it is too late for fences: thieves steal nothing, and no item is lost. */
static void forbidden_later(void)
{
	struct filch_deque *d;
	uintptr_t item = 77;

	if (!filchi_membarrier_ready()) {
		printf(" (skipped: no membarrier here)");
		return;
	}
	d = filled();
	refused = true;
	TEST_CHECK(filch_deque_steal(d, &item) == FILCH_EMPTY && item == 77);
	TEST_CHECK(filch_deque_pop(d, &item) == FILCH_OK && item == 3);
	refused = false;
	TEST_CHECK(filch_deque_steal(d, &item) == FILCH_OK && item == 0);
	TEST_CHECK(filch_deque_size(d) == 2);
	filch_deque_destroy(d);
}

/* A child has its deques, and may use the call. */
static void after_fork(void)
{
	struct filch_deque *d = filled();
	uintptr_t item;
	int status;
	pid_t child = fork();

	TEST_CHECK(child >= 0);
	if (!child)
		_exit(filch_deque_steal(d, &item) == FILCH_OK && item == 0 ? TEST_PASS : TEST_FAIL);
	TEST_CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == TEST_PASS);
	filch_deque_destroy(d);
}

int main(void)
{
	static const struct test_scenario scenarios[] = {
		{"thieves_pay", thieves_pay},
		{"never_allowed", never_allowed},
		{"forbidden_later", forbidden_later},
		{"after_fork", after_fork},
	};

	test_run(scenarios, sizeof(scenarios) / sizeof(scenarios[0]));
	return deque_unit("chase_lev_asym");
}
