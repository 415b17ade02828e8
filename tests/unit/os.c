/* SPDX-License-Identifier: Apache-2.0 */
#include "../../src/os/os.h"
#include "../../src/base/clock.h"
#include "../fixtures/maps.h"
#include "../fixtures/test.h"

#include <pthread.h>
#include <stdint.h>
#include <unistd.h>

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

/* Commits memory in steps smaller and larger than a page. Written bytes stay. */
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

/* The memory is aligned, with a guard page behind it. It has no huge pages, and core dumps have only a part of it. */
static void vm_map(void)
{
	for (size_t bytes = (size_t)1 << 18; bytes <= (size_t)1 << 30; bytes <<= 4) {
		char *base = filchi_vm_map(bytes);
		struct test_map first, last, behind;

		TEST_CHECK(base && !((uintptr_t)base & (bytes - 1)));
		base[0] = base[bytes - 1] = 1;
		TEST_CHECK(test_map_of(base, &first) && test_map_of(base + bytes - 1, &last));
		TEST_CHECK(test_map_of(base + bytes, &behind) && !strcmp(behind.access, "---p"));
		TEST_CHECK(!strcmp(first.access, "rw-p") && !strcmp(last.access, "rw-p"));
		TEST_CHECK(!test_map_has(&first, " dd ") && test_map_has(&last, " dd ") == (bytes > 1 << 20));
		TEST_CHECK(test_map_has(&last, " nh ") || access("/sys/kernel/mm/transparent_hugepage", F_OK));
		filchi_vm_unmap(base, bytes);
		TEST_CHECK(!test_map_of(base, &first) && !test_map_of(base + bytes, &behind));
	}
}

static void vm_map_briefly(void)
{
	size_t bytes = (size_t)1 << 28;
	char *base = filchi_vm_map_briefly(bytes);
	struct test_map last, behind;

	TEST_CHECK(base);
	base[0] = base[bytes - 1] = 1;
	TEST_CHECK(test_map_of(base + bytes - 1, &last) && !strcmp(last.access, "rw-p"));
	TEST_CHECK(test_map_of(base + bytes, &behind) && !strcmp(behind.access, "---p"));
	filchi_vm_unmap(base, bytes);
	TEST_CHECK(!test_map_of(base, &last) && !test_map_of(base + bytes, &behind));
}

/* ---- threads ---- */

struct thread_test {
	struct filchi_thread thread;
	bool exits, returned, died;
};

static void *end_thread(void *arg)
{
	struct thread_test *t = arg;
	uintptr_t here = (uintptr_t)__builtin_frame_address(0);
	struct test_map map, below;

	TEST_CHECK(test_map_of((void *)here, &map) && test_map_of((void *)(map.from - 1), &below));
	TEST_CHECK(!strcmp(below.access, "---p"));
	TEST_CHECK(filchi_thread_is_guard(&t->thread, map.from - 1));
	TEST_CHECK(filchi_thread_is_guard(&t->thread, map.from - (1 << 16)));
	TEST_CHECK(!filchi_thread_is_guard(&t->thread, map.from - (1 << 20)));
	TEST_CHECK(!filchi_thread_is_guard(&t->thread, map.from));
	if (t->exits)
		pthread_exit(NULL);
	t->returned = true;
	return NULL;
}

static void note_death(void *arg)
{
	((struct thread_test *)arg)->died = true;
}

/* One thread returns, the other one calls pthread_exit(). */
static void thread_ends(void)
{
	struct filchi_signals signals;

	filchi_signals_get(&signals);
	for (int exits = 0; exits < 2; exits++) {
		struct thread_test t = {.exits = exits};
		struct filchi_thread_setup setup = {
			.main = end_thread, .died = note_death, .arg = &t, .stack_bytes = 1 << 20, .signals = &signals};

		TEST_CHECK(filchi_thread_start(&t.thread, &setup) == 0);
		filchi_thread_join(&t.thread);
		TEST_CHECK(t.returned == !exits && t.died == exits);
	}
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
	static const struct test_scenario scenarios[] = {{"excludes", excludes},
							 {"trylock", trylock},
							 {"vm", vm},
							 {"vm_map", vm_map},
							 {"vm_map_briefly", vm_map_briefly},
							 {"thread_ends", thread_ends},
							 {"clock_forward", clock_forward}};

	test_run(scenarios, sizeof(scenarios) / sizeof(scenarios[0]));
	return TEST_PASS;
}
