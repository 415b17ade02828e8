/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the program and reads the line that it writes: bench/dd/main.c. */
#include "../../run/run.h"
#include "dd.h"

#include <math.h>

/* gap_N: the time until the gap was at most N %. */
static const struct filchi_bench_metric metrics[] = {
	{"ns", "ns"},
	{"cpu_ns", "ns"},
	{"nodes", "subproblems"},
	{"dd_nodes", "nodes"},
	{"proved", "1"},
	{"peak_bytes", "bytes"},
	{"nodes_per_second", "nodes/s"},
	{"involuntary", "switches"},
	{"gap_100", "ns"},
	{"gap_50", "ns"},
	{"gap_20", "ns"},
	{"gap_10", "ns"},
	{"gap_5", "ns"},
	{"gap_2", "ns"},
	{"gap_1", "ns"},
	{"gap_0.5", "ns"},
	{"gap_0", "ns"},
};

static int run(const struct filchi_bench_case *c, double *values, struct filchi_bench_error *error)
{
	const struct filchi_dd_context *context = c->context;
	const struct filchi_dd_options *o = context->options;
	char path[4200], workers[16], width[16], seconds[32], optimum[32];
	char *argv[] = {path,
			(char *)context->instance->source,
			(char *)context->way,
			"--workers",
			workers,
			"--width",
			width,
			"--seconds",
			seconds,
			isnan(context->instance->optimum) ? NULL : "--optimum",
			optimum,
			NULL};
	int err;

	snprintf(path, sizeof(path), "%s/bench-dd", o->folder);
	snprintf(workers, sizeof(workers), "%u", context->workers);
	snprintf(width, sizeof(width), "%u", context->width);
	snprintf(seconds, sizeof(seconds), "%g", context->width ? o->seconds : o->limit);
	snprintf(optimum, sizeof(optimum), "%.6f", context->instance->optimum);
	err = filchi_programs_sample(argv, c, values, error);
	if (!err)
		filchi_bench_set(c, values, "nodes_per_second",
				 1e9 * values[filchi_bench_metric(c, "dd_nodes")] /
					 values[filchi_bench_metric(c, "cpu_ns")]);
	return err;
}

const struct filchi_bench_case filchi_dd_bench_pattern = {
	.metrics = metrics,
	.metric_count = sizeof(metrics) / sizeof(metrics[0]),
	.run = run,
};
