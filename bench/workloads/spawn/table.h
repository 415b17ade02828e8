/* SPDX-License-Identifier: Apache-2.0 */
/* The table of the functions of a runtime, NAME_rounds, and the lists that the macros of all runtimes share. */
#ifndef FILCHI_BENCH_WORKLOAD_SPAWN_TABLE_H
#define FILCHI_BENCH_WORKLOAD_SPAWN_TABLE_H

#include "spawn.h"

/* The functions in the order of enum filchi_spawn_kind. */
#define FILCHI_SPAWN_TABLE                                                                                             \
	filchi_spawn_run *const filchi_spawn_runs[FILCHI_SPAWN_KINDS] = {                                              \
		fib_int_rounds,	   fib_long_rounds, fib_float_rounds, fib_bool_rounds, fib_void_rounds,                \
		fib_struct_rounds, params_1_rounds, params_2_rounds,  params_3_rounds, params_4_rounds,                \
		params_5_rounds,   params_6_rounds, params_7_rounds,  params_8_rounds, tree_2_rounds,                  \
		tree_4_rounds,	   tree_16_rounds,  loop_rounds,      spawn_n_rounds,  runs_rounds}

/*
 * Functions with 1 to 8 parameters do the same, with more to pass on. The lists have the parameters after the first:
 * TYPED for a function, TASK for a task of filch, ARGUMENTS for a call, ONES for the first call, SUM for the result.
 */
#define FILCHI_SPAWN_TYPED_1
#define FILCHI_SPAWN_TYPED_2 , long a
#define FILCHI_SPAWN_TYPED_3 , long a, long b
#define FILCHI_SPAWN_TYPED_4 , long a, long b, long c
#define FILCHI_SPAWN_TYPED_5 , long a, long b, long c, long d
#define FILCHI_SPAWN_TYPED_6 , long a, long b, long c, long d, long e
#define FILCHI_SPAWN_TYPED_7 , long a, long b, long c, long d, long e, long f
#define FILCHI_SPAWN_TYPED_8 , long a, long b, long c, long d, long e, long f, long g
#define FILCHI_SPAWN_TASK_1
#define FILCHI_SPAWN_TASK_2 , long, a
#define FILCHI_SPAWN_TASK_3 , long, a, long, b
#define FILCHI_SPAWN_TASK_4 , long, a, long, b, long, c
#define FILCHI_SPAWN_TASK_5 , long, a, long, b, long, c, long, d
#define FILCHI_SPAWN_TASK_6 , long, a, long, b, long, c, long, d, long, e
#define FILCHI_SPAWN_TASK_7 , long, a, long, b, long, c, long, d, long, e, long, f
#define FILCHI_SPAWN_TASK_8 , long, a, long, b, long, c, long, d, long, e, long, f, long, g
#define FILCHI_SPAWN_ARGUMENTS_1
#define FILCHI_SPAWN_ARGUMENTS_2 , a
#define FILCHI_SPAWN_ARGUMENTS_3 , a, b
#define FILCHI_SPAWN_ARGUMENTS_4 , a, b, c
#define FILCHI_SPAWN_ARGUMENTS_5 , a, b, c, d
#define FILCHI_SPAWN_ARGUMENTS_6 , a, b, c, d, e
#define FILCHI_SPAWN_ARGUMENTS_7 , a, b, c, d, e, f
#define FILCHI_SPAWN_ARGUMENTS_8 , a, b, c, d, e, f, g
#define FILCHI_SPAWN_ONES_1
#define FILCHI_SPAWN_ONES_2 , one
#define FILCHI_SPAWN_ONES_3 , one, one
#define FILCHI_SPAWN_ONES_4 , one, one, one
#define FILCHI_SPAWN_ONES_5 , one, one, one, one
#define FILCHI_SPAWN_ONES_6 , one, one, one, one, one
#define FILCHI_SPAWN_ONES_7 , one, one, one, one, one, one
#define FILCHI_SPAWN_ONES_8 , one, one, one, one, one, one, one
#define FILCHI_SPAWN_SUM_1
#define FILCHI_SPAWN_SUM_2 +a
#define FILCHI_SPAWN_SUM_3 +a + b
#define FILCHI_SPAWN_SUM_4 +a + b + c
#define FILCHI_SPAWN_SUM_5 +a + b + c + d
#define FILCHI_SPAWN_SUM_6 +a + b + c + d + e
#define FILCHI_SPAWN_SUM_7 +a + b + c + d + e + f
#define FILCHI_SPAWN_SUM_8 +a + b + c + d + e + f + g

#define FILCHI_SPAWN_EACH(define) define(1) define(2) define(3) define(4) define(5) define(6) define(7) define(8)

#endif
