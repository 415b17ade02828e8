/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of losses of filch: the measurements of both runtimes, and the known causes. */
#include "own.h"

#include <math.h>

/* Two runs of the same program differ by this much. A smaller loss counts if its interval excludes 1. */
#define SAME_MEMORY 1.05
#define SURE_MEMORY 1.01
/* With one worker and tasks of some size, this ratio to the serial program is a loss. */
#define SERIAL_LIMIT 1.1

struct tables {
	struct filchi_figure_builder *d;
	struct filchi_page_table *losses, *profiles, *symbols; /* symbols: NULL until there is a row */
};

/* ---- a loss ---- */

/* NULL: not known. */
static const char *symbols_of(struct tables *t, const char *runtime, const char *workload, unsigned workers)
{
	const struct filchi_json_value *v = filchi_data_profile(t->d->data[0], runtime, workload, workers);
	const char *text = NULL;

	for (; v; v = v->next) {
		const char *name = filchi_json_text(filchi_json_get(v, "symbol"));
		double share = filchi_json_real(filchi_json_get(v, "share"));

		if (name && !isnan(share))
			text = filchi_figure_text(t->d, "%s%s%.0f %% %s", text ? text : "", text ? ", " : "",
						  100 * share, name);
	}
	return text;
}

static void symbols(struct tables *t, const char *workload, unsigned workers, const struct filchi_comparison *c,
		    const char *other)
{
	const char *text = symbols_of(t, c->filch, workload, workers);

	if (!text)
		return;
	if (!t->symbols)
		t->symbols = filchi_figure_add_table(t->d,
						     "Functions in which filch is most of its time, where it is slower",
						     "workload|workers|to|functions");
	filchi_figure_add_cell(t->d, t->symbols, "%s", workload);
	filchi_figure_add_cell(t->d, t->symbols, "%u", workers);
	filchi_figure_add_cell(t->d, t->symbols, "%s", other);
	filchi_figure_add_cell(t->d, t->symbols, "%s", text);
}

/* Of filch, and of the other runtime. */
struct pair {
	double filch, other;
};

static struct pair both(struct tables *t, const char *workload, unsigned workers, const struct filchi_comparison *c,
			const char *other, const char *metric)
{
	const struct filchi_data *data = t->d->data[0];

	return (struct pair){
		filchi_data_program(data, c->filch, workload, NULL, workers, metric).median,
		filchi_data_program(data, other, workload, NULL, c->workers, metric).median,
	};
}

/* Both numbers share a cell: readers compare them, and two columns each would not fit. */
static void pair_cell(struct tables *t, struct pair p, double unit)
{
	filchi_figure_add_cell(t->d, t->profiles, "%s / %s", filchi_figure_digits(t->d, p.filch / unit),
			       filchi_figure_digits(t->d, p.other / unit));
}

static const char *count(struct tables *t, double value)
{
	return isnan(value) ? "-" : filchi_figure_text(t->d, "%.0f", value);
}

static void profile(struct tables *t, const char *workload, unsigned workers, const struct filchi_comparison *c,
		    const char *other)
{
	struct pair ns = both(t, workload, workers, c, other, "ns"),
		    cpu = both(t, workload, workers, c, other, "cpu_ns");
	struct pair use = {cpu.filch / ns.filch / workers, cpu.other / ns.other / c->workers};
	struct pair own = both(t, workload, workers, c, other, "voluntary");
	struct pair forced = both(t, workload, workers, c, other, "involuntary");

	filchi_figure_add_cell(t->d, t->profiles, "%s", workload);
	filchi_figure_add_cell(t->d, t->profiles, "%u", workers);
	filchi_figure_add_cell(t->d, t->profiles, "%s", other);
	pair_cell(t, ns, 1e6);
	pair_cell(t, cpu, 1e6);
	pair_cell(t, use, 0.01);
	pair_cell(t, both(t, workload, workers, c, other, "peak_bytes"), 1e6);
	filchi_figure_add_cell(t->d, t->profiles, "%s / %s", count(t, own.filch), count(t, own.other));
	filchi_figure_add_cell(t->d, t->profiles, "%s / %s", count(t, forced.filch), count(t, forced.other));
	filchi_figure_add_cell(t->d, t->profiles, "%s / %s",
			       count(t, both(t, workload, workers, c, other, "tasks").filch),
			       count(t, both(t, workload, workers, c, other, "steals").filch));
	/* Symbols explain time, not memory. */
	if (c->time.ratio > 1)
		symbols(t, workload, workers, c, other);
}

static bool in_noise(const struct filchi_ratio *r)
{
	return !(r->low > 1);
}

/* A few samples can be on one side by chance. */
static const char *explain(struct tables *t, const char *cause, const struct filchi_ratio *r)
{
	if (in_noise(r))
		return "within the noise";
	if (filchi_ratio_is_more(r))
		return cause;
	return filchi_figure_text(t->d, "%s (of %zu sample%s: may be noise)", cause, r->count,
				  r->count == 1 ? "" : "s");
}

static void lose(struct tables *t, const char *workload, unsigned workers, const char *other,
		 const struct filchi_ratio *r, bool memory)
{
	const char *cause = filchi_cause(workload, other, workers, memory, r->ratio);

	filchi_figure_add_cell(t->d, t->losses, "%s", workload);
	filchi_figure_add_cell(t->d, t->losses, "%u", workers);
	filchi_figure_add_cell(t->d, t->losses, "%s", other);
	filchi_figure_add_cell(t->d, t->losses, "%s", memory ? "memory" : "time");
	filchi_figure_add_number(t->d, t->losses, r->ratio);
	filchi_figure_add_number(t->d, t->losses, r->low);
	filchi_figure_add_number(t->d, t->losses, r->high);
	filchi_figure_add_cell(t->d, t->losses, "%s", explain(t, cause, r));
}

/* ---- all comparisons ---- */

static void judge_one(struct tables *t, struct filchi_losses *l, const char *workload, unsigned workers)
{
	for (int c = FILCHI_FIRST_PEER; c < FILCHI_OTHERS; c++) {
		struct filchi_comparison found = filchi_compare(t->d->data[0], workload, workers, c);
		bool slower = found.time.ratio > 1;
		bool larger = found.memory.ratio > (in_noise(&found.memory) ? SAME_MEMORY : SURE_MEMORY);

		if (isnan(found.time.ratio))
			continue;
		l->all++;
		l->wins += !slower;
		l->noise += slower && in_noise(&found.time);
		if (slower)
			lose(t, workload, workers, filchi_others[c], &found.time, false);
		if (larger)
			lose(t, workload, workers, filchi_others[c], &found.memory, true);
		if (slower || larger)
			profile(t, workload, workers, &found, filchi_others[c]);
	}
}

static void judge_serial(struct tables *t)
{
	static const char *const grained[] = {"matmul", "quicksort", "cilksort"};

	for (size_t i = 0; i < sizeof(grained) / sizeof(grained[0]); i++) {
		struct filchi_comparison found = filchi_compare(t->d->data[0], grained[i], 1, FILCHI_SERIAL);

		if (found.time.ratio > SERIAL_LIMIT) {
			lose(t, grained[i], 1, filchi_others[FILCHI_SERIAL], &found.time, false);
			profile(t, grained[i], 1, &found, filchi_others[FILCHI_SERIAL]);
		}
	}
}

struct filchi_losses filchi_losses(struct filchi_figure_builder *d)
{
	struct tables t = {.d = d};
	struct filchi_losses l = {0};
	unsigned workers;
	const char *workload;

	t.losses = filchi_figure_add_table(d, "Every loss of filch: how many times that of the other, and why",
					   "workload|workers|to|in|times|from|up to|cause");
	t.profiles =
		filchi_figure_add_table(d, "Profiles of these: filch / the other",
					"workload|workers|to|wall, ms|CPU, ms|CPU use, %|MB|voluntary switches|forced "
					"switches|tasks / steals of filch");
	for (unsigned n = 0; (workload = filchi_data_workload(d->data[0], n)); n++)
		for (unsigned w = 0; (workers = filchi_data_workers(d->data[0], w)); w++)
			judge_one(&t, &l, workload, workers);
	judge_serial(&t);
	return l;
}
