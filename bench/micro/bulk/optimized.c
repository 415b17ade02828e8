/* SPDX-License-Identifier: Apache-2.0 */
#include "printed.h"

#define NAME filchi_bulk_bench_optimized
#define LABEL "optimized"
#define QUEUE struct printed
#define CREATE(q) printed_init(q)
#define DESTROY(q) ((void)(q))
#define PUSH(q, batch) printed_push(q, batch)
#define POP(q, node) printed_pop(q, node)
#define STEAL(q, proportion, batch) printed_steal(q, proportion, batch, true)
#define SIZE(q) filchi_load_rlx(&(q)->size, PRINTED)
#include "loops.h"
