/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The search library: its costs, and its two ways to move work. The exploration of a graph is that of the bulk queue
 * paper, figures 9 and 10, with workers that steal (direct) and with the master that the paper plans.
 */
#include "figures.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct filchi_measurement search = {
	.id = "search",
	.suite = "search",
	.of = {{"search --cases tree,uts,few,batch --runs 3", 25}, {"search", 300}, {"search --runs 30", 900}},
};

static const struct filchi_measurement dag = {
	.id = "search-dag",
	.suite = "search",
	.of = {{"search --cases dag/2500000 --workers @W --runs 3", 5},
	       {"search --cases dag/2500000 --workers @W", 15},
	       {"search --cases dag --workers @W", 3000}},
};

static const char *const moves[] = {"direct", "master"};

static struct filchi_found find(struct filchi_figure_builder *d, const char *way, const char *name, unsigned workers,
				const char *metric)
{
	char measure[64];

	snprintf(measure, sizeof(measure), "%s/%u", name, workers);
	return filchi_data_find(d->data[0], way, measure, metric);
}

static double median(struct filchi_figure_builder *d, const char *way, const char *name, unsigned workers,
		     const char *metric)
{
	return find(d, way, name, workers, metric).median;
}

/* CPU time of a way, divided by that of the serial program. */
static double times_serial(struct filchi_figure_builder *d, const char *way, const char *name, unsigned workers)
{
	return median(d, way, name, workers, "cpu_per_node") / median(d, "serial", name, 1, "cpu_per_node");
}

/* Speed of a way, divided by that of as many serial programs at once. */
static double of_copies(struct filchi_figure_builder *d, const char *way, const char *name, unsigned workers)
{
	return median(d, "copies", name, workers, "ns_per_node") / median(d, way, name, workers, "ns_per_node");
}

static const char *case_name(struct filchi_figure_builder *d, unsigned n)
{
	const struct filchi_json_value *list = d->data[0] ? filchi_json_get(d->data[0]->options, "cases") : NULL;

	for (const struct filchi_json_value *v = list ? list->first : NULL; v; v = v->next)
		if (!n--)
			return filchi_json_text(v);
	return NULL;
}

/* ---- the graph ---- */

static void add_line(struct filchi_figure_builder *d, struct filchi_panel *p, struct filchi_page_table *t,
		     const char *name, const char *way)
{
	struct filchi_series *line = filchi_figure_add_series(d, p, filchi_figure_text(d, "%s, %s", way, name), 16);
	unsigned workers;

	for (unsigned n = 0; n < 16 && (workers = filchi_data_workers(d->data[0], n)); n++) {
		struct filchi_found f = find(d, way, name, workers, "ns");

		filchi_figure_add_point(line, workers, f, 1e9);
		filchi_figure_add_cell(d, t, "%s", name);
		filchi_figure_add_cell(d, t, "%s", way);
		filchi_figure_add_cell(d, t, "%u", workers);
		filchi_figure_add_number(d, t, f.median / 1e9);
		filchi_figure_add_number(d, t, f.low / 1e9);
		filchi_figure_add_number(d, t, f.high / 1e9);
		filchi_figure_add_number(d, t, median(d, way, name, 1, "ns") / f.median);
		filchi_figure_add_number(d, t, of_copies(d, way, name, workers));
		filchi_figure_add_number(d, t, median(d, way, name, workers, "batches"));
	}
}

static void make_dag(struct filchi_figure_builder *d)
{
	struct filchi_panel *p = filchi_figure_add_panel(d, FILCHI_PLOT_LINES, NULL, "workers", "seconds");
	struct filchi_page_table *t = filchi_figure_add_table(
		d, "seconds", "graph|way|workers|seconds|from|to|times one worker|of copies|batches moved");
	const char *name;

	p->x_log = p->y_log = true;
	for (unsigned n = 0; (name = case_name(d, n)); n++) {
		double direct = median(d, "direct", name, 2, "ns"), master = median(d, "master", name, 2, "ns");

		for (size_t m = 0; m < 2; m++) {
			double gain = median(d, moves[m], name, 1, "ns") / median(d, moves[m], name, 2, "ns");

			add_line(d, p, t, name, moves[m]);
			filchi_figure_claim(d, gain, gain > 1.6,
					    "%s: 2 workers with %s are %.2f times as fast as 1 (published: about 2 for "
					    "each doubling, "
					    "up to 128 threads)",
					    name, moves[m], gain);
		}
		filchi_figure_claim(d, master / direct, fabs(master / direct - 1) < 0.25,
				    "%s: with 2 workers master takes %.2f times the time of direct (published: with "
				    "nodes of equal cost the queue does not matter)",
				    name, master / direct);
	}
}

/* ---- costs ---- */

static bool begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

static void claim_costs(struct filchi_figure_builder *d, const char *name)
{
	double times = times_serial(d, "direct", name, 1), share = of_copies(d, "direct", name, 2);

	if (begins(name, "few/"))
		times = times_serial(d, "best", name, 1);
	if (begins(name, "tree/") || begins(name, "few/"))
		filchi_figure_claim(
			d, times, times <= 1.15,
			"%s: one worker takes %.2f times the CPU time of a serial program (aim: at most 1.15)", name,
			times);
	if (begins(name, "uts/"))
		filchi_figure_claim(d, share, share >= 0.95,
				    "%s: 2 workers reach %.2f of the speed of 2 serial programs (aim: at least 0.95)",
				    name, share);
}

static void add_row(struct filchi_figure_builder *d, struct filchi_page_table *t, const char *name, const char *way,
		    unsigned workers)
{
	struct filchi_found f = find(d, way, name, workers, "ns_per_node");

	if (isnan(f.median))
		return;
	filchi_figure_add_cell(d, t, "%s", name);
	filchi_figure_add_cell(d, t, "%s", way);
	filchi_figure_add_cell(d, t, "%u", workers);
	filchi_figure_add_number(d, t, median(d, way, name, workers, "nodes"));
	filchi_figure_add_number(d, t, f.median);
	filchi_figure_add_number(d, t, f.low);
	filchi_figure_add_number(d, t, f.high);
	filchi_figure_add_number(d, t, median(d, way, name, workers, "cpu_per_node"));
	filchi_figure_add_number(d, t, times_serial(d, way, name, workers));
	filchi_figure_add_number(d, t, of_copies(d, way, name, workers));
	filchi_figure_add_number(d, t, median(d, way, name, workers, "nodes") / median(d, way, name, 1, "nodes"));
	filchi_figure_add_number(d, t, median(d, way, name, workers, "idle"));
	filchi_figure_add_number(d, t, median(d, way, name, workers, "batches"));
	filchi_figure_add_number(d, t, median(d, way, name, workers, "moved"));
}

static void make_search(struct filchi_figure_builder *d)
{
	static const char *const ways[] = {"serial",  "copies",	  "direct",   "master",	  "best",
					   "mixture", "round-16", "round-64", "round-256"};
	struct filchi_page_table *t = filchi_figure_add_table(
		d, "ns a node; for batch: ns for moving half of a queue",
		"case|way|workers|nodes|ns a node|from|to|CPU|times serial|of copies|nodes by 1|"
		"idle, %|batches|moved");
	double small = median(d, "direct", "batch/100", 1, "ns"), large = median(d, "direct", "batch/10000", 1, "ns");
	const char *name;
	unsigned workers;

	d->met = "all aims met";
	d->missed = "not all aims met";
	for (unsigned n = 0; (name = case_name(d, n)); n++) {
		for (size_t w = 0; w < sizeof(ways) / sizeof(ways[0]); w++)
			for (unsigned i = 0; i < 16 && (workers = filchi_data_workers(d->data[0], i)); i++)
				add_row(d, t, name, ways[w], workers);
		claim_costs(d, name);
	}
	filchi_figure_claim(d, large / small, large / small < 3,
			    "moving half of 10,000 nodes takes %.1f times as long as half of 100 (aim: flat, below 3)",
			    large / small);
}

const struct filchi_entry filchi_entries_search[] = {
	{"search",
	 "filch",
	 "The costs of the search library",
	 "filch bench search: trees whose nodes take about 100 ns, depth first and best first, the trees of UTS, "
	 "knapsacks, "
	 "nodes of 10 us with log-normal times, the deterministic mode, and moving half of a queue. The serial "
	 "programs are "
	 "written by hand, with an array as stack or heap; copies are as many of them at once as there are workers.",
	 {&search},
	 make_search,
	 NULL},
	{"search-dag",
	 "Bulk queue paper, figures 9 and 10",
	 "Exploring a graph with the search library: direct and master",
	 "The graph of bulk-9, explored by filch_search. direct: a worker without nodes takes half of another's, "
	 "victims in "
	 "order, as in the paper's experiment. master: one worker moves batches to the others, as the paper plans it. "
	 "Published: the text says how times fall, no times.",
	 {&dag},
	 make_dag,
	 NULL},
	{0},
};
