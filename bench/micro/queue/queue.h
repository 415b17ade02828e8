/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The microbenchmark of Duwadi, "Analysis of novel approaches for work-stealing scheduling" (2025), 5.2: an owner
 * pushes until the deque is full and pops until it is empty, again and again, while each of some thieves attempts a
 * steal so and so often a second. For each such rate R ("0", "100k", "1M", "max"):
 *
 *   throughput_R   operations of owner and thieves per second, what came of the attempts to steal, context switches
 *   latency_R      the same, where some operations are timed one by one: a run of its own, since the clock takes longer
 *                  than a push
 *
 * The loops are those of bench/micro/deque, in which each operation is inlined.
 */
#ifndef FILCHI_BENCH_QUEUE_H
#define FILCHI_BENCH_QUEUE_H

#include "../../harness/suite.h"
#include "../deque/threads.h"

#define FILCHI_QUEUE_BENCH_MAX_RATES 16u
#define FILCHI_QUEUE_BENCH_FASTEST 100000000u /* steals a second that can be asked for, other than max */

struct filchi_queue_rate {
	unsigned per_second; /* attempts of each thief; 0: there are no thieves */
	bool max;	     /* as many as it can */
};

struct filchi_queue_options {
	unsigned thieves;
	unsigned payload; /* bytes of an item that are used: 4 or 8 */
	unsigned capacity;
	unsigned block_size; /* of kinds that have blocks; 0: their own */
	size_t rate_count;
	struct filchi_queue_rate rates[FILCHI_QUEUE_BENCH_MAX_RATES];
};

/* How many there are at that rate. */
static inline unsigned filchi_queue_thieves(const struct filchi_queue_options *o, struct filchi_queue_rate rate)
{
	return rate.max || rate.per_second ? o->thieves : 0;
}

/* Of the kinds named, each once. 0 or -errno; -ENOENT for a kind that is not known. */
int filchi_queue_bench_init(struct filchi_bench_suite *s, const struct filchi_bench_options *options,
			    const struct filchi_queue_options *queue, const char *const *kinds, size_t kind_count);

/* What a suite has as its own; its cases refer to the rates. */
struct filchi_queue_bench {
	struct filchi_queue_options options;
	struct filchi_queue_bench_kind *kinds;
	/* For each rate: its name, and those of its two measures. */
	struct filchi_queue_names {
		char rate[16], throughput[32], latency[32];
	} names[FILCHI_QUEUE_BENCH_MAX_RATES];
};

/* What a case has as its context. */
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
