/* SPDX-License-Identifier: Apache-2.0 */
#include "../../harness/report.h"
#include "bulk.h"

#include <errno.h>
#include <math.h>

static double ns_of(const struct filchi_bench_suite *s, const char *kind, const char *measure)
{
	return filchi_bench_suite_median(s, kind, measure, "ns");
}

static void cell(struct filchi_table *t, double ns)
{
	if (isnan(ns))
		filchi_table_cell(t, "-");
	else
		filchi_table_cell(t, "%.*f", ns < 100 ? 1 : 0, ns);
}

/* Prints the promised properties of bulk queues, as ratios of this run. */
static void print_ratios(const struct filchi_bench_suite *s, FILE *f)
{
	static const char *const steals[] = {"steal_10", "steal_20", "steal_30", "steal_40",
					     "steal_50", "steal_60", "steal_90"};
	double one = ns_of(s, "bulk", "push_1");
	double many = ns_of(s, "bulk", "push_1024");
	double half = ns_of(s, "bulk", "steal_50");
	double least = INFINITY, most = 0;

	for (size_t i = 0; i < sizeof(steals) / sizeof(steals[0]); i++) {
		double ns = ns_of(s, "bulk", steals[i]);

		least = ns < least ? ns : least;
		most = ns > most ? ns : most;
	}
	fprintf(f,
		"\n"
		"bulk: a push of 1,024 nodes takes %.1f times as long as one of 1; 1,024 pushes of 1\n"
		"take %.0f times as long as one of 1,024. A steal of 50 %% takes the printed list %.0f\n"
		"times as long, optimized %.0f times; the slowest proportion takes %.1f times as long\n"
		"as the fastest.\n",
		many / one, ns_of(s, "bulk", "singles") / many, ns_of(s, "printed", "steal_50") / half,
		ns_of(s, "optimized", "steal_50") / half, most / least);
}

int filchi_bulk_bench_table(const struct filchi_bench_suite *s, const struct filchi_machine *m, FILE *f, bool color)
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
	const char *measure;
	struct filchi_table t;

	filchi_table_init(&t, columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t i = 0; i < s->subject_count; i++) {
		filchi_table_cell(&t, "%s", s->subjects[i]);
		for (size_t j = 0; (measure = filchi_bulk_bench_measure(j)); j++)
			cell(&t, ns_of(s, s->subjects[i], measure));
	}
	fprintf(f, "filch %s: bulk queues in one thread, ", m->version);
	filchi_report_head(s, m, f);
	if (filchi_table_print(&t, f, color))
		return -ENOMEM;
	fprintf(f, "\n"
		   "Nanoseconds for one operation, medians. printed: the list of the paper, which is safe\n"
		   "in one thread only. optimized: this list without the second walk. chase_lev: node by node.\n");
	print_ratios(s, f);
	filchi_report_notes(s, m, f);
	return 0;
}

void filchi_bulk_bench_json_options(const struct filchi_bench_suite *s, struct filchi_json *j)
{
	(void)s;
	filchi_json_integer(j, "nodes", FILCHI_BULK_BENCH_NODES);
	filchi_json_integer(j, "batch", FILCHI_BULK_BENCH_BATCH);
}
