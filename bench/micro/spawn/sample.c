/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a program and reads the line that it writes: bench/workloads/spawn/main.c. */
#include "../../run/run.h"
#include "spawn.h"

#include <string.h>

static const struct filchi_bench_metric metrics[] = {
	{"ns_per_spawn", "ns"}, {"cpu_per_spawn", "ns"}, {"body_ns", "ns"},	    {"ns", "ns"},
	{"cpu_ns", "ns"},	{"spawns", "spawns"},	 {"voluntary", "switches"}, {"involuntary", "switches"},
	{"tasks", "tasks"},	{"steals", "tasks"},	 {"leapfrogs", "tasks"},
};

static void path_of(char *path, size_t size, const struct filchi_spawn_bench *own, const char *name)
{
	snprintf(path, size, "%s/bench-spawn-%s", own->options.folder, name);
}

/* All programs get the same number of loops, so that they do the same work. Its duration is measured in each sample. */
static int find_loops(struct filchi_spawn_bench *own, int body_ns, struct filchi_bench_error *error)
{
	static const struct filchi_bench_metric metric = {"loops", "loops"};
	const struct filchi_bench_case c = {.metrics = &metric, .metric_count = 1};
	char path[4200], body[16];
	char *argv[] = {path, "calibrate", "--body", body, NULL};
	double loops;
	int err;

	path_of(path, sizeof(path), own, own->subjects[0].name);
	snprintf(body, sizeof(body), "%d", body_ns);
	err = filchi_programs_sample(argv, &c, &loops, error);
	for (size_t i = 0; !err && i < own->options.case_count; i++)
		if (own->options.cases[i]->body_ns == body_ns)
			own->loops[i] = loops;
	return err;
}

static bool is_peer(const struct filchi_spawn_subject *subject)
{
	return !filchi_spawn_is_serial(subject) && strcmp(subject->runtime, "filch") != 0;
}

static int run(const struct filchi_bench_case *c, double *values, struct filchi_bench_error *error)
{
	const struct filchi_spawn_context *context = c->context;
	struct filchi_spawn_bench *own = context->bench;
	char path[4200], workers[16], least[16], loops[16];
	char *argv[] = {path,
			(char *)context->which->name,
			"--workers",
			workers,
			"--least",
			least,
			"--loops",
			loops,
			is_peer(context->subject) ? "--peer" : NULL,
			NULL};
	double spawns;
	size_t i = 0;
	int err = 0;

	while (own->options.cases[i] != context->which)
		i++;
	if (context->which->body_ns && !(own->loops[i] > 0))
		err = find_loops(own, context->which->body_ns, error);
	if (err)
		return err;
	path_of(path, sizeof(path), own, context->subject->name);
	snprintf(workers, sizeof(workers), "%u", context->workers);
	snprintf(least, sizeof(least), "%.0f", context->seconds < 0.001 ? 1 : 1e3 * context->seconds);
	snprintf(loops, sizeof(loops), "%.0f", own->loops[i]);
	err = filchi_programs_sample(argv, c, values, error);
	if (err)
		return err;
	spawns = values[filchi_bench_metric(c, "spawns")];
	filchi_bench_set(c, values, "ns_per_spawn", values[filchi_bench_metric(c, "ns")] / spawns);
	filchi_bench_set(c, values, "cpu_per_spawn", values[filchi_bench_metric(c, "cpu_ns")] / spawns);
	return 0;
}

const struct filchi_bench_case filchi_spawn_bench_pattern = {
	.metrics = metrics,
	.metric_count = sizeof(metrics) / sizeof(metrics[0]),
	.run = run,
};
