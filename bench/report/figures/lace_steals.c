/* SPDX-License-Identifier: Apache-2.0 */
/* The Lace paper, figures 7 and 8: steals, and policies for a worker that waits for a stolen task. */
#include "lace.h"

#include <math.h>
#include <string.h>

/* ---- figure 7 ---- */

void filchi_lace_steals(struct filchi_figure_builder *d)
{
	const struct filchi_data *data = d->data[0];
	unsigned many = filchi_lace_most(data);
	struct filchi_page_table *s = filchi_figure_add_table(
		d, filchi_figure_text(d, "In a run with %u workers; published with 48", many),
		"workload|steals|leapfrogs|grows|shrinks|steals, pub.|leapfrogs, pub.|grows, pub.|shrinks, pub.");
	double most = 0, uts = NAN;

	for (size_t i = 0; i < FILCHI_LACE_ROWS; i++) {
		double stolen = filchi_lace_value(data, &filchi_lace_rows[i], filchi_lace_deques[FILCHI_LACE_SPLIT],
						  many, "steals");
		double leapfrogs = filchi_lace_value(data, &filchi_lace_rows[i], filchi_lace_deques[FILCHI_LACE_SPLIT],
						     many, "leapfrogs");
		double tasks = filchi_lace_value(data, &filchi_lace_rows[i], filchi_lace_deques[FILCHI_LACE_SPLIT],
						 many, "items");

		filchi_figure_add_cell(d, s, "%s", filchi_lace_title(d, &filchi_lace_rows[i]));
		filchi_figure_add_number(d, s, stolen - leapfrogs);
		filchi_figure_add_number(d, s, leapfrogs);
		filchi_figure_add_number(d, s,
					 filchi_lace_value(data, &filchi_lace_rows[i],
							   filchi_lace_deques[FILCHI_LACE_SPLIT], many, "grows"));
		filchi_figure_add_number(d, s,
					 filchi_lace_value(data, &filchi_lace_rows[i],
							   filchi_lace_deques[FILCHI_LACE_SPLIT], many, "shrinks"));
		filchi_figure_add_number(d, s, filchi_lace_rows[i].steals);
		filchi_figure_add_number(d, s, filchi_lace_rows[i].leapfrogs);
		filchi_figure_add_number(d, s, filchi_lace_rows[i].grows);
		filchi_figure_add_number(d, s, filchi_lace_rows[i].shrinks);
		if (i == FILCHI_LACE_UTS)
			uts = stolen;
		else
			most = fmax(most, isnan(stolen) ? 0 : stolen);
		if (strcmp(filchi_lace_rows[i].workload, "matmul") != 0) /* its items are not tasks */
			filchi_figure_claim(
				d, stolen / tasks, stolen / tasks < 0.05,
				"%s %% of the tasks of %s are stolen (published: %s %%)",
				filchi_figure_words(d, 100 * stolen / tasks, 3),
				filchi_lace_title(d, &filchi_lace_rows[i]),
				filchi_figure_words(d,
						    100 * (filchi_lace_rows[i].steals + filchi_lace_rows[i].leapfrogs) /
							    filchi_lace_rows[i].tasks,
						    2));
	}
	filchi_figure_claim(
		d, uts, uts > most,
		"uts T3 has %.0f steals, of the others none more than %.0f (published: uts T3L by far the most)", uts,
		most);
}

/* ---- figure 8 ---- */

static void publish_joins(struct filchi_figure_builder *d, struct filchi_page_table *s)
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
		filchi_figure_add_cell(d, s, "%s, published (N is 48)", published[i].name);
		filchi_figure_add_number(d, s, published[i].one);
		filchi_figure_add_number(d, s, published[i].many);
		filchi_figure_add_number(d, s, published[i].one / published[i].many);
	}
}

void filchi_lace_joins(struct filchi_figure_builder *d)
{
	static const char *const ways[] = {"leapfrog", "transitive", "random"};
	const struct filchi_data *data = d->data[0];
	unsigned many = filchi_data_workers(data, 1) ? filchi_data_workers(data, 1) : 1;
	struct filchi_panel *p = filchi_figure_add_panel(d, FILCHI_PLOT_BARS, NULL, "while waiting", "seconds");
	struct filchi_page_table *s = filchi_figure_add_table(d, "Seconds of uts", "deque, join|T1|TN|T1/TN");
	double all[FILCHI_LACE_DEQUES][3];

	for (int q = 0; q < FILCHI_LACE_DEQUES; q++) {
		struct filchi_series *bars = filchi_figure_add_series(d, p, filchi_lace_names[q], 3);

		for (int w = 0; w < 3; w++) {
			const char *name = filchi_figure_text(d, "filch-%s-%s", filchi_lace_names[q], ways[w]);
			struct filchi_found one = filchi_data_program(data, name, "uts", NULL, 1, "ns");
			struct filchi_found found = filchi_data_program(data, name, "uts", NULL, many, "ns");

			all[q][w] = found.median;
			filchi_figure_add_label(d, p, (size_t)w, ways[w]);
			filchi_figure_add_point(bars, 0, found, 1e9);
			filchi_figure_add_cell(d, s, "%s, %s (N is %u)", filchi_lace_names[q], ways[w], many);
			filchi_figure_add_number(d, s, one.median / 1e9);
			filchi_figure_add_number(d, s, found.median / 1e9);
			filchi_figure_add_number(d, s, one.median / found.median);
		}
	}
	publish_joins(d, s);
	for (int q = 0; q < FILCHI_LACE_DEQUES; q++)
		filchi_figure_claim(
			d, all[q][0] + all[q][2], all[q][2] < 0.9 * all[q][0],
			"with the deque %s and %u workers random takes %.2f times the time of leapfrog (published: "
			"%.2f)",
			filchi_lace_names[q], many, all[q][2] / all[q][0], q ? 1.240 / 2.55 : 1.154 / 2.23);
	filchi_figure_claim(d, all[FILCHI_LACE_SPLIT][1] + all[FILCHI_LACE_SPLIT][2],
			    fabs(all[FILCHI_LACE_SPLIT][1] / all[FILCHI_LACE_SPLIT][2] - 1) < 0.1,
			    "transitive takes %.2f times the time of random (published: 1.02)",
			    all[FILCHI_LACE_SPLIT][1] / all[FILCHI_LACE_SPLIT][2]);
}
