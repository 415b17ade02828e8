/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L

#include "../../../src/base/clock.h"
#include "../../harness/usage.h"
#include "fiber.h"

#include <errno.h>
#include <filch.h>
#include <filch/fiber.h>
#include <stdlib.h>
#include <string.h>

enum { YIELDERS = 16, BATCH = 1000 };

const struct filchi_bench_metric filchi_fiber_times[FILCHI_FIBER_TIMES] = {
	{"wall", "ns"}, {"cpu", "ns"}, {"operations", "operations"}};
static const struct filchi_bench_metric idle_metrics[] = {{"bytes", "bytes"}, {"page_tables", "bytes"}};

int filchi_fiber_fail(struct filchi_bench_error *error, int err, const char *what)
{
	snprintf(error->text, sizeof(error->text), "%s: %s", what, strerror(-err));
	return err;
}

/* ---- loops: each runs in a fiber until the time is over, and returns the number of operations ---- */

static uint64_t end;

bool filchi_fiber_time_over(void)
{
	return filchi_clock_ns() >= end;
}

static int yields(void *count, void **result)
{
	(void)result;
	do {
		for (int i = 0; i < BATCH; i++)
			filch_fiber_yield();
		*(uint64_t *)count += BATCH;
	} while (!filchi_fiber_time_over());
	return 0;
}

static int loop_switch(uint64_t *operations)
{
	struct filch_fiber *f[YIELDERS];
	uint64_t counts[YIELDERS] = {0};
	int err = 0;

	for (int i = 0; i < YIELDERS; i++)
		if (filch_fiber_start(&f[i], NULL, yields, &counts[i], NULL))
			return -ENOMEM;
	for (int i = 0; i < YIELDERS; i++) {
		err = filch_fiber_join(f[i], NULL);
		*operations += counts[i];
	}
	return err;
}

static int nothing(void *arg, void **result)
{
	(void)arg;
	(void)result;
	return 0;
}

static int loop_spawn(uint64_t *operations)
{
	struct filch_fiber *f;
	int err = 0;

	do {
		for (int i = 0; i < BATCH && !err; i++) {
			err = filch_fiber_start(&f, NULL, nothing, NULL, NULL);
			if (!err)
				err = filch_fiber_join(f, NULL);
		}
		*operations += BATCH;
	} while (!err && !filchi_fiber_time_over());
	return err;
}

static struct filch_channel *there, *back;

static int answers(void *arg, void **result)
{
	uint64_t value;

	(void)arg;
	(void)result;
	while (!filch_channel_recv(there, &value))
		(void)filch_channel_send(back, &value);
	return 0;
}

static int ping_pong(uint64_t *operations)
{
	uint64_t value = 0, answer = 0;
	int err = 0;

	do {
		for (int i = 0; i < BATCH && !err; i++) {
			value++;
			err = filch_channel_send(there, &value);
			if (!err)
				err = filch_channel_recv(back, &answer);
			if (!err && answer != value)
				err = -EPROTO;
		}
		*operations += BATCH;
	} while (!err && !filchi_fiber_time_over());
	return err;
}

static int loop_channel(uint64_t *operations)
{
	struct filch_fiber *f = NULL;
	int err = filch_channel_create(&there, sizeof(uint64_t), 0);

	if (!err)
		err = filch_channel_create(&back, sizeof(uint64_t), 0);
	if (!err)
		err = filch_fiber_start(&f, NULL, answers, NULL, NULL);
	if (!err)
		err = ping_pong(operations);
	if (f) {
		(void)filch_channel_close(there);
		(void)filch_fiber_join(f, NULL);
	}
	filch_channel_destroy(there);
	filch_channel_destroy(back);
	there = back = NULL;
	return err;
}

/* ---- samples ---- */

int filchi_fiber_start_pool(const struct filchi_fiber_context *context, struct filchi_bench_error *error)
{
	struct filch_options o = {.struct_size = sizeof(o), .workers = 1, .deque = context->kind};
	int err = filch_start(&o);

	if (err)
		snprintf(error->text, sizeof(error->text), "the pool does not start: %s", filch_error_message());
	return err;
}

struct timed {
	int (*loop)(uint64_t *operations);
	uint64_t operations;
};

static int run_loop(void *arg, void **result)
{
	struct timed *t = arg;

	(void)result;
	return t->loop(&t->operations);
}

int filchi_fiber_time(const struct filchi_bench_case *c, double *values, struct filchi_bench_error *error,
		      int (*loop)(uint64_t *operations))
{
	const struct filchi_fiber_context *context = c->context;
	struct timed t = {.loop = loop};
	struct filchi_usage used;
	struct filch_fiber *f;
	uint64_t begin;
	int err = filchi_fiber_start_pool(context, error);

	if (err)
		return err;
	begin = filchi_clock_ns();
	end = begin + (uint64_t)(context->seconds * 1e9);
	used = filchi_usage();
	err = filch_fiber_start(&f, NULL, run_loop, &t, NULL);
	if (!err)
		err = filch_fiber_join(f, NULL);
	used = filchi_usage_since(used);
	filchi_bench_set(c, values, "wall", (double)(filchi_clock_ns() - begin) / (double)t.operations);
	filchi_bench_set(c, values, "cpu", used.cpu_ns / (double)t.operations);
	filchi_bench_set(c, values, "operations", (double)t.operations);
	filch_stop();
	return err ? filchi_fiber_fail(error, err, "fibers") : 0;
}

static int switch_sample(const struct filchi_bench_case *c, double *values, struct filchi_bench_error *error)
{
	return filchi_fiber_time(c, values, error, loop_switch);
}

static int spawn_sample(const struct filchi_bench_case *c, double *values, struct filchi_bench_error *error)
{
	return filchi_fiber_time(c, values, error, loop_spawn);
}

static int channel_sample(const struct filchi_bench_case *c, double *values, struct filchi_bench_error *error)
{
	return filchi_fiber_time(c, values, error, loop_channel);
}

/* ---- memory ---- */

/* A line of /proc/self/status, in bytes; NaN without it. */
static double status(const char *key)
{
	FILE *f = fopen("/proc/self/status", "r");
	size_t length = strlen(key);
	char line[256];
	double bytes = -1;

	while (f && fgets(line, sizeof(line), f))
		if (!strncmp(line, key, length) && line[length] == ':')
			bytes = strtod(line + length + 1, NULL) * 1024;
	if (f)
		(void)fclose(f);
	return bytes;
}

static int sleeps(void *arg, void **result)
{
	(void)arg;
	(void)result;
	(void)filch_fiber_sleep(UINT64_MAX);
	return 0;
}

/* Starts the fibers, and lets each begin to sleep. */
static int start_sleepers(struct filch_fiber **f, unsigned count, unsigned *started)
{
	struct filch_fiber_stats s = {.struct_size = sizeof(s)};
	int err = 0;

	while (*started < count && !err) {
		err = filch_fiber_start(&f[*started], NULL, sleeps, NULL, NULL);
		*started += !err;
	}
	while (!err && s.started < *started) {
		(void)filch_fiber_sleep(1000000);
		err = filch_fiber_stats(NULL, &s);
	}
	return err;
}

static int idle_sample(const struct filchi_bench_case *c, double *values, struct filchi_bench_error *error)
{
	const struct filchi_fiber_context *context = c->context;
	struct filch_fiber **f = calloc(context->options->fibers, sizeof(*f));
	unsigned started = 0;
	double before, tables;
	int err = f ? filchi_fiber_start_pool(context, error) : filchi_fiber_fail(error, -ENOMEM, "fibers");

	if (err) {
		free(f);
		return err;
	}
	before = status("VmRSS");
	tables = status("VmPTE");
	err = start_sleepers(f, context->options->fibers, &started);
	filchi_bench_set(c, values, "bytes", (status("VmRSS") - before) / context->options->fibers);
	filchi_bench_set(c, values, "page_tables", (status("VmPTE") - tables) / context->options->fibers);
	for (unsigned i = 0; i < started; i++)
		filch_fiber_cancel(f[i]);
	for (unsigned i = 0; i < started; i++)
		(void)filch_fiber_join(f[i], NULL);
	filch_stop();
	free(f);
	return err ? filchi_fiber_fail(error, err, "fibers that sleep") : 0;
}

#define METRICS(list) .metrics = (list), .metric_count = sizeof(list) / sizeof((list)[0])
static const struct filchi_bench_case cases[] = {
	{.measure = "switch", METRICS(filchi_fiber_times), .run = switch_sample},
	{.measure = "spawn", METRICS(filchi_fiber_times), .run = spawn_sample},
	{.measure = "channel", METRICS(filchi_fiber_times), .run = channel_sample},
	{.measure = "idle", METRICS(idle_metrics), .run = idle_sample},
};
const struct filchi_fiber_cases filchi_fiber_kind_cases = {cases, sizeof(cases) / sizeof(cases[0])};
