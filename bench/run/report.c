/* SPDX-License-Identifier: Apache-2.0 */
#include "run.h"

#include "../harness/report.h"

#include <errno.h>
#include <math.h>
#include <string.h>

static const struct filchi_programs_case *own_of(const struct filchi_bench_case *c)
{
	return c->context;
}

static double median(const struct filchi_bench_suite *s, const struct filchi_bench_case *c, const char *metric)
{
	return c ? filchi_bench_suite_median(s, c->subject, c->measure, metric) : NAN;
}

/* Returns the first case of the group with that program or runtime and that many workers; 0: any number. */
static const struct filchi_bench_case *find(const struct filchi_bench_suite *s, const struct filchi_programs_group *g,
					    const char *program, const char *runtime, unsigned workers)
{
	for (size_t i = 0; i < s->case_count; i++) {
		const struct filchi_programs_case *own = own_of(&s->cases[i]);

		if (own->group == g && (!program || !own->runtime->copies) &&
		    (!program || !strcmp(own->runtime->program, program)) &&
		    (!runtime || !strcmp(own->runtime->name, runtime)) && (!workers || own->workers == workers))
			return &s->cases[i];
	}
	return NULL;
}

/* The unit of times per item. The shortest time of the group has at least one digit before the point. */
struct unit {
	double ns;
	const char *name;
};

static struct unit unit_of(const struct filchi_bench_suite *s, const struct filchi_programs_group *g)
{
	double least = INFINITY;

	for (size_t i = 0; i < s->case_count; i++)
		if (own_of(&s->cases[i])->group == g)
			least = fmin(least, median(s, &s->cases[i], "ns_per_item"));
	if (least < 1e4 || isinf(least))
		return (struct unit){1, "ns"};
	return least < 1e6 ? (struct unit){1e3, "us"} : (struct unit){1e6, "ms"};
}

static int row(struct filchi_table *t, const struct filchi_bench_suite *s, const struct filchi_bench_case *c,
	       double unit)
{
	const struct filchi_programs_case *own = own_of(c);
	/* N copies do N times the work. Another table explains that. */
	const struct filchi_bench_case *serial = own->runtime->copies ? NULL : find(s, own->group, "serial", NULL, 1);
	const struct filchi_bench_case *filch =
		own->runtime->copies ? NULL : find(s, own->group, "filch", NULL, own->workers);
	const struct filchi_bench_case *alone = find(s, own->group, NULL, c->subject, 1);
	double per_item = median(s, c, "ns_per_item"), steals = median(s, c, "steals");
	struct filchi_stats stats;

	if (filchi_bench_suite_stats(s, c->subject, c->measure, "ns", &stats))
		return -ENOMEM;
	filchi_table_cell(t, "%s", c->subject);
	filchi_table_cell(t, "%s", own->size);
	filchi_table_cell(t, "%u", own->workers);
	filchi_report_cell(t, stats.median / 1e6);
	filchi_report_cell(t, stats.low / 1e6);
	filchi_report_cell(t, stats.high / 1e6);
	filchi_table_cell(t, "%zu", stats.outliers);
	filchi_report_cell(t, per_item / unit);
	filchi_report_cell(t, per_item / median(s, serial, "ns_per_item"));
	filchi_report_cell(t, per_item / median(s, filch, "ns_per_item"));
	filchi_report_cell(t, median(s, alone, "ns_per_item") / per_item);
	filchi_report_cell(t, median(s, c, "cpu_ns") / 1e6);
	filchi_report_cell(t, median(s, c, "peak_bytes") / 1e6);
	filchi_table_cell(t, "%.0f/%.0f", median(s, c, "voluntary"), median(s, c, "involuntary"));
	if (isnan(steals))
		filchi_table_cell(t, "-");
	else
		filchi_table_cell(t, "%.0f", steals);
	return 0;
}

static int print_group(const struct filchi_bench_suite *s, const struct filchi_programs_group *g, FILE *f, bool color)
{
	char per_item[40];
	struct filchi_table_column columns[] = {
		{"", "runtime"},      {"", "size"},	  {"", "workers"},	    {"wall, ms", "median"},
		{"wall, ms", "from"}, {"wall, ms", "to"}, {"wall, ms", "outliers"}, {"", per_item},
		{"times", "serial"},  {"times", "filch"}, {"", "speed-up"},	    {"", "CPU, ms"},
		{"", "MB"},	      {"", "switches"},	  {"", "steals"},
	};
	struct unit unit = unit_of(s, g);
	struct filchi_table t;
	int err = 0, print_err;

	snprintf(per_item, sizeof(per_item), "%s/%s", unit.name, g->workload->item);
	fprintf(f, "%s\n", g->workload->name);
	filchi_table_init(&t, columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t i = 0; i < s->case_count && !err; i++)
		if (own_of(&s->cases[i])->group == g)
			err = row(&t, s, &s->cases[i], unit.ns);
	print_err = filchi_table_print(&t, f, color);
	fputc('\n', f);
	err = err ? err : print_err;
	if (!err)
		err = filchi_programs_scaling(s, g, f, color);
	if (!err)
		filchi_programs_print_profiles(s, g, f);
	return err;
}

static bool has_one_worker(const struct filchi_bench_case *c)
{
	return own_of(c)->workers == 1;
}

static void print_notes(const struct filchi_bench_suite *s, const struct filchi_machine *m, FILE *f)
{
	const struct filchi_programs_bench *own = s->own;
	unsigned most = 0;

	fprintf(f,
		"All answers were right. from, to: 95 %% interval of the median. outliers: samples further from the\n"
		"quartiles than 1.5 times their distance. times: time per item, divided by the time of the serial\n"
		"program, and of filch with as many workers. speed-up: compared with 1 worker. CPU: user and system\n"
		"time of all threads. MB: peak memory. switches: voluntary/involuntary.\n"
		"Times depend on the machine. To compare two machines, compare their ratios.\n");
	filchi_programs_scaling_notes(s, f);
	for (size_t i = 0; i < own->absent_count; i++)
		fprintf(f, "\nNote: %s is missing: to build it, install %s.\n", own->absent[i],
			filchi_programs_needs(own->absent[i]));
	for (size_t i = 0; i < own->options.workers_count; i++)
		most = own->options.workers[i] > most ? own->options.workers[i] : most;
	filchi_report_crowded(most, m, f);
	filchi_report_busy_cases(s, has_one_worker, f);
	filchi_report_notes(s, m, f);
}

int filchi_programs_table(const struct filchi_bench_suite *s, const struct filchi_machine *m, FILE *f, bool color)
{
	const struct filchi_programs_bench *own = s->own;
	int err = 0;

	fprintf(f, "filch %s: %zu workload%s, %zu runtime%s, nothing pinned, ", m->version, own->group_count,
		own->group_count == 1 ? "" : "s", s->subject_count, s->subject_count == 1 ? "" : "s");
	filchi_report_head(s, m, f);
	for (size_t i = 0; i < own->group_count && !err; i++)
		err = print_group(s, &own->groups[i], f, color);
	if (!err)
		print_notes(s, m, f);
	return err;
}

void filchi_programs_json_options(const struct filchi_bench_suite *s, struct filchi_json *j)
{
	const struct filchi_programs_bench *own = s->own;

	filchi_json_bool(j, "full", own->options.full);
	filchi_json_bool(j, "pinned", false);
	filchi_json_integer(j, "least_ms", own->options.least);
	filchi_json_open(j, "workers", '[');
	for (size_t i = 0; i < own->options.workers_count; i++)
		filchi_json_integer(j, NULL, own->options.workers[i]);
	filchi_json_close(j, ']');
	filchi_json_open(j, "programs", '[');
	for (size_t i = 0; i < own->group_count; i++) {
		const struct filchi_programs_group *g = &own->groups[i];

		filchi_json_open(j, NULL, '{');
		filchi_json_string(j, "name", g->workload->name);
		filchi_json_string(j, "item", g->workload->item);
		filchi_json_string(j, "size", g->size);
		filchi_json_string(j, "peer_size", g->peer_size);
		filchi_json_close(j, '}');
	}
	filchi_json_close(j, ']');
	filchi_json_string(j, "copies_of", own->copied ? own->copied->name : NULL);
	filchi_json_open(j, "not_there", '[');
	for (size_t i = 0; i < own->absent_count; i++)
		filchi_json_string(j, NULL, own->absent[i]);
	filchi_json_close(j, ']');
}
