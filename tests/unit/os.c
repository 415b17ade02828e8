/* SPDX-License-Identifier: Apache-2.0 */
#include "../../src/os/os.h"
#include "../../src/base/clock.h"
#include "../support/test.h"

#include <pthread.h>
#include <stdint.h>

static struct filchi_mutex mutex;
static unsigned long counter;

static void *count(void *unused)
{
	for (unsigned i = 0; i < 20000; i++) {
		filchi_mutex_lock(&mutex);
		counter++;
		filchi_mutex_unlock(&mutex);
	}
	return unused;
}

static void excludes(void)
{
	pthread_t thread[4];

	TEST_CHECK(filchi_mutex_init(&mutex) == 0);
	for (unsigned i = 0; i < 4; i++)
		TEST_CHECK(!pthread_create(&thread[i], NULL, count, NULL));
	for (unsigned i = 0; i < 4; i++)
		pthread_join(thread[i], NULL);
	TEST_CHECK(counter == 80000);
	filchi_mutex_destroy(&mutex);
}

static void *try_and_fail(void *unused)
{
	TEST_CHECK(!filchi_mutex_trylock(&mutex));
	return unused;
}

static void trylock(void)
{
	pthread_t thread;

	TEST_CHECK(filchi_mutex_init(&mutex) == 0);
	TEST_CHECK(filchi_mutex_trylock(&mutex));
	TEST_CHECK(!pthread_create(&thread, NULL, try_and_fail, NULL));
	pthread_join(thread, NULL);
	filchi_mutex_unlock(&mutex);
	TEST_CHECK(filchi_mutex_trylock(&mutex));
	filchi_mutex_unlock(&mutex);
	filchi_mutex_destroy(&mutex);
}

/* Committed bit by bit, in steps smaller and larger than a page; what was written stays. */
static void vm(void)
{
	size_t all = (size_t)1 << 30, have = 8;
	uint64_t *base = filchi_vm_reserve(all);

	TEST_CHECK(base);
	TEST_CHECK(filchi_vm_commit(base, 0, have) == 0);
	base[0] = 1;
	for (; have < (size_t)1 << 20; have *= 2) {
		TEST_CHECK(filchi_vm_commit(base, have, 2 * have) == 0);
		for (size_t i = have / 8; i < 2 * have / 8; i++) {
			TEST_CHECK(base[i] == 0);
			base[i] = i + 1;
		}
	}
	TEST_CHECK(filchi_vm_commit(base, have, have) == 0);
	for (size_t i = 0; i < have / 8; i++)
		TEST_CHECK(base[i] == i + 1);
	filchi_vm_release(base, all);
}

static void clock_forward(void)
{
	uint64_t last = filchi_clock_ns();

	for (unsigned i = 0; i < 1000; i++) {
		uint64_t now = filchi_clock_ns();

		TEST_CHECK(now >= last);
		last = now;
	}
	TEST_CHECK(last);
}

int main(void)
{
	static const struct test_scenario scenarios[] = {
		{"excludes", excludes}, {"trylock", trylock}, {"vm", vm}, {"clock_forward", clock_forward}};

	test_run(scenarios, sizeof(scenarios) / sizeof(scenarios[0]));
	return TEST_PASS;
}
