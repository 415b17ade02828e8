/* SPDX-License-Identifier: Apache-2.0 */
#include "../../harness/report.h"
#include "queue.h"

#include <errno.h>
#include <math.h>
#include <string.h>

/* Returns the baseline of owners: chase_lev, or the first kind if chase_lev is not measured. */
static const char *baseline(const struct filchi_bench_suite *s)
{
	for (size_t i = 0; i < s->subject_count; i++)
		if (!strcmp(s->subjects[i], "chase_lev"))
			return s->subjects[i];
	return s->subjects[0];
}

static double median(const struct filchi_bench_suite *s, const struct filchi_bench_case *c, const char *metric)
{
	return filchi_bench_suite_median(s, c->subject, c->measure, metric);
}

static void switches_cell(struct filchi_table *t, double voluntary, double involuntary)
{
	filchi_table_cell(t, "%.0f/%.0f", voluntary, involuntary);
}

static int throughput_row(struct filchi_table *t, const struct filchi_bench_suite *s, const char *kind, size_t rate)
{
	const struct filchi_queue_names *names = &((const struct filchi_queue_bench *)s->own)->names[rate];
	const struct filchi_bench_case *c = filchi_bench_suite_case(s, kind, names->throughput);
	double base = filchi_bench_suite_median(s, baseline(s), names->throughput, "owner_ops_per_s");

	if (!c)
		return 0;
	filchi_table_cell(t, "%s", c->subject);
	filchi_table_cell(t, "%s", names->rate);
	if (filchi_report_median(t, s, c->subject, c->measure, "owner_ops_per_s", 1e6))
		return -ENOMEM;
	filchi_report_cell(t, median(s, c, "owner_ops_per_s") / base);
	filchi_report_cell(t, median(s, c, "ns_per_op"));
	if (filchi_report_median(t, s, c->subject, c->measure, "steals_per_s", 1e6))
		return -ENOMEM;
	filchi_report_share(t, median(s, c, "ok_share"));
	filchi_report_share(t, median(s, c, "empty_share"));
	filchi_report_share(t, median(s, c, "lost_share"));
	filchi_report_cell(t, median(s, c, "total_ops_per_s") / 1e6);
	switches_cell(t, median(s, c, "owner_voluntary"), median(s, c, "owner_involuntary"));
	switches_cell(t, median(s, c, "thief_voluntary"), median(s, c, "thief_involuntary"));
	return 0;
}

static int latency_row(struct filchi_table *t, const struct filchi_bench_suite *s, const char *kind, size_t rate)
{
	const struct filchi_queue_names *names = &((const struct filchi_queue_bench *)s->own)->names[rate];
	const struct filchi_bench_case *c = filchi_bench_suite_case(s, kind, names->latency);
	static const char *const quantiles[] = {"owner_p50", "owner_p90", "owner_p99", "owner_max",
						"steal_p50", "steal_p90", "steal_p99", "steal_max"};
	struct filchi_stats stats;

	if (!c)
		return 0;
	filchi_table_cell(t, "%s", c->subject);
	filchi_table_cell(t, "%s", names->rate);
	for (size_t i = 0; i < sizeof(quantiles) / sizeof(quantiles[0]); i++) {
		bool max = strstr(quantiles[i], "max");
		double ns;

		if (filchi_bench_suite_stats(s, c->subject, c->measure, quantiles[i], &stats))
			return -ENOMEM;
		ns = max ? stats.max : stats.median;
		/* The maximum is longer than the rest by many digits, because it includes waits for a CPU. */
		if (max || isnan(ns))
			filchi_report_cell(t, ns / 1e3);
		else
			filchi_table_cell(t, "%.0f", ns);
	}
	return 0;
}

static const struct filchi_table_column throughput_columns[] = {
	{"", "deque"},	     {"", "rate"},	 {"owner", "M/s"},	{"owner", "ratio"},
	{"owner", "ns/op"},  {"thieves", "M/s"}, {"thieves", "OK"},	{"thieves", "empty"},
	{"thieves", "lost"}, {"total", "M/s"},	 {"switches", "owner"}, {"switches", "thieves"},
};

static const struct filchi_table_column latency_columns[] = {
	{"", "deque"},
	{"", "rate"},
	{"push or pop", "p50, ns"},
	{"push or pop", "p90, ns"},
	{"push or pop", "p99, ns"},
	{"push or pop", "max, us"},
	{"steal", "p50, ns"},
	{"steal", "p90, ns"},
	{"steal", "p99, ns"},
	{"steal", "max, us"},
};

static void print_head(const struct filchi_bench_suite *s, const struct filchi_machine *m, FILE *f)
{
	const struct filchi_queue_bench *own = s->own;
	const struct filchi_queue_options *o = &own->options;

	fprintf(f, "filch %s: %zu deque%s, %u %s, payload %u bytes, capacity %u, blocks of ", m->version,
		s->subject_count, s->subject_count == 1 ? "" : "s", o->thieves, o->thieves == 1 ? "thief" : "thieves",
		o->payload, o->capacity);
	if (o->block_size)
		fprintf(f, "%u,\n", o->block_size);
	else
		fprintf(f, "the kind's own size,\n");
	filchi_report_head(s, m, f);
}

/* Counts preemptions only if each thief has a CPU, so that no thief took the owner's. */
static void print_busy(const struct filchi_bench_suite *s, const struct filchi_machine *m, FILE *f)
{
	const struct filchi_queue_bench *own = s->own;
	double count = 0, seconds = 0;

	for (size_t i = 0; i < s->case_count; i++) {
		const struct filchi_bench_case *c = &s->cases[i];
		const struct filchi_queue_bench_kind *kind = c->context;

		if (c->run != filchi_queue_bench_throughput.run ||
		    filchi_queue_thieves(&own->options, kind->rate) >= m->cpus_usable)
			continue;
		for (unsigned run = 0; run < s->options.runs; run++) {
			count += c->samples[run * c->metric_count + filchi_bench_metric(c, "owner_involuntary")];
			seconds += s->options.seconds;
		}
	}
	filchi_report_busy(count, seconds, f);
}

static void print_notes(const struct filchi_bench_suite *s, const struct filchi_machine *m, FILE *f)
{
	const struct filchi_queue_bench *own = s->own;
	double clock =
		s->case_count ? filchi_bench_suite_median(s, s->subjects[0], own->names[0].latency, "clock") : NAN;

	fprintf(f,
		"\n"
		"The owner fills the deque and empties it, again and again. Each thief attempts\n"
		"that many steals a second. Medians, +- half the interquartile range. M/s: million\n"
		"pushes and pops, or successful steals, per second. ratio: to the M/s of the owner\n"
		"with %s at that rate. OK, empty, lost: share of the attempts. switches: voluntary\n"
		"and involuntary, in a sample. Latencies are from other runs, which time one push or\n"
		"pop in %u, and all successful steals, or one in %u with rate max. max is the\n"
		"longest of all samples. The %.0f ns of the clock itself are subtracted. The clock\n"
		"has steps, and shows no smaller differences.\n"
		"Times depend on the machine. To compare two machines, compare their ratios.\n",
		baseline(s), FILCHI_BENCH_TIMED, FILCHI_BENCH_TIMED, clock);
	filchi_report_crowd(own->options.thieves, m, f);
	print_busy(s, m, f);
	filchi_report_notes(s, m, f);
}

/* Kinds side by side, rate after rate. */
int filchi_queue_bench_table(const struct filchi_bench_suite *s, const struct filchi_machine *m, FILE *f, bool color)
{
	size_t rates = ((const struct filchi_queue_bench *)s->own)->options.rate_count;
	const struct filchi_report_table tables[] = {
		{throughput_columns, sizeof(throughput_columns) / sizeof(throughput_columns[0]), rates, throughput_row},
		{latency_columns, sizeof(latency_columns) / sizeof(latency_columns[0]), rates, latency_row},
	};

	return filchi_report_print(s, m, f, color, print_head, tables, 2, print_notes);
}

void filchi_queue_bench_json_options(const struct filchi_bench_suite *s, struct filchi_json *j)
{
	const struct filchi_queue_bench *own = s->own;

	filchi_json_integer(j, "thieves", own->options.thieves);
	filchi_json_integer(j, "payload", own->options.payload);
	filchi_json_integer(j, "capacity", own->options.capacity);
	filchi_json_integer(j, "block_size", own->options.block_size);
	filchi_json_integer(j, "timed", FILCHI_BENCH_TIMED);
	filchi_json_open(j, "rates", '[');
	for (size_t i = 0; i < own->options.rate_count; i++)
		filchi_json_string(j, NULL, own->names[i].rate);
	filchi_json_close(j, ']');
	filchi_json_string(j, "baseline", baseline(s));
}
