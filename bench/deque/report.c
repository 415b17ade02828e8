/* SPDX-License-Identifier: Apache-2.0 */
/* The measurements for people (a table) and for programs (JSON: docs/bench-json.md). */
#define _POSIX_C_SOURCE 200809L

#include "../harness/json.h"
#include "../harness/stats.h"
#include "../harness/table.h"
#include "deque.h"

#include <errno.h>
#include <math.h>
#include <time.h>

#define BUSY 20		 /* preemptions a second that an idle machine does not have */
#define BUSY_SECONDS 0.5 /* of the owner alone, to tell them from chance */

/* NaN where the contender is not measured so. */
static int stats_of(struct filchi_stats *out, const struct filchi_bench_suite *s, const char *contender,
		    const char *measure, const char *metric)
{
	const struct filchi_bench_case *c = filchi_bench_suite_case(s, contender, measure);

	if (!c)
		return filchi_stats(out, NULL, 0, 1);
	return filchi_stats(out, c->samples + filchi_bench_metric(c, metric), s->options.runs, c->metric_count);
}

static double median_of(const struct filchi_bench_suite *s, const char *contender, const char *measure,
			const char *metric)
{
	struct filchi_stats stats;

	return stats_of(&stats, s, contender, measure, metric) ? NAN : stats.median;
}

/* Three digits are more than a run can tell apart. */
static int decimals(double value)
{
	return value < 10 ? 2 : value < 100 ? 1 : 0;
}

/* The median in some unit, with its spread. */
static int cell(struct filchi_table *t, const struct filchi_bench_suite *s, const char *contender, const char *measure,
		const char *metric, double unit)
{
	struct filchi_stats stats;
	double spread, median;

	if (stats_of(&stats, s, contender, measure, metric))
		return -ENOMEM;
	median = stats.median / unit;
	spread = filchi_stats_spread(&stats) * 100;
	if (isnan(median))
		filchi_table_cell(t, "-");
	else if (s->options.runs < 2) /* one sample has no spread */
		filchi_table_cell(t, "%.*f", decimals(median), median);
	else if (isnan(spread) || stats.count < 2)
		filchi_table_cell(t, "%.*f     ", decimals(median), median);
	else
		filchi_table_cell(t, "%.*f +-%2.0f%%", decimals(median), median, spread);
	return 0;
}

static void plain_cell(struct filchi_table *t, double value, int digits, const char *unit)
{
	if (isnan(value))
		filchi_table_cell(t, "-");
	else
		filchi_table_cell(t, "%.*f%s", digits, value, unit);
}

static int row(struct filchi_table *t, const struct filchi_bench_suite *s, const char *name)
{
	double ratio = median_of(s, name, "owner_alone", "ns_per_pair") /
		       median_of(s, filchi_bench_plain.name, "owner_alone", "ns_per_pair");

	filchi_table_cell(t, "%s", name);
	if (cell(t, s, name, "owner_alone", "ns_per_pair", 1))
		return -ENOMEM;
	plain_cell(t, ratio, decimals(ratio), "");
	if (cell(t, s, name, "with_thieves", "owner_ops_per_s", 1e6) ||
	    cell(t, s, name, "with_thieves", "steals_per_s", 1e6))
		return -ENOMEM;
	plain_cell(t, median_of(s, name, "with_thieves", "lost_share") * 100, 0, "%");
	plain_cell(t, median_of(s, name, "with_thieves", "empty_share") * 100, 0, "%");
	return cell(t, s, name, "steal_alone", "ns_per_steal", 1);
}

static void print_head(const struct filchi_bench_suite *s, const struct filchi_machine *m, FILE *f)
{
	fprintf(f, "filch %s: %zu deque%s and a plain array stack, %u interleaved sample%s of %g s\n", m->version,
		s->contender_count - 1, s->contender_count == 2 ? "" : "s", s->options.runs,
		s->options.runs == 1 ? "" : "s", s->options.seconds);
	fprintf(f, "%s, %u CPU%s (%u usable), %s, governor %s\n", m->cpu, m->cpus_online,
		m->cpus_online == 1 ? "" : "s", m->cpus_usable, m->kernel, *m->governor ? m->governor : "not known");
	fprintf(f, "built by %s %s\n\n", m->compiler, m->flags);
}

/* How often a second other programs took the CPU from the owner when it was alone; 0 if that was not for long. */
static double preemptions(const struct filchi_bench_suite *s)
{
	double count = 0, seconds = 0;

	for (size_t i = 0; i < s->case_count; i++) {
		const struct filchi_bench_case *c = &s->cases[i];

		if (c->run != filchi_bench_owner_alone)
			continue;
		for (unsigned run = 0; run < s->options.runs; run++) {
			count += c->samples[run * c->metric_count + filchi_bench_metric(c, "preemptions")];
			seconds += s->options.seconds;
		}
	}
	return seconds < BUSY_SECONDS ? 0 : count / seconds;
}

static void print_notes(const struct filchi_bench_suite *s, const struct filchi_machine *m, FILE *f)
{
	double fenced = median_of(s, "chase_lev", "owner_alone", "ns_per_pair");
	double without = median_of(s, "split", "owner_alone", "ns_per_pair");
	const char *plural = m->cpus_usable == 1 ? "" : "s";

	fprintf(f,
		"\n"
		"Medians, +- half the interquartile range. pair: a push and its pop, in bursts\n"
		"of %u; ratio: to the pair of the plain stack; M/s: million per second, of the\n"
		"owner pushes and pops; lost, empty: share of the attempts to steal that lost a\n"
		"race or found nothing; steal alone: another thread, while the owner stands still.\n"
		"Times are this machine's; what carries over to another is the ratios of one run.\n",
		FILCHI_BENCH_DEPTH);
	if (!isnan(fenced) && !isnan(without))
		fprintf(f,
			"\n"
			"The fence: each pop of chase_lev has one, no operation of split does. A pair\n"
			"costs the owner %.1f ns with it, %.1f ns without.\n",
			fenced, without);
	if (s->options.runs == 1)
		fprintf(f, "\nNote: one sample has no spread: nothing says how far to trust it.\n");
	else if (s->options.runs < 10)
		fprintf(f, "\nNote: with fewer than 10 samples the spread says little.\n");
	if (s->options.thieves >= m->cpus_usable)
		fprintf(f,
			"\n"
			"Note: owner and thieves share %u CPU%s: what they do to each other is mostly the\n"
			"scheduler's doing.\n",
			m->cpus_usable, plural);
	if (preemptions(s) > BUSY)
		fprintf(f,
			"\n"
			"Note: other programs took the CPU %.0f times a second; measure again when they are\n"
			"done.\n",
			preemptions(s));
	if (!m->optimized)
		fprintf(f, "\nNote: this build is not optimized, or has a sanitizer: its times say nothing.\n");
}

int filchi_bench_report_table(const struct filchi_bench_suite *s, const struct filchi_machine *m, FILE *f, bool color)
{
	char thieves[32];
	const struct filchi_table_column columns[] = {
		{"", "deque"},		{"owner alone", "ns/pair"},  {"owner alone", "ratio"},
		{thieves, "owner M/s"}, {thieves, "steals M/s"},     {thieves, "lost"},
		{thieves, "empty"},	{"steal alone", "ns/steal"},
	};
	struct filchi_table t;
	int err = 0, print_err;

	snprintf(thieves, sizeof(thieves), "with %u %s", s->options.thieves,
		 s->options.thieves == 1 ? "thief" : "thieves");
	filchi_table_init(&t, columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t i = 0; i < s->contender_count && !err; i++)
		err = row(&t, s, s->contenders[i].loops->name);
	print_head(s, m, f);
	print_err = filchi_table_print(&t, f, color);
	if (err || print_err)
		return -ENOMEM;
	print_notes(s, m, f);
	return 0;
}

static void json_options(struct filchi_json *j, const struct filchi_bench_suite *s)
{
	filchi_json_open(j, "options", '{');
	filchi_json_bool(j, "quick", s->options.quick);
	filchi_json_integer(j, "runs", s->options.runs);
	filchi_json_number(j, "seconds", s->options.seconds);
	filchi_json_integer(j, "thieves", s->options.thieves);
	filchi_json_integer(j, "depth", FILCHI_BENCH_DEPTH);
	filchi_json_integer(j, "seed", s->seed);
	filchi_json_open(j, "contenders", '[');
	for (size_t i = 0; i < s->contender_count; i++)
		filchi_json_string(j, NULL, s->contenders[i].loops->name);
	filchi_json_close(j, ']');
	filchi_json_close(j, '}');
}

static void json_machine(struct filchi_json *j, const struct filchi_machine *m)
{
	filchi_json_open(j, "machine", '{');
	filchi_json_string(j, "cpu", m->cpu);
	filchi_json_integer(j, "cpus_online", m->cpus_online);
	filchi_json_integer(j, "cpus_usable", m->cpus_usable);
	filchi_json_string(j, "kernel", m->kernel);
	filchi_json_string(j, "governor", *m->governor ? m->governor : NULL);
	filchi_json_close(j, '}');
	filchi_json_open(j, "build", '{');
	filchi_json_string(j, "version", m->version);
	filchi_json_string(j, "commit", m->commit);
	filchi_json_string(j, "compiler", m->compiler);
	filchi_json_string(j, "flags", m->flags);
	filchi_json_bool(j, "optimized", m->optimized);
	filchi_json_close(j, '}');
}

static int json_metric(struct filchi_json *j, const struct filchi_bench_case *c, size_t metric, unsigned runs)
{
	struct filchi_stats stats;

	if (filchi_stats(&stats, c->samples + metric, runs, c->metric_count))
		return -ENOMEM;
	filchi_json_open(j, c->metrics[metric].name, '{');
	filchi_json_string(j, "unit", c->metrics[metric].unit);
	filchi_json_number(j, "median", stats.median);
	filchi_json_number(j, "low", stats.low);
	filchi_json_number(j, "high", stats.high);
	filchi_json_number(j, "q1", stats.q1);
	filchi_json_number(j, "q3", stats.q3);
	filchi_json_number(j, "min", stats.min);
	filchi_json_number(j, "max", stats.max);
	filchi_json_numbers(j, "samples", c->samples + metric, runs, c->metric_count);
	filchi_json_close(j, '}');
	return 0;
}

static int json_results(struct filchi_json *j, const struct filchi_bench_suite *s)
{
	int err = 0;

	filchi_json_open(j, "results", '[');
	for (size_t i = 0; i < s->case_count && !err; i++) {
		const struct filchi_bench_case *c = &s->cases[i];

		filchi_json_open(j, NULL, '{');
		filchi_json_string(j, "contender", c->contender);
		filchi_json_string(j, "measure", c->measure);
		filchi_json_open(j, "metrics", '{');
		for (size_t m = 0; m < c->metric_count && !err; m++)
			err = json_metric(j, c, m, s->options.runs);
		filchi_json_close(j, '}');
		filchi_json_close(j, '}');
	}
	filchi_json_close(j, ']');
	return err;
}

int filchi_bench_report_json(const struct filchi_bench_suite *s, const struct filchi_machine *m, FILE *f)
{
	time_t now = time(NULL);
	struct filchi_json j;
	struct tm utc;
	char when[32];
	int err;

	strftime(when, sizeof(when), "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
	filchi_json_start(&j, f);
	filchi_json_open(&j, NULL, '{');
	filchi_json_string(&j, "schema", "filch-bench-1");
	filchi_json_string(&j, "workload", "deque");
	filchi_json_string(&j, "finished", when);
	json_machine(&j, m);
	json_options(&j, s);
	err = json_results(&j, s);
	filchi_json_close(&j, '}');
	return err;
}
