/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The common part of the programs of all runtimes. A workload is a folder beside this one: NAME.c has its input and
 * its answer, and serial.c, filch.c, openmp.c and tbb.cpp have the same computation, as a user of each runtime
 * would write it. A runtime is one program with all workloads, so that runtimes share no process.
 */
#ifndef FILCHI_BENCH_WORKLOAD_H
#define FILCHI_BENCH_WORKLOAD_H

#include <filch/base.h>

#include <stdbool.h>

FILCH_BEGIN_DECLS

struct filchi_workload {
	const char *name;
	const char *warm_up; /* a size that is fast, but starts all threads */
	/*
	 * Sizes are whole numbers from least to most (doubling: powers of two), or the names in the list, "T1, T2".
	 */
	unsigned least, most;
	bool doubling;
	const char *names;
	/* Makes the input of a valid size, such as "42" or "T3". end frees it. NULL: no memory. */
	void *(*begin)(const char *size);
	void (*end)(void *input);
	/* Restores the input before each run. May be NULL. */
	void (*fill)(void *input);
	void (*run)(void *input); /* what is timed */
	/* True if the answer of the last run is right. Writes the answer, and the number of items. */
	bool (*check)(void *input, char *answer, size_t size, double *items);
};

/* All workloads, in the order of FILCHI_WORKLOADS; NULL beyond the last. */
const struct filchi_workload *filchi_workload(unsigned n);

#define FILCHI_WORKLOADS(do)                                                                                           \
	do                                                                                                             \
	(fib) do(queens) FILCHI_WORKLOADS_UTS(do) do(matmul) do(quicksort) do(cilksort) do(sort) do(integrate) do(     \
		knapsack) do(dag) do(strassen) do(saxpy) do(histogram) do(mandelbrot)
#ifdef FILCHI_WORKLOAD_UTS
#define FILCHI_WORKLOADS_UTS(do)                                                                                       \
	do                                                                                                             \
	(uts)
#else
#define FILCHI_WORKLOADS_UTS(do) /* without SHA-1 */
#endif

#define FILCHI_WORKLOAD_DECLARE(name) extern const struct filchi_workload filchi_workload_##name;
FILCHI_WORKLOADS(FILCHI_WORKLOAD_DECLARE)

/* True if the workload has that size. Otherwise why has the sizes that it has. */
bool filchi_workload_fits(const struct filchi_workload *workload, const char *size, char *why, size_t room);

/* Returns the number in a text if it is from min to max; 0: it is not. */
unsigned filchi_workload_number(const char *text, unsigned min, unsigned max);
/* Returns the number of a valid size. */
unsigned filchi_workload_count(const char *size);

/* ---- a runtime: serial.c, filch.c, openmp.c or tbb.cpp of this folder ---- */

/* Recursion may be that deep: the thread that starts a runtime has a stack as large as its workers. */
#define FILCHI_WORKLOAD_STACK ((size_t)256 << 20)

struct filchi_runtime_setup {
	unsigned workers;
	const char *deque, *victim, *join; /* filch only; NULL: its default */
};

/* Counts so far; UINT64_MAX: the runtime has no such count. */
struct filchi_runtime_counts {
	uint64_t tasks;
	uint64_t steals, leapfrogs; /* all steals; the steals by workers that wait for a stolen task */
	uint64_t grows, shrinks;    /* of the public part of a split deque */
};

static inline struct filchi_runtime_counts filchi_runtime_no_counts(void)
{
	struct filchi_runtime_counts counts;

	counts.tasks = counts.steals = counts.leapfrogs = counts.grows = counts.shrinks = UINT64_MAX;
	return counts;
}

/* 0, or -1 with the reason in why. The calling thread will run the workloads. */
int filchi_runtime_start(const struct filchi_runtime_setup *setup, const char **why);
void filchi_runtime_stop(void);
struct filchi_runtime_counts filchi_runtime_counts(void);
/* filch only: the deque of the setup. */
const char *filchi_runtime_deque(void);

FILCH_END_DECLS

#endif
