/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kataru, Davarnia, Jannesari, "A lock-free work-stealing algorithm for bulk operations": figures 6 to 10. Their
 * machine had two Xeon Platinum 8358, 64 cores. Their figures are plots; the numbers here come from the text.
 */
#include "figures.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const struct filchi_measurement bulk = {
	.id = "bulk",
	.suite = "bulk",
	.of = {{"bulk --runs 5", 2}, {"bulk", 25}, {"bulk --runs 30", 50}},
};

static const struct filchi_measurement dag = {
	.id = "dag",
	.suite = "programs",
	.workload = "dag",
	.of = {{"dag:2500000 --runtimes serial,filch --workers @W --runs 3", 2},
	       {"dag:2500000 --runtimes serial,filch --workers @W", 30},
	       {"dag:2500000,300000000 --runtimes serial,filch --workers @W", 4000}},
};

static const struct filchi_measurement dag_one = {
	.id = "dag-chase_lev",
	.suite = "programs",
	.workload = "dag",
	.of = {{"dag:2500000 --runtimes filch --deque chase_lev --workers @W --runs 3", 2},
	       {"dag:2500000 --runtimes filch --deque chase_lev --workers @W", 30},
	       {"dag:2500000,300000000 --runtimes filch --deque chase_lev --workers @W", 4000}},
};

/* The kinds of filch bench bulk, with their names in the figures. */
static const struct queue {
	const char *name, *means;
} queues[] = {
	{"printed", "paper's list"}, {"bulk_list", "filch bulk_list"},	  {"bulk", "filch bulk"},
	{"chase_lev", "one by one"}, {"optimized", "paper's, optimized"},
};

static double ns(struct filchi_figure_builder *d, const char *queue, const char *kind, unsigned number)
{
	char measure[32];

	snprintf(measure, sizeof(measure), "%s_%u", kind, number);
	return filchi_data_median(d->data[0], queue, measure, "ns");
}

/* Draws lines of the first queues over the numbers, and adds a table with a row for each number. */
static void plot(struct filchi_figure_builder *d, struct filchi_panel *p, const char *kind, const unsigned *numbers,
		 size_t count, size_t first, size_t last, double unit)
{
	char measure[32];

	for (size_t q = first; q < last; q++) {
		struct filchi_series *s = filchi_figure_add_series(d, p, queues[q].means, count);

		for (size_t i = 0; i < count; i++) {
			snprintf(measure, sizeof(measure), "%s_%u", kind, numbers[i]);
			filchi_figure_add_point(s, numbers[i],
						filchi_data_find(d->data[0], queues[q].name, measure, "ns"), unit);
		}
	}
}

static void numbers_row(struct filchi_figure_builder *d, struct filchi_page_table *s, const struct filchi_panel *p)
{
	for (size_t i = 0; i < p->series[0].count; i++) {
		filchi_figure_add_cell(d, s, "%.0f", p->series[0].x[i]);
		for (size_t q = 0; q < p->series_count; q++)
			filchi_figure_add_number(d, s, p->series[q].y[i]);
	}
}

static void publish(struct filchi_figure_builder *d, struct filchi_panel *p, const char *name,
		    const double (*points)[2], size_t count, size_t room)
{
	struct filchi_series *s = filchi_figure_add_series(d, p, name, room);

	s->published = true;
	for (size_t i = 0; i < room; i++) {
		double y = NAN;

		for (size_t j = 0; j < count; j++)
			if (points[j][0] == p->series[0].x[i])
				y = points[j][1];
		filchi_figure_add_value(s, p->series[0].x[i], y);
	}
}

static void make_6(struct filchi_figure_builder *d)
{
	static const unsigned batches[] = {1, 128, 512, 1024};
	static const double theirs[][2] = {{1024, 500}}, taskflow[][2] = {{1024, 5000}};
	struct filchi_panel *p = filchi_figure_add_panel(d, FILCHI_PLOT_LINES, NULL, "nodes in a batch", "ns per push");
	double list = ns(d, "bulk_list", "push", 1024), chunks = ns(d, "bulk", "push", 1024);
	double single = ns(d, "bulk_list", "push", 1), single_chunks = ns(d, "bulk", "push", 1);
	double chase_lev = ns(d, "chase_lev", "push", 1024), base = ns(d, "chase_lev", "push", 1);
	struct filchi_page_table *s;

	p->x_log = p->y_log = true;
	plot(d, p, "push", batches, 4, 0, 4, 1);
	publish(d, p, "LF_Queue, published (below this)", theirs, 1, 4);
	publish(d, p, "Taskflow, published (nearly this)", taskflow, 1, 4);
	s = filchi_figure_add_table(d, "ns per push of a batch",
				    "nodes|paper's list|filch bulk_list|filch bulk|one by one|LF_Queue, published|"
				    "Taskflow, published");
	numbers_row(d, s, p);
	filchi_figure_claim(
		d, list / single, list / single < 3,
		"a push of 1,024 nodes takes filch bulk_list %.1f times as long as one of 1 (published: nearly "
		"constant)",
		list / single);
	filchi_figure_claim(d, chunks / single_chunks, chunks / single_chunks < 3,
			    "a push of 1,024 nodes takes filch bulk %.1f times as long as one of 1",
			    chunks / single_chunks);
	filchi_figure_claim(d, chase_lev / base, chase_lev / base > 100,
			    "with chase_lev, node by node, it takes %.0f times as long (published: sharp rise)",
			    chase_lev / base);
	filchi_figure_claim(d, chase_lev / list, chase_lev / list >= 10,
			    "1,024 nodes take one by one %.0f times as long as with filch bulk_list (published: 10)",
			    chase_lev / list);
}

static const unsigned shares[] = {10, 20, 30, 40, 50, 60, 90};
#define SHARES (sizeof(shares) / sizeof(shares[0]))

static void make_7(struct filchi_figure_builder *d)
{
	static const double theirs[][2] = {{10, 39}, {20, 40}, {30, 40}, {40, 40}, {50, 40}, {60, 40}};
	static const double taskflow[][2] = {{10, 16}, {60, 112}};
	struct filchi_panel *p =
		filchi_figure_add_panel(d, FILCHI_PLOT_LINES, NULL, "% of 10,000 nodes stolen", "us per steal");
	double printed_10 = ns(d, "printed", "steal", 10), printed_60 = ns(d, "printed", "steal", 60);
	double one_10 = ns(d, "chase_lev", "steal", 10), one_60 = ns(d, "chase_lev", "steal", 60);
	double list = ns(d, "bulk_list", "steal", 60), chunks = ns(d, "bulk", "steal", 60);
	struct filchi_page_table *s;

	p->y_log = true;
	plot(d, p, "steal", shares, SHARES, 0, 4, 1e3);
	publish(d, p, "LF_Queue, published", theirs, 6, SHARES);
	publish(d, p, "Taskflow, published", taskflow, 2, SHARES);
	s = filchi_figure_add_table(d, "us per steal",
				    "%|paper's list|filch bulk_list|filch bulk|one by one|LF_Queue, published|"
				    "Taskflow, published");
	numbers_row(d, s, p);
	filchi_figure_claim(d, printed_60 / printed_10, fabs(printed_60 / printed_10 - 1) < 0.25,
			    "the paper's list needs for 60 %% %.2f times what it needs for 10 %% (published: about 1)",
			    printed_60 / printed_10);
	filchi_figure_claim(d, one_60 / one_10, one_60 / one_10 > 3,
			    "one by one 60 %% take %.1f times as long as 10 %% (published: 7)", one_60 / one_10);
	filchi_figure_claim(d, one_10 / printed_10, one_10 < printed_10,
			    "of 10 %% one by one takes %.2f times the time of the paper's list (published: 0.41)",
			    one_10 / printed_10);
	filchi_figure_claim(d, one_60 / printed_60, one_60 > printed_60,
			    "of 60 %% one by one takes %.2f times the time of the paper's list (published: 2.8)",
			    one_60 / printed_60);
	filchi_figure_claim(d, printed_60 / list + printed_60 / chunks, list < printed_60 && chunks < printed_60,
			    "filch's own queues steal 60 %% %.0f and %.0f times as fast as the paper's list",
			    printed_60 / list, printed_60 / chunks);
}

static void make_8(struct filchi_figure_builder *d)
{
	static const double plain[][2] = {{10, 37.5}, {20, 37.5}, {30, 37.5}, {40, 37.5}, {50, 37.5}, {60, 37.5}};
	static const double faster[][2] = {{10, 37.7}, {60, 12.5}};
	struct filchi_panel *p =
		filchi_figure_add_panel(d, FILCHI_PLOT_LINES, NULL, "% of 10,000 nodes stolen", "us per steal");
	double printed_10 = ns(d, "printed", "steal", 10), printed_60 = ns(d, "printed", "steal", 60);
	double fast_10 = ns(d, "optimized", "steal", 10), fast_60 = ns(d, "optimized", "steal", 60);
	struct filchi_page_table *s;

	plot(d, p, "steal", shares, SHARES, 0, 1, 1e3);
	plot(d, p, "steal", shares, SHARES, 4, 5, 1e3);
	publish(d, p, "non-optimized, published", plain, 6, SHARES);
	publish(d, p, "optimized, published", faster, 2, SHARES);
	s = filchi_figure_add_table(d, "us per steal",
				    "%|non-optimized|optimized|non-optimized, published|optimized, published");
	numbers_row(d, s, p);
	filchi_figure_claim(d, printed_60 / printed_10, fabs(printed_60 / printed_10 - 1) < 0.25,
			    "without the optimization 60 %% take %.2f times as long as 10 %% (published: 1)",
			    printed_60 / printed_10);
	filchi_figure_claim(d, fast_10 / fast_60, fast_10 / fast_60 > 1.5,
			    "with the optimization 10 %% take %.2f times as long as 60 %% (published: 3.0)",
			    fast_10 / fast_60);
	filchi_figure_claim(d, printed_60 / fast_60, printed_60 / fast_60 > 1.5,
			    "for 60 %% it makes the steal %.2f times as fast (published: 3.0)", printed_60 / fast_60);
}

/* ---- the exploration of a graph ---- */

/*
 * Draws seconds over workers for each size, and claims that doubling the workers halves the time up to the number
 * of CPUs.
 */
static void explore(struct filchi_figure_builder *d, const char *runtime)
{
	const struct filchi_data *data = d->data[0];
	struct filchi_panel *p = filchi_figure_add_panel(d, FILCHI_PLOT_LINES, NULL, "workers", "seconds");
	struct filchi_page_table *s = filchi_figure_add_table(
		d, "seconds", "nodes|workers|seconds|from|to|times one worker|machine gives|% of that");
	const char *size;

	p->x_log = p->y_log = true;
	for (unsigned n = 0; (size = filchi_data_size(data, "dag", n)); n++) {
		struct filchi_series *line =
			filchi_figure_add_series(d, p, filchi_figure_text(d, "%s nodes", size), 16);
		struct filchi_found one = filchi_data_program(data, runtime, "dag", size, 1, "ns");
		struct filchi_found two = filchi_data_program(data, runtime, "dag", size, 2, "ns");
		struct filchi_scaling scaling = filchi_data_scaling(data, runtime, "dag", size, 2);
		unsigned workers;

		for (unsigned w = 0; w < 16 && (workers = filchi_data_workers(data, w)); w++) {
			struct filchi_found f = filchi_data_program(data, runtime, "dag", size, workers, "ns");
			struct filchi_scaling of = filchi_data_scaling(data, runtime, "dag", size, workers);

			filchi_figure_add_point(line, workers, f, 1e9);
			filchi_figure_add_cell(d, s, "%s", size);
			filchi_figure_add_cell(d, s, "%u", workers);
			filchi_figure_add_number(d, s, f.median / 1e9);
			filchi_figure_add_number(d, s, f.low / 1e9);
			filchi_figure_add_number(d, s, f.high / 1e9);
			filchi_figure_add_number(d, s, one.median / f.median);
			filchi_figure_add_scaling(d, s, &of);
		}
		filchi_figure_claim(
			d, one.median / two.median + filchi_figure_ideal(&scaling, 2),
			one.median / two.median > 0.8 * filchi_figure_ideal(&scaling, 2),
			"with %s nodes 2 workers are %.2f times as fast as 1%s (published: about 2 for each "
			"doubling, up to 128 threads)",
			size, one.median / two.median, filchi_figure_of(d, &scaling));
		filchi_figure_untold(d, &scaling, 2, filchi_figure_text(d, "with %s nodes", size));
	}
}

static void make_9(struct filchi_figure_builder *d)
{
	explore(d, "filch");
}

static void make_10(struct filchi_figure_builder *d)
{
	const char *size = filchi_data_size(d->data[0], "dag", 0);
	double bulk_ns = filchi_data_program(d->data[1], "filch", "dag", size, 1, "ns").median;
	double other = filchi_data_program(d->data[0], "filch-chase_lev", "dag", size, 1, "ns").median;

	explore(d, "filch-chase_lev");
	filchi_figure_claim(d, other / bulk_ns, fabs(other / bulk_ns - 1) < 0.25,
			    "one by one it takes %.2f times the time of the bulk queue (published: nearly identical)",
			    other / bulk_ns);
}

#define PAPER "Bulk queue paper, figure "
const struct filchi_entry filchi_entries_bulk[] = {
	{"bulk-6",
	 PAPER "6",
	 "What a push of a batch takes",
	 "Pushes of batches of 1, 128, 512 and 1,024 nodes in one thread, without others. chase_lev, which takes nodes "
	 "one "
	 "by one, stands for the queues of Taskflow. Published: read from the text.",
	 {&bulk},
	 make_6,
	 NULL},
	{"bulk-7",
	 PAPER "7",
	 "What a steal of a share takes",
	 "One steal of a share of 10,000 nodes, by a second hand in the same thread. Nodes lie in memory in the order "
	 "of "
	 "the list, which is kind to the paper's, that walks along. Published: read from the text.",
	 {&bulk},
	 make_7,
	 NULL},
	{"bulk-8",
	 PAPER "8",
	 "What the paper's optimization of the steal is worth",
	 "The paper's list as printed, which walks to the end to count what it stole, and with its optimization, which "
	 "does not where the owner stood still. Published: read from the text.",
	 {&bulk},
	 make_8,
	 NULL},
	{"bulk-9",
	 PAPER "9",
	 "Exploring a graph with the bulk queue",
	 "A random directed graph without cycles is explored; each worker has a queue of its own and steals half of "
	 "another's, victims in order. More workers than CPUs share them. What the machine gives is measured by as "
	 "many "
	 "programs with one worker each, run at once. Published: the text says how times fall, no "
	 "times.",
	 {&dag},
	 make_9,
	 NULL},
	{"bulk-10",
	 PAPER "10",
	 "Exploring a graph one by one",
	 "The same with a deque that takes nodes one by one, chase_lev, in the place of Taskflow's unbounded queue.",
	 {&dag_one, &dag},
	 make_10,
	 NULL},
	{0},
};
