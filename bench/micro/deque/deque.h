/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Measures the cost of operations of each deque for the owner and for a thief, beside a plain array stack.
 *
 *   owner_alone    the owner pushes FILCHI_BENCH_DEPTH items and pops them, again and again; no thieves
 *   with_thieves   the same while thieves steal as fast as they can
 *   steal_alone    the owner fills the deque and stands still; then one thief, another thread, empties it
 */
#ifndef FILCHI_BENCH_DEQUE_H
#define FILCHI_BENCH_DEQUE_H

#include "../../harness/suite.h"
#include "kind.h"

/* The context of a case. */
struct filchi_deque_bench_kind {
	const struct filchi_bench_loops *loops;
	double seconds; /* of a sample */
	unsigned thieves;
};

/* Measures the plain stack and the named kinds, each once. 0 or -errno; -ENOENT: unknown kind. */
int filchi_deque_bench_init(struct filchi_bench_suite *s, const struct filchi_bench_options *options, unsigned thieves,
			    const char *const *kinds, size_t kind_count);

/* Take one sample of a measure. -EPROTO: pushes are not pops + steals + left. */
int filchi_deque_bench_owner_alone(const struct filchi_bench_case *c, double *values, struct filchi_bench_error *error);
int filchi_deque_bench_with_thieves(const struct filchi_bench_case *c, double *values,
				    struct filchi_bench_error *error);
int filchi_deque_bench_steal_alone(const struct filchi_bench_case *c, double *values, struct filchi_bench_error *error);

/* Print reports. own points to the kinds. */
int filchi_deque_bench_table(const struct filchi_bench_suite *s, const struct filchi_machine *m, FILE *f, bool color);
void filchi_deque_bench_json_options(const struct filchi_bench_suite *s, struct filchi_json *j);

#endif
