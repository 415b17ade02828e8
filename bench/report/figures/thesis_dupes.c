/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The thesis, 5.3.2: the search for duplicate files, which is filch bench dupes. The thesis does not say whether the
 * files were in the page cache, so both cases are measured. Claims are about the files on the disk: only there fibers
 * wait.
 */
#include "thesis.h"

#include <math.h>

#define KINDS "dupes --kinds chase_lev,abp,locked,bwos_lifo,split --workers @N"
static const struct filchi_measurement dupes = {
	.id = "dupes",
	.suite = "dupes",
	.of = {{KINDS " --runs 3", 15}, {KINDS, 100}, {KINDS " --runs 30", 300}},
};

/* Our kinds, and the row of the published table. A BWoS deque has blocks of 1 here; the first row has blocks of 256. */
enum { CL, ABP, LOCKED, BWOS, SPLIT, KIND_COUNT };
static const char *const kinds[KIND_COUNT] = {"chase_lev", "abp", "locked", "bwos_lifo", "split"};
static const char *const names[KIND_COUNT] = {"CL", "ABP", "Locked", "LIFO BWoS (1)", "split"};
static const char *const columns[] = {"wall", "fibers", "stolen", "stolen_io", "voluntary", "involuntary"};
enum { TIME, FIBERS, STOLEN, STOLEN_IO, VOLUNTARY, INVOLUNTARY, COLUMN_COUNT };

static const struct row {
	const char *name;
	double time, deviation, counts[COLUMN_COUNT - 1];
} published[] = {
	{"CL", 549.7, 29.0, {11589, 3903, 291, 14462, 310}},
	{"ABP", 567.7, 65.7, {10065, 1979, 42, 12779, 39}},
	{"Locked", 538.4, 37.8, {12561, 5256, 714, 11686, 73}},
	{"LIFO BWoS (256)", 823.0, 38.1, {5068, 256, 153, 23307, 103}},
	{"LIFO BWoS (64)", 864.6, 44.2, {10081, 597, 91, 31938, 122}},
	{"LIFO BWoS (16)", 882.3, 40.0, {10350, 502, 203, 33891, 196}},
};
enum { PUBLISHED_COUNT = sizeof(published) / sizeof(published[0]) };

static struct filchi_found found(struct filchi_figure_builder *d, int kind, const char *measure, int column)
{
	return filchi_data_find(d->data[0], kinds[kind], measure, columns[column]);
}

static double published_value(int row, int column)
{
	return column ? published[row].counts[column - 1] : published[row].time;
}

/* The same kinds as published, with blocks of 256 for BWoS. */
static void add_panel(struct filchi_figure_builder *d, const char *y_name, int column, double unit)
{
	struct filchi_panel *p = filchi_figure_add_panel(d, FILCHI_PLOT_BARS, NULL, "deque", y_name);
	static const char *const measures[] = {"cold", "warm"};
	static const char *const titles[] = {"from the disk", "from the page cache"};
	struct filchi_series *bars;

	for (int i = 0; i < 2; i++) {
		bars = filchi_figure_add_series(d, p, titles[i], KIND_COUNT);
		for (int k = 0; k < KIND_COUNT; k++) {
			filchi_figure_add_label(d, p, (size_t)k, names[k]);
			filchi_figure_add_point(bars, 0, found(d, k, measures[i], column), unit);
		}
	}
	bars = filchi_figure_add_series(d, p, "from the disk (published: the state of the page cache is not said)",
					KIND_COUNT);
	bars->published = true;
	for (int k = 0; k < KIND_COUNT; k++)
		filchi_figure_add_value(bars, 0, k < SPLIT ? published_value(k, column) : NAN);
}

static double median(struct filchi_figure_builder *d, int kind, int column)
{
	return found(d, kind, "cold", column).median;
}

static void make_figure(struct filchi_figure_builder *d)
{
	double cl = median(d, CL, TIME), abp = median(d, ABP, TIME), locked = median(d, LOCKED, TIME);
	double least = fmin(cl, fmin(abp, locked)), most = fmax(cl, fmax(abp, locked));
	double bwos = median(d, BWOS, TIME);

	add_panel(d, "ms", TIME, 1e6);
	add_panel(d, "fibers stolen", STOLEN, 1);
	add_panel(d, "fibers stolen after I/O", STOLEN_IO, 1);
	add_panel(d, "voluntary switches", VOLUNTARY, 1);
	filchi_figure_claim(d, cl + abp + locked, most / least < 1.1,
			    "CL, ABP and the lock differ by %.0f %% in time (published: about 5 %%)",
			    100 * (most / least - 1));
	filchi_figure_claim(
		d, bwos + least, bwos / least > 1.2,
		"BWoS, here with blocks of 1, takes %.2f times as long as the best of these (published: 1.5 "
		"with blocks of 256)",
		bwos / least);
	filchi_figure_claim(d, median(d, LOCKED, STOLEN) + median(d, BWOS, STOLEN),
			    median(d, LOCKED, STOLEN) > median(d, BWOS, STOLEN),
			    "%.0f fibers are stolen from the lock and %.0f from BWoS (published: 5,256 and 256)",
			    median(d, LOCKED, STOLEN), median(d, BWOS, STOLEN));
	filchi_figure_claim(d, median(d, BWOS, VOLUNTARY) + median(d, CL, VOLUNTARY),
			    median(d, BWOS, VOLUNTARY) > 1.5 * median(d, CL, VOLUNTARY),
			    "BWoS makes %.0f voluntary switches and CL %.0f (published: 23,307 and 14,462)",
			    median(d, BWOS, VOLUNTARY), median(d, CL, VOLUNTARY));
}

/* ---- the table ---- */

#define HEADS "queue|mean, ms|deviation, ms|fibers|stolen|I/O stolen|voluntary switches|involuntary switches"

/* Mean and deviation of the samples, as the thesis has them. */
static double mean(const struct filchi_found *f, double *deviation)
{
	double sum = 0, squares = 0, n = 0;

	for (const struct filchi_json_value *v = f->samples ? f->samples->first : NULL; v; v = v->next, n++)
		sum += v->number;
	for (const struct filchi_json_value *v = f->samples ? f->samples->first : NULL; v; v = v->next)
		squares += (v->number - sum / n) * (v->number - sum / n);
	*deviation = n > 1 ? sqrt(squares / (n - 1)) : NAN;
	return n > 0 ? sum / n : NAN;
}

static void add_measured(struct filchi_figure_builder *d, const char *title, const char *measure)
{
	struct filchi_page_table *s = filchi_figure_add_table(d, title, HEADS);

	for (int k = 0; k < KIND_COUNT; k++) {
		struct filchi_found time = found(d, k, measure, TIME);
		double deviation, middle = mean(&time, &deviation);

		filchi_figure_add_cell(d, s, "%s", names[k]);
		filchi_figure_add_number(d, s, middle / 1e6);
		filchi_figure_add_number(d, s, deviation / 1e6);
		for (int c = FIBERS; c < COLUMN_COUNT; c++)
			filchi_figure_add_cell(d, s, "%.0f", found(d, k, measure, c).median);
	}
}

static void publish(struct filchi_figure_builder *d)
{
	struct filchi_page_table *s = filchi_figure_add_table(d, "Published", HEADS);

	for (int i = 0; i < PUBLISHED_COUNT; i++) {
		filchi_figure_add_cell(d, s, "%s", published[i].name);
		filchi_figure_add_cell(d, s, "%.1f", published[i].time);
		filchi_figure_add_cell(d, s, "%.1f", published[i].deviation);
		for (int c = FIBERS; c < COLUMN_COUNT; c++)
			filchi_figure_add_cell(d, s, "%.0f", published_value(i, c));
	}
}

static void make_table(struct filchi_figure_builder *d)
{
	double begun = median(d, CL, FIBERS), least = begun, io = 0;

	add_measured(d, "This machine, from the disk", "cold");
	add_measured(d, "This machine, from the page cache", "warm");
	publish(d);
	for (int k = 0; k < KIND_COUNT; k++) {
		begun = fmax(begun, median(d, k, FIBERS));
		least = fmin(least, median(d, k, FIBERS));
		io += median(d, k, STOLEN_IO);
	}
	filchi_figure_claim(d, io, io > 0,
			    "with all kinds together %.0f fibers are stolen after I/O (published: with each kind some)",
			    io);
	filchi_figure_claim(d, begun + least, begun > least,
			    "a search begins %.0f to %.0f fibers (published: 5,068 to 12,561 for the same tree)", least,
			    begun);
}

#define ABOUT                                                                                                          \
	"A generated tree of 600 directories with 2,500 files, 256 MiB (with --quick 16 MiB), of which a quarter are " \
	"copies; a worker for each CPU. A fiber for each directory, file and comparison; reads of 4,096 bytes. "       \
	"The thesis does not say whether the files were in the page cache, so both are measured. filch gives "         \
	"bwos_lifo blocks of 1, since larger ones hide fibers from thieves. "

const struct filchi_entry filchi_entries_thesis_dupes[] = {
	{"thesis-5.12",
	 FILCHI_THESIS "figure 5.12",
	 "Search for duplicate files",
	 ABOUT "A read of the page cache does not wait here, and needs no switch.",
	 {&dupes},
	 make_figure,
	 NULL},
	{"thesis-t5.5",
	 FILCHI_THESIS "table 5.5",
	 "Search for duplicate files: values",
	 ABOUT "Counts are medians.",
	 {&dupes},
	 make_table,
	 publish},
	{0},
};
