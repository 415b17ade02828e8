/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The cost of a spawn in the variants that users write: types of results, numbers of parameters, trees, loops, and
 * short runs. cases.c has the list of cases with their answers. serial.c, filch.c, openmp.c and tbb.cpp have the same
 * computations, each as a user of that runtime would write it. main.c is the program of one runtime, built once for
 * each compiler and optimization.
 */
#ifndef FILCHI_BENCH_WORKLOAD_SPAWN_H
#define FILCHI_BENCH_WORKLOAD_SPAWN_H

#include <filch/base.h>

#include <stdbool.h>

FILCH_BEGIN_DECLS

/* The computations. Each runtime has a table of functions in this order. */
enum filchi_spawn_kind {
	FILCHI_SPAWN_FIB_INT,
	FILCHI_SPAWN_FIB_LONG,
	FILCHI_SPAWN_FIB_FLOAT,
	FILCHI_SPAWN_FIB_BOOL,
	FILCHI_SPAWN_FIB_VOID,
	FILCHI_SPAWN_FIB_STRUCT,
	FILCHI_SPAWN_PARAMS_1,
	FILCHI_SPAWN_PARAMS_2,
	FILCHI_SPAWN_PARAMS_3,
	FILCHI_SPAWN_PARAMS_4,
	FILCHI_SPAWN_PARAMS_5,
	FILCHI_SPAWN_PARAMS_6,
	FILCHI_SPAWN_PARAMS_7,
	FILCHI_SPAWN_PARAMS_8,
	FILCHI_SPAWN_TREE_2,
	FILCHI_SPAWN_TREE_4,
	FILCHI_SPAWN_TREE_16,
	FILCHI_SPAWN_LOOP,
	FILCHI_SPAWN_SPAWN_N,
	FILCHI_SPAWN_RUNS,
	FILCHI_SPAWN_KINDS
};

struct filchi_spawn_case {
	const char *name; /* GROUP/VARIANT */
	const char *base; /* cases of the same base compute the same: the fastest serial one is the baseline of all */
	enum filchi_spawn_kind kind;
	/* n of fib, depth of a tree, or spawns of a round; peer_size is for runtimes that would take too long. */
	int size, peer_size;
	int body_ns;	  /* nominal duration of a task; 0: a call that returns at once */
	bool on_compiler; /* depends on the compiler */
};

/* From 0; NULL beyond the last. */
const struct filchi_spawn_case *filchi_spawn_case(unsigned n);
/* The groups of cases, from 0; NULL beyond the last. */
const char *filchi_spawn_group(unsigned n);
/* True if the case is the named one, or belongs to the named group: loop and loop/64 have the case loop/64/30. */
bool filchi_spawn_case_is(const struct filchi_spawn_case *c, const char *name, size_t length);

/* The spawns and the answer of one round of a case with that size. */
uint64_t filchi_spawn_spawns(const struct filchi_spawn_case *c, int size);
uint64_t filchi_spawn_answer(const struct filchi_spawn_case *c, int size);

/* ---- the computations ---- */

struct filchi_spawn_job {
	uint64_t rounds;
	/* Volatile, so that a compiler cannot compute one round for all. */
	volatile int size;
	volatile long one; /* 1; a value of parameters */
	unsigned loops;	   /* of the work of a task */
};

/* Runs all rounds, and returns the sum of their answers. */
typedef uint64_t filchi_spawn_run(const struct filchi_spawn_job *job);
extern filchi_spawn_run *const filchi_spawn_runs[FILCHI_SPAWN_KINDS];

/* The work of a task, which no compiler can see: returns 1 after that many steps of one nanosecond or so. */
int filchi_spawn_work(unsigned loops);

/* A result of 16 bytes. */
struct filchi_spawn_pair {
	long value, spawns;
};

FILCH_END_DECLS

#endif
