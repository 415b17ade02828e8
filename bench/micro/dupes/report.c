/* SPDX-License-Identifier: Apache-2.0 */
#include "../../harness/report.h"
#include "dupes.h"

static const char *const measures[FILCHI_DUPES_MEASURES] = {"warm", "cold"};

static int row(struct filchi_table *t, const struct filchi_bench_suite *s, const char *kind, size_t variant)
{
	static const char *const counts[] = {"fibers", "stolen", "stolen_io", "voluntary", "involuntary"};
	const char *measure = measures[variant];
	int err;

	filchi_table_cell(t, "%s", measure);
	filchi_table_cell(t, "%s", kind);
	err = filchi_report_median(t, s, kind, measure, "wall", 1e6);
	filchi_report_cell(t, filchi_bench_suite_median(s, kind, measure, "cpu") / 1e6);
	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
		filchi_table_cell(t, "%.0f", filchi_bench_suite_median(s, kind, measure, counts[i]));
	return err;
}

static const struct filchi_table_column columns[] = {
	{"", "page cache"},  {"", "deque"},	   {"time, ms", "wall"},    {"time, ms", "CPU"},
	{"fibers", "begun"}, {"fibers", "stolen"}, {"fibers", "after I/O"}, {"switches", "voluntary"},
	{"switches", "not"},
};

static void print_head(const struct filchi_bench_suite *s, const struct filchi_machine *m, FILE *f)
{
	const struct filchi_dupes_bench *own = s->own;

	fprintf(f, "filch %s: search for duplicate files, %u MiB in %u files; ", m->version, own->options.megabytes,
		FILCHI_DUPES_FILES);
	filchi_report_head(s, m, f);
}

static void print_notes(const struct filchi_bench_suite *s, const struct filchi_machine *m, FILE *f)
{
	fprintf(f, "\n"
		   "warm: the files are in the page cache, so no read waits. cold: they were removed from it; the "
		   "disk, or the\n"
		   "host of a virtual machine, may have a cache of its own. Stolen after I/O: a fiber went on in "
		   "another worker.\n"
		   "Medians.\n");
	filchi_report_notes(s, m, f);
}

int filchi_dupes_bench_table(const struct filchi_bench_suite *s, const struct filchi_machine *m, FILE *f, bool color)
{
	const struct filchi_report_table table = {columns, sizeof(columns) / sizeof(columns[0]), FILCHI_DUPES_MEASURES,
						  row};

	return filchi_report_print(s, m, f, color, print_head, &table, 1, print_notes);
}

void filchi_dupes_bench_json_options(const struct filchi_bench_suite *s, struct filchi_json *j)
{
	const struct filchi_dupes_bench *own = s->own;

	filchi_json_number(j, "megabytes", own->options.megabytes);
	filchi_json_number(j, "workers", own->options.workers);
	filchi_json_number(j, "load", own->options.load);
}
