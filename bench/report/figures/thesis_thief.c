/* SPDX-License-Identifier: Apache-2.0 */
/* Figures 5.7 to 5.9, table 5.3: the steals of thieves. */
#include "thesis.h"

#include <math.h>
#include <stdio.h>

static const struct filchi_measurement two = {
	.id = "queue-max-2",
	.suite = "queue",
	.of = {{FILCHI_THESIS_KINDS "--payload 4 --block-size 64 --thieves 2 --rate max" FILCHI_THESIS_QUICK, 1},
	       {FILCHI_THESIS_KINDS "--payload 4 --block-size 64 --thieves 2 --rate max", 26},
	       {FILCHI_THESIS_KINDS "--payload 4 --block-size 64 --thieves 2 --rate max" FILCHI_THESIS_FULL, 260}}};

/* ---- thieves ---- */

static void make_status(struct filchi_figure_builder *d)
{
	static const char *const metrics[] = {"ok_share", "empty_share", "lost_share"};
	struct filchi_panel *p =
		filchi_figure_add_panel(d, FILCHI_PLOT_BARS, NULL, "what came of it", "% of the attempts");
	struct filchi_page_table *s =
		filchi_figure_add_table(d, "% of the attempts to steal",
					"queue|got an item|found nothing|lost a race|million steals per second");
	double steals[FILCHI_QUEUES],
		sum = 0,
		lost = filchi_thesis_found(d->data[0], FILCHI_LOCKED, "throughput", "max", "lost_share").median;

	filchi_figure_add_label(d, p, 0, "got an item");
	filchi_figure_add_label(d, p, 1, "found nothing");
	filchi_figure_add_label(d, p, 2, "lost a race");
	for (int q = 0; q < FILCHI_QUEUES; q++) {
		struct filchi_series *bars = filchi_figure_add_series(d, p, filchi_thesis_names[q], 3);

		filchi_figure_add_cell(d, s, "%s", filchi_thesis_names[q]);
		for (int i = 0; i < 3; i++) {
			filchi_figure_add_point(
				bars, 0, filchi_thesis_found(d->data[0], q, "throughput", "max", metrics[i]), 0.01);
			filchi_figure_add_number(d, s, bars->y[i]);
		}
		steals[q] = filchi_thesis_found(d->data[0], q, "throughput", "max", "steals_per_s").median;
		filchi_figure_add_number(d, s, steals[q] / 1e6);
		sum += steals[q];
	}
	filchi_figure_claim(
		d, sum, steals[FILCHI_LOCKED] >= fmax(fmax(steals[FILCHI_ABP], steals[FILCHI_CL]), steals[FILCHI_BWOS]),
		"the locked one steals %.2f million a second, CL %.2f, ABP %.2f (published: locked most)",
		steals[FILCHI_LOCKED] / 1e6, steals[FILCHI_CL] / 1e6, steals[FILCHI_ABP] / 1e6);
	filchi_figure_claim(
		d, sum, steals[FILCHI_BWOS] <= fmin(fmin(steals[FILCHI_ABP], steals[FILCHI_CL]), steals[FILCHI_LOCKED]),
		"BWoS steals %.2f million (published: fewest)", steals[FILCHI_BWOS] / 1e6);
	filchi_figure_claim(d, lost, lost == 0,
			    "the locked one loses %.0f %% of its attempts to races (published: none)", 100 * lost);
}

static void make_failed(struct filchi_figure_builder *d)
{
	static const double published[FILCHI_QUEUES][2] = {{92.16, 7.84}, {66.15, 33.85}, {54, 46}, {100, 0}};
	struct filchi_page_table *s = filchi_figure_add_table(
		d, "% of the attempts that failed",
		"queue|found nothing|lost a race|found nothing, published|lost a race, published");
	double lost[FILCHI_QUEUES], sum = 0;

	for (int q = 0; q < FILCHI_QUEUES; q++) {
		double races = filchi_thesis_found(d->data[0], q, "throughput", "max", "lost").median;
		double empty = filchi_thesis_found(d->data[0], q, "throughput", "max", "empty").median;

		lost[q] = races + empty > 0 ? 100 * races / (races + empty) : NAN;
		sum += lost[q];
		filchi_figure_add_cell(d, s, "%s", filchi_thesis_names[q]);
		filchi_figure_add_number(d, s, 100 - lost[q]);
		filchi_figure_add_number(d, s, lost[q]);
		filchi_figure_add_cell(d, s, "%.2f", published[q][0]);
		filchi_figure_add_cell(d, s, "%.2f", published[q][1]);
	}
	filchi_figure_claim(
		d, sum, lost[FILCHI_BWOS] < fmin(lost[FILCHI_ABP], lost[FILCHI_CL]),
		"the share of races among the failures is %.1f %% for BWoS, %.1f %% for ABP and %.1f %% for CL "
		"(published: 8, 34, 46)",
		lost[FILCHI_BWOS], lost[FILCHI_ABP], lost[FILCHI_CL]);
	filchi_figure_claim(d, lost[FILCHI_LOCKED], lost[FILCHI_LOCKED] == 0,
			    "the share of races among the failures of the locked deque is %.0f %% (published: 0)",
			    lost[FILCHI_LOCKED]);
}

/* Adds one value for each quantile, to draw the distribution. */
#define VALUES 99
static void violin(struct filchi_figure_builder *d, struct filchi_panel *p, int queue, const char *rate)
{
	static const int at[] = {1, 5, 10, 25, 50, 75, 90, 95, 99};
	struct filchi_series *s = filchi_figure_add_series(d, p, filchi_thesis_names[queue], VALUES);
	double q[9];
	char metric[16];

	for (int i = 0; i < 9; i++) {
		snprintf(metric, sizeof(metric), "steal_p%d", at[i]);
		q[i] = filchi_thesis_found(d->data[0], queue, "latency", rate, metric).median;
	}
	for (int percent = 1, i = 0; percent <= VALUES; percent++) {
		double share;

		i += i < 7 && percent > at[i + 1];
		share = (double)(percent - at[i]) / (at[i + 1] - at[i]);
		filchi_figure_add_value(s, 0, q[i] + share * (q[i + 1] - q[i]));
	}
}

static void steal_times(struct filchi_figure_builder *d, const char *rate)
{
	struct filchi_panel *p = filchi_figure_add_panel(d, FILCHI_PLOT_VIOLINS, NULL, NULL, "ns per steal");
	struct filchi_page_table *s = filchi_figure_add_table(d, "ns per steal that got an item",
							      "queue|p5|p25|median|p75|p95|p99|steals timed");
	static const char *const metrics[] = {"steal_p5",  "steal_p25", "steal_p50",
					      "steal_p75", "steal_p95", "steal_p99"};
	double median[FILCHI_QUEUES], sum = 0;

	p->y_log = true;
	for (int q = 0; q < FILCHI_LOCKED; q++) {
		violin(d, p, q, rate);
		filchi_figure_add_cell(d, s, "%s", filchi_thesis_names[q]);
		for (size_t i = 0; i < sizeof(metrics) / sizeof(metrics[0]); i++)
			filchi_figure_add_number(
				d, s, filchi_thesis_found(d->data[0], q, "latency", rate, metrics[i]).median);
		filchi_figure_add_number(d, s,
					 filchi_thesis_found(d->data[0], q, "latency", rate, "steal_count").median);
		median[q] = filchi_thesis_found(d->data[0], q, "latency", rate, "steal_p50").median;
		sum += median[q];
	}
	filchi_figure_claim(
		d, sum, median[FILCHI_ABP] < fmin(median[FILCHI_CL], median[FILCHI_BWOS]),
		"the medians are %.0f ns for ABP, %.0f for CL and %.0f for BWoS (published: ABP lowest, CL %s)",
		median[FILCHI_ABP], median[FILCHI_CL], median[FILCHI_BWOS], d->data[1] ? "106" : "116");
	filchi_figure_claim(d, sum, median[FILCHI_BWOS] > 1.05 * fmax(median[FILCHI_CL], median[FILCHI_ABP]),
			    "BWoS takes %.2f times as long as CL (published: noticeably higher)",
			    median[FILCHI_BWOS] / median[FILCHI_CL]);
}

static void make_one_thief(struct filchi_figure_builder *d)
{
	steal_times(d, "100k");
}

static void make_five_thieves(struct filchi_figure_builder *d)
{
	double five = filchi_thesis_found(d->data[0], FILCHI_CL, "latency", "20k", "steal_p50").median;
	double one = filchi_thesis_found(d->data[1], FILCHI_CL, "latency", "100k", "steal_p50").median;

	steal_times(d, "20k");
	filchi_figure_claim(d, five / one, fabs(five / one - 1) < 0.25,
			    "with 5 thieves the median of CL is %.2f times that with one (published: 106 by 116, 0.91)",
			    five / one);
}

const struct filchi_entry filchi_entries_thesis_thief[] = {
	{"thesis-5.7",
	 FILCHI_THESIS "figure 5.7",
	 "What comes of attempts to steal",
	 FILCHI_THESIS_OWNER "while two thieves steal as fast as they can. " FILCHI_THESIS_CROWD
			     "Published: the text compares, without numbers.",
	 {&two},
	 make_status,
	 NULL},
	{"thesis-t5.3",
	 FILCHI_THESIS "table 5.3",
	 "Why attempts to steal fail",
	 "From the run of figure 5.7. " FILCHI_THESIS_CROWD,
	 {&two},
	 make_failed,
	 NULL},
	{"thesis-5.8",
	 FILCHI_THESIS "figure 5.8",
	 "Latency of steals with one thief",
	 FILCHI_THESIS_OWNER
	 "while one thief attempts 100,000 steals a second, all of which are timed. Drawn from nine percentiles, the "
	 "1st to the 99th. Published: read from the text.",
	 {&filchi_thesis_alone_4},
	 make_one_thief,
	 NULL},
	{"thesis-5.9",
	 FILCHI_THESIS "figure 5.9",
	 "Latency of steals with five thieves",
	 FILCHI_THESIS_OWNER
	 "while five thieves attempt 20,000 steals a second each, all of which are timed. " FILCHI_THESIS_CROWD
	 "Drawn from nine percentiles, the 1st to the 99th. Published: read from the text.",
	 {&filchi_thesis_five_4, &filchi_thesis_alone_4},
	 make_five_thieves,
	 NULL},
	{0},
};
