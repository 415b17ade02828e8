/* SPDX-License-Identifier: Apache-2.0 */
/* filch compared with other runtimes, and with the speed-up of the machine. */
#include "own.h"

#include <math.h>
#include <stdlib.h>

const struct filchi_measurement filchi_own_peers = {
	.id = "peers",
	.suite = "programs",
	.of = {{"all --workers 1,2 --runs 3 --least 20", 62},
	       {"all --workers 1,2 --profile", 1200},
	       {"all --full --workers 1,2 --profile", 20000}},
};

const char *const filchi_others[FILCHI_OTHERS] = {"serial", "libgomp", "libomp", "tbb"};

/* Compares libomp with filch compiled by clang, if that was measured. */
struct filchi_comparison filchi_compare(const struct filchi_data *data, const char *workload, unsigned workers,
					int other)
{
	struct filchi_found clang = filchi_data_program(data, "filch-clang", workload, NULL, workers, "ns_per_item");
	struct filchi_comparison c = {
		.filch = other == FILCHI_LIBOMP && !isnan(clang.median) ? "filch-clang" : "filch",
		.workers = other == FILCHI_SERIAL ? 1 : workers,
	};

	c.time = filchi_data_ratio(
		filchi_data_program(data, c.filch, workload, NULL, workers, "ns_per_item"),
		filchi_data_program(data, filchi_others[other], workload, NULL, c.workers, "ns_per_item"));
	c.memory = filchi_data_ratio(
		filchi_data_program(data, c.filch, workload, NULL, workers, "peak_bytes"),
		filchi_data_program(data, filchi_others[other], workload, NULL, c.workers, "peak_bytes"));
	return c;
}

static const char *const known_as[FILCHI_OTHERS] = {"the serial program", "OpenMP of gcc", "OpenMP of clang", "oneTBB"};

const char *filchi_own_key(struct filchi_figure_builder *d, const struct filchi_data *peers)
{
	const char *text = "";

	for (int c = FILCHI_FIRST_PEER; c < FILCHI_OTHERS; c++)
		if (filchi_data_has(peers, filchi_others[c]))
			text = filchi_figure_text(d, "%s%s: %s; ", text, filchi_others[c], known_as[c]);
	return filchi_figure_text(d,
				  "%sspeed-up: of filch, by its time with 1 worker; machine gives: the speed-up of as "
				  "many programs at once",
				  text);
}

const char *filchi_own_against(struct filchi_figure_builder *d, const struct filchi_data *peers)
{
	bool openmp = filchi_data_has(peers, "libgomp") || filchi_data_has(peers, "libomp");
	bool tbb = filchi_data_has(peers, "tbb");

	if (!openmp && !tbb)
		return NULL;
	return filchi_figure_text(d, "%s%s%s", openmp ? "OpenMP" : "", openmp && tbb ? " and " : "",
				  tbb ? "oneTBB" : "");
}

const char *filchi_own_left_out(struct filchi_figure_builder *d, const struct filchi_data *peers)
{
	const char *text = NULL;
	bool several = false;

	for (int c = FILCHI_FIRST_PEER; c < FILCHI_OTHERS; c++)
		if (filchi_data_lacks(peers, filchi_others[c])) {
			several = text;
			text = filchi_figure_text(d, "%s%s%s", text ? text : "", text ? " and " : "", known_as[c]);
		}
	if (!text)
		return NULL;
	return filchi_figure_text(d, "%s %s not installed when filch was built, and %s left out.", text,
				  several ? "were" : "was", several ? "are" : "is");
}

/* Makes the heads of a table, with a column for each other runtime that was measured. */
static const char *heads_with(struct filchi_figure_builder *d, const struct filchi_data *data, const char *before,
			      const char *after)
{
	const char *text = before;

	for (int c = 0; c < FILCHI_OTHERS; c++)
		if (filchi_data_has(data, filchi_others[c]))
			text = filchi_figure_text(d, "%s|%s", text, filchi_others[c]);
	return filchi_figure_text(d, "%s%s", text, after);
}

struct filchi_page_table *filchi_own_headline(struct filchi_figure_builder *d, const struct filchi_data *peers)
{
	struct filchi_page_table *s = filchi_figure_add_table(
		d, "Time of each runtime, divided by the time of filch: above 1, filch is faster",
		heads_with(d, peers, "workload|workers", "|filch, ms|speed-up|machine gives"));
	const char *workload;
	unsigned workers;

	for (unsigned n = 0; (workload = filchi_data_workload(peers, n)); n++)
		for (unsigned w = 0; (workers = filchi_data_workers(peers, w)); w++) {
			struct filchi_scaling scaling = filchi_data_scaling(peers, "filch", workload, NULL, workers);

			filchi_figure_add_cell(d, s, "%s", workload);
			filchi_figure_add_cell(d, s, "%u", workers);
			for (int c = 0; c < FILCHI_OTHERS; c++)
				if (filchi_data_has(peers, filchi_others[c]))
					filchi_figure_add_number(
						d, s, 1 / filchi_compare(peers, workload, workers, c).time.ratio);
			filchi_figure_add_number(
				d, s, filchi_data_program(peers, "filch", workload, NULL, workers, "ns").median / 1e6);
			filchi_figure_add_number(d, s, scaling.speedup.ratio);
			filchi_figure_add_number(d, s, scaling.gives.ratio);
		}
	return s;
}

static void ratios(struct filchi_figure_builder *d, unsigned workers)
{
	const char *title = filchi_figure_text(d, "%u worker%s", workers, workers == 1 ? "" : "s");
	struct filchi_panel *p = filchi_figure_add_panel(
		d, FILCHI_PLOT_BARS, title, "workload", "time, divided by the time of filch: above 1, filch is faster");
	const char *workload;

	p->y_log = true;
	p->base = 1;
	for (int c = 0; c < FILCHI_OTHERS; c++) {
		struct filchi_series *bars;

		if (!filchi_data_has(d->data[0], filchi_others[c]))
			continue;
		bars = filchi_figure_add_series(d, p, filchi_others[c], FILCHI_FIGURE_MAX_SERIES);
		for (unsigned n = 0; n < FILCHI_FIGURE_MAX_SERIES && (workload = filchi_data_workload(d->data[0], n));
		     n++) {
			filchi_figure_add_label(d, p, n, workload);
			filchi_figure_add_value(bars, 0,
						1 / filchi_compare(d->data[0], workload, workers, c).time.ratio);
		}
	}
}

static double megabytes(const struct filchi_data *data, const char *runtime, const char *workload, unsigned workers)
{
	return filchi_data_program(data, runtime, workload, NULL, workers, "peak_bytes").median / 1e6;
}

static void memory_table(struct filchi_figure_builder *d)
{
	struct filchi_page_table *s =
		filchi_figure_add_table(d, "Peak memory, MB", heads_with(d, d->data[0], "workload|workers|filch", ""));
	const char *workload;
	unsigned workers;

	for (unsigned n = 0; (workload = filchi_data_workload(d->data[0], n)); n++)
		for (unsigned w = 0; (workers = filchi_data_workers(d->data[0], w)); w++) {
			filchi_figure_add_cell(d, s, "%s", workload);
			filchi_figure_add_cell(d, s, "%u", workers);
			filchi_figure_add_number(d, s, megabytes(d->data[0], "filch", workload, workers));
			for (int c = 0; c < FILCHI_OTHERS; c++)
				if (filchi_data_has(d->data[0], filchi_others[c]))
					filchi_figure_add_number(d, s,
								 megabytes(d->data[0], filchi_others[c], workload,
									   c == FILCHI_SERIAL ? 1 : workers));
		}
}

/* ---- the speed-up of the machine ---- */

static void interval(struct filchi_figure_builder *d, struct filchi_page_table *s, const struct filchi_ratio *r,
		     double unit)
{
	filchi_figure_add_number(d, s, unit * r->ratio);
	filchi_figure_add_number(d, s, unit * r->low);
	filchi_figure_add_number(d, s, unit * r->high);
}

static struct filchi_found found_of(const struct filchi_ratio *r)
{
	return (struct filchi_found){.median = r->ratio, .low = r->low, .high = r->high};
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Adds the speed-ups with that many workers. Returns a sentence; "": nothing was measured. */
static const char *scale(struct filchi_figure_builder *d, struct filchi_page_table *s, unsigned workers)
{
	struct filchi_panel *p =
		filchi_figure_add_panel(d, FILCHI_PLOT_BARS, filchi_figure_text(d, "Speed-up, %u workers", workers),
					"workload", "time with 1 worker, by that with more");
	struct filchi_series *ours = filchi_figure_add_series(d, p, "filch", FILCHI_FIGURE_MAX_SERIES);
	struct filchi_series *machine = filchi_figure_add_series(d, p, "the machine gives", FILCHI_FIGURE_MAX_SERIES);
	double shares[FILCHI_FIGURE_MAX_SERIES];
	size_t count = 0;
	const char *workload;

	for (unsigned n = 0; n < FILCHI_FIGURE_MAX_SERIES && (workload = filchi_data_workload(d->data[0], n)); n++) {
		struct filchi_scaling found = filchi_data_scaling(d->data[0], "filch", workload, NULL, workers);

		filchi_figure_add_label(d, p, n, workload);
		filchi_figure_add_point(ours, 0, found_of(&found.speedup), 1);
		filchi_figure_add_point(machine, 0, found_of(&found.gives), 1);
		filchi_figure_add_cell(d, s, "%s", workload);
		filchi_figure_add_cell(d, s, "%u", workers);
		interval(d, s, &found.speedup, 1);
		interval(d, s, &found.gives, 1);
		interval(d, s, &found.share, 100);
		if (!isnan(found.share.ratio))
			shares[count++] = 100 * found.share.ratio;
	}
	if (!count)
		return "";
	qsort(shares, count, sizeof(*shares), by_value);
	return filchi_figure_text(
		d, " With %u workers it reaches %.0f %% of the speed-up that the machine gives (%.0f to %.0f %%).",
		workers, (shares[(count - 1) / 2] + shares[count / 2]) / 2, shares[0], shares[count - 1]);
}

static const char *scale_all(struct filchi_figure_builder *d)
{
	struct filchi_page_table *s =
		filchi_figure_add_table(d, "Speed-up of filch, what the machine gives, and the share of that, %",
					"workload|workers|speed-up|from|to|machine gives|from|to|% of that|from|to");
	const char *text = "";
	unsigned workers;

	for (unsigned w = 0; (workers = filchi_data_workers(d->data[0], w)); w++)
		if (workers > 1 && d->figure->panel_count < FILCHI_FIGURE_MAX_PANELS)
			text = filchi_figure_text(d, "%s%s", text, scale(d, s, workers));
	return text;
}

void filchi_own_make_peers(struct filchi_figure_builder *d)
{
	struct filchi_losses l;
	unsigned workers;
	const char *scaling;

	for (unsigned w = 0; w < 2 && (workers = filchi_data_workers(d->data[0], w)); w++)
		ratios(d, workers);
	l = filchi_losses(d);
	scaling = scale_all(d);
	memory_table(d);
	if (!l.all)
		return;
	d->figure->agreement = FILCHI_OWN;
	d->figure->result = filchi_figure_text(
		d, "filch is at least as fast as another runtime in %u of %u comparisons%s.%s", l.wins, l.all,
		l.noise ? filchi_figure_text(d, ", within the noise in %u more", l.noise) : "", scaling);
}
