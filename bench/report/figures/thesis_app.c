/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The thesis, 5.3.1: quicksort, which is filch bench quicksort with each deque. The thesis ran it in EMPER, on fibers;
 * here it runs on tasks.
 */
#include "thesis.h"

#include <math.h>

#define DEQUES "--runtimes serial,filch --deque chase_lev,abp,locked,bwos_lifo,split --workers @N"
static const struct filchi_measurement quicksort = {
	.id = "quicksort",
	.suite = "programs",
	.of = {{"quicksort:1000000 " DEQUES " --runs 3", 3},
	       {"quicksort:10000000 " DEQUES, 60},
	       {"quicksort:10000000 " DEQUES " --runs 30", 180}},
};

/* Our deque, and its row in the published tables. The last has blocks of 1 here, so there are no larger ones. */
enum { CL, ABP, LOCKED, BWOS, SPLIT, DEQUE_COUNT };
static const char *const deques[DEQUE_COUNT] = {"filch-chase_lev", "filch-abp", "filch-locked", "filch-bwos_lifo",
						"filch-split"};
static const char *const names[DEQUE_COUNT] = {"CL", "ABP", "Locked", "LIFO BWoS (1)", "split"};

static struct filchi_found found(struct filchi_figure_builder *d, int deque, const char *metric)
{
	return filchi_data_program(d->data[0], deques[deque], "quicksort", NULL, filchi_data_workers(d->data[0], 0),
				   metric);
}

static struct filchi_series *bars_of(struct filchi_figure_builder *d, const char *y_name, const char *metric,
				     double unit)
{
	struct filchi_panel *p = filchi_figure_add_panel(d, FILCHI_PLOT_BARS, NULL, "deque", y_name);
	struct filchi_series *bars = filchi_figure_add_series(d, p, "this machine", DEQUE_COUNT);

	for (int i = 0; i < DEQUE_COUNT; i++) {
		filchi_figure_add_label(d, p, (size_t)i, names[i]);
		filchi_figure_add_point(bars, 0, found(d, i, metric), unit);
	}
	return bars;
}

static void make_times(struct filchi_figure_builder *d)
{
	struct filchi_series *ms = bars_of(d, "ms", "ns", 1e6);
	struct filchi_page_table *s = filchi_figure_add_table(d, "Quicksort", "deque|ms|from|to|times CL|published");
	static const char *const published[DEQUE_COUNT] = {"best, with BWoS (8)", "notably worse: ran on one thread",
							   "within 5 % of CL",
							   "blocks of 8 as CL, of 64 about 65 times slower", "-"};
	double serial = filchi_data_program(d->data[0], "serial", "quicksort", NULL, 1, "ns").median / 1e6;
	const double *y = ms->y;

	for (int i = 0; i < DEQUE_COUNT; i++) {
		filchi_figure_add_cell(d, s, "%s", names[i]);
		filchi_figure_add_number(d, s, y[i]);
		filchi_figure_add_number(d, s, ms->low[i]);
		filchi_figure_add_number(d, s, ms->high[i]);
		filchi_figure_add_number(d, s, y[i] / y[CL]);
		filchi_figure_add_cell(d, s, "%s", published[i]);
	}
	filchi_figure_add_cell(d, s, "serial program");
	filchi_figure_add_number(d, s, serial);
	for (int i = 0; i < 3; i++)
		filchi_figure_add_number(d, s, i < 2 ? NAN : serial / y[CL]);
	filchi_figure_add_cell(d, s, "-");
	filchi_figure_claim(d, y[BWOS] / y[CL], y[BWOS] / y[CL] < 1.1,
			    "BWoS with small blocks takes %.2f times as long as CL (published: both best)",
			    y[BWOS] / y[CL]);
	filchi_figure_claim(d, y[LOCKED] / y[CL], fabs(y[LOCKED] / y[CL] - 1) < 0.1,
			    "the locked one takes %.2f times as long as CL (published: within 5 %%)",
			    y[LOCKED] / y[CL]);
	filchi_figure_claim(d, y[ABP] / y[CL], y[ABP] / y[CL] > 1.2,
			    "ABP takes %.2f times as long as CL (published: notably worse, as nothing was ever stolen)",
			    y[ABP] / y[CL]);
}

static void make_stolen(struct filchi_figure_builder *d)
{
	struct filchi_series *stolen = bars_of(d, "tasks stolen", "steals", 1);
	struct filchi_page_table *s =
		filchi_figure_add_table(d, "Quicksort", "deque|tasks that could be stolen|stolen|published");

	for (int i = 0; i < DEQUE_COUNT; i++) {
		filchi_figure_add_cell(d, s, "%s", names[i]);
		filchi_figure_add_number(d, s, found(d, i, "tasks").median);
		filchi_figure_add_number(d, s, stolen->y[i]);
		filchi_figure_add_cell(d, s, i == ABP ? "0" : "-");
	}
	filchi_figure_claim(d, stolen->y[ABP], stolen->y[ABP] == 0, "from ABP %.0f tasks are stolen (published: none)",
			    stolen->y[ABP]);
	filchi_figure_claim(d, stolen->y[CL] + stolen->y[BWOS], stolen->y[CL] > 0 && stolen->y[BWOS] > 0,
			    "from CL %.0f and from BWoS %.0f (published: these work best)", stolen->y[CL],
			    stolen->y[BWOS]);
}

static void make_switches(struct filchi_figure_builder *d)
{
	static const struct {
		const char *name, *published;
		int ours;
	} rows[] = {{"CL", "4335", CL},
		    {"ABP", "162", ABP},
		    {"Locked", "3913", LOCKED},
		    {"LIFO BWoS (1)", "-", BWOS},
		    {"LIFO BWoS (8)", "5128", -1},
		    {"LIFO BWoS (16)", "37472", -1},
		    {"LIFO BWoS (64)", "1211343", -1},
		    {"split", "-", SPLIT}};
	struct filchi_page_table *s =
		filchi_figure_add_table(d, "Voluntary context switches in a run", "queue|this machine|published");
	double cl = found(d, CL, "voluntary").median, bwos = found(d, BWOS, "voluntary").median;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		filchi_figure_add_cell(d, s, "%s", rows[i].name);
		filchi_figure_add_number(d, s, rows[i].ours < 0 ? NAN : found(d, rows[i].ours, "voluntary").median);
		filchi_figure_add_cell(d, s, "%s", rows[i].published);
	}
	filchi_figure_claim(
		d, cl + bwos, bwos <= 2 * cl + 100,
		"BWoS with the smallest blocks makes %.0f switches and CL %.0f (published: 5,128 with blocks of "
		"8 and 4,335)",
		bwos, cl);
}

const struct filchi_entry filchi_entries_thesis_app[] = {
	{"thesis-5.10",
	 FILCHI_THESIS "figure 5.10",
	 "Quicksort: times",
	 "10,000,000 numbers (with --quick 1,000,000), by a worker for each CPU; up to 32 are sorted by insertion. "
	 "filch gives "
	 "bwos_lifo blocks of 1 whenever it runs tasks, since larger ones hide them from thieves: what the thesis has "
	 "found "
	 "with blocks of 16 and 64 cannot happen. Published: read from the text.",
	 {&quicksort},
	 make_times,
	 NULL},
	{"thesis-5.11",
	 FILCHI_THESIS "figure 5.11",
	 "Quicksort: tasks stolen",
	 "From the run of figure 5.10. filch makes tasks only as thieves want them, so there are far fewer than calls. "
	 "Published: the text has a number for ABP only.",
	 {&quicksort},
	 make_stolen,
	 NULL},
	{"thesis-t5.4",
	 FILCHI_THESIS "table 5.4",
	 "Quicksort: voluntary context switches",
	 "From the run of figure 5.10. In brackets: items in a block.",
	 {&quicksort},
	 make_switches,
	 NULL},
	{0},
};
