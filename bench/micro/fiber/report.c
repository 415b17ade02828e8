/* SPDX-License-Identifier: Apache-2.0 */
#include "../../harness/report.h"
#include "fiber.h"

#include <errno.h>

static int row(struct filchi_table *t, const struct filchi_bench_suite *s, const char *kind, size_t variant)
{
	static const char *const timed[] = {"switch", "spawn", "channel"};

	(void)variant;
	filchi_table_cell(t, "%s", kind);
	for (size_t i = 0; i < sizeof(timed) / sizeof(timed[0]); i++) {
		filchi_report_cell(t, filchi_bench_suite_median(s, kind, timed[i], "wall"));
		filchi_report_cell(t, filchi_bench_suite_median(s, kind, timed[i], "cpu"));
	}
	filchi_table_cell(t, "%.0f", filchi_bench_suite_median(s, kind, "idle", "bytes"));
	filchi_table_cell(t, "%.0f", filchi_bench_suite_median(s, kind, "idle", "page_tables"));
	return 0;
}

static const struct filchi_table_column columns[] = {
	{"", "deque"},
	{"switch, ns", "wall"},
	{"switch, ns", "CPU"},
	{"spawn and join, ns", "wall"},
	{"spawn and join, ns", "CPU"},
	{"channel, ns", "wall"},
	{"channel, ns", "CPU"},
	{"a sleeping fiber, bytes", "memory"},
	{"a sleeping fiber, bytes", "page tables"},
};

static void print_head(const struct filchi_bench_suite *s, const struct filchi_machine *m, FILE *f)
{
	fprintf(f, "filch %s: fibers in one worker; ", m->version);
	filchi_report_head(s, m, f);
}

static void print_notes(const struct filchi_bench_suite *s, const struct filchi_machine *m, FILE *f)
{
	const struct filchi_fiber_bench *own = s->own;

	fprintf(f,
		"\n"
		"switch: 16 fibers that yield, one turn. spawn and join: a fiber starts a fiber and joins it.\n"
		"channel: a round trip between two fibers, without a buffer. Sleeping: %u fibers. Medians.\n",
		own->options.fibers);
	filchi_report_notes(s, m, f);
}

int filchi_fiber_bench_table(const struct filchi_bench_suite *s, const struct filchi_machine *m, FILE *f, bool color)
{
	const struct filchi_report_table table = {columns, sizeof(columns) / sizeof(columns[0]), 1, row};

	return filchi_report_print(s, m, f, color, print_head, &table, 1, print_notes);
}

void filchi_fiber_bench_json_options(const struct filchi_bench_suite *s, struct filchi_json *j)
{
	const struct filchi_fiber_bench *own = s->own;

	filchi_json_number(j, "fibers", own->options.fibers);
}
