/* SPDX-License-Identifier: Apache-2.0 */
/* Figures 5.2 to 5.6, tables 5.1 and 5.2: the throughput of owners. */
#include "thesis.h"

#include <math.h>
#include <stdio.h>

/* Blocks of 64 in a capacity of 1,024: the thesis says 8 blocks, which would be 512. */
#define SCALES(arguments)                                                                                              \
	{                                                                                                              \
		{FILCHI_THESIS_KINDS arguments FILCHI_THESIS_QUICK, 4}, {FILCHI_THESIS_KINDS arguments, 130},          \
		{                                                                                                      \
			FILCHI_THESIS_KINDS arguments FILCHI_THESIS_FULL, 1300                                         \
		}                                                                                                      \
	}

const struct filchi_measurement filchi_thesis_alone_4 = {
	.id = "queue-4-1",
	.suite = "queue",
	.of = SCALES("--payload 4 --block-size 64 --thieves 1 --rate 0,1k,10k,100k,1M")};
const struct filchi_measurement filchi_thesis_five_4 = {
	.id = "queue-4-5",
	.suite = "queue",
	.of = SCALES("--payload 4 --block-size 64 --thieves 5 --rate 0,200,2k,20k,200k")};
const struct filchi_measurement filchi_thesis_alone_8 = {
	.id = "queue-8-1",
	.suite = "queue",
	.of = SCALES("--payload 8 --block-size 256 --thieves 1 --rate 0,1k,10k,100k,1M")};
const struct filchi_measurement filchi_thesis_five_8 = {
	.id = "queue-8-5",
	.suite = "queue",
	.of = SCALES("--payload 8 --block-size 256 --thieves 5 --rate 0,200,2k,20k,200k")};

static const char *const kinds[FILCHI_QUEUES] = {"bwos_lifo", "abp", "chase_lev", "locked"};
const char *const filchi_thesis_names[FILCHI_QUEUES] = {"LIFO BWoS", "ABP", "CL", "Locked"};

/* Rates for one thief, for each of five thieves, and for all together. */
#define RATES 5
static const char *const rates[2][RATES] = {{"0", "1k", "10k", "100k", "1M"}, {"0", "200", "2k", "20k", "200k"}};

struct filchi_found filchi_thesis_found(const struct filchi_data *data, int queue, const char *kind, const char *rate,
					const char *metric)
{
	char measure[32];

	snprintf(measure, sizeof(measure), "%s_%s", kind, rate);
	return filchi_data_find(data, kinds[queue], measure, metric);
}

static double ops(struct filchi_figure_builder *d, int queue, const char *rate)
{
	return filchi_thesis_found(d->data[0], queue, "throughput", rate, "total_ops_per_s").median;
}

/* ---- owners ---- */

static void make_latency(struct filchi_figure_builder *d)
{
	struct filchi_panel *p = filchi_figure_add_panel(d, FILCHI_PLOT_BARS, NULL, "operation", "ns, mean");
	struct filchi_page_table *s =
		filchi_figure_add_table(d, "ns without thieves", "queue|push|pop|both, untimed runs");
	double least = INFINITY, most = 0, locked = 0, sum = 0;

	filchi_figure_add_label(d, p, 0, "push");
	filchi_figure_add_label(d, p, 1, "pop");
	filchi_figure_add_label(d, p, 2, "both, untimed runs");
	for (int q = 0; q < FILCHI_QUEUES; q++) {
		struct filchi_series *bars = filchi_figure_add_series(d, p, filchi_thesis_names[q], 3);
		double op = filchi_thesis_found(d->data[0], q, "throughput", "0", "ns_per_op").median;

		filchi_figure_add_point(bars, 0, filchi_thesis_found(d->data[0], q, "latency", "0", "push_mean"), 1);
		filchi_figure_add_point(bars, 0, filchi_thesis_found(d->data[0], q, "latency", "0", "pop_mean"), 1);
		filchi_figure_add_point(bars, 0, filchi_thesis_found(d->data[0], q, "throughput", "0", "ns_per_op"), 1);
		filchi_figure_add_cell(d, s, "%s", filchi_thesis_names[q]);
		for (int i = 0; i < 3; i++)
			filchi_figure_add_number(d, s, bars->y[i]);
		sum += op;
		locked = op;
		if (q != FILCHI_LOCKED) {
			least = fmin(least, op);
			most = fmax(most, op);
		}
	}
	filchi_figure_claim(
		d, sum, most / least < 1.5,
		"the slowest of the three without locks takes %.1f times as long as the fastest (published: "
		"quite similar)",
		most / least);
	filchi_figure_claim(
		d, sum, locked / most > 1.5,
		"the locked one takes %.1f times as long as the slowest of these (published: by a large margin)",
		locked / most);
}

/* Throughput over rates. These claims hold for all four figures of this kind. */
static void throughput(struct filchi_figure_builder *d, int five)
{
	struct filchi_panel *p = filchi_figure_add_panel(
		d, FILCHI_PLOT_BARS, NULL, "steals asked for per second, all thieves", "million operations per second");
	struct filchi_page_table *s = filchi_figure_add_table(d, "million operations per second, owner and thieves",
							      "steals per second|LIFO BWoS|ABP|CL|Locked");
	double kept[FILCHI_QUEUES], fastest = 0, sum = 0;

	for (int q = 0; q < FILCHI_QUEUES; q++) {
		struct filchi_series *bars = filchi_figure_add_series(d, p, filchi_thesis_names[q], RATES);

		for (int r = 0; r < RATES; r++)
			filchi_figure_add_point(
				bars, 0,
				filchi_thesis_found(d->data[0], q, "throughput", rates[five][r], "total_ops_per_s"),
				1e6);
		kept[q] = bars->y[RATES - 1] / bars->y[0];
		fastest = fmax(fastest, bars->y[0]);
		sum += kept[q];
	}
	for (int r = 0; r < RATES; r++) {
		filchi_figure_add_label(d, p, (size_t)r, rates[0][r]);
		filchi_figure_add_cell(d, s, "%s", rates[0][r]);
		for (int q = 0; q < FILCHI_QUEUES; q++)
			filchi_figure_add_number(d, s, p->series[q].y[r]);
	}
	filchi_figure_claim(
		d, sum, p->series[FILCHI_LOCKED].y[0] * 1.5 < fastest,
		"without thieves the locked one has %.0f %% of the throughput of the fastest (published: the "
		"lowest by a large margin)",
		100 * p->series[FILCHI_LOCKED].y[0] / fastest);
	filchi_figure_claim(d, sum, kept[FILCHI_BWOS] >= 0.95 * fmax(kept[FILCHI_ABP], kept[FILCHI_CL]),
			    "at 1M steals a second BWoS keeps %.0f %% of what it has without, ABP %.0f %%, CL %.0f %% "
			    "(published: BWoS loses least)",
			    100 * kept[FILCHI_BWOS], 100 * kept[FILCHI_ABP], 100 * kept[FILCHI_CL]);
}

static void make_4_1(struct filchi_figure_builder *d)
{
	throughput(d, 0);
}

static void make_4_5(struct filchi_figure_builder *d)
{
	throughput(d, 1);
}

/* Published lead of BWoS with larger blocks. */
static void ahead(struct filchi_figure_builder *d, int five)
{
	const char *rate = rates[five][RATES - 1];
	double abp = ops(d, FILCHI_BWOS, rate) / ops(d, FILCHI_ABP, rate),
	       cl = ops(d, FILCHI_BWOS, rate) / ops(d, FILCHI_CL, rate);

	throughput(d, five);
	filchi_figure_claim(d, abp, abp > 1.5,
			    "at 1M steals a second BWoS has %.2f times the throughput of ABP (published: 2)", abp);
	filchi_figure_claim(d, cl, cl > 1.25, "BWoS has %.2f times the throughput of CL (published: 1.5)", cl);
}

static void make_8_1(struct filchi_figure_builder *d)
{
	ahead(d, 0);
}

static void make_8_5(struct filchi_figure_builder *d)
{
	ahead(d, 1);
}

static void make_relative(struct filchi_figure_builder *d)
{
	static const struct {
		const char *name, *metric;
		double published[3];
	} rows[] = {{"total throughput", "total_ops_per_s", {-24.07, -38.51, -95.30}},
		    {"steal throughput", "steals_per_s", {6.81, 7.42, 24.35}},
		    {"worker throughput", "owner_ops_per_s", {-24.30, -38.80, -96.16}}};
	struct filchi_page_table *s =
		filchi_figure_add_table(d, "% more than LIFO BWoS, at 1M steals a second of 5 thieves",
					"metric|ABP|CL|Locked|ABP, published|CL, published|Locked, published");

	for (int r = 0; r < 3; r++) {
		double base = filchi_thesis_found(d->data[0], FILCHI_BWOS, "throughput", "200k", rows[r].metric).median;

		filchi_figure_add_cell(d, s, "%s", rows[r].name);
		for (int q = FILCHI_ABP; q < FILCHI_QUEUES; q++) {
			double more =
				100 * (filchi_thesis_found(d->data[0], q, "throughput", "200k", rows[r].metric).median /
					       base -
				       1);

			filchi_figure_add_number(d, s, more);
			filchi_figure_claim(d, more, (more > 0) == (rows[r].published[q - 1] > 0),
					    "%s of %s is %+.0f %% (published: %+.0f)", rows[r].name,
					    filchi_thesis_names[q], more, rows[r].published[q - 1]);
		}
		for (int q = FILCHI_ABP; q < FILCHI_QUEUES; q++)
			filchi_figure_add_cell(d, s, "%+.2f", rows[r].published[q - 1]);
	}
}

static void make_cache(struct filchi_figure_builder *d)
{
	static const char *const metrics[] = {"cache_references", "cache_misses", "instructions", "cycles",
					      "ns_per_op"};
	struct filchi_page_table *s =
		filchi_figure_add_table(d, "LIFO BWoS without thieves, in a sample",
					"metric|8 bytes|4 bytes|8 bytes, published|4 bytes, published");
	const struct filchi_data *data[2] = {d->data[0], d->data[1]}; /* 8 and 4 bytes */
	double v[5][2];

	for (int i = 0; i < 5; i++)
		for (int w = 0; w < 2; w++)
			v[i][w] = filchi_thesis_found(data[w], FILCHI_BWOS, "throughput", "0", metrics[i]).median;
#define ROW(name, eight, four, published_8, published_4)                                                               \
	filchi_figure_add_cell(d, s, name);                                                                            \
	filchi_figure_add_number(d, s, eight);                                                                         \
	filchi_figure_add_number(d, s, four);                                                                          \
	filchi_figure_add_cell(d, s, published_8);                                                                     \
	filchi_figure_add_cell(d, s, published_4)
	ROW("cache references", v[0][0], v[0][1], "23768562", "21427227");
	ROW("cache misses", v[1][0], v[1][1], "2016542", "1951179");
	ROW("cache misses, %%", 100 * v[1][0] / v[0][0], 100 * v[1][1] / v[0][1], "8.4", "9.1");
	ROW("instructions per cycle", v[2][0] / v[3][0], v[2][1] / v[3][1], "1.97", "1.51");
	ROW("ns per operation", v[4][0], v[4][1], "-", "-");
#undef ROW
	filchi_figure_claim(d, v[1][0] / v[0][0] + v[1][1] / v[0][1], v[1][0] / v[0][0] < v[1][1] / v[0][1],
			    "%.1f %% of the references miss with 8 bytes and %.1f %% with 4 (published: 8.4 and 9.1)",
			    100 * v[1][0] / v[0][0], 100 * v[1][1] / v[0][1]);
	filchi_figure_claim(
		d, v[2][0] / v[3][0] + v[2][1] / v[3][1], v[2][0] / v[3][0] > v[2][1] / v[3][1],
		"there are %.2f instructions per cycle with 8 bytes and %.2f with 4 (published: 1.97 and 1.51)",
		v[2][0] / v[3][0], v[2][1] / v[3][1]);
	if (!d->claim_count && isfinite(v[4][0] + v[4][1])) {
		d->figure->agreement = FILCHI_NOT_MEASURED;
		d->figure->result = "Not measured: this system does not give the processor's counters. There is only "
				    "the time of an operation.";
	}
}

const struct filchi_entry filchi_entries_thesis_owner[] = {
	{"thesis-5.2",
	 FILCHI_THESIS "figure 5.2",
	 "Latency of push and pop without thieves",
	 FILCHI_THESIS_OWNER
	 "without thieves; items of 4 bytes. The clock is coarser than an operation: the bars of runs in which none "
	 "was timed are the ones to trust. Published: the text has no numbers.",
	 {&filchi_thesis_alone_4},
	 make_latency,
	 NULL},
	{"thesis-5.3",
	 FILCHI_THESIS "figure 5.3",
	 "Throughput with one thief",
	 FILCHI_THESIS_OWNER
	 "while one thief attempts so many steals a second; items of 4 bytes, blocks of 64. Published: the text "
	 "compares, without numbers.",
	 {&filchi_thesis_alone_4},
	 make_4_1,
	 NULL},
	{"thesis-5.4",
	 FILCHI_THESIS "figure 5.4",
	 "Throughput with five thieves",
	 FILCHI_THESIS_OWNER "while five thieves together attempt so many steals a second; items of 4 bytes, blocks of "
			     "64. " FILCHI_THESIS_CROWD "Published: table 5.1.",
	 {&filchi_thesis_five_4},
	 make_4_5,
	 NULL},
	{"thesis-t5.1",
	 FILCHI_THESIS "table 5.1",
	 "Throughput compared with LIFO BWoS",
	 "From the run of figure 5.4: five thieves that together attempt a million steals a "
	 "second. " FILCHI_THESIS_CROWD,
	 {&filchi_thesis_five_4},
	 make_relative,
	 NULL},
	{"thesis-5.5",
	 FILCHI_THESIS "figure 5.5",
	 "Throughput with one thief, larger items and blocks",
	 FILCHI_THESIS_OWNER
	 "while one thief attempts so many steals a second; items of 8 bytes, blocks of 256. Published: read from "
	 "the text.",
	 {&filchi_thesis_alone_8},
	 make_8_1,
	 NULL},
	{"thesis-5.6",
	 FILCHI_THESIS "figure 5.6",
	 "Throughput with five thieves, larger items and blocks",
	 FILCHI_THESIS_OWNER "while five thieves together attempt so many steals a second; items of 8 bytes, blocks of "
			     "256. " FILCHI_THESIS_CROWD "Published: read from the text.",
	 {&filchi_thesis_five_8},
	 make_8_5,
	 NULL},
	{"thesis-t5.2",
	 FILCHI_THESIS "table 5.2",
	 "Items of 8 and of 4 bytes",
	 "What the processor counts for the owner of LIFO BWoS, if the system lets us ask: else there is only the "
	 "time. The "
	 "runs are those of figures 5.5 and 5.3, which differ in the size of blocks, too. A slot has 8 bytes in "
	 "either.",
	 {&filchi_thesis_alone_8, &filchi_thesis_alone_4},
	 make_cache,
	 NULL},
	{0},
};
