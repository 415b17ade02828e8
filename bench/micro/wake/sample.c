/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L

#include "../../../src/base/clock.h"
#include "../../harness/histogram.h"
#include "../../harness/usage.h"
#include "wake.h"

#include <errno.h>
#include <filch.h>
#include <string.h>
#include <time.h>

static const struct filchi_bench_metric idle_metrics[] = {
	{"cpu_percent", "%"},	     {"cpu", "ns"},	 {"seconds", "s"},	 {"voluntary", "switches"},
	{"involuntary", "switches"}, {"parks", "parks"}, {"workers", "workers"},
};

/* In the order of calls_sample() and put(). */
static const struct filchi_bench_metric calls_metrics[] = {
	{"calls", "calls"},  {"start_mean", "ns"}, {"start_p50", "ns"},	   {"start_p90", "ns"}, {"start_p99", "ns"},
	{"start_max", "ns"}, {"round_mean", "ns"}, {"round_p50", "ns"},	   {"round_p90", "ns"}, {"round_p99", "ns"},
	{"round_max", "ns"}, {"parks", "parks"},   {"cpu_per_call", "ns"},
};

/* The time of a call, of the start of its task, and of its return. */
struct call {
	uint64_t called, started, returned;
};

struct latencies {
	struct filchi_histogram start, round;
};

static int fail(struct filchi_bench_error *error, int err, const char *what, const char *why)
{
	snprintf(error->text, sizeof(error->text), "%s%s%s", what, *why ? ": " : "", why);
	return err;
}

static void sleep_ns(uint64_t ns)
{
	struct timespec left = {.tv_sec = (time_t)(ns / 1000000000u), .tv_nsec = (long)(ns % 1000000000u)};

	while (nanosleep(&left, &left) && errno == EINTR)
		;
}

/* ---- the pool ---- */

static uint64_t parks(void)
{
	struct filch_stats stats = {.struct_size = sizeof(stats)};

	return filch_pool_stats(NULL, -1, &stats) ? 0 : stats.parks;
}

static int start(const struct filchi_wake_context *context, struct filchi_bench_error *error)
{
	bool warm = !strcmp(context->wait, FILCHI_WAKE_WARM);
	struct filch_options options = {
		.struct_size = sizeof(options),
		.workers = (int)context->options->workers,
		.wait = warm ? filch_wait_name(0) : context->wait,
	};
	int err = filch_start(&options);

	if (err)
		return fail(error, err, "the pool does not start", filch_error_message());
	if (!filch_pool_workers(NULL)) {
		filch_stop();
		return fail(error, -EINVAL, "there are no workers to wait for", "");
	}
	if (warm)
		filch_pool_keep_awake_begin(NULL);
	return 0;
}

static void stop(const struct filchi_wake_context *context)
{
	if (!strcmp(context->wait, FILCHI_WAKE_WARM))
		filch_pool_keep_awake_end(NULL);
	filch_stop();
}

/* ---- calls ---- */

static const char elsewhere[] = "a task ran in the thread that called, not in a worker";

/* Time at which the task runs; 0: the task ran in the wrong thread. */
static uint64_t look(void)
{
	uint64_t now = filchi_clock_ns();

	return filch_worker_id() < 0 ? 0 : now;
}

FILCH_TASK(uint64_t, task)
{
	return look();
}

static int job(void *arg, void **result)
{
	uint64_t *started = arg;

	(void)result;
	*started = look();
	return 0;
}

static int call_run(struct call *c)
{
	c->called = filchi_clock_ns();
	c->started = FILCH_RUN(task);
	c->returned = filchi_clock_ns();
	return 0;
}

static int call_submit(struct call *c)
{
	struct filch_future *future;
	int err;

	c->called = filchi_clock_ns();
	err = filch_pool_submit(NULL, job, &c->started, &future);
	if (err)
		return err;
	err = filch_future_wait(future, NULL);
	c->returned = filchi_clock_ns();
	filch_future_destroy(future);
	return err;
}

static int call(const struct filchi_wake_calls *how, struct latencies *out, struct filchi_bench_error *error)
{
	struct call c = {0};
	int err;

	if (how->apart)
		sleep_ns(FILCHI_WAKE_PAUSE_NS);
	err = how->submit ? call_submit(&c) : call_run(&c);
	if (err)
		return fail(error, err, "a call failed", filch_error_message());
	if (!c.started)
		return fail(error, -EPROTO, elsewhere, "");
	if (c.started < c.called || c.returned < c.started)
		return fail(error, -EPROTO, "a task ran before its call, or after its end", "");
	filchi_histogram_add(&out->start, c.started - c.called);
	filchi_histogram_add(&out->round, c.returned - c.called);
	return 0;
}

/* Calls until the sample has lasted long enough; at least once. */
static int make_calls(const struct filchi_wake_context *context, struct latencies *out,
		      struct filchi_bench_error *error)
{
	uint64_t end = filchi_clock_ns() + (uint64_t)(context->seconds * 1e9);
	int err;

	do
		err = call(context->calls, out, error);
	while (!err && filchi_clock_ns() < end);
	return err;
}

/* ---- samples ---- */

static double *put(double *values, const struct filchi_histogram *h)
{
	*values++ = filchi_histogram_mean(h);
	*values++ = filchi_histogram_quantile(h, 0.5);
	*values++ = filchi_histogram_quantile(h, 0.9);
	*values++ = filchi_histogram_quantile(h, 0.99);
	*values++ = filchi_histogram_max(h);
	return values;
}

static int calls_sample(const struct filchi_bench_case *c, double *values, struct filchi_bench_error *error)
{
	const struct filchi_wake_context *context = c->context;
	struct latencies discarded = {0}, out = {0};
	struct filchi_usage used;
	uint64_t parked;
	int err = start(context, error);

	if (err)
		return err;
	/* Skips effects of the first call, such as threads that have not started yet. */
	err = call(context->calls, &discarded, error);
	parked = parks();
	used = filchi_usage();
	if (!err)
		err = make_calls(context, &out, error);
	used = filchi_usage_since(used);
	parked = parks() - parked;
	stop(context);
	if (err)
		return err;
	*values++ = (double)out.start.count;
	values = put(values, &out.start);
	values = put(values, &out.round);
	*values++ = (double)parked;
	*values = used.cpu_ns / (double)out.start.count;
	return 0;
}

static int idle_sample(const struct filchi_bench_case *c, double *values, struct filchi_bench_error *error)
{
	const struct filchi_wake_context *context = c->context;
	struct filchi_usage used;
	uint64_t begin, parked;
	double ns;
	int err = start(context, error);

	if (err)
		return err;
	/* A pool that was used before it became idle. */
	if (!FILCH_RUN(task)) {
		stop(context);
		return fail(error, -EPROTO, elsewhere, "");
	}
	sleep_ns(FILCHI_WAKE_SETTLE_NS);
	parked = parks();
	begin = filchi_clock_ns();
	used = filchi_usage();
	sleep_ns((uint64_t)(context->options->idle_seconds * 1e9));
	used = filchi_usage_since(used);
	ns = (double)(filchi_clock_ns() - begin);
	filchi_bench_set(c, values, "cpu_percent", used.cpu_ns / ns * 100);
	filchi_bench_set(c, values, "cpu", used.cpu_ns);
	filchi_bench_set(c, values, "seconds", ns / 1e9);
	filchi_bench_set(c, values, "voluntary", (double)used.switches.voluntary);
	filchi_bench_set(c, values, "involuntary", (double)used.switches.involuntary);
	filchi_bench_set(c, values, "parks", (double)(parks() - parked));
	filchi_bench_set(c, values, "workers", filch_pool_workers(NULL));
	stop(context);
	return 0;
}

#define METRICS(list) .metrics = (list), .metric_count = sizeof(list) / sizeof((list)[0])
const struct filchi_bench_case filchi_wake_bench_idle = {METRICS(idle_metrics), .run = idle_sample};
const struct filchi_bench_case filchi_wake_bench_calls = {METRICS(calls_metrics), .run = calls_sample};
