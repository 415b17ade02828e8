/* SPDX-License-Identifier: Apache-2.0 */
/* Unsplittable flow: does sharing cuts pay, does locality pay, and how do MIP solvers compare? */
#include "figures.h"

#include <math.h>
#include <string.h>

static const struct filchi_measurement ufp = {
	.id = "ufp",
	.suite = "ufp",
	.of = {{"ufp --quick --limit 20", 60}, {"ufp", 300}, {"ufp --runs 15", 900}},
};

static double median(struct filchi_figure_builder *d, const char *way, const char *name, const char *metric)
{
	return filchi_data_find(d->data[0], way, name, metric).median;
}

static const char *case_name(struct filchi_figure_builder *d, unsigned n)
{
	const struct filchi_json_value *list = d->data[0] ? filchi_json_get(d->data[0]->options, "cases") : NULL;

	for (const struct filchi_json_value *v = list ? list->first : NULL; v; v = v->next)
		if (!n--)
			return filchi_json_text(v);
	return NULL;
}

/* ---- pictures ---- */

static const char *short_name(const char *name)
{
	const char *slash = strrchr(name, '/');

	return slash ? slash + 1 : name;
}

/* Bars for all instances with at least this many scenarios: what a way takes, divided by what the other takes. */
static void add_bars(struct filchi_figure_builder *d, struct filchi_panel *p, const char *label, const char *way,
		     const char *other, const char *metric, double scenarios)
{
	struct filchi_series *bars = filchi_figure_add_series(d, p, label, FILCHI_FIGURE_MAX_SERIES);
	const char *name;
	size_t place = 0;

	for (unsigned n = 0; place < FILCHI_FIGURE_MAX_SERIES && (name = case_name(d, n)); n++) {
		double least = median(d, other, name, metric);

		if (median(d, other, name, "scenarios") < scenarios)
			continue;
		filchi_figure_add_label(d, p, place++, short_name(name));
		filchi_figure_add_value(bars, 0, least > 0 ? median(d, way, name, metric) / least : NAN);
	}
}

static struct filchi_panel *add_panel(struct filchi_figure_builder *d, const char *title, const char *y_name)
{
	struct filchi_panel *p = filchi_figure_add_panel(d, FILCHI_PLOT_BARS, title, "instance", y_name);

	p->base = 1;
	return p;
}

static void draw(struct filchi_figure_builder *d)
{
	static const struct {
		const char *title, *metric;
	} shared[] = {{"2 workers: CPU time", "cpu_ns"}, {"2 workers: nodes", "nodes"}, {"2 workers: cuts", "cuts"}};
	struct filchi_panel *p =
		add_panel(d, "MIP solvers", "CPU time, divided by that of filch: above 1, filch is faster");

	p->y_log = true;
	add_bars(d, p, "glpsol", "glpsol", "filch-1", "cpu_ns", 1);
	add_bars(d, p, "cbc", "cbc", "filch-1", "cpu_ns", 1);
	for (size_t i = 0; i < sizeof(shared) / sizeof(shared[0]); i++) {
		p = add_panel(d, shared[i].title, "divided by shared cuts with direct moves");
		add_bars(d, p, "cuts not shared", "no-share", "filch-2", shared[i].metric, 2);
		add_bars(d, p, "master, affinity", "master", "filch-2", shared[i].metric, 2);
	}
}

/* ---- tables and claims ---- */

static void add_row(struct filchi_figure_builder *d, struct filchi_page_table *t, const char *name, const char *way)
{
	double ns = median(d, way, name, "ns");

	if (isnan(ns))
		return;
	filchi_figure_add_cell(d, t, "%s", short_name(name));
	filchi_figure_add_number(d, t, median(d, way, name, "scenarios"));
	filchi_figure_add_cell(d, t, "%s", way);
	filchi_figure_add_number(d, t, ns / 1e6);
	filchi_figure_add_number(d, t, median(d, way, name, "cpu_ns") / 1e6);
	filchi_figure_add_number(d, t, median(d, way, name, "nodes"));
	filchi_figure_add_number(d, t, median(d, way, name, "cuts"));
	filchi_figure_add_number(d, t, median(d, way, name, "learned"));
	filchi_figure_add_number(d, t, median(d, way, name, "finished"));
}

/* With many scenarios 40 times as fast as cbc, with one scenario not slower than glpsol. */
static void claim_peers(struct filchi_figure_builder *d, const char *name)
{
	double mine = median(d, "filch-1", name, "cpu_ns"), scenarios = median(d, "filch-1", name, "scenarios");
	double cbc = median(d, "cbc", name, "cpu_ns") / mine, glpsol = median(d, "glpsol", name, "cpu_ns") / mine;

	if (scenarios >= 50 && !isnan(cbc))
		filchi_figure_claim(d, cbc, cbc >= 40, "%s: cbc takes %.0f times the CPU time (aim: at least 40)",
				    short_name(name), cbc);
	if (scenarios < 2 && !isnan(glpsol))
		filchi_figure_claim(d, glpsol, glpsol >= 1,
				    "%s: glpsol takes %.1f times the CPU time (aim: at least 1)", short_name(name),
				    glpsol);
}

/* The whole of all instances with several scenarios: one instance alone is luck. */
static double total(struct filchi_figure_builder *d, const char *way, const char *metric)
{
	const char *name;
	double sum = 0;

	for (unsigned n = 0; (name = case_name(d, n)); n++)
		if (median(d, "filch-2", name, "scenarios") > 1)
			sum += median(d, way, name, metric);
	return sum;
}

static void make_ufp(struct filchi_figure_builder *d)
{
	static const char *const ways[] = {"filch-1", "filch-2",   "no-share", "master",
					   "cutset",  "weak-cuts", "glpsol",   "cbc"};
	struct filchi_page_table *t =
		filchi_figure_add_table(d, "filch solve ufp and MIP solvers",
					"instance|scenarios|way|wall, ms|CPU, ms|nodes|cuts|learned|finished");
	double nodes, cpu, master;
	const char *name;

	draw(d);
	d->met = "all aims met";
	d->missed = "not all aims met";
	for (unsigned n = 0; (name = case_name(d, n)); n++) {
		for (size_t w = 0; w < sizeof(ways) / sizeof(ways[0]); w++)
			add_row(d, t, name, ways[w]);
		claim_peers(d, name);
	}
	nodes = total(d, "no-share", "nodes") / total(d, "filch-2", "nodes");
	cpu = total(d, "no-share", "cpu_ns") / total(d, "filch-2", "cpu_ns");
	master = total(d, "master", "cpu_ns") / total(d, "filch-2", "cpu_ns");
	filchi_figure_claim(
		d, cpu, cpu > 1 || nodes > 1,
		"2 workers that keep their cuts to themselves: %.2f times the nodes, %.2f times the CPU time of "
		"workers that share them (all instances with several scenarios)",
		nodes, cpu);
	filchi_figure_claim(
		d, master, fabs(master - 1) < 0.25,
		"master with affinity takes %.2f times the CPU time of direct: every worker learns all cuts, so "
		"that it does not matter where a cut was found",
		master);
}

const struct filchi_entry filchi_entries_ufp[] = {
	{"ufp",
	 "filch",
	 "Unsplittable flow: shared cuts, locality, MIP solvers",
	 "filch bench ufp: generated instances with one to 200 demand scenarios. filch-1 and filch-2 have one and two "
	 "workers; no-share: two workers that do not share cuts; master: a master moves nodes by affinity; cutset: "
	 "branches on the cutset of the relaxed diagram; weak-cuts: no core point. glpsol and cbc solve the extensive "
	 "form. A run is a whole process. The panels for two workers show the instances with several scenarios.",
	 {&ufp},
	 make_ufp,
	 NULL},
	{0},
};
