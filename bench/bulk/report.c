/* SPDX-License-Identifier: Apache-2.0 */
/* The measurements for people (a table) and for programs (JSON: docs/bench-json.md). */
#define _POSIX_C_SOURCE 200809L

#include "../harness/json.h"
#include "../harness/stats.h"
#include "../harness/table.h"
#include "bulk.h"

#include <errno.h>
#include <math.h>
#include <time.h>

static void cell(struct filchi_table *t, double ns)
{
	if (isnan(ns))
		filchi_table_cell(t, "-");
	else
		filchi_table_cell(t, "%.*f", ns < 100 ? 1 : 0, ns);
}

/* What is promised of bulk, as ratios of this run. */
static void print_ratios(const struct filchi_bulk_bench_suite *s, FILE *f)
{
	static const char *const steals[] = {"steal_10", "steal_20", "steal_30", "steal_40",
					     "steal_50", "steal_60", "steal_90"};
	double one = filchi_bulk_bench_median(s, "bulk", "push_1");
	double many = filchi_bulk_bench_median(s, "bulk", "push_1024");
	double half = filchi_bulk_bench_median(s, "bulk", "steal_50");
	double least = INFINITY, most = 0;

	for (size_t i = 0; i < sizeof(steals) / sizeof(steals[0]); i++) {
		double ns = filchi_bulk_bench_median(s, "bulk", steals[i]);

		least = ns < least ? ns : least;
		most = ns > most ? ns : most;
	}
	fprintf(f,
		"\n"
		"bulk: a push of 1,024 nodes takes %.1f times as long as one of 1; 1,024 pushes of 1\n"
		"take %.0f times as long as one of 1,024. A steal of 50 %% takes the printed list %.0f\n"
		"times as long, optimized %.0f times; the slowest proportion takes %.1f times as long\n"
		"as the fastest.\n",
		many / one, filchi_bulk_bench_median(s, "bulk", "singles") / many,
		filchi_bulk_bench_median(s, "printed", "steal_50") / half,
		filchi_bulk_bench_median(s, "optimized", "steal_50") / half, most / least);
}

int filchi_bulk_bench_report_table(const struct filchi_bulk_bench_suite *s, const struct filchi_machine *m, FILE *f,
				   bool color)
{
	static const struct filchi_table_column columns[] = {
		{"", "queue"},
		{"push a batch of", "1"},
		{"push a batch of", "128"},
		{"push a batch of", "512"},
		{"push a batch of", "1024"},
		{"push", "1024x1"},
		{"", "pop"},
		{"steal of 10,000, %", "10"},
		{"steal of 10,000, %", "20"},
		{"steal of 10,000, %", "30"},
		{"steal of 10,000, %", "40"},
		{"steal of 10,000, %", "50"},
		{"steal of 10,000, %", "60"},
		{"steal of 10,000, %", "90"},
	};
	const char *contender, *measure;
	struct filchi_table t;

	filchi_table_init(&t, columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t i = 0; (contender = filchi_bulk_bench_contender(i)); i++) {
		filchi_table_cell(&t, "%s", contender);
		for (size_t j = 0; (measure = filchi_bulk_bench_measure(j)); j++)
			cell(&t, filchi_bulk_bench_median(s, contender, measure));
	}
	fprintf(f, "filch %s: bulk queues in one thread, %u interleaved sample%s of %g s\n%s, %s\nbuilt by %s %s\n\n",
		m->version, s->options.runs, s->options.runs == 1 ? "" : "s", s->options.seconds, m->cpu, m->kernel,
		m->compiler, m->flags);
	if (filchi_table_print(&t, f, color))
		return -ENOMEM;
	fprintf(f, "\n"
		   "Nanoseconds for one operation, medians. printed: the list of the paper, which is safe\n"
		   "in one thread only; optimized: without its second walk; chase_lev: one by one.\n");
	print_ratios(s, f);
	if (!m->optimized)
		fprintf(f, "\nNote: this build is not optimized, or has a sanitizer: its times say nothing.\n");
	return 0;
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

static void json_options(struct filchi_json *j, const struct filchi_bulk_bench_suite *s)
{
	const char *contender;

	filchi_json_open(j, "options", '{');
	filchi_json_bool(j, "quick", s->options.quick);
	filchi_json_integer(j, "runs", s->options.runs);
	filchi_json_number(j, "seconds", s->options.seconds);
	filchi_json_integer(j, "nodes", FILCHI_BULK_BENCH_NODES);
	filchi_json_integer(j, "batch", FILCHI_BULK_BENCH_BATCH);
	filchi_json_integer(j, "seed", s->seed);
	filchi_json_open(j, "contenders", '[');
	for (size_t i = 0; (contender = filchi_bulk_bench_contender(i)); i++)
		filchi_json_string(j, NULL, contender);
	filchi_json_close(j, ']');
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

int filchi_bulk_bench_report_json(const struct filchi_bulk_bench_suite *s, const struct filchi_machine *m, FILE *f)
{
	time_t now = time(NULL);
	struct filchi_json j;
	struct tm utc;
	char when[32];
	int err = 0;

	strftime(when, sizeof(when), "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
	filchi_json_start(&j, f);
	filchi_json_open(&j, NULL, '{');
	filchi_json_string(&j, "schema", "filch-bench-1");
	filchi_json_string(&j, "workload", "bulk");
	filchi_json_string(&j, "finished", when);
	json_machine(&j, m);
	json_options(&j, s);
	filchi_json_open(&j, "results", '[');
	for (size_t i = 0; i < s->case_count && !err; i++) {
		const struct filchi_bench_case *c = &s->cases[i];

		filchi_json_open(&j, NULL, '{');
		filchi_json_string(&j, "contender", c->contender);
		filchi_json_string(&j, "measure", c->measure);
		filchi_json_open(&j, "metrics", '{');
		for (size_t k = 0; k < c->metric_count && !err; k++)
			err = json_metric(&j, c, k, s->options.runs);
		filchi_json_close(&j, '}');
		filchi_json_close(&j, '}');
	}
	filchi_json_close(&j, ']');
	filchi_json_close(&j, '}');
	return err;
}
