/* SPDX-License-Identifier: Apache-2.0 */
/* Figures of our own: filch next to other runtimes, and what tasks cost as there are more of them. */
#include "figures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct filchi_measurement filchi_own_peers = {
	.id = "peers",
	.workload = "programs",
	.of = {{"all --workers 1,2 --runs 3", 46}, {"all --workers 1,2", 900}, {"all --full --workers 1,2", 20000}},
};

static const struct filchi_measurement growth = {
	.id = "growth",
	.workload = "programs",
	.of = {{"fib:30,33,36,39 --contenders filch --workers @M --runs 5", 3},
	       {"fib:30,35,39,44 --contenders filch --workers @M", 50},
	       {"fib:30,35,39,44,47 --contenders filch --workers @M --runs 20", 600}},
};

enum { SERIAL, FIRST_PEER, LIBOMP, CONTENDERS = 4 };
static const char *const contenders[CONTENDERS] = {"serial", "libgomp", "libomp", "tbb"};

/* ---- filch against others ---- */

struct comparison {
	struct filchi_found filch, other;
	double ratio;  /* how much longer the other takes per item */
	bool certain;  /* the intervals do not overlap */
	double memory; /* peak of filch, by that of the other */
};

/* What clang has compiled is compared with what clang has compiled, if that is there. */
static struct comparison compare(const struct filchi_data *data, const char *work, unsigned workers, int other)
{
	struct filchi_found clang = filchi_data_program(data, "filch-clang", work, NULL, workers, "ns_per_item");
	const char *filch = other == LIBOMP && !isnan(clang.median) ? "filch-clang" : "filch";
	unsigned theirs = other == SERIAL ? 1 : workers;
	struct comparison c = {
		.filch = filchi_data_program(data, filch, work, NULL, workers, "ns_per_item"),
		.other = filchi_data_program(data, contenders[other], work, NULL, theirs, "ns_per_item"),
	};
	double ours = filchi_data_program(data, filch, work, NULL, workers, "peak_bytes").median;

	c.ratio = c.other.median / c.filch.median;
	c.certain = c.other.high < c.filch.low || c.filch.high < c.other.low;
	c.memory = ours / filchi_data_program(data, contenders[other], work, NULL, theirs, "peak_bytes").median;
	return c;
}

struct filchi_sheet *filchi_own_headline(struct filchi_draft *d, const struct filchi_data *peers)
{
	struct filchi_sheet *s =
		filchi_draft_sheet(d, "Time per item, by that of filch with as many workers: above 1, filch is faster",
				   "workload|workers|filch, ns|serial|libgomp|libomp|tbb");
	const char *work;
	unsigned workers;

	for (unsigned n = 0; (work = filchi_data_work(peers, n)); n++)
		for (unsigned w = 0; (workers = filchi_data_workers(peers, w)); w++) {
			filchi_draft_cell(d, s, "%s", work);
			filchi_draft_cell(d, s, "%u", workers);
			filchi_draft_number(d, s, compare(peers, work, workers, SERIAL).filch.median);
			for (int c = 0; c < CONTENDERS; c++)
				filchi_draft_number(d, s, compare(peers, work, workers, c).ratio);
		}
	return s;
}

static void ratios(struct filchi_draft *d, unsigned workers)
{
	const char *title = filchi_draft_text(d, "%u worker%s", workers, workers == 1 ? "" : "s");
	struct filchi_panel *p =
		filchi_draft_panel(d, FILCHI_PLOT_BARS, title, "workload", "time per item, by that of filch");
	const char *work;

	p->y_log = true;
	p->base = 1;
	for (int c = 0; c < CONTENDERS; c++) {
		struct filchi_series *bars = filchi_draft_series(d, p, contenders[c], FILCHI_DRAFT_SERIES);

		for (unsigned n = 0; n < FILCHI_DRAFT_SERIES && (work = filchi_data_work(d->data[0], n)); n++) {
			filchi_draft_label(d, p, n, work);
			filchi_draft_value(bars, 0, compare(d->data[0], work, workers, c).ratio);
		}
	}
}

static void memory_sheet(struct filchi_draft *d)
{
	struct filchi_sheet *s =
		filchi_draft_sheet(d, "Peak memory, MB, and wall time, ms, of filch",
				   "workload|workers|wall, ms|MB|serial MB|libgomp MB|libomp MB|tbb MB");
	const char *work;
	unsigned workers;

	for (unsigned n = 0; (work = filchi_data_work(d->data[0], n)); n++)
		for (unsigned w = 0; (workers = filchi_data_workers(d->data[0], w)); w++) {
			filchi_draft_cell(d, s, "%s", work);
			filchi_draft_cell(d, s, "%u", workers);
			filchi_draft_number(
				d, s, filchi_data_program(d->data[0], "filch", work, NULL, workers, "ns").median / 1e6);
			filchi_draft_number(
				d, s,
				filchi_data_program(d->data[0], "filch", work, NULL, workers, "peak_bytes").median /
					1e6);
			for (int c = 0; c < CONTENDERS; c++)
				filchi_draft_number(d, s,
						    filchi_data_program(d->data[0], contenders[c], work, NULL,
									c == SERIAL ? 1 : workers, "peak_bytes")
								    .median /
							    1e6);
		}
}

/* What filch loses: rows of a table. */
struct losses {
	unsigned wins, all;
	struct filchi_sheet *sheet;
};

static void lose(struct filchi_draft *d, struct losses *l, const char *work, unsigned workers, const char *other,
		 double ratio, const char *what)
{
	filchi_draft_cell(d, l->sheet, "%s", work);
	filchi_draft_cell(d, l->sheet, "%u", workers);
	filchi_draft_cell(d, l->sheet, "%s", other);
	filchi_draft_cell(d, l->sheet, "%s", what);
	filchi_draft_number(d, l->sheet, ratio);
}

static void judge_one(struct filchi_draft *d, struct losses *l, const char *work, unsigned workers)
{
	for (int c = FIRST_PEER; c < CONTENDERS; c++) {
		struct comparison found = compare(d->data[0], work, workers, c);

		if (isnan(found.ratio))
			continue;
		l->all++;
		l->wins += found.ratio >= 1;
		if (found.ratio < 1)
			lose(d, l, work, workers, contenders[c], 1 / found.ratio,
			     found.certain ? "time" : "time, but the intervals overlap");
		if (found.memory > 1.05)
			lose(d, l, work, workers, contenders[c], found.memory, "memory");
	}
}

/* With one worker, where tasks are of some size. */
static void judge_serial(struct filchi_draft *d, struct losses *l)
{
	static const char *const grained[] = {"matmul", "quicksort", "cilksort"};

	for (size_t i = 0; i < sizeof(grained) / sizeof(grained[0]); i++) {
		struct comparison found = compare(d->data[0], grained[i], 1, SERIAL);

		if (found.ratio < 1 / 1.1)
			lose(d, l, grained[i], 1, contenders[SERIAL], 1 / found.ratio,
			     found.certain ? "time" : "time, but the intervals overlap");
	}
}

static void make_peers(struct filchi_draft *d)
{
	struct losses l = {0};
	unsigned workers;
	const char *work;

	for (unsigned w = 0; w < 2 && (workers = filchi_data_workers(d->data[0], w)); w++)
		ratios(d, workers);
	l.sheet = filchi_draft_sheet(d, "Every loss of filch: how many times that of the other",
				     "workload|workers|to|in|times");
	memory_sheet(d);
	for (unsigned n = 0; (work = filchi_data_work(d->data[0], n)); n++)
		for (unsigned w = 0; (workers = filchi_data_workers(d->data[0], w)); w++)
			judge_one(d, &l, work, workers);
	judge_serial(d, &l);
	if (!l.all)
		return;
	d->figure->agreement = FILCHI_OWN;
	d->figure->verdict =
		filchi_draft_text(d, "At least as fast as another runtime in %u of %u comparisons.", l.wins, l.all);
}

/* ---- growth ---- */

/* Half of the range, by the middle. */
static double swing(const struct filchi_series *s)
{
	double spread = filchi_draft_spread(s);

	return (spread - 1) / (spread + 1);
}

static void grow(struct filchi_draft *d, struct filchi_panel *time, struct filchi_panel *memory, unsigned workers,
		 struct filchi_sheet *sheet)
{
	const char *name = filchi_draft_text(d, "%u worker%s", workers, workers == 1 ? "" : "s"), *size;
	struct filchi_series *ns = filchi_draft_series(d, time, name, 16);
	struct filchi_series *bytes = filchi_draft_series(d, memory, name, 16);
	double tasks = NAN, least = INFINITY;

	for (unsigned n = 0; n < 16 && (size = filchi_data_size(d->data[0], "fib", n)); n++) {
		struct filchi_found peak = filchi_data_program(d->data[0], "filch", "fib", size, workers, "peak_bytes");

		tasks = filchi_data_program(d->data[0], "filch", "fib", size, workers, "items").median;
		least = fmin(least, tasks);
		filchi_draft_point(ns, tasks,
				   filchi_data_program(d->data[0], "filch", "fib", size, workers, "ns_per_item"), 1);
		filchi_draft_point(bytes, tasks, peak, 1e6);
		filchi_draft_cell(d, sheet, "fib %s", size);
		filchi_draft_cell(d, sheet, "%u", workers);
		filchi_draft_number(d, sheet, tasks);
		filchi_draft_number(d, sheet, ns->y[n]);
		filchi_draft_number(d, sheet, peak.median / 1e6);
	}
	filchi_draft_claim(d, swing(ns), swing(ns) <= 0.1,
			   "with %s a task takes the same within %.1f %% from %.2g to %.2g tasks (aim: 10 %%)", name,
			   100 * swing(ns), least, tasks);
	filchi_draft_claim(d, swing(bytes), swing(bytes) <= 0.05,
			   "peak memory with %s is the same within %.1f %% (aim: bounded by depth)", name,
			   100 * swing(bytes));
}

static void make_growth(struct filchi_draft *d)
{
	struct filchi_panel *time = filchi_draft_panel(d, FILCHI_PLOT_LINES, NULL, "tasks", "ns per task");
	struct filchi_panel *memory = filchi_draft_panel(d, FILCHI_PLOT_LINES, NULL, "tasks", "peak memory, MB");
	struct filchi_sheet *s = filchi_draft_sheet(d, "fib", "size|workers|tasks|ns per task|peak MB");
	unsigned workers;

	time->x_log = memory->x_log = true;
	for (unsigned w = 0; (workers = filchi_data_workers(d->data[0], w)); w++)
		grow(d, time, memory, workers, s);
}

const struct filchi_entry filchi_entries_own[] = {
	{"peers",
	 "filch",
	 "filch next to other runtimes",
	 "Every workload of filch bench, serially and with filch, OpenMP of gcc (libgomp), OpenMP of clang (libomp; "
	 "compared "
	 "with filch in a program that clang compiled) and oneTBB, "
	 "with 1 and 2 workers; samples are interleaved, answers checked. Where others would take minutes they have "
	 "less to "
	 "do: times are per item. Every loss is in the first table.",
	 {&filchi_own_peers},
	 make_peers,
	 NULL},
	{"growth",
	 "filch",
	 "What a task takes as there are more of them",
	 "fib, whose calls are tasks with next to nothing to do, of rising size; with --quick up to 10^8 tasks, else "
	 "to 10^9.",
	 {&growth},
	 make_growth,
	 NULL},
	{0},
};
