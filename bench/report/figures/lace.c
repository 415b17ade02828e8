/* SPDX-License-Identifier: Apache-2.0 */
/*
 * van Dijk, van de Pol, "Lace: non-blocking split deque for work-stealing" (2014): figures 5 to 8. Their machine
 * had four Opteron 6168, 48 cores. Figures 5, 7 and 8 are tables, copied here; figure 6 is a plot.
 */
#include "lace.h"

#include <math.h>
#include <string.h>

#define THEIR_WORKERS 48
#define LEAPING " --runtimes serial,filch --deque split,private --join leapfrog --workers @W"
static const struct filchi_measurement lace = {
	.id = "lace",
	.suite = "programs",
	.workload = "uts",
	.of = {{"fib:37 uts:T3 queens:10 matmul:256" LEAPING " --runs 3 --least 20", 15},
	       {"fib:42 uts:T2,T3 queens:12 matmul:1024" LEAPING, 400},
	       {"fib:50 uts:T2L,T3L queens:15 matmul:4096" LEAPING, 60000}},
};
#define JOINING                                                                                                        \
	" --runtimes serial,filch --deque split,private --join leapfrog,transitive,random --workers @M --no-copies"
static const struct filchi_measurement joins = {
	.id = "lace-joins",
	.suite = "programs",
	.workload = "uts",
	.of = {{"uts:T3" JOINING " --runs 3", 16}, {"uts:T3" JOINING, 60}, {"uts:T3L" JOINING, 2500}},
};

const char *const filchi_lace_deques[FILCHI_LACE_DEQUES] = {"filch-split-leapfrog", "filch-private-leapfrog"};
const char *const filchi_lace_names[FILCHI_LACE_DEQUES] = {"split", "private"};

const struct filchi_lace_row filchi_lace_rows[FILCHI_LACE_ROWS] = {
	{"fib 50", "fib", "", 149.2, {144, 208, 185}, {4.13, 5.22, 4.38}, 865, 50569, 70789, 97750, 20365011073.0},
	{"uts T2L", "uts", "T2", 84.5, {86.0, 86.1, 85.1}, {1.81, 1.83, 2.00}, 4554, 82440, 72222, 57701, 96793509},
	{"uts T3L",
	 "uts",
	 "T3",
	 43.11,
	 {44.2, 44.8, 44.3},
	 {2.23, 2.55, 2.12},
	 158566,
	 4443432,
	 2173006,
	 846509,
	 111345630},
	{"queens 15", "queens", "", 533, {602, 541, 539}, {12.63, 11.34, 11.23}, 1964, 6053, 5694, 6618, 171129071},
	{"matmul 4096", "matmul", "", 773, {781, 774, 780}, {16.46, 16.34, 16.40}, 2492, 12456, 13081, 9911, 3595117},
};

const char *filchi_lace_size(const struct filchi_data *data, const struct filchi_lace_row *row)
{
	const char *size;

	for (unsigned n = 0; (size = filchi_data_size(data, row->workload, n)); n++)
		if (!strncmp(size, row->size, strlen(row->size)))
			return size;
	return NULL;
}

double filchi_lace_value(const struct filchi_data *data, const struct filchi_lace_row *row, const char *runtime,
			 unsigned workers, const char *metric)
{
	const char *size = filchi_lace_size(data, row);

	return size ? filchi_data_program(data, runtime, row->workload, size, workers, metric).median : NAN;
}

struct filchi_scaling filchi_lace_scaling(const struct filchi_data *data, const struct filchi_lace_row *row,
					  const char *runtime, unsigned workers)
{
	const char *size = filchi_lace_size(data, row);

	/* A size of "-" finds nothing. */
	return filchi_data_scaling(data, runtime, row->workload, size ? size : "-", workers);
}

unsigned filchi_lace_most(const struct filchi_data *data)
{
	unsigned last = 1, before = 1;

	for (unsigned n = 0; filchi_data_workers(data, n); n++) {
		before = last;
		last = filchi_data_workers(data, n);
	}
	return before;
}

const char *filchi_lace_title(struct filchi_figure_builder *d, const struct filchi_lace_row *row)
{
	const char *size = filchi_lace_size(d->data[0], row);

	return filchi_figure_text(d, "%s %s", row->workload, size ? size : "-");
}

/* ---- figure 5 ---- */

static void times_row(struct filchi_figure_builder *d, struct filchi_page_table *s, const struct filchi_lace_row *row,
		      int deque, unsigned many)
{
	double serial = filchi_lace_value(d->data[0], row, "serial", 1, "ns") / 1e9;
	double one = filchi_lace_value(d->data[0], row, filchi_lace_deques[deque], 1, "ns") / 1e9;
	double all = filchi_lace_value(d->data[0], row, filchi_lace_deques[deque], many, "ns") / 1e9;
	struct filchi_scaling scaling = filchi_lace_scaling(d->data[0], row, filchi_lace_deques[deque], many);

	filchi_figure_add_cell(d, s, "%s", filchi_lace_title(d, row));
	filchi_figure_add_cell(d, s, "%s", filchi_lace_names[deque]);
	filchi_figure_add_number(d, s, serial);
	filchi_figure_add_number(d, s, one);
	filchi_figure_add_number(d, s, all);
	filchi_figure_add_number(d, s, serial / all);
	filchi_figure_add_number(d, s, one / all);
	filchi_figure_add_scaling(d, s, &scaling);
	filchi_figure_add_number(d, s, one / serial);
	filchi_figure_add_number(d, s, row->serial);
	filchi_figure_add_number(d, s, row->one[deque]);
	filchi_figure_add_number(d, s, row->many[deque]);
	filchi_figure_add_number(d, s, row->serial / row->many[deque]);
	filchi_figure_add_number(d, s, row->one[deque] / row->many[deque]);
	filchi_figure_add_number(d, s, row->one[deque] / row->serial);
}

static void efficiency(struct filchi_figure_builder *d, struct filchi_panel *p, unsigned many)
{
	struct filchi_series *ceiling;

	for (size_t i = 0; i < FILCHI_LACE_ROWS; i++)
		filchi_figure_add_label(
			d, p, i,
			filchi_figure_text(d, "%s %s", filchi_lace_rows[i].workload, filchi_lace_rows[i].size));
	for (int q = 0; q < FILCHI_LACE_DEQUES; q++) {
		struct filchi_series *ours = filchi_figure_add_series(d, p, filchi_lace_names[q], FILCHI_LACE_ROWS);

		for (size_t i = 0; i < FILCHI_LACE_ROWS; i++)
			filchi_figure_add_value(
				ours, 0,
				100 * filchi_lace_value(d->data[0], &filchi_lace_rows[i], "serial", 1, "ns") /
					filchi_lace_value(d->data[0], &filchi_lace_rows[i], filchi_lace_deques[q], many,
							  "ns") /
					many);
	}
	ceiling = filchi_figure_add_series(d, p, "the machine gives", FILCHI_LACE_ROWS);
	for (size_t i = 0; i < FILCHI_LACE_ROWS; i++) {
		struct filchi_scaling found = filchi_lace_scaling(d->data[0], &filchi_lace_rows[i],
								  filchi_lace_deques[FILCHI_LACE_SPLIT], many);

		filchi_figure_add_value(ceiling, 0, 100 * found.gives.ratio / many);
	}
	for (int q = 0; q < 3; q++) {
		static const char *const published[] = {"Lace, published", "private, published", "Wool, published"};
		struct filchi_series *theirs = filchi_figure_add_series(d, p, published[q], FILCHI_LACE_ROWS);

		theirs->published = true;
		for (size_t i = 0; i < FILCHI_LACE_ROWS; i++)
			filchi_figure_add_value(theirs, 0,
						100 * filchi_lace_rows[i].serial / filchi_lace_rows[i].many[q] /
							THEIR_WORKERS);
	}
}

static void judge_times(struct filchi_figure_builder *d, const struct filchi_lace_row *row, unsigned many)
{
	const char *runtime = filchi_lace_deques[FILCHI_LACE_SPLIT], *title = filchi_lace_title(d, row);
	double serial = filchi_lace_value(d->data[0], row, "serial", 1, "ns");
	double one = filchi_lace_value(d->data[0], row, runtime, 1, "ns");
	double all = filchi_lace_value(d->data[0], row, runtime, many, "ns");
	struct filchi_scaling scaling = filchi_lace_scaling(d->data[0], row, runtime, many);
	double ideal = filchi_figure_ideal(&scaling, many);

	filchi_figure_claim(d, one / serial, one / serial < 1.2,
			    "%s takes with one worker %.2f times as long as the serial program (published: %.2f)",
			    title, one / serial, row->one[FILCHI_LACE_SPLIT] / row->serial);
	if (many > 1 && strcmp(row->name, "uts T3L") != 0) {
		filchi_figure_claim(
			d, one / all + ideal, one / all > 0.7 * ideal,
			"%s is with %u workers %.2f times as fast as with one%s (published: %.1f times with 48)", title,
			many, one / all, filchi_figure_of(d, &scaling),
			row->one[FILCHI_LACE_SPLIT] / row->many[FILCHI_LACE_SPLIT]);
		filchi_figure_untold(d, &scaling, many, filchi_figure_text(d, "of %s", title));
	}
}

static void make_times(struct filchi_figure_builder *d)
{
	unsigned many = filchi_lace_most(d->data[0]);
	struct filchi_panel *p = filchi_figure_add_panel(
		d, FILCHI_PLOT_BARS, "Efficiency: speed-up over serial, per worker", "workload", "% of ideal");
	struct filchi_page_table *s = filchi_figure_add_table(
		d, filchi_figure_text(d, "Seconds; N is %u workers here, 48 as published", many),
		"workload|deque|TS|T1|TN|TS/TN|T1/TN|machine gives|% of that|T1/TS|TS, pub.|T1, pub.|T48, pub.|TS/T48, "
		"pub.|T1/T48, pub.|T1/TS, pub.");

	efficiency(d, p, many);
	for (size_t i = 0; i < FILCHI_LACE_ROWS; i++)
		for (int q = 0; q < FILCHI_LACE_DEQUES; q++)
			times_row(d, s, &filchi_lace_rows[i], q, many);
	for (size_t i = 0; i < FILCHI_LACE_ROWS; i++)
		judge_times(d, &filchi_lace_rows[i], many);
}

/* ---- figure 6 ---- */

static void speedup_line(struct filchi_figure_builder *d, struct filchi_panel *p, const struct filchi_lace_row *row,
			 int deque)
{
	const char *name = filchi_figure_text(d, "%s, %s", filchi_lace_title(d, row), filchi_lace_names[deque]);
	struct filchi_series *line = filchi_figure_add_series(d, p, name, 16);
	double one = filchi_lace_value(d->data[0], row, filchi_lace_deques[deque], 1, "ns");
	unsigned workers;

	for (unsigned n = 0; n < 16 && (workers = filchi_data_workers(d->data[0], n)); n++)
		filchi_figure_add_value(
			line, workers,
			one / filchi_lace_value(d->data[0], row, filchi_lace_deques[deque], workers, "ns"));
}

/* One worker reaches 1 of 1. */
static void gives_line(struct filchi_figure_builder *d, struct filchi_panel *p, const struct filchi_lace_row *row)
{
	const char *name = filchi_figure_text(d, "%s, the machine gives", filchi_lace_title(d, row));
	struct filchi_series *line = filchi_figure_add_series(d, p, name, 16);
	unsigned workers;

	for (unsigned n = 0; n < 16 && (workers = filchi_data_workers(d->data[0], n)); n++)
		filchi_figure_add_value(
			line, workers,
			workers == 1
				? 1
				: filchi_lace_scaling(d->data[0], row, filchi_lace_deques[FILCHI_LACE_SPLIT], workers)
					  .gives.ratio);
}

static void judge_speedups(struct filchi_figure_builder *d)
{
	const char *runtime = filchi_lace_deques[FILCHI_LACE_SPLIT];
	unsigned many = filchi_lace_most(d->data[0]);
	double speedup[2], ideal;
	struct filchi_scaling scaling[2];

	for (int i = 0; i < 2; i++) {
		const struct filchi_lace_row *row = &filchi_lace_rows[i ? FILCHI_LACE_UTS : FILCHI_LACE_FIB];

		speedup[i] = filchi_lace_value(d->data[0], row, runtime, 1, "ns") /
			     filchi_lace_value(d->data[0], row, runtime, many, "ns");
		scaling[i] = filchi_lace_scaling(d->data[0], row, runtime, many);
	}
	ideal = filchi_figure_ideal(&scaling[0], many);
	filchi_figure_claim(
		d, speedup[0] + ideal, many > 1 && speedup[0] > 0.7 * ideal,
		"with %u workers fib is %.2f times as fast as with one%s (published: scales well, 34.9 with 48)", many,
		speedup[0], filchi_figure_of(d, &scaling[0]));
	filchi_figure_untold(d, &scaling[0], many, "of fib");
	filchi_figure_claim(d, speedup[0] + speedup[1], speedup[1] < speedup[0],
			    "uts, whose subtrees are small, gains less: %.2f times%s (published: 19.9 with 48)",
			    speedup[1], filchi_figure_of(d, &scaling[1]));
}

static void make_speedups(struct filchi_figure_builder *d)
{
	struct filchi_panel *p =
		filchi_figure_add_panel(d, FILCHI_PLOT_LINES, NULL, "workers", "speed-up over 1 worker");
	struct filchi_page_table *s =
		filchi_figure_add_table(d, "Speed-up, T1/TN",
					"workers|fib, split|fib, private|fib, machine gives|uts T3, "
					"split|uts T3, private|uts T3, machine gives");

	for (size_t i = FILCHI_LACE_FIB; i <= FILCHI_LACE_UTS; i += FILCHI_LACE_UTS) {
		for (int q = 0; q < FILCHI_LACE_DEQUES; q++)
			speedup_line(d, p, &filchi_lace_rows[i], q);
		gives_line(d, p, &filchi_lace_rows[i]);
	}
	for (unsigned n = 0; n < p->series[0].count; n++) {
		filchi_figure_add_cell(d, s, "%.0f", p->series[0].x[n]);
		for (size_t i = 0; i < p->series_count; i++)
			filchi_figure_add_number(d, s, p->series[i].y[n]);
	}
	filchi_figure_add_cell(d, s, "48, published");
	for (size_t i = FILCHI_LACE_FIB; i <= FILCHI_LACE_UTS; i += FILCHI_LACE_UTS) {
		for (int q = 0; q < FILCHI_LACE_DEQUES; q++)
			filchi_figure_add_number(d, s, filchi_lace_rows[i].one[q] / filchi_lace_rows[i].many[q]);
		filchi_figure_add_number(d, s, NAN);
	}
	judge_speedups(d);
}

#define PAPER "Lace paper, figure "
#define SIZES "Sizes are those of the paper with --full only. The last number of workers is twice that of CPUs. "
#define GIVES                                                                                                          \
	"The speed-up that the machine gives is measured with as many programs with one worker each, all at once. "
const struct filchi_entry filchi_entries_lace[] = {
	{"lace-5",
	 PAPER "5",
	 "Times and speed-ups",
	 "Programs without cut-offs: serial, and filch with the deques split (the deque of Lace) and private. A worker "
	 "that waits for a stolen task leapfrogs, as in the paper. " GIVES SIZES,
	 {&lace},
	 make_times,
	 NULL},
	{"lace-6",
	 PAPER "6",
	 "Speed-up by workers",
	 "From the run of figure 5. " GIVES SIZES "Published: a plot; its ends are in figure 5.",
	 {&lace},
	 make_speedups,
	 NULL},
	{"lace-7",
	 PAPER "7",
	 "Steals, leapfrogs, grows and shrinks",
	 "From the run of figure 5. Idle workers steal; waiting workers leapfrog. Grows and shrinks move the border of "
	 "the public part of the deque. filch makes a task only if a thief may take it. " SIZES,
	 {&lace},
	 filchi_lace_steals,
	 NULL},
	{"lace-8",
	 PAPER "8",
	 "What to do while a stolen task is waited for",
	 "uts T3 (with --full T3L) by three ways to wait: only steal from the thief (leapfrog), also from its thieves "
	 "(transitive), from anyone (random).",
	 {&joins},
	 filchi_lace_joins,
	 NULL},
	{0},
};
