/* SPDX-License-Identifier: Apache-2.0 */
#include "../../harness/report.h"
#include "ufp.h"

#include <math.h>
#include <string.h>

static int row(struct filchi_table *t, const struct filchi_bench_suite *s, const struct filchi_bench_case *c)
{
	double cpu = filchi_bench_suite_median(s, c->subject, c->measure, "cpu_ns");
	bool mine = filchi_bench_suite_case(s, "filch-1", c->measure);
	const char *name = strrchr(c->measure, '/') ? strrchr(c->measure, '/') + 1 : c->measure;

	filchi_table_cell(t, "%s", name);
	filchi_report_cell(t, filchi_bench_suite_median(s, c->subject, c->measure, "scenarios"));
	filchi_table_cell(t, "%s", c->subject);
	filchi_report_cell(t, filchi_bench_suite_median(s, c->subject, c->measure, "ns") / 1e6);
	filchi_report_cell(t, cpu / 1e6);
	filchi_report_cell(t, mine ? cpu / filchi_bench_suite_median(s, "filch-1", c->measure, "cpu_ns") : NAN);
	filchi_report_cell(t, filchi_bench_suite_median(s, c->subject, c->measure, "nodes"));
	filchi_report_cell(t, filchi_bench_suite_median(s, c->subject, c->measure, "cuts"));
	filchi_report_cell(t, filchi_bench_suite_median(s, c->subject, c->measure, "learned"));
	filchi_report_cell(t, filchi_bench_suite_median(s, c->subject, c->measure, "finished"));
	return 0;
}

int filchi_ufp_bench_table(const struct filchi_bench_suite *s, const struct filchi_machine *m, FILE *f, bool color)
{
	static const struct filchi_table_column columns[] = {
		{"", "instance"}, {"", "scenarios"}, {"", "way"},  {"ms", "wall"},  {"ms", "CPU"},
		{"", "times"},	  {"", "nodes"},     {"", "cuts"}, {"", "learned"}, {"", "finished"},
	};
	const struct filchi_ufp_bench *b = s->own;
	struct filchi_table t;
	int err = 0;

	fprintf(f, "filch %s: unsplittable flow, %zu instance%s, ", m->version, b->options.case_count,
		b->options.case_count == 1 ? "" : "s");
	filchi_report_head(s, m, f);
	filchi_table_init(&t, columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t i = 0; i < s->case_count && !err; i++)
		err = row(&t, s, &s->cases[i]);
	if (!err)
		err = filchi_table_print(&t, f, color);
	fprintf(f,
		"\nAll optima agree. times: CPU time, divided by that of filch-1. learned: cuts from other workers. "
		"finished:\nshare of runs that ended within %g s. glpsol and cbc solve the extensive form, with a flow "
		"for "
		"each pair.\n",
		b->options.limit);
	filchi_report_notes(s, m, f);
	return err;
}
