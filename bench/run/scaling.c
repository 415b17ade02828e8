/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The speed-up of more workers, beside the speed-up of the machine: N programs with one worker each, at once
 * (harness/scaling.h).
 */
#include "run.h"

#include "../harness/report.h"
#include "../harness/scaling.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#define LITTLE_OVERLAP 0.9
#define SHORT_NS 10e6 /* shortest run in which a hundred microseconds do not matter */

static const struct filchi_programs_case *own_of(const struct filchi_bench_case *c)
{
	return c->context;
}

/* runtime NULL: copies. */
static const struct filchi_bench_case *find(const struct filchi_bench_suite *s, const struct filchi_programs_group *g,
					    const struct filchi_programs_runtime *runtime, unsigned workers)
{
	for (size_t i = 0; i < s->case_count; i++) {
		const struct filchi_programs_case *own = own_of(&s->cases[i]);

		if (own->group == g && own->workers == workers &&
		    (runtime ? own->runtime == runtime : own->runtime->copies))
			return &s->cases[i];
	}
	return NULL;
}

static void take(const struct filchi_bench_suite *s, const struct filchi_bench_case *c, double *ns)
{
	for (unsigned run = 0; run < s->options.runs; run++)
		ns[run] = c->samples[run * c->metric_count + filchi_bench_metric(c, "ns")];
}

/* Such short copies say nothing about the machine. */
static bool too_short(const struct filchi_bench_suite *s, const struct filchi_bench_case *copies)
{
	return filchi_bench_suite_median(s, copies->subject, copies->measure, "ns") < SHORT_NS;
}

/* NULL: not known. */
static void cells(struct filchi_table *t, const struct filchi_ratio *r, double unit, const char *mark)
{
	if (!r) {
		for (int i = 0; i < 3; i++)
			filchi_table_cell(t, "-");
		return;
	}
	filchi_table_cell(t, "%.*f%s", unit > 1 ? 0 : 2, unit * r->ratio, mark);
	filchi_table_cell(t, "%.*f", unit > 1 ? 0 : 2, unit * r->low);
	filchi_table_cell(t, "%.*f", unit > 1 ? 0 : 2, unit * r->high);
}

static int row(struct filchi_table *t, const struct filchi_bench_suite *s, const struct filchi_bench_case *const *four,
	       double *room)
{
	size_t runs = s->options.runs;
	struct filchi_scaling found;
	double *ns[4];
	int err;

	for (size_t i = 0; i < 4; i++) {
		ns[i] = four[i] == four[0] ? room : room + i * runs;
		take(s, four[i], ns[i]);
	}
	err = filchi_scaling(&found, ns[0], ns[1], ns[2], ns[3], runs, own_of(four[1])->workers);
	if (err)
		return err;
	filchi_table_cell(t, "%s", four[1]->subject);
	filchi_table_cell(t, "%u", own_of(four[1])->workers);
	cells(t, &found.speedup, 1, "");
	cells(t, too_short(s, four[3]) ? NULL : &found.gives, 1, "");
	cells(t, too_short(s, four[3]) ? NULL : &found.share, 100, "%");
	return 0;
}

/* Adds a row for each runtime that was measured with one worker and with more. */
static int rows(struct filchi_table *t, const struct filchi_bench_suite *s, const struct filchi_programs_group *g,
		double *room, size_t *count)
{
	const struct filchi_programs_bench *own = s->own;
	const struct filchi_bench_case *alone = own->copied ? find(s, g, own->copied, 1) : NULL;
	int err = 0;

	for (size_t i = 0; i < s->case_count && !err; i++) {
		const struct filchi_programs_case *many = own_of(&s->cases[i]);
		const struct filchi_bench_case *one = find(s, g, many->runtime, 1);
		const struct filchi_bench_case *copies = find(s, g, NULL, many->workers);

		if (many->group != g || many->runtime->copies || many->workers < 2 || !one || !alone || !copies)
			continue;
		err = row(t, s, (const struct filchi_bench_case *const[]){one, &s->cases[i], alone, copies}, room);
		++*count;
	}
	return err;
}

int filchi_programs_scaling(const struct filchi_bench_suite *s, const struct filchi_programs_group *g, FILE *f,
			    bool color)
{
	static const struct filchi_table_column columns[] = {
		{"", "runtime"},
		{"", "workers"},
		{"speed-up", "median"},
		{"speed-up", "from"},
		{"speed-up", "to"},
		{"the machine gives", "median"},
		{"the machine gives", "from"},
		{"the machine gives", "to"},
		{"share of that", "median"},
		{"share of that", "from"},
		{"share of that", "to"},
	};
	double *room = calloc(4 * (size_t)s->options.runs + 1, sizeof(*room));
	struct filchi_table t;
	size_t count = 0;
	int err = room ? 0 : -ENOMEM, print_err;

	filchi_table_init(&t, columns, sizeof(columns) / sizeof(columns[0]));
	if (!err)
		err = rows(&t, s, g, room, &count);
	free(room);
	if (!count && !err)
		return 0;
	print_err = filchi_table_print(&t, f, color);
	fputc('\n', f);
	return err ? err : print_err;
}

/* ---- notes ---- */

static void note(const struct filchi_bench_suite *s, const struct filchi_bench_case *c, FILE *f)
{
	const struct filchi_programs_case *own = own_of(c);
	double overlap = filchi_bench_suite_median(s, c->subject, c->measure, "overlap");
	double ns = filchi_bench_suite_median(s, c->subject, c->measure, "ns");

	if (overlap < LITTLE_OVERLAP)
		fprintf(f,
			"\nNote: %u copies of %s %s ran together for %.0f %% of their time: the machine gives less "
			"than "
			"it\nseems.\n",
			own->workers, own->group->workload->name, own->size, 100 * overlap);
	if (too_short(s, c))
		fprintf(f, "\nNote: a copy of %s %s takes %.1f ms: too short to say what the machine gives.\n",
			own->group->workload->name, own->size, ns / 1e6);
}

void filchi_programs_scaling_notes(const struct filchi_bench_suite *s, FILE *f)
{
	if (!((const struct filchi_programs_bench *)s->own)->copied)
		return;
	fprintf(f, "copies: as many programs of filch as workers, with one worker each. All run the same workload at "
		   "once,\n"
		   "and the time is the time of one copy. The speed-up of the copies is what the machine gives: no "
		   "runtime\n"
		   "can be expected to exceed it.\n");
	for (size_t i = 0; i < s->case_count; i++)
		if (own_of(&s->cases[i])->runtime->copies)
			note(s, &s->cases[i], f);
}
