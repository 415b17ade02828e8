/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the program bench-fiber-boost (boost.cpp), where it was built, and reads its line. */
#define _GNU_SOURCE
#include "fiber.h"

#include "../../harness/child.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void path_of(const struct filchi_fiber_options *o, char *path, size_t size)
{
	snprintf(path, size, "%s/bench-fiber-boost", o->folder);
}

bool filchi_fiber_has_boost(const struct filchi_fiber_options *o)
{
	char path[sizeof(o->folder) + 32];

	path_of(o, path, sizeof(path));
	return *o->folder && !access(path, X_OK);
}

static int sample(const struct filchi_bench_case *c, double *values, struct filchi_bench_error *error)
{
	const struct filchi_fiber_context *context = c->context;
	char path[sizeof(context->options->folder) + 32], seconds[32], text[256],
		*argv[4] = {path, NULL, seconds, NULL};
	struct filchi_child_stream out = {.text = text, .size = sizeof(text)};
	struct filchi_child child = {.argv = argv, .environment = environ, .out = &out};
	struct filchi_child_result result;
	double wall, cpu, operations;
	int err;

	path_of(context->options, path, sizeof(path));
	snprintf(seconds, sizeof(seconds), "%g", context->seconds);
	argv[1] = (char *)(uintptr_t)c->measure;
	err = filchi_child_run(&child, &result);
	if (err)
		return filchi_fiber_fail(error, err, path);
	if (result.status || sscanf(text, "%lf %lf %lf", &wall, &cpu, &operations) != 3)
		return filchi_fiber_fail(error, -EPROTO, path);
	filchi_bench_set(c, values, "wall", wall);
	filchi_bench_set(c, values, "cpu", cpu);
	filchi_bench_set(c, values, "operations", operations);
	return 0;
}

#define CASE(measure_)                                                                                                 \
	{                                                                                                              \
		.subject = "boost.fiber", .measure = measure_, .metrics = filchi_fiber_times,                          \
		.metric_count = FILCHI_FIBER_TIMES, .run = sample                                                      \
	}
static const struct filchi_bench_case cases[] = {CASE("switch"), CASE("spawn"), CASE("channel")};
const struct filchi_fiber_cases filchi_fiber_boost_cases = {cases, sizeof(cases) / sizeof(cases[0])};
