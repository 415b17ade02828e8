/* SPDX-License-Identifier: Apache-2.0 */
#include "../../../src/base/clock.h"
#include "../../harness/counters.h"
#include "queue.h"

#include <errno.h>
#include <stdio.h>

static const struct filchi_bench_metric throughput_metrics[] = {
	{"owner_ops_per_s", "1/s"},
	{"steals_per_s", "1/s"},
	{"total_ops_per_s", "1/s"},
	{"attempts_per_s", "1/s"},
	{"ns_per_op", "ns"},
	{"ok_share", "1"},
	{"empty_share", "1"},
	{"lost_share", "1"},
	{"pushes", "items"},
	{"pops", "items"},
	{"steals", "items"},
	{"left", "items"},
	{"empty", "attempts"},
	{"lost", "attempts"},
	{"owner_voluntary", "switches"},
	{"owner_involuntary", "switches"},
	{"thief_voluntary", "switches"},
	{"thief_involuntary", "switches"},
	{"cycles", "1"},
	{"instructions", "1"},
	{"cache_references", "1"},
	{"cache_misses", "1"},
};

/* In the order of put(). The quantiles suffice to draw the distribution. */
#define LATENCY(of)                                                                                                    \
	{of "_count", "operations"}, {of "_mean", "ns"}, {of "_p1", "ns"}, {of "_p5", "ns"}, {of "_p10", "ns"},        \
		{of "_p25", "ns"}, {of "_p50", "ns"}, {of "_p75", "ns"}, {of "_p90", "ns"}, {of "_p95", "ns"},         \
		{of "_p99", "ns"},                                                                                     \
	{                                                                                                              \
		of "_max", "ns"                                                                                        \
	}
static const double quantiles[] = {0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99};

static const struct filchi_bench_metric latency_metrics[] = {
	LATENCY("owner"), LATENCY("push"), LATENCY("pop"), LATENCY("steal"), LATENCY("vain"), {"clock", "ns"},
};

/* Runs the sample. The caller frees the threads, unless it fails. */
static int run(const struct filchi_bench_case *c, struct filchi_bench_threads *threads,
	       struct filchi_bench_error *error, struct filchi_switches *switches, double *ns,
	       struct filchi_counters *counters)
{
	const struct filchi_queue_bench_kind *kind = c->context;
	const struct filchi_queue_options *o = kind->options;
	struct filchi_switches before;
	uint64_t start;
	int err;

	threads->loops = kind->loops;
	threads->error = error;
	threads->capacity = o->capacity;
	threads->block_size = o->block_size;
	threads->payload = o->payload;
	threads->thieves = filchi_queue_thieves(o, kind->rate);
	if (kind->rate.per_second)
		threads->pace.period = 1000000000u / kind->rate.per_second;
	err = filchi_bench_threads_start(threads);
	if (err)
		return err;
	filchi_counters_start(counters);
	before = filchi_switches();
	start = filchi_clock_ns();
	threads->loops->tides(threads->queue, start + (uint64_t)(kind->seconds * 1e9), o->payload, &threads->tally,
			      threads->latency);
	*ns = (double)(filchi_clock_ns() - start);
	*switches = filchi_switches_since(before);
	filchi_counters_stop(counters);
	err = filchi_bench_threads_stop(
		threads, threads->tally.pushes ? 0 : filchi_bench_threads_fail(threads, -ENOBUFS, "push"));
	if (err)
		filchi_bench_threads_free(threads);
	return err;
}

static int throughput(const struct filchi_bench_case *c, double *values, struct filchi_bench_error *error)
{
	struct filchi_bench_threads threads = {.timed = false};
	const struct filchi_bench_tally *t = &threads.tally;
	struct filchi_switches switches;
	struct filchi_counters counters;
	uint64_t attempts, owner;
	double ns;
	int err = run(c, &threads, error, &switches, &ns, &counters);

	if (err)
		return err;
	attempts = t->steals + t->lost + t->empty;
	owner = t->pushes + t->pops;
	filchi_bench_set(c, values, "owner_ops_per_s", (double)owner / ns * 1e9);
	filchi_bench_set(c, values, "steals_per_s", (double)t->steals / ns * 1e9);
	filchi_bench_set(c, values, "total_ops_per_s", (double)(owner + t->steals) / ns * 1e9);
	filchi_bench_set(c, values, "attempts_per_s", (double)attempts / ns * 1e9);
	filchi_bench_set(c, values, "ns_per_op", ns / (double)owner);
	filchi_bench_set(c, values, "ok_share", filchi_share(t->steals, attempts));
	filchi_bench_set(c, values, "empty_share", filchi_share(t->empty, attempts));
	filchi_bench_set(c, values, "lost_share", filchi_share(t->lost, attempts));
	filchi_bench_set(c, values, "pushes", (double)t->pushes);
	filchi_bench_set(c, values, "pops", (double)t->pops);
	filchi_bench_set(c, values, "steals", (double)t->steals);
	filchi_bench_set(c, values, "left", (double)t->left);
	filchi_bench_set(c, values, "empty", (double)t->empty);
	filchi_bench_set(c, values, "lost", (double)t->lost);
	filchi_bench_set(c, values, "owner_voluntary", (double)switches.voluntary);
	filchi_bench_set(c, values, "owner_involuntary", (double)switches.involuntary);
	filchi_bench_set(c, values, "thief_voluntary", (double)threads.thief_switches.voluntary);
	filchi_bench_set(c, values, "thief_involuntary", (double)threads.thief_switches.involuntary);
	for (size_t i = 0; i < FILCHI_COUNTERS; i++)
		filchi_bench_set(c, values, filchi_counter_names[i], counters.values[i]);
	filchi_bench_threads_free(&threads);
	return 0;
}

/* Writes the metrics of one histogram. Returns the next index. */
static double *put(double *values, const struct filchi_histogram *h)
{
	*values++ = (double)h->count;
	*values++ = filchi_histogram_mean(h);
	for (size_t i = 0; i < sizeof(quantiles) / sizeof(quantiles[0]); i++)
		*values++ = filchi_histogram_quantile(h, quantiles[i]);
	*values++ = filchi_histogram_max(h);
	return values;
}

static int latency(const struct filchi_bench_case *c, double *values, struct filchi_bench_error *error)
{
	struct filchi_bench_threads threads = {.timed = true};
	struct filchi_histogram owner = {0};
	struct filchi_switches switches;
	struct filchi_counters counters;
	double ns;
	int err = run(c, &threads, error, &switches, &ns, &counters);

	if (err)
		return err;
	filchi_histogram_merge(&owner, &threads.latency->push);
	filchi_histogram_merge(&owner, &threads.latency->pop);
	values = put(values, &owner);
	values = put(values, &threads.latency->push);
	values = put(values, &threads.latency->pop);
	values = put(values, &threads.latency->steal);
	values = put(values, &threads.latency->vain);
	*values = (double)threads.latency->clock;
	filchi_bench_threads_free(&threads);
	return 0;
}

#define METRICS(list) .metrics = (list), .metric_count = sizeof(list) / sizeof((list)[0])
const struct filchi_bench_case filchi_queue_bench_throughput = {METRICS(throughput_metrics), .run = throughput};
const struct filchi_bench_case filchi_queue_bench_latency = {METRICS(latency_metrics), .run = latency};
