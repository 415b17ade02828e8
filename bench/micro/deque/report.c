/* SPDX-License-Identifier: Apache-2.0 */
#include "../../harness/report.h"
#include "deque.h"

#include <errno.h>
#include <math.h>

static unsigned thieves_of(const struct filchi_bench_suite *s)
{
	const struct filchi_deque_bench_kind *all = s->own;

	return all[0].thieves;
}

static int row(struct filchi_table *t, const struct filchi_bench_suite *s, const char *name, size_t variant)
{
	double pair = filchi_bench_suite_median(s, name, "owner_alone", "ns_per_pair");
	double plain = filchi_bench_suite_median(s, filchi_bench_plain.name, "owner_alone", "ns_per_pair");

	(void)variant;
	filchi_table_cell(t, "%s", name);
	if (filchi_report_median(t, s, name, "owner_alone", "ns_per_pair", 1))
		return -ENOMEM;
	filchi_report_cell(t, pair / plain);
	if (filchi_report_median(t, s, name, "with_thieves", "owner_ops_per_s", 1e6) ||
	    filchi_report_median(t, s, name, "with_thieves", "steals_per_s", 1e6))
		return -ENOMEM;
	filchi_report_share(t, filchi_bench_suite_median(s, name, "with_thieves", "lost_share"));
	filchi_report_share(t, filchi_bench_suite_median(s, name, "with_thieves", "empty_share"));
	return filchi_report_median(t, s, name, "steal_alone", "ns_per_steal", 1);
}

/* Counts preemptions of an owner alone. */
static void print_busy(const struct filchi_bench_suite *s, FILE *f)
{
	double count = 0, seconds = 0;

	for (size_t i = 0; i < s->case_count; i++) {
		const struct filchi_bench_case *c = &s->cases[i];

		if (c->run != filchi_deque_bench_owner_alone)
			continue;
		for (unsigned run = 0; run < s->options.runs; run++) {
			count += c->samples[run * c->metric_count + filchi_bench_metric(c, "preemptions")];
			seconds += s->options.seconds;
		}
	}
	filchi_report_busy(count, seconds, f);
}

static void print_notes(const struct filchi_bench_suite *s, const struct filchi_machine *m, FILE *f)
{
	double fenced = filchi_bench_suite_median(s, "chase_lev", "owner_alone", "ns_per_pair");
	double without = filchi_bench_suite_median(s, "split", "owner_alone", "ns_per_pair");

	fprintf(f,
		"\n"
		"Medians, +- half the interquartile range. pair: a push and its pop, in bursts of\n"
		"%u. ratio: to the pair of the plain stack. owner M/s: million pushes and pops per\n"
		"second. steals M/s: million steals per second. lost: share of steals that lost a\n"
		"race. empty: share of steals that found nothing. steal alone: steals of another\n"
		"thread while the owner stands still.\n"
		"Times depend on the machine. To compare two machines, compare their ratios.\n",
		FILCHI_BENCH_DEPTH);
	if (!isnan(fenced) && !isnan(without))
		fprintf(f,
			"\n"
			"The fence: each pop of chase_lev has one, no operation of split does. A pair\n"
			"costs the owner %.1f ns with it, %.1f ns without.\n",
			fenced, without);
	filchi_report_crowd(thieves_of(s), m, f);
	print_busy(s, f);
	filchi_report_notes(s, m, f);
}

static void print_head(const struct filchi_bench_suite *s, const struct filchi_machine *m, FILE *f)
{
	fprintf(f, "filch %s: %zu deque%s and a plain array stack, ", m->version, s->subject_count - 1,
		s->subject_count == 2 ? "" : "s");
	filchi_report_head(s, m, f);
}

int filchi_deque_bench_table(const struct filchi_bench_suite *s, const struct filchi_machine *m, FILE *f, bool color)
{
	char thieves[32];
	const struct filchi_table_column columns[] = {
		{"", "deque"},		{"owner alone", "ns/pair"},  {"owner alone", "ratio"},
		{thieves, "owner M/s"}, {thieves, "steals M/s"},     {thieves, "lost"},
		{thieves, "empty"},	{"steal alone", "ns/steal"},
	};
	const struct filchi_report_table table = {columns, sizeof(columns) / sizeof(columns[0]), 1, row};

	snprintf(thieves, sizeof(thieves), "with %u %s", thieves_of(s), thieves_of(s) == 1 ? "thief" : "thieves");
	return filchi_report_print(s, m, f, color, print_head, &table, 1, print_notes);
}

void filchi_deque_bench_json_options(const struct filchi_bench_suite *s, struct filchi_json *j)
{
	filchi_json_integer(j, "thieves", thieves_of(s));
	filchi_json_integer(j, "depth", FILCHI_BENCH_DEPTH);
}
