/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the programs of all runtimes have in common. A workload is a folder beside this one: NAME.c has its input and
 * its answer, and the same computation is in serial.c, filch.c, openmp.c and tbb.cpp, as a user of each would write it.
 * A runtime is one program with all workloads, so that runtimes do not share a process.
 */
#ifndef FILCHI_BENCH_WORKLOAD_H
#define FILCHI_BENCH_WORKLOAD_H

#include <filch/base.h>

#include <stdbool.h>

FILCH_BEGIN_DECLS

struct filchi_workload {
	const char *name;
	const char *warm_up; /* a size that takes no time, but starts all threads */
	/* Sizes are whole numbers from least to most, doubling: powers of two; or those in the list names, "T1, T2". */
	unsigned least, most;
	bool doubling;
	const char *names;
	/* The input of that size, "42" or "T3", which is one, to be freed by end. NULL: no memory. */
	void *(*begin)(const char *size);
	void (*end)(void *input);
	/* Before each run: puts things back as they were. May be NULL. */
	void (*fill)(void *input);
	void (*run)(void *input); /* what is timed */
	/* Is the answer of the last run right? Writes it for people, and how much there was to do. */
	bool (*check)(void *input, char *answer, size_t size, double *items);
};

/* All of them, in the order of FILCHI_WORKLOADS; NULL beyond. */
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
#define FILCHI_WORKLOADS_UTS(do) /* there is no SHA-1 */
#endif

#define FILCHI_WORKLOAD_DECLARE(name) extern const struct filchi_workload filchi_workload_##name;
FILCHI_WORKLOADS(FILCHI_WORKLOAD_DECLARE)

/* Is it a size of the workload? If not, says which there are, in memory of the caller. */
bool filchi_workload_fits(const struct filchi_workload *workload, const char *size, char *why, size_t room);

/* A text that is a number between the two; 0: it is not. */
unsigned filchi_workload_number(const char *text, unsigned min, unsigned max);
/* The same without limits, for a size that fits. */
unsigned filchi_workload_count(const char *size);

/* ---- the runtime of a runtime: serial.c, filch.c, openmp.c or tbb.cpp of this folder ---- */

/* Each thread may be as deep in recursion as that: one that starts a runtime has as much as its workers. */
#define FILCHI_WORKLOAD_STACK ((size_t)256 << 20)

struct filchi_runtime_setup {
	unsigned workers;
	const char *deque, *victim, *join; /* filch only; NULL: its default */
};

/* So far; UINT64_MAX where the runtime does not say. */
struct filchi_runtime_counts {
	uint64_t tasks;
	uint64_t steals, leapfrogs; /* all of them; of these, those by who waits for a stolen task */
	uint64_t grows, shrinks;    /* of what thieves may take, in a split deque */
};

static inline struct filchi_runtime_counts filchi_runtime_no_counts(void)
{
	struct filchi_runtime_counts counts;

	counts.tasks = counts.steals = counts.leapfrogs = counts.grows = counts.shrinks = UINT64_MAX;
	return counts;
}

/* 0, or -1 with the reason in why. In the thread that will call the workloads. */
int filchi_runtime_start(const struct filchi_runtime_setup *setup, const char **why);
void filchi_runtime_stop(void);
struct filchi_runtime_counts filchi_runtime_counts(void);
/* filch only: that of the setup. */
const char *filchi_runtime_deque(void);

FILCH_END_DECLS

#endif
