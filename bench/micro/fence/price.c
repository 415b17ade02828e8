/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Measures the price of the fence in the pop of chase_lev, and the price of its absence (chase_lev_asym):
 *
 *   fence_price [SECONDS]     duration of a sample, default 0.02
 *
 * First it measures an owner's push, pop and task. The task writes to some cache lines of an array. A fence waits for
 * earlier writes, so it costs more if their lines are further away. split, which has no fence and other rules, is
 * measured as well. Then it measures the time of a steal for the thief, and the time that a steal takes from a running
 * owner.
 */
#define _GNU_SOURCE

#include "../../../src/base/clock.h"
#include "../../../src/base/mem.h"
#include "../../../src/deque/chase_lev.h"
#include "../../../src/deque/chase_lev_asym.h"
#include "../../../src/deque/split.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { BURST = 64, BURSTS = 32, STEALS = 4096, CAPACITY = 8192, SAMPLES = 15, KINDS = 3 };
#define PAUSE_NS 20000u /* nanoseconds between two steals of a thief */
#define LINE (FILCHI_CACHE_LINE / sizeof(uint64_t))
#define LARGEST ((size_t)64 << 20)
#define COMPILER_BARRIER() __asm__ volatile("" : : : "memory")

/* A task that writes to random lines of an array: 0, 1 or 4 lines of `bytes` bytes. */
struct task {
	const char *name;
	size_t bytes;
	unsigned lines;
};

struct kind {
	const char *name;
	void *(*make)(void);
	void (*unmake)(void *deque);
	void (*fill)(void *deque, unsigned count);
	void (*own)(void *deque, const struct task *task);
	int (*rob)(void *deque);
};

struct thief {
	FILCHI_OWN_LINE FILCHI_ATOMIC(bool) stop; /* its edge is STOP: it orders nothing; the join of the thread does */
	FILCHI_ATOMIC(bool) started;
	const struct kind *kind;
	void *deque;
	size_t steals;
	double *ns; /* of each */
};

static double seconds = 0.02;
static uint64_t random_state = 1;
static uint64_t *array;
static cpu_set_t usable;

static void give_up(const char *what)
{
	fprintf(stderr, "fence_price: %s failed\n", what);
	exit(1);
}

static inline uint64_t run_task(const struct task *task, unsigned lines, uint64_t where)
{
	for (unsigned i = 0; i < lines; i++) {
		where ^= where << 13;
		where ^= where >> 7;
		where ^= where << 17;
		array[where * LINE & (task->bytes / sizeof(array[0]) - 1)] = where;
	}
	return where;
}

#define KIND chase_lev
#include "loops.h"
#define KIND chase_lev_asym
#include "loops.h"
#define KIND split
#include "loops.h"

static const struct kind *const kinds[KINDS] = {&chase_lev_kind, &chase_lev_asym_kind, &split_kind};

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static double median(double *values, size_t count)
{
	qsort(values, count, sizeof(values[0]), ascending);
	return count ? values[count / 2] : 0;
}

/* CPU time of this thread, because other threads on its processor do not count. */
static double cpu_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

/* Returns the time of a pop with its push and task, averaged over a sample. */
static double own_for_a_while(const struct kind *kind, void *deque, const struct task *task, double *pops)
{
	uint64_t end = filchi_clock_ns() + (uint64_t)(seconds * 1e9);
	double start = cpu_ns();

	*pops = 0;
	do {
		kind->own(deque, task);
		*pops += BURST * BURSTS;
	} while (filchi_clock_ns() < end);
	return (cpu_ns() - start) / *pops;
}

/* The kinds take turns. */
static void price_alone(const struct task *task)
{
	double ns[KINDS][SAMPLES], medians[KINDS], pops;

	for (unsigned i = 0; i < SAMPLES; i++)
		for (unsigned k = 0; k < KINDS; k++) {
			void *deque = kinds[k]->make();

			ns[k][i] = own_for_a_while(kinds[k], deque, task, &pops);
			kinds[k]->unmake(deque);
		}
	for (unsigned k = 0; k < KINDS; k++)
		medians[k] = median(ns[k], SAMPLES);
	printf("%-26s %9.2f %14.2f %6.2f %6.2f\n", task->name, medians[0], medians[1], medians[0] - medians[1],
	       medians[2]);
}

/* Pins the thread to the n-th usable processor, if it exists. */
static void pin(unsigned n)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	for (size_t cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &usable) && n-- == 0) {
			CPU_SET(cpu, &one);
			sched_setaffinity(0, sizeof(one), &one);
		}
}

static void *steal(void *argument)
{
	struct thief *t = argument;

	pin(1);
	filchi_store_rlx(&t->started, true, STOP);
	while (!filchi_load_rlx(&t->stop, STOP) && t->steals < STEALS) {
		uint64_t start = filchi_clock_ns(), end;
		int got = t->kind->rob(t->deque);

		end = filchi_clock_ns();
		if (got != FILCH_OK)
			continue;
		t->ns[t->steals++] = (double)(end - start);
		while (filchi_clock_ns() < end + PAUSE_NS)
			filchi_spin_wait();
	}
	return NULL;
}

/* Returns the time of a steal for the thief. *lost is the time that a steal costs the owner. */
static double rob_for_a_while(const struct kind *kind, double *lost)
{
	const struct task nothing = {.lines = 0};
	struct thief thief = {.kind = kind, .deque = kind->make(), .ns = calloc(STEALS, sizeof(double))};
	pthread_t thread;
	double alone, robbed, pops, ns;

	if (!thief.ns)
		give_up("memory");
	/* Items to steal are always there, far from the owner. */
	kind->fill(thief.deque, STEALS + BURST);
	alone = own_for_a_while(kind, thief.deque, &nothing, &pops);
	if (pthread_create(&thread, NULL, steal, &thief))
		give_up("starting a thread");
	while (!filchi_load_rlx(&thief.started, STOP))
		sched_yield();
	robbed = own_for_a_while(kind, thief.deque, &nothing, &pops);
	filchi_store_rlx(&thief.stop, true, STOP);
	pthread_join(thread, NULL);
	*lost = thief.steals ? (robbed - alone) * pops / (double)thief.steals : 0;
	ns = median(thief.ns, thief.steals);
	free(thief.ns);
	kind->unmake(thief.deque);
	return ns;
}

static void price_with_thief(const struct kind *kind)
{
	double thief[SAMPLES], victim[SAMPLES];

	for (unsigned i = 0; i < SAMPLES; i++)
		thief[i] = rob_for_a_while(kind, &victim[i]);
	printf("%-26s %9.0f %14.0f\n", kind->name, median(thief, SAMPLES), median(victim, SAMPLES));
}

int main(int argc, char **argv)
{
	static const struct task tasks[] = {
		{"4 lines of 64 MiB", LARGEST, 4},     {"1 line of 64 MiB", LARGEST, 1},
		{"4 lines of 1 MiB", 1 << 20, 4},      {"1 line of 1 MiB", 1 << 20, 1},
		{"4 lines of 16 KiB", 1 << 14, 4},     {"1 line of 16 KiB", 1 << 14, 1},
		{"nothing", LINE * sizeof(*array), 0},
	};

	if (argc > 1)
		seconds = atof(argv[1]);
	array = calloc(LARGEST, 1);
	if (!array || argc > 2 || !(seconds > 0 && seconds <= 10))
		give_up("reading the arguments");
	/* Touched, so that there is memory behind it. */
	for (size_t i = 0; i < LARGEST / sizeof(array[0]); i += LINE)
		array[i] = i;
	sched_getaffinity(0, sizeof(usable), &usable);
	pin(0);
	printf("ns for a push, its pop and the task; medians of %d\n\n", SAMPLES);
	printf("%-26s %9s %14s %6s %6s\n", "the task writes to", "chase_lev", "chase_lev_asym", "fence", "split");
	for (size_t i = 0; i < sizeof(tasks) / sizeof(tasks[0]); i++)
		price_alone(&tasks[i]);
	printf("\n%-26s %9s %14s\n", "ns for a steal", "the thief", "and its victim");
	for (unsigned k = 0; k < 2; k++)
		price_with_thief(kinds[k]);
	free(array);
	return 0;
}
