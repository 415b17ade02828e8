/* SPDX-License-Identifier: Apache-2.0 */
/* The rounds of a case, for the files of filch. */
#ifndef FILCHI_BENCH_WORKLOAD_SPAWN_FILCH_ROUNDS_H
#define FILCHI_BENCH_WORKLOAD_SPAWN_FILCH_ROUNDS_H

#include "spawn.h"

#include <filch.h>

/* All rounds are one job: only RUNS measures how a job starts and ends. */
#define ROUNDS(linkage, name, call)                                                                                    \
	FILCH_TASK(uint64_t, name##_all, const struct filchi_spawn_job *, job)                                         \
	{                                                                                                              \
		uint64_t sum = 0;                                                                                      \
                                                                                                                       \
		for (uint64_t i = 0; i < job->rounds; i++)                                                             \
			sum += (uint64_t)(call);                                                                       \
		return sum;                                                                                            \
	}                                                                                                              \
	linkage uint64_t name##_rounds(const struct filchi_spawn_job *job)                                             \
	{                                                                                                              \
		return FILCH_RUN(name##_all, job);                                                                     \
	}

/* ---- filch_fib.c ---- */

filchi_spawn_run fib_int_rounds, fib_long_rounds, fib_float_rounds, fib_bool_rounds, fib_void_rounds, fib_struct_rounds;

#endif
