/* SPDX-License-Identifier: Apache-2.0 */
#include "../../harness/report.h"
#include "dd.h"

#include <errno.h>
#include <math.h>
#include <string.h>

static double median(const struct filchi_bench_suite *s, const char *way, const struct filchi_dd_instance *instance,
		     unsigned number, const char *metric)
{
	char measure[160];

	snprintf(measure, sizeof(measure), "%s/%u", instance->name, number);
	return filchi_bench_suite_case(s, way, measure) ? filchi_bench_suite_median(s, way, measure, metric) : NAN;
}

/* Speed of N workers, divided by that of N programs at once, which solve the instance N times. */
static double of_copies(const struct filchi_bench_suite *s, const struct filchi_dd_context *c)
{
	return median(s, "copies", c->instance, c->workers, "ns") / c->workers /
	       median(s, "solve", c->instance, c->workers, "ns");
}

static int solve_row(struct filchi_table *t, const struct filchi_bench_suite *s, const struct filchi_bench_case *c)
{
	const struct filchi_dd_context *context = c->context;
	struct filchi_stats stats = {.median = NAN, .low = NAN, .high = NAN};
	bool copies = !strcmp(context->way, "copies");

	if (filchi_bench_suite_stats(s, c->subject, c->measure, "ns", &stats))
		return -ENOMEM;
	filchi_table_cell(t, "%.31s", context->instance->name);
	filchi_table_cell(t, "%s", context->way);
	filchi_table_cell(t, "%u", context->workers);
	filchi_table_cell(t, "%.0f", filchi_bench_suite_median(s, c->subject, c->measure, "nodes"));
	filchi_report_cell(t, filchi_bench_suite_median(s, c->subject, c->measure, "dd_nodes") / 1e6);
	filchi_report_cell(t, stats.median / 1e9);
	filchi_report_cell(t, stats.low / 1e9);
	filchi_report_cell(t, stats.high / 1e9);
	filchi_report_cell(t, filchi_bench_suite_median(s, c->subject, c->measure, "cpu_ns") / 1e9);
	filchi_report_cell(t, copies || context->workers == 1 ? NAN : of_copies(s, context));
	filchi_report_cell(t, filchi_bench_suite_median(s, c->subject, c->measure, "peak_bytes") / 1e6);
	filchi_table_cell(t, "%s", filchi_bench_suite_median(s, c->subject, c->measure, "proved") > 0 ? "yes" : "no");
	return 0;
}

static int print_solve(const struct filchi_bench_suite *s, FILE *f, bool color)
{
	static const struct filchi_table_column columns[] = {
		{"", "instance"},    {"", "way"},	    {"", "workers"},	 {"", "subproblems"},
		{"", "DD nodes, M"}, {"seconds", "median"}, {"seconds", "from"}, {"seconds", "to"},
		{"", "CPU, s"},	     {"", "of copies"},	    {"", "MB"},		 {"", "proved"},
	};
	struct filchi_table t;
	int err = 0, print_err;

	filchi_table_init(&t, columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t i = 0; i < s->case_count && !err; i++)
		if (!((const struct filchi_dd_context *)s->cases[i].context)->width)
			err = solve_row(&t, s, &s->cases[i]);
	print_err = filchi_table_print(&t, f, color);
	fputc('\n', f);
	return err ? err : print_err;
}

static int print_nodes(const struct filchi_bench_suite *s, FILE *f, bool color)
{
	static const struct filchi_table_column columns[] = {
		{"", "instance"}, {"M nodes per CPU second", "width 100"}, {"M nodes per CPU second", "width 1000"}};
	const struct filchi_dd_bench *own = s->own;
	struct filchi_table t;
	int err;

	filchi_table_init(&t, columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t i = 0; i < own->options.instance_count; i++) {
		const struct filchi_dd_instance *instance = &own->options.instances[i];

		if (isnan(median(s, "nodes", instance, filchi_dd_widths[0], "dd_nodes")))
			continue;
		filchi_table_cell(&t, "%s", instance->name);
		for (size_t w = 0; w < FILCHI_DD_WIDTHS; w++)
			filchi_report_cell(&t,
					   median(s, "nodes", instance, filchi_dd_widths[w], "nodes_per_second") / 1e6);
	}
	if (!t.cell_count)
		return 0;
	err = filchi_table_print(&t, f, color);
	fputc('\n', f);
	return err;
}

int filchi_dd_bench_table(const struct filchi_bench_suite *s, const struct filchi_machine *m, FILE *f, bool color)
{
	const struct filchi_dd_bench *own = s->own;
	int err;

	fprintf(f, "filch %s: %zu instance%s of filch solve, ", m->version, own->options.instance_count,
		own->options.instance_count == 1 ? "" : "s");
	filchi_report_head(s, m, f);
	err = print_solve(s, f, color);
	if (!err)
		err = print_nodes(s, f, color);
	if (err)
		return err;
	fprintf(f,
		"All answers were right. from and to: the median is in there with 95 %%. CPU: user and system time "
		"of all\n"
		"threads. of copies: speed, divided by that of as many programs at once, each with one worker. MB: "
		"peak\n"
		"memory. proved: within %g s. Nodes are those of diagrams, before a layer is cut to its width.\n",
		own->options.limit);
	for (size_t i = 0; i < own->options.workers_count; i++)
		filchi_report_crowded(own->options.workers[i], m, f);
	filchi_report_notes(s, m, f);
	return 0;
}

void filchi_dd_bench_json_options(const struct filchi_bench_suite *s, struct filchi_json *j)
{
	const struct filchi_dd_bench *own = s->own;

	filchi_json_number(j, "limit", own->options.limit);
	filchi_json_open(j, "workers", '[');
	for (size_t i = 0; i < own->options.workers_count; i++)
		filchi_json_integer(j, NULL, own->options.workers[i]);
	filchi_json_close(j, ']');
	filchi_json_open(j, "instances", '[');
	for (size_t i = 0; i < own->options.instance_count; i++)
		filchi_json_string(j, NULL, own->options.instances[i].name);
	filchi_json_close(j, ']');
}
