/* SPDX-License-Identifier: Apache-2.0 */
/* The cost of a spawn and the gain of the second worker, in the variants that users write. */
#include "own.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MAX_BODIES 16

static const struct filchi_measurement spawns = {
	.id = "spawn",
	.suite = "spawn",
	.of = {{"spawn --runs 3", 90}, {"spawn", 1500}, {"spawn --runs 30 --seconds 0.4", 14000}},
};

static const char *const flags[] = {"O2", "O3", "clang"};
#define FLAGS (sizeof(flags) / sizeof(flags[0]))

/* ---- the data ---- */

static const struct filchi_json_value *first_case(const struct filchi_data *data)
{
	const struct filchi_json_value *cases = data ? filchi_json_get(data->options, "cases") : NULL;

	return cases ? cases->first : NULL;
}

static const char *name_of(const struct filchi_json_value *c)
{
	const char *name = filchi_json_text(filchi_json_get(c, "name"));

	return name ? name : "";
}

static const char *base_of(const struct filchi_json_value *c)
{
	const char *base = filchi_json_text(filchi_json_get(c, "base"));

	return base ? base : name_of(c);
}

/* The number of workers that is compared with one; 0: unknown. */
static unsigned workers_of(const struct filchi_data *data)
{
	double count = data ? filchi_json_real(filchi_json_get(data->options, "workers")) : NAN;

	return count >= 2 && count <= 65536 ? (unsigned)count : 0;
}

static bool is_clang(const char *flag)
{
	return !strcmp(flag, "clang");
}

static const char *openmp(const char *flag)
{
	return is_clang(flag) ? "libomp" : "libgomp";
}

static struct filchi_found find(const struct filchi_data *data, const char *runtime, const char *flag, const char *name,
				unsigned workers, const char *metric)
{
	char subject[64], measure[128];

	snprintf(subject, sizeof(subject), "%s-%s", runtime, flag);
	snprintf(measure, sizeof(measure), "%s/%u", name, workers);
	return filchi_data_find(data, subject, measure, metric);
}

static struct filchi_found cost(const struct filchi_data *data, const char *runtime, const char *flag, const char *name,
				unsigned workers)
{
	return find(data, runtime, flag, name, workers, "ns_per_spawn");
}

/* Finds the fastest serial program of the same compiler that computes the same. */
static struct filchi_found serial(const struct filchi_data *data, const char *flag, const struct filchi_json_value *of)
{
	struct filchi_found best = {.median = NAN, .low = NAN, .high = NAN};

	for (const struct filchi_json_value *c = first_case(data); c; c = c->next)
		for (size_t f = 0; f < FLAGS; f++) {
			struct filchi_found found = cost(data, "serial", flags[f], name_of(c), 1);

			if (is_clang(flags[f]) == is_clang(flag) && !strcmp(base_of(c), base_of(of)) &&
			    !(found.median >= best.median) && !isnan(found.median))
				best = found;
		}
	return best;
}

static struct filchi_found as_found(struct filchi_ratio r)
{
	return (struct filchi_found){.median = r.ratio, .low = r.low, .high = r.high};
}

static struct filchi_found times_serial(const struct filchi_data *data, const char *flag,
					const struct filchi_json_value *c)
{
	return as_found(filchi_data_ratio(cost(data, "filch", flag, name_of(c), 1), serial(data, flag, c)));
}

static struct filchi_found gain(const struct filchi_data *data, const char *runtime, const char *flag, const char *name)
{
	return as_found(filchi_data_ratio(cost(data, runtime, flag, name, 1),
					  cost(data, runtime, flag, name, workers_of(data))));
}

/* ---- the table ---- */

static void add_runtime(struct filchi_figure_builder *d, struct filchi_page_table *t, const char *runtime,
			const char *flag, const char *name)
{
	filchi_figure_add_number(d, t, cost(d->data[0], runtime, flag, name, 1).median);
	filchi_figure_add_number(d, t, cost(d->data[0], runtime, flag, name, workers_of(d->data[0])).median);
	filchi_figure_add_number(d, t, gain(d->data[0], runtime, flag, name).median);
}

static void add_row(struct filchi_figure_builder *d, struct filchi_page_table *t, const char *flag,
		    const struct filchi_json_value *c)
{
	const struct filchi_data *data = d->data[0];
	const char *name = name_of(c);

	filchi_figure_add_cell(d, t, "%s", name);
	filchi_figure_add_cell(d, t, "%s", flag);
	filchi_figure_add_number(d, t, find(data, "filch", flag, name, 1, "body_ns").median);
	filchi_figure_add_number(d, t, serial(data, flag, c).median);
	add_runtime(d, t, "filch", flag, name);
	filchi_figure_add_number(d, t, times_serial(data, flag, c).median);
	filchi_figure_add_number(d, t, find(data, "filch", flag, name, 1, "cpu_per_spawn").median);
	filchi_figure_add_number(d, t, find(data, "filch", flag, name, workers_of(data), "cpu_per_spawn").median);
	add_runtime(d, t, "tbb", flag, name);
	add_runtime(d, t, openmp(flag), flag, name);
}

static void add_table(struct filchi_figure_builder *d)
{
	unsigned n = workers_of(d->data[0]);
	const char *heads = filchi_figure_text(
		d,
		"case|flags|body|serial|filch, 1|filch, %u|gain|times serial|CPU, 1|CPU, %u|tbb, 1|tbb, %u|gain of tbb|"
		"OpenMP, 1|OpenMP, %u|gain of OpenMP",
		n, n, n, n);
	struct filchi_page_table *t = filchi_figure_add_table(
		d,
		filchi_figure_text(
			d, "A spawn with its sync and its body, ns, with 1 and %u workers; gain: 1 worker by %u", n, n),
		heads);

	for (const struct filchi_json_value *c = first_case(d->data[0]); c; c = c->next)
		for (size_t f = 0; f < FLAGS; f++)
			if (!isnan(cost(d->data[0], "filch", flags[f], name_of(c), 1).median))
				add_row(d, t, flags[f], c);
}

/* ---- plots ---- */

/* Draws the gain in rounds of a group, such as loop/64, by the duration of the body. */
static void plot_gain(struct filchi_figure_builder *d, const char *group, const char *title)
{
	static const char *const runtimes[] = {"filch", "tbb", "libgomp"};
	struct filchi_panel *p =
		filchi_figure_add_panel(d, FILCHI_PLOT_LINES, title, "body of a task, ns", "gain of the second worker");

	p->x_log = true;
	for (size_t r = 0; r < sizeof(runtimes) / sizeof(runtimes[0]); r++) {
		struct filchi_series *s = filchi_figure_add_series(d, p, runtimes[r], MAX_BODIES);
		size_t count = 0;

		for (const struct filchi_json_value *c = first_case(d->data[0]); c && count < MAX_BODIES; c = c->next) {
			const char *name = name_of(c);
			double body = find(d->data[0], "filch", "O2", name, 1, "body_ns").median;

			if (strncmp(name, group, strlen(group)) != 0 || !(body > 0))
				continue;
			filchi_figure_add_point(s, body, gain(d->data[0], runtimes[r], "O2", name), 1);
			count++;
		}
	}
}

static bool is_structure(const char *name)
{
	return !strncmp(name, "fib/", 4) || !strncmp(name, "tree/", 5);
}

static void plot_cost(struct filchi_figure_builder *d)
{
	struct filchi_panel *p = filchi_figure_add_panel(d, FILCHI_PLOT_BARS, "filch with 1 worker", "case",
							 "time by that of the serial program");

	p->base = 1;
	for (size_t f = 0; f < FLAGS; f++) {
		struct filchi_series *s = filchi_figure_add_series(d, p, flags[f], FILCHI_FIGURE_MAX_SERIES);
		size_t count = 0;

		for (const struct filchi_json_value *c = first_case(d->data[0]); c && count < FILCHI_FIGURE_MAX_SERIES;
		     c = c->next) {
			if (!is_structure(name_of(c)))
				continue;
			filchi_figure_add_label(d, p, count++, name_of(c));
			filchi_figure_add_point(s, 0, times_serial(d->data[0], flags[f], c), 1);
		}
	}
}

/* ---- aims ---- */

static void claim_cost(struct filchi_figure_builder *d, const char *name, const char *flag, double most)
{
	for (const struct filchi_json_value *c = first_case(d->data[0]); c; c = c->next) {
		double times = !strcmp(name_of(c), name) ? times_serial(d->data[0], flag, c).median : NAN;

		filchi_figure_claim(d, times, times <= most,
				    "%s with %s takes %.2f times the serial program (aim: at most %g)", name, flag,
				    times, most);
	}
}

static void claim_gain(struct filchi_figure_builder *d, const char *group, unsigned body, double least)
{
	const char *name = filchi_figure_text(d, "%s/%u", group, body);
	double found = gain(d->data[0], "filch", "O2", name).median;

	filchi_figure_claim(d, found, found >= least, "%s gains %.2f (aim: at least %g)", name, found, least);
}

/* No case may be slower with two workers. */
static void claim_worst(struct filchi_figure_builder *d)
{
	const char *worst = "", *flag = "";
	double least = INFINITY;

	for (const struct filchi_json_value *c = first_case(d->data[0]); c; c = c->next)
		for (size_t f = 0; f < FLAGS; f++) {
			double found = gain(d->data[0], "filch", flags[f], name_of(c)).median;

			if (!(found < least))
				continue;
			least = found;
			worst = name_of(c);
			flag = flags[f];
		}
	filchi_figure_claim(d, isinf(least) ? NAN : least, least >= 0.98,
			    "the lowest gain is %.2f, in %s with %s (aim: at least 0.98)", least, worst, flag);
}

static void make(struct filchi_figure_builder *d)
{
	static const char *const groups[] = {"loop/64", "loop/1000", "spawn_n/64", "spawn_n/1000"};

	d->met = "all aims met";
	d->missed = "not all aims met";
	plot_gain(d, "loop/64/", "64 spawns, 64 syncs");
	plot_gain(d, "loop/1000/", "1,000 spawns, 1,000 syncs");
	plot_gain(d, "spawn_n/64/", "FILCH_SPAWN_N of 64");
	plot_gain(d, "spawn_n/1000/", "FILCH_SPAWN_N of 1,000");
	plot_cost(d);
	add_table(d);
	for (size_t f = 0; f < FLAGS; f++) {
		claim_cost(d, "fib/int", flags[f], is_clang(flags[f]) ? 1.5 : 1.3);
		claim_cost(d, "fib/long", flags[f], is_clang(flags[f]) ? 1.5 : 1.3);
		if (!is_clang(flags[f]))
			claim_cost(d, "tree/4", flags[f], 1.4);
	}
	if (workers_of(d->data[0]) != 2)
		return;
	claim_worst(d);
	for (size_t g = 0; g < sizeof(groups) / sizeof(groups[0]); g++) {
		claim_gain(d, groups[g], 30, 1.4);
		claim_gain(d, groups[g], 170, 1.7);
	}
}

const struct filchi_entry filchi_entries_spawn[] = {
	{"spawn",
	 "filch",
	 "The cost of a spawn, and the gain of the second worker",
	 "filch bench spawn: fib with results of several types and with 1 to 8 parameters, trees with empty leaves, "
	 "rounds "
	 "of 64 and 1,000 spawns whose bodies take 0 to 10,000 ns, FILCH_SPAWN_N (a taskloop of OpenMP, a parallel_for "
	 "of "
	 "oneTBB), and jobs of 1,000 empty spawns. O2 and O3 are gcc, clang is clang -O2; cases with a body have O2 "
	 "only. "
	 "A time is for one spawn with its sync and its body. The serial program is the fastest of the same compiler, "
	 "with int or long, -O2 or -O3. OpenMP is libgomp with gcc and libomp with clang.",
	 {&spawns},
	 make,
	 NULL},
	{0},
};
