/* SPDX-License-Identifier: Apache-2.0 */
/* Our own figures: filch compared with other runtimes, and the cost of a task as the number of tasks grows. */
#include "own.h"

#include <math.h>

/*
 * About 10^6, 10^7, 10^8 and 10^9 tasks. A shared machine changes its speed from time to time: a sample of
 * milliseconds has one speed, a sample of seconds has a mixture. So short runs are repeated until they take as long
 * as long ones.
 */
#define GROWING " --runtimes filch --workers @M --no-copies --least "
static const struct filchi_measurement growth = {
	.id = "growth",
	.suite = "programs",
	.of = {{"fib:30,35,39" GROWING "200 --runs 5", 10},
	       {"fib:30,35,39,44" GROWING "2000", 200},
	       {"fib:30,35,39,44,47" GROWING "8000 --runs 20", 2000}},
};

#define FLAT 0.1 /* largest deviation from the middle of the smallest and the largest value */

/* The deviation, from the ratio of the largest to the smallest value. */
static double off_by(double spread)
{
	return (spread - 1) / (spread + 1);
}

static double off(const struct filchi_series *s)
{
	return off_by(filchi_figure_spread(s));
}

/* The certain part of the deviation, by the ends of the intervals. */
static double surely_off(const struct filchi_series *s)
{
	double least = INFINITY, most = -INFINITY;

	for (size_t i = 0; i < s->count; i++) {
		least = fmin(least, s->high[i]);
		most = fmax(most, s->low[i]);
	}
	return off_by(fmax(1, most / least));
}

/* Returns the series that is not flat but may be, within the samples; "": the result is clear. */
static const char *grow(struct filchi_figure_builder *d, struct filchi_panel *time, struct filchi_panel *memory,
			unsigned workers, struct filchi_page_table *table)
{
	const char *name = filchi_figure_text(d, "%u worker%s", workers, workers == 1 ? "" : "s"), *size;
	struct filchi_series *ns = filchi_figure_add_series(d, time, name, 16);
	struct filchi_series *bytes = filchi_figure_add_series(d, memory, name, 16);
	double tasks = NAN, least = INFINITY;

	for (unsigned n = 0; n < 16 && (size = filchi_data_size(d->data[0], "fib", n)); n++) {
		struct filchi_found peak = filchi_data_program(d->data[0], "filch", "fib", size, workers, "peak_bytes");

		tasks = filchi_data_program(d->data[0], "filch", "fib", size, workers, "items").median;
		least = fmin(least, tasks);
		filchi_figure_add_point(
			ns, tasks, filchi_data_program(d->data[0], "filch", "fib", size, workers, "ns_per_item"), 1);
		filchi_figure_add_point(bytes, tasks, peak, 1e6);
		filchi_figure_add_cell(d, table, "fib %s", size);
		filchi_figure_add_cell(d, table, "%u", workers);
		filchi_figure_add_number(d, table, tasks);
		filchi_figure_add_number(d, table, ns->y[n]);
		filchi_figure_add_number(d, table, ns->low[n]);
		filchi_figure_add_number(d, table, ns->high[n]);
		filchi_figure_add_number(d, table, peak.median / 1e6);
	}
	filchi_figure_claim(d, off(ns), off(ns) <= FLAT,
			    "with %s the time of a task is flat within ±%.1f %% from %s to %s tasks (aim: ±10 %%)",
			    name, 100 * off(ns), filchi_figure_words(d, least, 2), filchi_figure_words(d, tasks, 2));
	filchi_figure_claim(d, off(bytes), off(bytes) <= FLAT,
			    "with %s peak memory is flat within ±%.1f %% (aim: ±10 %%)", name, 100 * off(bytes));
	if (!(off(ns) > FLAT) || surely_off(ns) > FLAT)
		return "";
	return filchi_figure_text(d, " With %s it is flat within ±%.1f %%, of which ±%.1f %% are sure.", name,
				  100 * off(ns), 100 * surely_off(ns));
}

static void make_growth(struct filchi_figure_builder *d)
{
	struct filchi_panel *time = filchi_figure_add_panel(d, FILCHI_PLOT_LINES, NULL, "tasks", "ns per task");
	struct filchi_panel *memory = filchi_figure_add_panel(d, FILCHI_PLOT_LINES, NULL, "tasks", "peak memory, MB");
	struct filchi_page_table *s =
		filchi_figure_add_table(d, "fib", "size|workers|tasks|ns per task|from|to|peak MB");
	const char *unclear = "";
	unsigned workers;

	time->x_log = memory->x_log = true;
	d->met = "flat within 10 %";
	d->missed = "not flat within 10 %";
	for (unsigned w = 0; (workers = filchi_data_workers(d->data[0], w)); w++)
		unclear = filchi_figure_text(d, "%s%s", unclear, grow(d, time, memory, workers, s));
	if (*unclear) {
		d->figure->agreement = FILCHI_OWN;
		d->figure->result = filchi_figure_text(
			d, "Too noisy to tell whether the time of a task is flat within ±10 %%.%s", unclear);
	}
}

const struct filchi_entry filchi_entries_own[] = {
	{"peers",
	 "filch",
	 "filch compared with other runtimes",
	 "Every workload of filch bench, serially and with filch, OpenMP of gcc (libgomp), OpenMP of clang (libomp; "
	 "compared with filch in a program that clang compiled) and oneTBB (tbb), with 1 and 2 workers; samples are "
	 "interleaved, answers checked. Where others would take minutes they have less to do: times are per item. What "
	 "the machine gives is measured by as many programs with one worker each, run at once. Every loss is in the "
	 "first table, and the measurements of both runtimes are in the second: CPU use is of all workers. One in "
	 "forty "
	 "intervals of 95 % shows a loss by chance, so repeat the run if a loss has no cause.",
	 {&filchi_own_peers},
	 filchi_own_make_peers,
	 NULL},
	{"growth",
	 "filch",
	 "What a task takes as there are more of them",
	 "fib, whose calls are tasks with next to nothing to do, of rising size; with --quick up to 100 million tasks, "
	 "else to a billion. Sizes take turns; small ones are repeated so that all samples take about as long. With "
	 "two workers "
	 "a million tasks are done in two milliseconds, of which the first and the last steals, and to wake who waits "
	 "for "
	 "the result, are a part.",
	 {&growth},
	 make_growth,
	 NULL},
	{0},
};
