/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The microbenchmark of Duwadi, "Analysis of novel approaches for work-stealing scheduling" (2025), 5.2. An owner
 * pushes until the deque is full and pops until it is empty, again and again. Each thief attempts steals at a rate. For
 * each rate R ("0", "100k", "1M", "max"):
 *
 *   throughput_R   operations of owner and thieves per second, outcomes of steals, context switches
 *   latency_R      the same in other runs, in which some operations are timed one by one: the clock takes longer
 *                  than a push
 *
 * The loops are in bench/micro/deque, with each operation inlined.
 */
#ifndef FILCHI_BENCH_QUEUE_H
#define FILCHI_BENCH_QUEUE_H

#include "../../harness/suite.h"
#include "../deque/threads.h"

#define FILCHI_QUEUE_BENCH_MAX_RATES 16u
#define FILCHI_QUEUE_BENCH_FASTEST 100000000u /* largest rate in steals a second, except max */

struct filchi_queue_rate {
	unsigned per_second; /* attempts of each thief a second; 0: no thieves */
	bool max;	     /* as many as possible */
};

struct filchi_queue_options {
	unsigned thieves;
	unsigned payload; /* used bytes of an item: 4 or 8 */
	unsigned capacity;
	unsigned block_size; /* for kinds with blocks; 0: their default */
	size_t rate_count;
	struct filchi_queue_rate rates[FILCHI_QUEUE_BENCH_MAX_RATES];
};

/* Returns the number of thieves at that rate. */
static inline unsigned filchi_queue_thieves(const struct filchi_queue_options *o, struct filchi_queue_rate rate)
{
	return rate.max || rate.per_second ? o->thieves : 0;
}

/* Measures the named kinds, each once. 0 or -errno; -ENOENT: unknown kind. */
int filchi_queue_bench_init(struct filchi_bench_suite *s, const struct filchi_bench_options *options,
			    const struct filchi_queue_options *queue, const char *const *kinds, size_t kind_count);

/* The own data of a suite; its cases refer to the rates. */
struct filchi_queue_bench {
	struct filchi_queue_options options;
	struct filchi_queue_bench_kind *kinds;
	/* For each rate: its name, and the names of its two measures. */
	struct filchi_queue_names {
		char rate[16], throughput[32], latency[32];
	} names[FILCHI_QUEUE_BENCH_MAX_RATES];
};

/* The context of a case. */
struct filchi_queue_bench_kind {
	const struct filchi_bench_loops *loops;
	const struct filchi_queue_options *options;
	struct filchi_queue_rate rate;
	double seconds; /* of a sample */
};

/* Its samples. */
extern const struct filchi_bench_case filchi_queue_bench_throughput, filchi_queue_bench_latency;

/* Its reports. */
int filchi_queue_bench_table(const struct filchi_bench_suite *s, const struct filchi_machine *m, FILE *f, bool color);
void filchi_queue_bench_json_options(const struct filchi_bench_suite *s, struct filchi_json *j);

#endif
