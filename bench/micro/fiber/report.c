/* SPDX-License-Identifier: Apache-2.0 */
#include "../../harness/report.h"
#include "fiber.h"

#include <errno.h>
#include <filch/io.h>
#include <math.h>

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

static bool has(const struct filchi_bench_suite *s, const char *subject, const char *measure)
{
	return filchi_bench_suite_case(s, subject, measure);
}

static void whole_cell(struct filchi_table *t, double value)
{
	if (isnan(value))
		filchi_table_cell(t, "-");
	else
		filchi_table_cell(t, "%.0f", value);
}

static int fiber_row(struct filchi_table *t, const struct filchi_bench_suite *s, const char *subject, size_t variant)
{
	static const char *const timed[] = {"switch", "spawn", "channel"};

	(void)variant;
	if (!has(s, subject, "switch"))
		return 0;
	filchi_table_cell(t, "%s", subject);
	for (size_t i = 0; i < COUNT(timed); i++) {
		filchi_report_cell(t, filchi_bench_suite_median(s, subject, timed[i], "wall"));
		filchi_report_cell(t, filchi_bench_suite_median(s, subject, timed[i], "cpu"));
	}
	whole_cell(t, filchi_bench_suite_median(s, subject, "idle", "bytes"));
	whole_cell(t, filchi_bench_suite_median(s, subject, "idle", "page_tables"));
	return 0;
}

static const struct filchi_table_column fiber_columns[] = {
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

static int operation_row(struct filchi_table *t, const struct filchi_bench_suite *s, const char *subject,
			 size_t variant)
{
	static const char *const measures[] = {"nop", "read", "open"};

	(void)variant;
	if (!has(s, subject, "read"))
		return 0;
	filchi_table_cell(t, "%s", subject);
	for (size_t i = 0; i < COUNT(measures); i++)
		filchi_report_cell(t, filchi_bench_suite_median(s, subject, measures[i], "cpu"));
	return 0;
}

static const struct filchi_table_column operation_columns[] = {
	{"", "CPU, ns"},
	{"operations of 16 fibers", "none"},
	{"operations of 16 fibers", "read 4 KB"},
	{"operations of 16 fibers", "open, close"},
};

static int echo_row(struct filchi_table *t, const struct filchi_bench_suite *s, const char *subject, size_t variant)
{
	static const char *const measures[] = {"echo_1", "echo_64", "echo_500"};

	(void)variant;
	if (!has(s, subject, "echo_1"))
		return 0;
	filchi_table_cell(t, "%s", subject);
	for (size_t i = 0; i < COUNT(measures); i++) {
		whole_cell(t, filchi_bench_suite_median(s, subject, measures[i], "rate"));
		whole_cell(t, filchi_bench_suite_median(s, subject, measures[i], "cpu"));
	}
	return 0;
}

static const struct filchi_table_column echo_columns[] = {
	{"", "echo server"},
	{"1 connection", "requests/s"},
	{"1 connection", "CPU, ns"},
	{"64 connections", "requests/s"},
	{"64 connections", "CPU, ns"},
	{"500 connections", "requests/s"},
	{"500 connections", "CPU, ns"},
};

static void print_head(const struct filchi_bench_suite *s, const struct filchi_machine *m, FILE *f)
{
	fprintf(f, "filch %s: fibers in one worker; ", m->version);
	filchi_report_head(s, m, f);
}

static void print_notes(const struct filchi_bench_suite *s, const struct filchi_machine *m, FILE *f)
{
	const struct filchi_fiber_bench *own = s->own;
	const char *way;

	(void)filch_io_way(&way);
	fprintf(f,
		"\n"
		"switch: 16 fibers that yield, one turn. spawn and join: a fiber starts a fiber and joins it.\n"
		"channel: a round trip between two fibers, without a buffer. Sleeping: %u fibers. Medians.\n"
		"ring: an entry of io_uring; its operation \"none\" is NOP. fiber: the functions of filch/io.h.\n"
		"call: the system calls; \"none\" is getppid(). The file is in memory. I/O by %s.\n"
		"echo server: one thread, requests of 64 bytes over the loopback; CPU of the server for each.\n",
		own->options.fibers, way);
	if (!filchi_fiber_has_boost(&own->options))
		fprintf(f, "boost.fiber is not compared: filch was built without it.\n");
	filchi_report_notes(s, m, f);
}

int filchi_fiber_bench_table(const struct filchi_bench_suite *s, const struct filchi_machine *m, FILE *f, bool color)
{
	static const struct filchi_report_table tables[] = {
		{fiber_columns, COUNT(fiber_columns), 1, fiber_row},
		{operation_columns, COUNT(operation_columns), 1, operation_row},
		{echo_columns, COUNT(echo_columns), 1, echo_row},
	};

	return filchi_report_print(s, m, f, color, print_head, tables, COUNT(tables), print_notes);
}

void filchi_fiber_bench_json_options(const struct filchi_bench_suite *s, struct filchi_json *j)
{
	const struct filchi_fiber_bench *own = s->own;
	const char *way;

	(void)filch_io_way(&way);
	filchi_json_number(j, "fibers", own->options.fibers);
	filchi_json_number(j, "batch", FILCHI_FIBER_BATCH);
	filchi_json_string(j, "io", way);
}
