/* SPDX-License-Identifier: Apache-2.0 */
/* A search on many ranks, simulated with the shipped protocol: when does one coordinator saturate, and does it hold? */
#include "figures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SATURATED 0.5 /* share of its time in which a coordinator handles messages */
#define CLOSE 0.15    /* the model and a real job */

static const struct filchi_measurement ranks = {
	.id = "ranks",
	.suite = "ranks",
	.of = {{"ranks", 25}, {"ranks --most 10000", 400}, {"ranks --marks 13", 5400}},
};

static struct filchi_found find(struct filchi_figure_builder *d, const char *way, const char *number,
				const char *metric)
{
	return filchi_data_find(d->data[0], way, number, metric);
}

static const char *result_of(const struct filchi_json_value *r, const char *way)
{
	return strcmp(filchi_json_text(filchi_json_get(r, "subject")), way) == 0
		       ? filchi_json_text(filchi_json_get(r, "measure"))
		       : NULL;
}

static void add_line(struct filchi_figure_builder *d, struct filchi_panel *p, const char *way, const char *name,
		     const char *metric, double unit)
{
	struct filchi_series *s = filchi_figure_add_series(d, p, name, 16);

	for (const struct filchi_json_value *r = d->data[0]->results->first; r; r = r->next) {
		const char *number = result_of(r, way);

		if (number)
			filchi_figure_add_point(s, atof(number), find(d, way, number, metric), unit);
	}
}

static void add_rows(struct filchi_figure_builder *d, struct filchi_page_table *t, const char *way)
{
	for (const struct filchi_json_value *r = d->data[0]->results->first; r; r = r->next) {
		const char *number = result_of(r, way);

		if (!number)
			continue;
		filchi_figure_add_cell(d, t, "%s", way);
		filchi_figure_add_cell(d, t, "%s", number);
		filchi_figure_add_number(d, t, find(d, way, number, "ns").median * 1e-9);
		filchi_figure_add_number(d, t, find(d, way, number, "speedup").median);
		filchi_figure_add_number(d, t, find(d, way, number, "lost").median * 100);
		filchi_figure_add_number(d, t, find(d, way, number, "messages_per_second").median);
		filchi_figure_add_number(d, t, find(d, way, number, "busy").median * 100);
		filchi_figure_add_number(d, t, find(d, way, number, "batches").median);
	}
}

/* Where one coordinator saturates, and what a tree changes there. */
static void claim_scale(struct filchi_figure_builder *d)
{
	for (const struct filchi_json_value *r = d->data[0]->results->first; r; r = r->next) {
		const char *number = result_of(r, "tree");
		double busy, one, tree;

		if (!number)
			continue;
		busy = find(d, "one", number, "busy").median;
		one = find(d, "one", number, "speedup").median;
		tree = find(d, "tree", number, "speedup").median;
		filchi_figure_claim(
			d, busy + tree, tree >= 0.9 * one,
			"%s ranks: one coordinator is busy for %.0f %% of the time%s; speed-up %s, with a tree %s",
			number, 100 * busy, busy > SATURATED ? ", which is too much" : "", filchi_figure_digits(d, one),
			filchi_figure_digits(d, tree));
	}
}

static void claim_real(struct filchi_figure_builder *d)
{
	static const char *const numbers[] = {"1", "2", "4"};

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		double real = find(d, "real", numbers[i], "ns").median,
		       model = find(d, "model", numbers[i], "ns").median;

		filchi_figure_claim(
			d, real + model, fabs(real / model - 1) <= CLOSE,
			"%s rank%s on this machine: the real job takes %.2f times as long as the model says (aim: "
			"within %.0f %%)",
			numbers[i], i ? "s" : "", real / model, 100 * CLOSE);
	}
}

static void make_ranks(struct filchi_figure_builder *d)
{
	struct filchi_panel *p =
		filchi_figure_add_panel(d, FILCHI_PLOT_LINES, "speed-up, simulated", "ranks", "speed-up");
	struct filchi_page_table *t = filchi_figure_add_table(
		d, "Jobs, real and simulated",
		"way|ranks|time, s|speed-up|lost, %|messages/s at rank 0|coordinator busy, %|batches");

	d->met = "all aims met";
	d->missed = "not all aims met";
	p->x_log = p->y_log = true;
	add_line(d, p, "one", "one coordinator", "speedup", 1);
	add_line(d, p, "tree", "tree", "speedup", 1);
	p = filchi_figure_add_panel(d, FILCHI_PLOT_LINES, "time of the coordinator at rank 0", "ranks", "busy, %");
	p->x_log = true;
	add_line(d, p, "one", "one coordinator", "busy", 0.01);
	add_line(d, p, "tree", "tree", "busy", 0.01);
	add_rows(d, t, "real");
	add_rows(d, t, "model");
	add_rows(d, t, "one");
	add_rows(d, t, "tree");
	claim_real(d);
	claim_scale(d);
}

const struct filchi_entry filchi_entries_ranks[] = {
	{"ranks",
	 "filch",
	 "A search on many ranks: predicted speed-up, and a check with real jobs",
	 "filch bench ranks. real: filch solve golomb under mpirun, with one worker for each rank; ranks beyond the "
	 "CPUs "
	 "share them. model: the same job in the simulation, with the time and the bytes of a node that were measured. "
	 "one and tree: the protocol of filch over a simulated network. Assumptions: one worker for each rank; a "
	 "random "
	 "deep tree without pruning; nodes of 1 ms, log-normal with a deviation of 1, and of 400 bytes; messages with "
	 "a "
	 "latency of 2 us and 10 GB/s; a communication thread looks at least every 1 ms, handles a message in 1 us and "
	 "sends one in 0.3 us; groups of 256 ranks; no rank is slower than another one, and none fails.",
	 {&ranks},
	 make_ranks,
	 NULL},
	{0},
};
