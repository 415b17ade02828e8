/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the program and reads the line that it writes: bench/search/main.c. */
#include "../../run/run.h"
#include "search.h"

static const struct filchi_bench_metric metrics[] = {
	{"ns_per_node", "ns"}, {"cpu_per_node", "ns"},	    {"ns", "ns"},
	{"cpu_ns", "ns"},      {"nodes", "nodes"},	    {"idle", "%"},
	{"idle_ns", "ns"},     {"batches", "batches"},	    {"moved", "nodes"},
	{"handed", "batches"}, {"involuntary", "switches"},
};

static int run(const struct filchi_bench_case *c, double *values, struct filchi_bench_error *error)
{
	const struct filchi_search_context *context = c->context;
	char path[4200], workers[16];
	char *argv[] = {path,
			(char *)context->which->name,
			(char *)context->way,
			"--workers",
			workers,
			context->options->small ? "--small" : NULL,
			NULL};
	double nodes, ns;
	int err;

	snprintf(path, sizeof(path), "%s/bench-search", context->options->folder);
	snprintf(workers, sizeof(workers), "%u", context->workers);
	err = filchi_programs_sample(argv, c, values, error);
	if (err)
		return err;
	nodes = values[filchi_bench_metric(c, "nodes")];
	ns = values[filchi_bench_metric(c, "ns")];
	filchi_bench_set(c, values, "ns_per_node", ns / nodes);
	filchi_bench_set(c, values, "cpu_per_node", values[filchi_bench_metric(c, "cpu_ns")] / nodes);
	filchi_bench_set(c, values, "idle", 100 * values[filchi_bench_metric(c, "idle_ns")] / (ns * context->workers));
	return 0;
}

const struct filchi_bench_case filchi_search_bench_pattern = {
	.metrics = metrics,
	.metric_count = sizeof(metrics) / sizeof(metrics[0]),
	.run = run,
};
