/* SPDX-License-Identifier: Apache-2.0 */
#include "../../harness/report.h"
#include "search.h"

#include <errno.h>
#include <math.h>
#include <string.h>

static const struct filchi_search_context *context_of(const struct filchi_bench_case *c)
{
	return c->context;
}

static double median(const struct filchi_bench_suite *s, const char *way, const struct filchi_search_case *which,
		     unsigned workers, const char *metric)
{
	char measure[64];

	snprintf(measure, sizeof(measure), "%s/%u", which->name, workers);
	return filchi_bench_suite_case(s, way, measure) ? filchi_bench_suite_median(s, way, measure, metric) : NAN;
}

/* Nodes of the same way with one worker; best first may explore more with several. */
static double nodes_ratio(const struct filchi_bench_suite *s, const struct filchi_search_context *c)
{
	return median(s, c->way, c->which, c->workers, "nodes") / median(s, c->way, c->which, 1, "nodes");
}

static int row(struct filchi_table *t, const struct filchi_bench_suite *s, const struct filchi_bench_case *c)
{
	const struct filchi_search_context *context = context_of(c);
	const struct filchi_search_case *which = context->which;
	struct filchi_stats stats = {.median = NAN, .low = NAN, .high = NAN};
	double cpu = median(s, context->way, which, context->workers, "cpu_per_node");
	bool copies = !strcmp(context->way, "copies"), serial = !strcmp(context->way, "serial");

	if (filchi_bench_suite_stats(s, c->subject, c->measure, "ns_per_node", &stats))
		return -ENOMEM;
	filchi_table_cell(t, "%s", which->name);
	filchi_table_cell(t, "%s", context->way);
	filchi_table_cell(t, "%u", context->workers);
	filchi_table_cell(t, "%.0f", median(s, context->way, which, context->workers, "nodes"));
	filchi_report_cell(t, stats.median);
	filchi_report_cell(t, stats.low);
	filchi_report_cell(t, stats.high);
	filchi_report_cell(t, cpu);
	filchi_report_cell(t, serial ? NAN : cpu / median(s, "serial", which, 1, "cpu_per_node"));
	filchi_report_cell(
		t, copies || serial ? NAN : median(s, "copies", which, context->workers, "ns_per_node") / stats.median);
	filchi_report_cell(t, copies || serial || context->workers == 1 ? NAN : nodes_ratio(s, context));
	filchi_report_cell(t, copies || serial ? NAN : median(s, context->way, which, context->workers, "idle"));
	filchi_report_cell(t, copies || serial ? NAN : median(s, context->way, which, context->workers, "batches"));
	filchi_report_cell(t, copies || serial ? NAN : median(s, context->way, which, context->workers, "moved"));
	return 0;
}

static int print_group(const struct filchi_bench_suite *s, const char *group, FILE *f, bool color)
{
	static const struct filchi_table_column columns[] = {
		{"", "case"},
		{"", "way"},
		{"", "workers"},
		{"", "nodes"},
		{"ns a node", "median"},
		{"ns a node", "from"},
		{"ns a node", "to"},
		{"", "CPU"},
		{"", "times serial"},
		{"", "of copies"},
		{"", "nodes by 1"},
		{"", "idle, %"},
		{"", "batches"},
		{"", "moved"},
	};
	struct filchi_table t;
	int err = 0, print_err;

	filchi_table_init(&t, columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t i = 0; i < s->case_count && !err; i++)
		if (filchi_search_case_is(context_of(&s->cases[i])->which, group, strlen(group)))
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

int filchi_search_bench_table(const struct filchi_bench_suite *s, const struct filchi_machine *m, FILE *f, bool color)
{
	const struct filchi_search_bench *own = s->own;
	const char *group;
	int err = 0;

	fprintf(f, "filch %s: %zu case%s of filch_search, ", m->version, own->options.case_count,
		own->options.case_count == 1 ? "" : "s");
	filchi_report_head(s, m, f);
	for (unsigned n = 0; (group = filchi_search_group(n)) && !err; n++)
		err = print_group(s, group, f, color);
	if (err)
		return err;
	fprintf(f, "All answers were right. from and to: the median is in there with 95 %%. CPU: user and system time "
		   "of all\n"
		   "threads, ns a node. times serial: CPU time, divided by that of the hand-written serial program. of "
		   "copies:\n"
		   "speed, divided by that of as many serial programs at once. nodes by 1: explored nodes, divided by "
		   "those of\n"
		   "one worker. idle: time without nodes. batches and moved: batches and nodes that workers got from "
		   "others.\n"
		   "batch: ns for moving half of a queue, with the number of moved nodes.\n");
	for (size_t i = 0; i < own->options.workers_count; i++)
		filchi_report_crowded(own->options.workers[i], m, f);
	filchi_report_busy_cases(s, has_one_worker, f);
	filchi_report_notes(s, m, f);
	return 0;
}

void filchi_search_bench_json_options(const struct filchi_bench_suite *s, struct filchi_json *j)
{
	const struct filchi_search_bench *own = s->own;

	filchi_json_bool(j, "small", own->options.small);
	filchi_json_open(j, "workers", '[');
	for (size_t i = 0; i < own->options.workers_count; i++)
		filchi_json_integer(j, NULL, own->options.workers[i]);
	filchi_json_close(j, ']');
	filchi_json_open(j, "cases", '[');
	for (size_t i = 0; i < own->options.case_count; i++)
		filchi_json_string(j, NULL, own->options.cases[i]->name);
	filchi_json_close(j, ']');
}
