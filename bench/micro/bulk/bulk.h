/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Measures operations of the bulk queues in one thread, as their paper does.
 *
 *   push_N    one push of a batch of N nodes, which was made before
 *   singles   1,024 pushes of one node each
 *   pop       one pop, of 10,000 in a row
 *   steal_P   one steal of P % of 10,000 nodes, pushed in batches of 1,000
 *
 * There are five kinds. The first is the list of the paper as printed, which is safe only in one thread
 * (docs/errata.md). The second is this list with the paper's optimization. The next two are the kinds of libfilch. The
 * last is chase_lev, which moves its items one by one. A node takes a cache line, as in the paper. Nodes are in memory
 * in the order of the list, which is an advantage for kinds that walk.
 *
 * One file per kind instantiates the loops (loops.h), so that each operation is inlined in its timed loop.
 */
#ifndef FILCHI_BENCH_BULK_H
#define FILCHI_BENCH_BULK_H

#include "../../../src/base/compiler.h"
#include "../../harness/suite.h"

#include <filch/bulk.h>

#define FILCHI_BULK_BENCH_NODES 10000u /* nodes to pop, and to steal from */
#define FILCHI_BULK_BENCH_BATCH 1000u  /* they come in */
#define FILCHI_BULK_BENCH_BATCHES 32u  /* batches pushed between two readings of the clock */
#define FILCHI_BULK_BENCH_LARGEST 1024u

struct filchi_bulk_bench_node {
	FILCHI_OWN_LINE struct filch_node node;
	uint64_t number;
};

/* One kind. Timed functions return nanoseconds, which include the clock; the caller subtracts it. */
struct filchi_bulk_bench_loops {
	const char *name;
	void *(*create)(void); /* NULL: no memory */
	void (*destroy)(void *q);
	uint64_t (*push)(void *q, const struct filch_batch *batches, size_t count);
	/* Pops that many nodes, and adds the sum of their numbers. */
	uint64_t (*pop)(void *q, size_t count, uint64_t *sum);
	/* Steals once. For a kind that shares on request, this is the request, the owner's part and the taking. */
	uint64_t (*steal)(void *q, double proportion, struct filch_batch *batch);
	size_t (*size)(const void *q);
};

extern const struct filchi_bulk_bench_loops filchi_bulk_bench_printed, filchi_bulk_bench_optimized;
extern const struct filchi_bulk_bench_loops filchi_bulk_bench_list, filchi_bulk_bench_chunks;
extern const struct filchi_bulk_bench_loops filchi_bulk_bench_chase_lev;

/* 0 or -ENOMEM. */
int filchi_bulk_bench_init(struct filchi_bench_suite *s, const struct filchi_bench_options *options);

/* Returns a measure; NULL beyond the last. */
const char *filchi_bulk_bench_measure(size_t i);

/* Its reports. */
int filchi_bulk_bench_table(const struct filchi_bench_suite *s, const struct filchi_machine *m, FILE *f, bool color);
void filchi_bulk_bench_json_options(const struct filchi_bench_suite *s, struct filchi_json *j);

#endif
