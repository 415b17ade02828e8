/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L

#include "report.h"

#include <errno.h>
#include <math.h>
#include <time.h>

#define BUSY 50		 /* preemptions a second, more than on an idle machine */
#define BUSY_SECONDS 0.5 /* shortest time that gives enough of them */

void filchi_report_json_machine(struct filchi_json *j, const struct filchi_machine *m)
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

static void json_options(struct filchi_json *j, const struct filchi_bench_suite *s)
{
	filchi_json_open(j, "options", '{');
	filchi_json_bool(j, "quick", s->options.quick);
	filchi_json_integer(j, "runs", s->options.runs);
	filchi_json_number(j, "seconds", s->options.seconds);
	s->json_options(s, j);
	filchi_json_integer(j, "seed", s->seed);
	filchi_json_open(j, "subjects", '[');
	for (size_t i = 0; i < s->subject_count; i++)
		filchi_json_string(j, NULL, s->subjects[i]);
	filchi_json_close(j, ']');
	filchi_json_close(j, '}');
}

int filchi_report_json_metric(struct filchi_json *j, const struct filchi_bench_metric *metric, const double *samples,
			      size_t count, size_t stride)
{
	struct filchi_stats stats;

	if (filchi_stats(&stats, samples, count, stride))
		return -ENOMEM;
	filchi_json_open(j, metric->name, '{');
	filchi_json_string(j, "unit", metric->unit);
	filchi_json_number(j, "median", stats.median);
	filchi_json_number(j, "low", stats.low);
	filchi_json_number(j, "high", stats.high);
	filchi_json_number(j, "q1", stats.q1);
	filchi_json_number(j, "q3", stats.q3);
	filchi_json_number(j, "min", stats.min);
	filchi_json_number(j, "max", stats.max);
	filchi_json_integer(j, "outliers", stats.outliers);
	filchi_json_numbers(j, "samples", samples, count, stride);
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
		filchi_json_string(j, "subject", c->subject);
		filchi_json_string(j, "measure", c->measure);
		filchi_json_open(j, "metrics", '{');
		for (size_t m = 0; m < c->metric_count && !err; m++)
			err = filchi_report_json_metric(j, &c->metrics[m], c->samples + m, s->options.runs,
							c->metric_count);
		filchi_json_close(j, '}');
		if (s->json_case)
			s->json_case(c, j);
		filchi_json_close(j, '}');
	}
	filchi_json_close(j, ']');
	return err;
}

void filchi_report_json_start(struct filchi_json *j, const char *schema, FILE *f)
{
	filchi_json_start(j, f);
	filchi_json_open(j, NULL, '{');
	filchi_json_string(j, "schema", schema);
}

void filchi_report_json_finished(struct filchi_json *j)
{
	time_t now = time(NULL);
	struct tm utc;
	char when[32];

	strftime(when, sizeof(when), "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
	filchi_json_string(j, "finished", when);
}

int filchi_report_json(const struct filchi_bench_suite *s, const struct filchi_machine *m, FILE *f)
{
	struct filchi_json j;
	int err;

	filchi_report_json_start(&j, "filch-bench-1", f);
	filchi_json_string(&j, "suite", s->name);
	filchi_report_json_finished(&j);
	filchi_report_json_machine(&j, m);
	json_options(&j, s);
	err = json_results(&j, s);
	filchi_json_close(&j, '}');
	return err;
}

void filchi_report_machine(const struct filchi_machine *m, FILE *f)
{
	fprintf(f, "%s, %u CPU%s (%u usable), %s, governor %s\n", m->cpu, m->cpus_online,
		m->cpus_online == 1 ? "" : "s", m->cpus_usable, m->kernel, *m->governor ? m->governor : "not known");
}

void filchi_report_head(const struct filchi_bench_suite *s, const struct filchi_machine *m, FILE *f)
{
	fprintf(f, "%u interleaved sample%s", s->options.runs, s->options.runs == 1 ? "" : "s");
	if (!isnan(s->options.seconds))
		fprintf(f, " of %g s", s->options.seconds);
	fputc('\n', f);
	filchi_report_machine(m, f);
	fprintf(f, "built by %s %s\n\n", m->compiler, m->flags);
}

void filchi_report_notes(const struct filchi_bench_suite *s, const struct filchi_machine *m, FILE *f)
{
	if (s->options.runs == 1)
		fprintf(f, "\nNote: one sample has no spread, so its error is unknown.\n");
	else if (s->options.runs < 10)
		fprintf(f, "\nNote: with fewer than 10 samples the spread says little.\n");
	if (!m->optimized)
		fprintf(f, "\nNote: this build is not optimized, or has a sanitizer: its times are worthless.\n");
}

void filchi_report_crowd(unsigned thieves, const struct filchi_machine *m, FILE *f)
{
	if (thieves < m->cpus_usable)
		return;
	if (m->cpus_usable == 1)
		fprintf(f, "\nNote: owner and thieves share 1 CPU: ");
	else
		fprintf(f, "\nNote: %u thieves share %u CPU%s: ", thieves, m->cpus_usable - 1,
			m->cpus_usable == 2 ? "" : "s");
	fprintf(f, "the scheduler of the system\ndecides most of their effect on each other.\n");
}

bool filchi_report_is_busy(double preemptions, double seconds)
{
	return seconds >= BUSY_SECONDS && preemptions / seconds > BUSY;
}

void filchi_report_busy(double preemptions, double seconds, FILE *f)
{
	if (filchi_report_is_busy(preemptions, seconds))
		fprintf(f,
			"\n"
			"Note: other programs took the CPU %.0f times a second; measure again when they are\n"
			"done.\n",
			preemptions / seconds);
}

void filchi_report_busy_cases(const struct filchi_bench_suite *s, bool (*counts)(const struct filchi_bench_case *c),
			      FILE *f)
{
	double count = 0, seconds = 0;

	for (size_t i = 0; i < s->case_count; i++) {
		const struct filchi_bench_case *c = &s->cases[i];

		for (unsigned run = 0; counts(c) && run < s->options.runs; run++) {
			count += c->samples[run * c->metric_count + filchi_bench_metric(c, "involuntary")];
			seconds += c->samples[run * c->metric_count + filchi_bench_metric(c, "ns")] / 1e9;
		}
	}
	filchi_report_busy(count, seconds, f);
}

void filchi_report_crowded(unsigned workers, const struct filchi_machine *m, FILE *f)
{
	if (workers > m->cpus_usable)
		fprintf(f, "\nNote: %u workers share %u CPU%s.\n", workers, m->cpus_usable,
			m->cpus_usable == 1 ? "" : "s");
}

static int decimals(double value)
{
	return value < 10 ? 2 : value < 100 ? 1 : 0;
}

void filchi_report_cell(struct filchi_table *t, double value)
{
	if (isnan(value))
		filchi_table_cell(t, "-");
	else
		filchi_table_cell(t, "%.*f", decimals(value), value);
}

int filchi_report_median(struct filchi_table *t, const struct filchi_bench_suite *s, const char *subject,
			 const char *measure, const char *metric, double unit)
{
	struct filchi_stats stats;
	double median, spread;

	if (filchi_bench_suite_stats(s, subject, measure, metric, &stats))
		return -ENOMEM;
	median = stats.median / unit;
	spread = filchi_stats_spread(&stats) * 100;
	if (isnan(median) || s->options.runs < 2) /* one sample has no spread */
		filchi_report_cell(t, median);
	else if (isnan(spread) || stats.count < 2)
		filchi_table_cell(t, "%.*f     ", decimals(median), median);
	else
		filchi_table_cell(t, "%.*f +-%2.0f%%", decimals(median), median, spread);
	return 0;
}

void filchi_report_share(struct filchi_table *t, double share)
{
	if (isnan(share))
		filchi_table_cell(t, "-");
	else
		filchi_table_cell(t, "%.0f%%", share * 100);
}

static int print_table(const struct filchi_report_table *of, const struct filchi_bench_suite *s, FILE *f, bool color)
{
	struct filchi_table t;
	int err = 0, print_err;

	filchi_table_init(&t, of->columns, of->column_count);
	for (size_t variant = 0; variant < (of->variants ? of->variants : 1); variant++)
		for (size_t i = 0; i < s->subject_count && !err; i++)
			err = of->row(&t, s, s->subjects[i], variant);
	/* Printing also frees the table. */
	print_err = filchi_table_print(&t, f, color);
	return err ? err : print_err;
}

int filchi_report_print(const struct filchi_bench_suite *s, const struct filchi_machine *m, FILE *f, bool color,
			void (*head)(const struct filchi_bench_suite *s, const struct filchi_machine *m, FILE *f),
			const struct filchi_report_table *tables, size_t count,
			void (*notes)(const struct filchi_bench_suite *s, const struct filchi_machine *m, FILE *f))
{
	int err;

	head(s, m, f);
	for (size_t i = 0; i < count; i++) {
		if (i)
			fputc('\n', f);
		err = print_table(&tables[i], s, f, color);
		if (err)
			return err;
	}
	notes(s, m, f);
	return 0;
}
