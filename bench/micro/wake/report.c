/* SPDX-License-Identifier: Apache-2.0 */
#include "../../harness/report.h"
#include "wake.h"

#include <errno.h>
#include <math.h>
#include <string.h>

static double median(const struct filchi_bench_suite *s, const char *wait, const char *measure, const char *metric)
{
	return filchi_bench_suite_median(s, wait, measure, metric);
}

/* Adds a rate per second. */
static void rate_cell(struct filchi_table *t, const struct filchi_bench_suite *s, const char *wait, const char *metric)
{
	filchi_report_cell(t, median(s, wait, FILCHI_WAKE_IDLE, metric) / median(s, wait, FILCHI_WAKE_IDLE, "seconds"));
}

static int idle_row(struct filchi_table *t, const struct filchi_bench_suite *s, const char *wait, size_t variant)
{
	struct filchi_stats cpu;

	(void)variant;
	if (filchi_bench_suite_stats(s, wait, FILCHI_WAKE_IDLE, "cpu_percent", &cpu))
		return -ENOMEM;
	filchi_table_cell(t, "%s", wait);
	filchi_table_cell(t, "%.4f", cpu.median);
	filchi_table_cell(t, "%.4f", cpu.max);
	if (filchi_wake_is_awake(wait))
		filchi_table_cell(t, "-");
	else
		filchi_table_cell(t, "%s", cpu.max < FILCHI_WAKE_PROMISED_PERCENT ? "kept" : "broken");
	rate_cell(t, s, wait, "voluntary");
	rate_cell(t, s, wait, "involuntary");
	rate_cell(t, s, wait, "parks");
	return 0;
}

static const struct filchi_table_column idle_columns[] = {
	{"", "wait"},
	{"idle: CPU, % of a core", "median"},
	{"idle: CPU, % of a core", "most"},
	{"idle: CPU, % of a core", "promise"},
	{"switches a second", "voluntary"},
	{"switches a second", "involuntary"},
	{"", "parks/s"},
};

/* Microseconds: medians over the samples; for max, the longest of all. */
static int calls_row(struct filchi_table *t, const struct filchi_bench_suite *s, const char *wait, size_t variant)
{
	const struct filchi_wake_calls *calls = filchi_wake_calls((unsigned)variant);
	static const char *const metrics[] = {"start_p50", "start_p90", "start_p99", "start_max",
					      "round_p50", "round_p90", "round_p99", "round_max"};

	filchi_table_cell(t, "%s", wait);
	filchi_table_cell(t, "%s", calls->how);
	filchi_table_cell(t, "%s", calls->when);
	for (size_t i = 0; i < sizeof(metrics) / sizeof(metrics[0]); i++) {
		struct filchi_stats stats;

		if (filchi_bench_suite_stats(s, wait, calls->measure, metrics[i], &stats))
			return -ENOMEM;
		filchi_report_cell(t, (strstr(metrics[i], "max") ? stats.max : stats.median) / 1e3);
	}
	filchi_report_cell(t, median(s, wait, calls->measure, "parks") / median(s, wait, calls->measure, "calls"));
	filchi_report_cell(t, median(s, wait, calls->measure, "cpu_per_call") / 1e3);
	return 0;
}

static const struct filchi_table_column calls_columns[] = {
	{"", "wait"},
	{"", "call"},
	{"", "calls"},
	{"call to start, us", "p50"},
	{"call to start, us", "p90"},
	{"call to start, us", "p99"},
	{"call to start, us", "max"},
	{"round trip, us", "p50"},
	{"round trip, us", "p90"},
	{"round trip, us", "p99"},
	{"round trip, us", "max"},
	{"a call", "parks"},
	{"a call", "CPU, us"},
};

static void print_head(const struct filchi_bench_suite *s, const struct filchi_machine *m, FILE *f)
{
	const struct filchi_wake_bench *own = s->own;
	double workers = median(s, s->subjects[0], FILCHI_WAKE_IDLE, "workers");

	fprintf(f, "filch %s: %.0f worker%s, idle for %g s; calls in ", m->version, workers, workers > 1 ? "s" : "",
		own->options.idle_seconds);
	filchi_report_head(s, m, f);
}

static void print_notes(const struct filchi_bench_suite *s, const struct filchi_machine *m, FILE *f)
{
	const struct filchi_wake_bench *own = s->own;

	fprintf(f,
		"\n"
		"warm: %s between filch_pool_keep_awake_begin and filch_pool_keep_awake_end. Idle: user and system "
		"time of\n"
		"the process; what is promised, over 10 s, is less than %g %%.\n"
		"Calls come from a thread outside: run is FILCH_RUN of a task that reads the clock,\n"
		"submit is filch_pool_submit of such a function and filch_future_wait. apart: after a pause\n"
		"of %g ms, in which workers park unless they are kept awake; back to back: workers are\n"
		"warm. Medians of the percentiles of each sample; max is the longest of all samples.\n"
		"parks: how often a worker fell asleep, per call; CPU: of the process, with the caller.\n"
		"Times depend on the machine. To compare two machines, compare their ratios.\n",
		filchi_wake_wait(0), FILCHI_WAKE_PROMISED_PERCENT, FILCHI_WAKE_PAUSE_NS / 1e6);
	if (own->load > m->cpus_usable / 2.0)
		fprintf(f,
			"\n"
			"Note: the load of the machine was %.1f when this began: a worker that is woken then\n"
			"waits for a CPU. Measure again when other programs are done.\n",
			own->load);
	filchi_report_notes(s, m, f);
}

/* Policies side by side, one way to call after the other. */
int filchi_wake_bench_table(const struct filchi_bench_suite *s, const struct filchi_machine *m, FILE *f, bool color)
{
	struct filchi_report_table tables[] = {
		{idle_columns, sizeof(idle_columns) / sizeof(idle_columns[0]), 1, idle_row},
		{calls_columns, sizeof(calls_columns) / sizeof(calls_columns[0]), 0, calls_row},
	};

	while (filchi_wake_calls((unsigned)tables[1].variants))
		tables[1].variants++;
	return filchi_report_print(s, m, f, color, print_head, tables, 2, print_notes);
}

void filchi_wake_bench_json_options(const struct filchi_bench_suite *s, struct filchi_json *j)
{
	const struct filchi_wake_bench *own = s->own;

	filchi_json_number(j, "workers", median(s, s->subjects[0], FILCHI_WAKE_IDLE, "workers"));
	filchi_json_number(j, "idle_seconds", own->options.idle_seconds);
	filchi_json_number(j, "pause", FILCHI_WAKE_PAUSE_NS / 1e9);
	filchi_json_number(j, "load", own->load);
}
