/* SPDX-License-Identifier: Apache-2.0 */
#include "../../harness/report.h"
#include "../../harness/ratio.h"
#include "spawn.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct filchi_spawn_context *context_of(const struct filchi_bench_case *c)
{
	return c->context;
}

static const struct filchi_bench_case *find(const struct filchi_bench_suite *s, const struct filchi_spawn_case *which,
					    const char *subject, unsigned workers)
{
	char measure[64];

	snprintf(measure, sizeof(measure), "%s/%u", which->name, workers);
	return filchi_bench_suite_case(s, subject, measure);
}

static double median(const struct filchi_bench_suite *s, const struct filchi_bench_case *c, const char *metric)
{
	return c ? filchi_bench_suite_median(s, c->subject, c->measure, metric) : NAN;
}

/*
 * Returns the baseline of a case: the fastest serial program that computes the same with the same compiler, whatever
 * its type and optimization. Without one, the fastest of another compiler. NaN: none was measured.
 */
static double baseline(const struct filchi_bench_suite *s, const struct filchi_spawn_context *of)
{
	double same = INFINITY, other = INFINITY;
	bool clang = !strcmp(of->subject->flags, "clang");

	for (size_t i = 0; i < s->case_count; i++) {
		const struct filchi_spawn_context *context = context_of(&s->cases[i]);
		double *least = !strcmp(context->subject->flags, "clang") == clang ? &same : &other;

		if (filchi_spawn_is_serial(context->subject) && !strcmp(context->which->base, of->which->base))
			*least = fmin(*least, median(s, &s->cases[i], "ns_per_spawn"));
	}
	return isfinite(same) ? same : isfinite(other) ? other : NAN;
}

static int interval_cells(struct filchi_table *t, const struct filchi_bench_suite *s, const struct filchi_bench_case *c)
{
	struct filchi_stats stats = {.median = NAN, .low = NAN, .high = NAN};

	if (c && filchi_bench_suite_stats(s, c->subject, c->measure, "ns_per_spawn", &stats))
		return -ENOMEM;
	filchi_report_cell(t, stats.median);
	filchi_report_cell(t, stats.low);
	filchi_report_cell(t, stats.high);
	return 0;
}

/* The gain: the time with one worker, divided by the time with more. Samples of one repetition are a pair. */
static int gain_cells(struct filchi_table *t, const struct filchi_bench_suite *s, const struct filchi_bench_case *one,
		      const struct filchi_bench_case *more)
{
	struct filchi_ratio ratio = {.ratio = NAN, .low = NAN, .high = NAN};
	double *samples = more ? calloc(2 * (size_t)s->options.runs, sizeof(*samples)) : NULL;
	int err = more && !samples ? -ENOMEM : 0;

	for (unsigned i = 0; samples && i < s->options.runs; i++) {
		samples[i] = one->samples[i * one->metric_count + filchi_bench_metric(one, "ns_per_spawn")];
		samples[s->options.runs + i] =
			more->samples[i * more->metric_count + filchi_bench_metric(more, "ns_per_spawn")];
	}
	if (samples)
		err = filchi_ratio(&ratio, samples, s->options.runs, samples + s->options.runs, s->options.runs, true);
	free(samples);
	filchi_report_cell(t, ratio.ratio);
	filchi_report_cell(t, ratio.low);
	filchi_report_cell(t, ratio.high);
	return err;
}

static int row(struct filchi_table *t, const struct filchi_bench_suite *s, const struct filchi_bench_case *one)
{
	const struct filchi_spawn_context *context = context_of(one);
	const struct filchi_bench_case *more =
		filchi_spawn_is_serial(context->subject)
			? NULL
			: find(s, context->which, one->subject, context->bench->options.workers);
	int err;

	filchi_table_cell(t, "%s", context->which->name);
	filchi_table_cell(t, "%s", one->subject);
	filchi_report_cell(t, median(s, one, "body_ns"));
	err = interval_cells(t, s, one);
	if (!err)
		err = interval_cells(t, s, more);
	filchi_report_cell(t, median(s, one, "ns_per_spawn") / baseline(s, context));
	if (!err)
		err = gain_cells(t, s, one, more);
	filchi_report_cell(t, median(s, one, "cpu_per_spawn"));
	filchi_report_cell(t, median(s, more, "cpu_per_spawn"));
	return err;
}

static int print_group(const struct filchi_bench_suite *s, const char *group, FILE *f, bool color)
{
	const struct filchi_spawn_bench *own = s->own;
	char many[40], count[16];
	const struct filchi_table_column columns[] = {
		{"", "case"},
		{"", "runtime"},
		{"", "body"},
		{"1 worker, ns a spawn", "median"},
		{"1 worker, ns a spawn", "from"},
		{"1 worker, ns a spawn", "to"},
		{many, "median"},
		{many, "from"},
		{many, "to"},
		{"", "times serial"},
		{"gain", "ratio"},
		{"gain", "from"},
		{"gain", "to"},
		{"CPU, ns a spawn", "1"},
		{"CPU, ns a spawn", count},
	};
	struct filchi_table t;
	int err = 0, print_err;

	snprintf(many, sizeof(many), "%u workers, ns a spawn", own->options.workers);
	snprintf(count, sizeof(count), "%u", own->options.workers);
	filchi_table_init(&t, columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t i = 0; i < s->case_count && !err; i++)
		if (context_of(&s->cases[i])->workers == 1 &&
		    filchi_spawn_case_is(context_of(&s->cases[i])->which, group, strlen(group)))
			err = row(&t, s, &s->cases[i]);
	if (!t.cell_count)
		return err;
	print_err = filchi_table_print(&t, f, color);
	fputc('\n', f);
	return err ? err : print_err;
}

static bool has_one_worker(const struct filchi_bench_case *c)
{
	return context_of(c)->workers == 1;
}

static void print_notes(const struct filchi_bench_suite *s, const struct filchi_machine *m, FILE *f)
{
	const struct filchi_spawn_bench *own = s->own;

	fprintf(f,
		"All answers were right. from and to: the median is in there with 95 %%. The time of a spawn includes\n"
		"its sync and the body of the task; body: the time of the body alone. times serial: time with 1 "
		"worker,\n"
		"divided by that of the fastest serial program of the same compiler. gain: time with 1 worker, "
		"divided\n"
		"by that with %u. CPU: user and system time of all threads, with 1 worker and with %u.\n"
		"O2 and O3: gcc. clang: clang -O2. Ratios of one run carry over to other machines, times do not.\n",
		own->options.workers, own->options.workers);
	for (size_t i = 0; i < own->absent_count; i++)
		fprintf(f, "\nNote: %s is not there: its compiler or its library was missing when filch was built.\n",
			own->absent[i]);
	filchi_report_crowded(own->options.workers, m, f);
	filchi_report_busy_cases(s, has_one_worker, f);
	filchi_report_notes(s, m, f);
}

int filchi_spawn_bench_table(const struct filchi_bench_suite *s, const struct filchi_machine *m, FILE *f, bool color)
{
	const struct filchi_spawn_bench *own = s->own;
	const char *group;
	int err = 0;

	fprintf(f, "filch %s: %zu case%s, %zu program%s, ", m->version, own->options.case_count,
		own->options.case_count == 1 ? "" : "s", s->subject_count, s->subject_count == 1 ? "" : "s");
	filchi_report_head(s, m, f);
	for (unsigned n = 0; (group = filchi_spawn_group(n)) && !err; n++)
		err = print_group(s, group, f, color);
	if (!err)
		print_notes(s, m, f);
	return err;
}

void filchi_spawn_bench_json_options(const struct filchi_bench_suite *s, struct filchi_json *j)
{
	const struct filchi_spawn_bench *own = s->own;

	filchi_json_integer(j, "workers", own->options.workers);
	filchi_json_open(j, "cases", '[');
	for (size_t i = 0; i < own->options.case_count; i++) {
		filchi_json_open(j, NULL, '{');
		filchi_json_string(j, "name", own->options.cases[i]->name);
		filchi_json_string(j, "base", own->options.cases[i]->base);
		filchi_json_integer(j, "body_ns", (unsigned)own->options.cases[i]->body_ns);
		filchi_json_number(j, "loops", own->loops[i]);
		filchi_json_close(j, '}');
	}
	filchi_json_close(j, ']');
	filchi_json_open(j, "not_there", '[');
	for (size_t i = 0; i < own->absent_count; i++)
		filchi_json_string(j, NULL, own->absent[i]);
	filchi_json_close(j, ']');
}
