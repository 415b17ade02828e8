/* SPDX-License-Identifier: Apache-2.0 */
/*
 * van Dijk, van de Pol, "Lace: non-blocking split deque for work-stealing" (2014): figures 5 to 8. Their machine had
 * four Opteron 6168, 48 cores. Figures 5, 7 and 8 are tables, which are here as published; figure 6 is a plot.
 */
#include "figures.h"

#include <math.h>
#include <string.h>

#define THEIR_WORKERS 48
#define LEAPING " --contenders serial,filch --deque split,private --join leapfrog --workers @W"
static const struct filchi_measurement lace = {
	.id = "lace",
	.workload = "programs",
	.work = "uts",
	.of = {{"fib:37 uts:T3 queens:10 matmul:256" LEAPING " --runs 2", 8},
	       {"fib:42 uts:T2,T3 queens:12 matmul:1024" LEAPING, 400},
	       {"fib:50 uts:T2L,T3L queens:15 matmul:4096" LEAPING, 60000}},
};
#define JOINING " --contenders serial,filch --deque split,private --join leapfrog,transitive,random --workers @M"
static const struct filchi_measurement joins = {
	.id = "lace-joins",
	.workload = "programs",
	.work = "uts",
	.of = {{"uts:T3" JOINING " --runs 2", 11}, {"uts:T3" JOINING, 60}, {"uts:T3L" JOINING, 2500}},
};

enum { SPLIT, PRIVATE, DEQUE_COUNT };
static const char *const deques[DEQUE_COUNT] = {"filch-split-leapfrog", "filch-private-leapfrog"};
static const char *const names[DEQUE_COUNT] = {"split", "private"};

/* What is published: seconds of the serial program, with 1 and 48 workers by Lace, with the private deque, by Wool. */
static const struct row {
	const char *name, *work, *size; /* its size begins so */
	double serial, one[3], many[3];
	double steals, leaps, grows, shrinks, tasks;
} rows[] = {
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
#define ROWS (sizeof(rows) / sizeof(rows[0]))

static const char *size_of(const struct filchi_data *data, const struct row *row)
{
	const char *size;

	for (unsigned n = 0; (size = filchi_data_size(data, row->work, n)); n++)
		if (!strncmp(size, row->size, strlen(row->size)))
			return size;
	return NULL;
}

/* NaN if there is no such size. */
static double value(const struct filchi_data *data, const struct row *row, const char *contender, unsigned workers,
		    const char *metric)
{
	const char *size = size_of(data, row);

	return size ? filchi_data_program(data, contender, row->work, size, workers, metric).median : NAN;
}

/* The most workers that have a CPU each: the last in the list but one, which is twice as many. */
static unsigned most_workers(const struct filchi_data *data)
{
	unsigned last = 1, before = 1;

	for (unsigned n = 0; filchi_data_workers(data, n); n++) {
		before = last;
		last = filchi_data_workers(data, n);
	}
	return before;
}

static const char *title_of(struct filchi_draft *d, const struct row *row)
{
	const char *size = size_of(d->data[0], row);

	return filchi_draft_text(d, "%s %s", row->work, size ? size : "-");
}

/* ---- figure 5 ---- */

static void times_row(struct filchi_draft *d, struct filchi_sheet *s, const struct row *row, int deque, unsigned many)
{
	double serial = value(d->data[0], row, "serial", 1, "ns") / 1e9;
	double one = value(d->data[0], row, deques[deque], 1, "ns") / 1e9;
	double all = value(d->data[0], row, deques[deque], many, "ns") / 1e9;

	filchi_draft_cell(d, s, "%s", title_of(d, row));
	filchi_draft_cell(d, s, "%s", names[deque]);
	filchi_draft_number(d, s, serial);
	filchi_draft_number(d, s, one);
	filchi_draft_number(d, s, all);
	filchi_draft_number(d, s, serial / all);
	filchi_draft_number(d, s, one / all);
	filchi_draft_number(d, s, one / serial);
	filchi_draft_number(d, s, row->serial);
	filchi_draft_number(d, s, row->one[deque]);
	filchi_draft_number(d, s, row->many[deque]);
	filchi_draft_number(d, s, row->serial / row->many[deque]);
	filchi_draft_number(d, s, row->one[deque] / row->many[deque]);
	filchi_draft_number(d, s, row->one[deque] / row->serial);
}

static void efficiency(struct filchi_draft *d, struct filchi_panel *p, unsigned many)
{
	for (size_t i = 0; i < ROWS; i++)
		filchi_draft_label(d, p, i, filchi_draft_text(d, "%s %s", rows[i].work, rows[i].size));
	for (int q = 0; q < DEQUE_COUNT; q++) {
		struct filchi_series *ours = filchi_draft_series(d, p, names[q], ROWS);

		for (size_t i = 0; i < ROWS; i++)
			filchi_draft_value(ours, 0,
					   100 * value(d->data[0], &rows[i], "serial", 1, "ns") /
						   value(d->data[0], &rows[i], deques[q], many, "ns") / many);
	}
	for (int q = 0; q < 3; q++) {
		static const char *const published[] = {"Lace, published", "private, published", "Wool, published"};
		struct filchi_series *theirs = filchi_draft_series(d, p, published[q], ROWS);

		theirs->published = true;
		for (size_t i = 0; i < ROWS; i++)
			filchi_draft_value(theirs, 0, 100 * rows[i].serial / rows[i].many[q] / THEIR_WORKERS);
	}
}

static void make_times(struct filchi_draft *d)
{
	unsigned many = most_workers(d->data[0]);
	struct filchi_panel *p = filchi_draft_panel(d, FILCHI_PLOT_BARS, "Efficiency: speed-up over serial, per worker",
						    "workload", "% of ideal");
	struct filchi_sheet *s =
		filchi_draft_sheet(d, filchi_draft_text(d, "Seconds; N is %u workers here, 48 as published", many),
				   "workload|deque|TS|T1|TN|TS/TN|T1/TN|T1/TS|TS, pub.|T1, pub.|T48, pub.|TS/T48, "
				   "pub.|T1/T48, pub.|T1/TS, pub.");

	efficiency(d, p, many);
	for (size_t i = 0; i < ROWS; i++)
		for (int q = 0; q < DEQUE_COUNT; q++)
			times_row(d, s, &rows[i], q, many);
	for (size_t i = 0; i < ROWS; i++) {
		double serial = value(d->data[0], &rows[i], "serial", 1, "ns");
		double one = value(d->data[0], &rows[i], deques[SPLIT], 1, "ns");
		double all = value(d->data[0], &rows[i], deques[SPLIT], many, "ns");

		filchi_draft_claim(
			d, one / serial, one / serial < 1.2,
			"%s takes with one worker %.2f times as long as the serial program (published: %.2f)",
			title_of(d, &rows[i]), one / serial, rows[i].one[SPLIT] / rows[i].serial);
		if (many > 1 && strcmp(rows[i].name, "uts T3L") != 0)
			filchi_draft_claim(
				d, one / all, one / all > 0.7 * many,
				"%s is with %u workers %.2f times as fast as with one (published: %.1f times with 48)",
				title_of(d, &rows[i]), many, one / all, rows[i].one[SPLIT] / rows[i].many[SPLIT]);
	}
}

/* ---- figure 6 ---- */

static void make_speedups(struct filchi_draft *d)
{
	struct filchi_panel *p = filchi_draft_panel(d, FILCHI_PLOT_LINES, NULL, "workers", "speed-up over 1 worker");
	struct filchi_sheet *s = filchi_draft_sheet(d, "Speed-up, T1/TN",
						    "workers|fib, split|fib, private|uts T3, split|uts T3, private");
	unsigned workers, many = most_workers(d->data[0]);
	double fib, uts;

	for (size_t i = 0; i < 3; i += 2)
		for (int q = 0; q < DEQUE_COUNT; q++) {
			struct filchi_series *line = filchi_draft_series(
				d, p, filchi_draft_text(d, "%s, %s", title_of(d, &rows[i]), names[q]), 16);
			double one = value(d->data[0], &rows[i], deques[q], 1, "ns");

			for (unsigned n = 0; n < 16 && (workers = filchi_data_workers(d->data[0], n)); n++)
				filchi_draft_value(line, workers,
						   one / value(d->data[0], &rows[i], deques[q], workers, "ns"));
		}
	for (unsigned n = 0; n < p->series[0].count; n++) {
		filchi_draft_cell(d, s, "%.0f", p->series[0].x[n]);
		for (size_t i = 0; i < p->series_count; i++)
			filchi_draft_number(d, s, p->series[i].y[n]);
	}
	filchi_draft_cell(d, s, "48, published");
	for (size_t i = 0; i < 3; i += 2)
		for (int q = 0; q < DEQUE_COUNT; q++)
			filchi_draft_number(d, s, rows[i].one[q] / rows[i].many[q]);
	fib = value(d->data[0], &rows[0], deques[SPLIT], 1, "ns") /
	      value(d->data[0], &rows[0], deques[SPLIT], many, "ns");
	uts = value(d->data[0], &rows[2], deques[SPLIT], 1, "ns") /
	      value(d->data[0], &rows[2], deques[SPLIT], many, "ns");
	filchi_draft_claim(
		d, fib, many > 1 && fib > 0.7 * many,
		"with %u workers fib is %.2f times as fast as with one (published: scales well, 34.9 with 48)", many,
		fib);
	filchi_draft_claim(d, fib + uts, uts < fib,
			   "uts, whose subtrees are small, gains less: %.2f times (published: 19.9 with 48)", uts);
}

/* ---- figure 7 ---- */

static void make_steals(struct filchi_draft *d)
{
	const struct filchi_data *data = d->data[0];
	unsigned many = most_workers(data);
	struct filchi_sheet *s = filchi_draft_sheet(
		d, filchi_draft_text(d, "In a run with %u workers; published with 48", many),
		"workload|steals|leaps|grows|shrinks|steals, pub.|leaps, pub.|grows, pub.|shrinks, pub.");
	double most = 0, uts = NAN;

	for (size_t i = 0; i < ROWS; i++) {
		double stolen = value(data, &rows[i], deques[SPLIT], many, "steals");
		double leaps = value(data, &rows[i], deques[SPLIT], many, "leaps");
		double tasks = value(data, &rows[i], deques[SPLIT], many, "items");

		filchi_draft_cell(d, s, "%s", title_of(d, &rows[i]));
		filchi_draft_number(d, s, stolen - leaps);
		filchi_draft_number(d, s, leaps);
		filchi_draft_number(d, s, value(data, &rows[i], deques[SPLIT], many, "grows"));
		filchi_draft_number(d, s, value(data, &rows[i], deques[SPLIT], many, "shrinks"));
		filchi_draft_number(d, s, rows[i].steals);
		filchi_draft_number(d, s, rows[i].leaps);
		filchi_draft_number(d, s, rows[i].grows);
		filchi_draft_number(d, s, rows[i].shrinks);
		if (i == 2)
			uts = stolen;
		else
			most = fmax(most, isnan(stolen) ? 0 : stolen);
		if (strcmp(rows[i].work, "matmul") != 0) /* whose items are no tasks */
			filchi_draft_claim(d, stolen / tasks, stolen / tasks < 0.05,
					   "%.3g %% of the tasks of %s are stolen (published: %.2g %%)",
					   100 * stolen / tasks, title_of(d, &rows[i]),
					   100 * (rows[i].steals + rows[i].leaps) / rows[i].tasks);
	}
	filchi_draft_claim(
		d, uts, uts > most,
		"uts T3 has %.0f steals, of the others none more than %.0f (published: uts T3L by far the most)", uts,
		most);
}

/* ---- figure 8 ---- */

static void publish_joins(struct filchi_draft *d, struct filchi_sheet *s)
{
	static const struct {
		const char *name;
		double one, many;
	} published[] = {{"Lace, leapfrog", 44.2, 2.23},
			 {"Private, leapfrog", 44.8, 2.55},
			 {"Wool, transitive", 44.27, 1.172},
			 {"Lace, random", 44.26, 1.154},
			 {"Private, random", 44.83, 1.240}};

	for (size_t i = 0; i < sizeof(published) / sizeof(published[0]); i++) {
		filchi_draft_cell(d, s, "%s, published (N is 48)", published[i].name);
		filchi_draft_number(d, s, published[i].one);
		filchi_draft_number(d, s, published[i].many);
		filchi_draft_number(d, s, published[i].one / published[i].many);
	}
}

static void make_joins(struct filchi_draft *d)
{
	static const char *const ways[] = {"leapfrog", "transitive", "random"};
	const struct filchi_data *data = d->data[0];
	unsigned many = filchi_data_workers(data, 1) ? filchi_data_workers(data, 1) : 1;
	struct filchi_panel *p = filchi_draft_panel(d, FILCHI_PLOT_BARS, NULL, "while waiting", "seconds");
	struct filchi_sheet *s = filchi_draft_sheet(d, "Seconds of uts", "deque, join|T1|TN|T1/TN");
	double all[DEQUE_COUNT][3];

	for (int q = 0; q < DEQUE_COUNT; q++) {
		struct filchi_series *bars = filchi_draft_series(d, p, names[q], 3);

		for (int w = 0; w < 3; w++) {
			const char *name = filchi_draft_text(d, "filch-%s-%s", names[q], ways[w]);
			struct filchi_found one = filchi_data_program(data, name, "uts", NULL, 1, "ns");
			struct filchi_found found = filchi_data_program(data, name, "uts", NULL, many, "ns");

			all[q][w] = found.median;
			filchi_draft_label(d, p, (size_t)w, ways[w]);
			filchi_draft_point(bars, 0, found, 1e9);
			filchi_draft_cell(d, s, "%s, %s (N is %u)", names[q], ways[w], many);
			filchi_draft_number(d, s, one.median / 1e9);
			filchi_draft_number(d, s, found.median / 1e9);
			filchi_draft_number(d, s, one.median / found.median);
		}
	}
	publish_joins(d, s);
	for (int q = 0; q < DEQUE_COUNT; q++)
		filchi_draft_claim(
			d, all[q][0] + all[q][2], all[q][2] < all[q][0],
			"with the deque %s and %u workers random takes %.2f times the time of leapfrog (published: "
			"%.2f)",
			names[q], many, all[q][2] / all[q][0], q ? 1.240 / 2.55 : 1.154 / 2.23);
	filchi_draft_claim(d, all[SPLIT][1] + all[SPLIT][2], fabs(all[SPLIT][1] / all[SPLIT][2] - 1) < 0.1,
			   "transitive takes %.2f times the time of random (published: 1.02)",
			   all[SPLIT][1] / all[SPLIT][2]);
}

#define PAPER "Lace paper, figure "
#define SIZES "Sizes are those of the paper with --full only. The last number of workers is twice that of CPUs. "
const struct filchi_entry filchi_entries_lace[] = {
	{"lace-5",
	 PAPER "5",
	 "Times and speed-ups",
	 "Programs without cut-offs: the serial one, and filch with the deques split, which is Lace's, and private; "
	 "who waits "
	 "for a stolen task leapfrogs, as there. " SIZES,
	 {&lace},
	 make_times,
	 NULL},
	{"lace-6",
	 PAPER "6",
	 "Speed-up by workers",
	 "From the run of figure 5. " SIZES "Published: a plot; its ends are in figure 5.",
	 {&lace},
	 make_speedups,
	 NULL},
	{"lace-7",
	 PAPER "7",
	 "Steals, leaps, grows and shrinks",
	 "From the run of figure 5. Steals are by idle workers, leaps by those that wait; grows and shrinks move the "
	 "border "
	 "between what thieves may take and what they may not. filch makes a task only where a thief may come for "
	 "it. " SIZES,
	 {&lace},
	 make_steals,
	 NULL},
	{"lace-8",
	 PAPER "8",
	 "What to do while a stolen task is waited for",
	 "uts T3 (with --full T3L) by three ways to wait: only steal from the thief (leapfrog), also from its thieves "
	 "(transitive), from anyone (random).",
	 {&joins},
	 make_joins,
	 NULL},
	{0},
};
