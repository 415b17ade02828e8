/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The deques, one by one and against a plain array stack: what owner and thief pay for an operation.
 *
 *   owner_alone    the owner pushes FILCHI_BENCH_DEPTH items and pops them, again and again; no thieves
 *   with_thieves   the same while thieves steal as fast as they can
 *   steal_alone    the owner fills the deque and stands still; then one thief, another thread, empties it
 */
#ifndef FILCHI_BENCH_DEQUE_H
#define FILCHI_BENCH_DEQUE_H

#include "../../harness/suite.h"
#include "kind.h"

/* What a case has as its context. */
struct filchi_deque_bench_kind {
	const struct filchi_bench_loops *loops;
	double seconds; /* of a sample */
	unsigned thieves;
};

/* The plain stack, and the kinds named, each once. 0 or -errno; -ENOENT for a kind that is not known. */
int filchi_deque_bench_init(struct filchi_bench_suite *s, const struct filchi_bench_options *options, unsigned thieves,
			    const char *const *kinds, size_t kind_count);

/* One sample of each measurement. The equation pushes = pops + steals + left is checked, and -EPROTO if violated. */
int filchi_deque_bench_owner_alone(const struct filchi_bench_case *c, double *values, struct filchi_bench_error *error);
int filchi_deque_bench_with_thieves(const struct filchi_bench_case *c, double *values,
				    struct filchi_bench_error *error);
int filchi_deque_bench_steal_alone(const struct filchi_bench_case *c, double *values, struct filchi_bench_error *error);

/* Its reports. The suite's own are its kinds. */
int filchi_deque_bench_table(const struct filchi_bench_suite *s, const struct filchi_machine *m, FILE *f, bool color);
void filchi_deque_bench_json_options(const struct filchi_bench_suite *s, struct filchi_json *j);

#endif
