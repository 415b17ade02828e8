/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stacks on systems that refuse: no guards by advice, or an advice without effect, too few mappings for guards, no
 * guards at all, no memory for stacks. The system calls of the library go through functions of this test.
 */
#define _GNU_SOURCE
#include "../fixtures/child.h"
#include "../fixtures/fiber/fibers.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

enum { GUARD_INSTALL = 102 };

/* ---- the system ---- */

static int advice;     /* the answer to a guard by advice: -1 is refused, 0 has no effect, 1 is the system's */
static bool no_guards; /* mprotect() is refused, once the pool has started */
static atomic_int started;
static atomic_int mappings; /* that mmap() may still make; negative: any number */

int __real_madvise(void *at, size_t size, int what);
int __real_mprotect(void *at, size_t size, int how);
void *__real_mmap(void *at, size_t size, int how, int flags, int fd, off_t offset);
int __wrap_madvise(void *at, size_t size, int what);
int __wrap_mprotect(void *at, size_t size, int how);
void *__wrap_mmap(void *at, size_t size, int how, int flags, int fd, off_t offset);

int __wrap_madvise(void *at, size_t size, int what)
{
	if (what != GUARD_INSTALL || advice == 1)
		return __real_madvise(at, size, what);
	errno = EINVAL;
	return advice;
}

int __wrap_mprotect(void *at, size_t size, int how)
{
	if (!no_guards || !atomic_load(&started))
		return __real_mprotect(at, size, how);
	errno = ENOMEM;
	return -1;
}

void *__wrap_mmap(void *at, size_t size, int how, int flags, int fd, off_t offset)
{
	if (atomic_load(&mappings) < 0 || atomic_fetch_sub(&mappings, 1) > 0)
		return __real_mmap(at, size, how, flags, fd, offset);
	atomic_store(&mappings, 0);
	errno = ENOMEM;
	return MAP_FAILED;
}

/* ---- fibers ---- */

static atomic_int waiting;
static struct filch_channel *gate;

static int waits(void *arg, void **result)
{
	int n;

	(void)arg;
	(void)result;
	atomic_fetch_add(&waiting, 1);
	return filch_channel_recv(gate, &n) == -EPIPE ? 7 : 1;
}

static struct filch_fiber_stats stats(void)
{
	struct filch_fiber_stats s = {.struct_size = sizeof(s)};

	CHILD_CHECK(filch_fiber_stats(NULL, &s) == 0);
	return s;
}

static void begin(void)
{
	begin_pool(NULL, 1, 0);
	atomic_store(&started, 1);
}

static void end(void)
{
	atomic_store(&started, 0);
	CHILD_CHECK(filch_stop() == 0);
}

/* So many fibers at a time, each of which must end as expected. Returns the stacks without a guard. */
static uint64_t run_many(int count)
{
	struct filch_fiber **f = calloc((size_t)count, sizeof(*f));
	uint64_t unguarded;

	CHILD_CHECK(f);
	begin();
	CHILD_CHECK(filch_channel_create(&gate, sizeof(int), 0) == 0);
	atomic_store(&waiting, 0);
	for (int i = 0; i < count; i++)
		CHILD_CHECK(filch_fiber_start(&f[i], NULL, waits, NULL, NULL) == 0);
	while (atomic_load(&waiting) < count)
		filch_fiber_yield();
	unguarded = stats().unguarded;
	CHILD_CHECK(stats().stacks >= (uint64_t)count);
	CHILD_CHECK(filch_channel_close(gate) == 0);
	for (int i = 0; i < count; i++)
		CHILD_CHECK(filch_fiber_join(f[i], NULL) == 7);
	end();
	filch_channel_destroy(gate);
	free(f);
	return unguarded;
}

/* ---- no stack left ---- */

static int deeper(uintptr_t until)
{
	volatile char here[512];

	for (size_t i = 0; i < sizeof(here); i++)
		here[i] = 0;
	return (uintptr_t)here > until ? deeper(until) + here[0] : here[0];
}

/* 48 KiB are there. The frames need 4 KiB more, and less than 16 KiB more: an unguarded neighbour is safe. */
static int overflows(void *arg, void **result)
{
	volatile char top = 0;

	(void)arg;
	(void)result;
	return deeper((uintptr_t)&top - 52 * 1024);
}

static void overflow_in(int out)
{
	struct filch_fiber_options o = {.struct_size = sizeof(o), .name = "deep one"};
	struct rlimit no_core = {0, 0};
	struct filch_fiber *f;

	setrlimit(RLIMIT_CORE, &no_core);
	dup2(out, STDERR_FILENO);
	begin();
	CHILD_CHECK(filch_fiber_start(&f, NULL, overflows, NULL, &o) == 0);
	filch_fiber_join(f, NULL);
	_exit(0);
}

static void expect_report(void)
{
	char text[401] = "";
	size_t used = 0;
	ssize_t n;
	int pipes[2];

	CHILD_CHECK(pipe(pipes) == 0);
	if (!fork())
		overflow_in(pipes[1]);
	close(pipes[1]);
	while (used < sizeof(text) - 1 && (n = read(pipes[0], text + used, sizeof(text) - 1 - used)) > 0)
		used += (size_t)n;
	CHILD_CHECK(strstr(text, "fiber 'deep one' ran out of stack (64 KiB"));
}

/* ---- cases, each in a process of its own ---- */

static void guarded(void *arg)
{
	advice = (int)(intptr_t)arg;
	expect_report();
	CHILD_CHECK(run_many(200) == 0);
}

static void unguarded(void *unused)
{
	(void)unused;
	advice = -1;
	no_guards = true;
	expect_report(); /* by the canary */
	CHILD_CHECK(run_many(200) >= 200);
}

/* More fibers than the system has mappings for guards. */
static void beyond_mappings(void *unused)
{
	FILE *f = fopen("/proc/sys/vm/max_map_count", "r");
	long most = 0;

	(void)unused;
	if (!f || fscanf(f, "%ld", &most) != 1 || most > 70000)
		_exit(TEST_SKIP);
	fclose(f);
	advice = -1;
	CHILD_CHECK(run_many((int)most / 2 + 3000) > 0);
	/* The guards are gone with their stacks. */
	CHILD_CHECK(run_many(1000) == 0);
}

static int seven(void *arg, void **result)
{
	(void)arg;
	(void)result;
	filch_fiber_yield();
	return 7;
}

/* Fibers that get no stack end with -ENOMEM. Later ones run. */
static void no_memory(void *unused)
{
	struct filch_fiber *f[200];
	int refused = 0, done = 0;

	(void)unused;
	begin();
	CHILD_CHECK(filch_fiber_join(go(seven, NULL), NULL) == 7);
	CHILD_CHECK(filch_channel_create(&gate, sizeof(int), 0) == 0);
	atomic_store(&waiting, 0);
	atomic_store(&mappings, 0);
	for (int i = 0; i < 200; i++)
		f[i] = go(waits, NULL);
	while (stats().started < 201)
		filch_fiber_yield();
	for (int i = 0; i < 200; i++) /* 64 fibers have a stack of the first slab */
		if (filch_fiber_join_for(f[i], 1000, NULL) == -ENOMEM) {
			f[i] = NULL;
			refused++;
		}
	atomic_store(&mappings, -1);
	CHILD_CHECK(filch_channel_close(gate) == 0);
	for (int i = 0; i < 200; i++)
		done += f[i] && filch_fiber_join(f[i], NULL) == 7;
	CHILD_CHECK(refused == 200 - 64 && done == 64);
	CHILD_CHECK(filch_fiber_join(go(seven, NULL), NULL) == 7);
	end();
	filch_channel_destroy(gate);
}

static void run_case(const char *name, void (*fn)(void *), void *arg)
{
	int status = test_in_child(fn, arg);

	printf("%s: %s\n", name, status == TEST_SKIP ? "skipped" : status ? "failed" : "ok");
	TEST_CHECK(status == 0 || status == TEST_SKIP);
}

int main(void)
{
	atomic_store(&mappings, -1);
	run_case("guards by the system", guarded, (void *)1);
	run_case("guards refused", guarded, (void *)-1);
	run_case("guards without effect", guarded, (void *)0);
	run_case("no guards", unguarded, NULL);
	run_case("beyond the mappings", beyond_mappings, NULL);
	run_case("no memory", no_memory, NULL);
	return 0;
}
