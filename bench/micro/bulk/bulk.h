/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The bulk queues, in one thread, as their paper measures them: what one operation takes.
 *
 *   push_N    one push of a batch of N nodes, which was made before
 *   singles   1,024 pushes of one node each
 *   pop       one pop, of 10,000 in a row
 *   steal_P   one steal of P % of 10,000 nodes, pushed in batches of 1,000
 *
 * Kinds: the list of the paper as it is printed, which is safe in one thread only (docs/errata.md), and with the
 * paper's optimization; the two kinds of libfilch; and chase_lev, which moves its items one by one. Nodes take a cache
 * line, as in the paper, and lie in memory in the order of the list, which is kind to those who walk.
 *
 * One file per kind instantiates the loops (loops.h), so that each operation is inlined in what is timed.
 */
#ifndef FILCHI_BENCH_BULK_H
#define FILCHI_BENCH_BULK_H

#include "../../../src/base/compiler.h"
#include "../../harness/suite.h"

#include <filch/bulk.h>

#define FILCHI_BULK_BENCH_NODES 10000u /* to pop, and to steal from */
#define FILCHI_BULK_BENCH_BATCH 1000u  /* they come in */
#define FILCHI_BULK_BENCH_BATCHES 32u  /* pushed between two looks at the clock */
#define FILCHI_BULK_BENCH_LARGEST 1024u

struct filchi_bulk_bench_node {
	FILCHI_OWN_LINE struct filch_node node;
	uint64_t number;
};

/* One kind. What is timed answers nanoseconds, the clock included: that is for the caller to take off. */
struct filchi_bulk_bench_loops {
	const char *name;
	void *(*create)(void); /* NULL when there is no memory */
	void (*destroy)(void *q);
	uint64_t (*push)(void *q, const struct filch_batch *batches, size_t count);
	/* Pops so many; the sum of their numbers is added. */
	uint64_t (*pop)(void *q, size_t count, uint64_t *sum);
	/* One steal; of a kind that shares on request the whole of it: the request, the owner's part and the taking. */
	uint64_t (*steal)(void *q, double proportion, struct filch_batch *batch);
	size_t (*size)(const void *q);
};

extern const struct filchi_bulk_bench_loops filchi_bulk_bench_printed, filchi_bulk_bench_optimized;
extern const struct filchi_bulk_bench_loops filchi_bulk_bench_list, filchi_bulk_bench_chunks;
extern const struct filchi_bulk_bench_loops filchi_bulk_bench_chase_lev;

/* 0 or -ENOMEM. */
int filchi_bulk_bench_init(struct filchi_bench_suite *s, const struct filchi_bench_options *options);

/* What is measured; NULL beyond the last. */
const char *filchi_bulk_bench_measure(size_t i);

/* Its reports. */
int filchi_bulk_bench_table(const struct filchi_bench_suite *s, const struct filchi_machine *m, FILE *f, bool color);
void filchi_bulk_bench_json_options(const struct filchi_bench_suite *s, struct filchi_json *j);

#endif
