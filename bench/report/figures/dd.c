/* SPDX-License-Identifier: Apache-2.0 */
/* The solver on decision diagrams: the gap over time with one and more workers, time to proof, nodes per second. */
#include "../../dd/cases.h"
#include "figures.h"

#include <math.h>
#include <stdio.h>

static const struct filchi_measurement dd = {
	.id = "dd",
	.suite = "dd",
	.of = {{"dd --runs 3", 30}, {"dd", 240}, {"dd --runs 15", 720}},
};

static struct filchi_found find(struct filchi_figure_builder *d, const char *way, const char *name, unsigned number,
				const char *metric)
{
	char measure[160];

	snprintf(measure, sizeof(measure), "%s/%u", name, number);
	return filchi_data_find(d->data[0], way, measure, metric);
}

static double median(struct filchi_figure_builder *d, const char *way, const char *name, unsigned number,
		     const char *metric)
{
	return find(d, way, name, number, metric).median;
}

static const char *instance_name(struct filchi_figure_builder *d, unsigned n)
{
	const struct filchi_json_value *list = d->data[0] ? filchi_json_get(d->data[0]->options, "instances") : NULL;

	for (const struct filchi_json_value *v = list ? list->first : NULL; v; v = v->next)
		if (!n--)
			return filchi_json_text(v);
	return NULL;
}

/* ---- the gap over time ---- */

/* The instance that takes longest, of those that were proved with one worker. */
static const char *longest(struct filchi_figure_builder *d, double least, double most)
{
	const char *name, *found = NULL;
	double ns, best = least;

	for (unsigned n = 0; (name = instance_name(d, n)); n++) {
		ns = median(d, "solve", name, 1, "gap_0");
		if (ns > best && ns < most) {
			best = ns;
			found = name;
		}
	}
	return found;
}

static void add_gaps(struct filchi_figure_builder *d, struct filchi_panel *p, struct filchi_page_table *t,
		     const char *name, unsigned workers)
{
	struct filchi_series *line = filchi_figure_add_series(
		d, p, filchi_figure_text(d, "%u worker%s", workers, workers == 1 ? "" : "s"), FILCHI_DD_GAPS);

	for (size_t i = 0; i < FILCHI_DD_GAPS; i++) {
		double gap = filchi_dd_gaps[i];
		struct filchi_found f = find(d, "solve", name, workers, filchi_figure_text(d, "gap_%g", gap));

		if (isnan(f.median))
			continue;
		filchi_figure_add_value(line, f.median / 1e9, gap);
		filchi_figure_add_cell(d, t, "%s", name);
		filchi_figure_add_cell(d, t, "%u", workers);
		filchi_figure_add_cell(d, t, "%g", gap);
		filchi_figure_add_number(d, t, f.median / 1e9);
		filchi_figure_add_number(d, t, f.low / 1e9);
		filchi_figure_add_number(d, t, f.high / 1e9);
	}
}

/* One panel for each of the instances that take longest. */
static void make_gaps(struct filchi_figure_builder *d)
{
	struct filchi_page_table *t = filchi_figure_add_table(d, "seconds until the gap is reached",
							      "instance|workers|gap, %|seconds|from|to");
	double most = INFINITY;
	const char *name;

	for (unsigned panels = 0; panels < 3 && (name = longest(d, 0, most)); panels++) {
		struct filchi_panel *p = filchi_figure_add_panel(d, FILCHI_PLOT_LINES, name, "seconds", "gap, %");
		unsigned workers;

		for (unsigned n = 0; n < 8 && (workers = filchi_data_workers(d->data[0], n)); n++)
			add_gaps(d, p, t, name, workers);
		most = median(d, "solve", name, 1, "gap_0");
	}
}

/* ---- time to proof, and nodes per second ---- */

static void add_proof(struct filchi_figure_builder *d, struct filchi_page_table *t, const char *name, unsigned workers)
{
	struct filchi_found f = find(d, "solve", name, workers, "ns");
	double copies = median(d, "copies", name, workers, "ns"), share = copies / workers / f.median;

	filchi_figure_add_cell(d, t, "%s", name);
	filchi_figure_add_cell(d, t, "%u", workers);
	filchi_figure_add_number(d, t, f.median / 1e9);
	filchi_figure_add_number(d, t, f.low / 1e9);
	filchi_figure_add_number(d, t, f.high / 1e9);
	filchi_figure_add_number(d, t, median(d, "solve", name, workers, "cpu_ns") / 1e9);
	filchi_figure_add_number(d, t, median(d, "solve", name, workers, "nodes"));
	filchi_figure_add_number(d, t, median(d, "solve", name, workers, "dd_nodes") / 1e6);
	filchi_figure_add_number(d, t, share);
	if (workers == 2 && median(d, "solve", name, 1, "ns") > 1e9)
		filchi_figure_claim(d, share, share >= 0.95,
				    "%s: 2 workers reach %.2f of the speed of 2 programs (aim: at least 0.95)", name,
				    share);
}

static void make_dd(struct filchi_figure_builder *d)
{
	struct filchi_page_table *proofs = filchi_figure_add_table(
		d, "time to proof", "instance|workers|seconds|from|to|CPU, s|subproblems|DD nodes, M|of copies");
	struct filchi_page_table *nodes =
		filchi_figure_add_table(d, "million nodes compiled per CPU second", "instance|width 100|width 1000");
	const char *name;
	unsigned workers;

	d->met = "all aims met";
	d->missed = "not all aims met";
	for (unsigned n = 0; (name = instance_name(d, n)); n++) {
		for (unsigned i = 0; i < 8 && (workers = filchi_data_workers(d->data[0], i)); i++)
			add_proof(d, proofs, name, workers);
		if (isnan(median(d, "nodes", name, 100, "nodes_per_second")))
			continue;
		filchi_figure_add_cell(d, nodes, "%s", name);
		filchi_figure_add_number(d, nodes, median(d, "nodes", name, 100, "nodes_per_second") / 1e6);
		filchi_figure_add_number(d, nodes, median(d, "nodes", name, 1000, "nodes_per_second") / 1e6);
	}
	make_gaps(d);
}

const struct filchi_entry filchi_entries_dd[] = {
	{"dd",
	 "filch",
	 "The solver on decision diagrams: gap over time",
	 "filch bench dd: random instances of each problem of filch solve. The panels show the instances that take "
	 "longest: the gap between the best solution and the bound over time, with one and more workers. Copies are as "
	 "many programs with one worker at once as there are workers.",
	 {&dd},
	 make_dd,
	 NULL},
	{0},
};
