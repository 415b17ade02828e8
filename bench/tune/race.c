/* SPDX-License-Identifier: Apache-2.0 */
/* The search: see tune.h. */
#define _GNU_SOURCE

#include "../harness/stats.h"
#include "tune.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define EARLY                                                                                                          \
	2 /* samples after which hopeless settings drop out: their fastest run is far above the slowest of the best */
#define HOPELESS 3.0	/* times */
#define SURE 4		/* samples after which settings drop out whose interval is above the interval of the best */
#define WORTHWHILE 0.99 /* a gain below 1 % is no reason to set a variable */
#define BRIEF_NS 20e6	/* a shorter run is mostly the start of a process */

/*
 * The settings that take turns. The defaults are first. The best so far, if it is another one, is second. Both
 * always stay.
 */
struct race {
	size_t count, fixed;
	struct filchi_tune_setting *field[FILCHI_TUNE_MAX_VALUES + 2];
	const char *what;
	unsigned rounds_left;
	size_t later; /* runs that other races may need */
};

/* ---- comparisons ---- */

int filchi_tune_compare(const struct filchi_tune_setting *a, const struct filchi_tune_setting *b, bool cpu, bool last,
			struct filchi_ratio *out)
{
	double *x = malloc((2 * a->count + 1) * sizeof(*x)), *y = x + a->count;
	size_t count = 0, j = last ? b->first : 0;
	int err;

	if (!x)
		return -ENOMEM;
	for (size_t i = last ? a->first : 0; i < a->count; i++) {
		while (j < b->count && b->samples[j].round < a->samples[i].round)
			j++;
		if (j == b->count || b->samples[j].round > a->samples[i].round)
			continue;
		x[count] = cpu ? a->samples[i].cpu_ns : a->samples[i].ns;
		y[count++] = cpu ? b->samples[j].cpu_ns : b->samples[j].ns;
	}
	err = filchi_ratio(out, x, count, y, count, true);
	free(x);
	return err;
}

/* Samples of the current race. */
static int stats_of(const struct filchi_tune_setting *s, struct filchi_stats *out)
{
	return filchi_stats(out, s->count > s->first ? &s->samples[s->first].ns : NULL, s->count - s->first,
			    FILCHI_TUNE_STRIDE);
}

static bool in_race(const struct filchi_tune_setting *s)
{
	return s->outcome == FILCHI_TUNE_STAYED;
}

/* ---- a race ---- */

static void enter(struct race *r, struct filchi_tune_setting *s)
{
	for (size_t i = 0; i < r->count; i++)
		if (r->field[i] == s)
			return;
	if (!s || !in_race(s))
		return;
	s->first = s->count;
	r->field[r->count++] = s;
}

/* Removes the settings that dropped out. */
static void sweep(struct race *r)
{
	size_t kept = 0, fixed = 0;

	for (size_t i = 0; i < r->count; i++) {
		if (!in_race(r->field[i]))
			continue;
		fixed += i < r->fixed;
		r->field[kept++] = r->field[i];
	}
	r->count = kept;
	r->fixed = fixed;
}

static void shuffle(struct filchi_tune_setting **order, size_t count, struct filchi_rng *rng)
{
	for (size_t i = count; i > 1; i--) {
		size_t j = filchi_rng_below(rng, (uint32_t)i);
		struct filchi_tune_setting *swap = order[i - 1];

		order[i - 1] = order[j];
		order[j] = swap;
	}
}

static int run_round(struct filchi_tune *t, struct race *r, struct filchi_bench_error *error)
{
	struct filchi_tune_setting *order[FILCHI_TUNE_MAX_VALUES + 2];
	char name[44]; /* room for the rest of the line of progress */
	int err = 0;

	memcpy(order, r->field, r->count * sizeof(order[0]));
	shuffle(order, r->count, &t->rng);
	t->round++;
	for (size_t i = 0; i < r->count && !err; i++) {
		/* Estimates the runs that are left in this round, in this race and in later races. */
		t->progress.total = t->progress.done + (r->count - i) + (r->rounds_left - 1) * r->count + r->later;
		filchi_tune_name(t, order[i], name, sizeof(name));
		filchi_progress_step(&t->progress, r->what, name);
		err = filchi_tune_take(t, order[i], error);
	}
	r->rounds_left--;
	return err;
}

static bool is_worse(const struct filchi_stats *s, const struct filchi_stats *best)
{
	return (s->count >= EARLY && s->min > HOPELESS * best->max) || (s->count >= SURE && s->low > best->high);
}

/* Drops settings that are clearly slower than the fastest. */
static int drop(struct race *r)
{
	struct filchi_stats stats[FILCHI_TUNE_MAX_VALUES + 2];
	size_t best = 0;

	sweep(r);
	for (size_t i = 0; i < r->count; i++) {
		if (stats_of(r->field[i], &stats[i]))
			return -ENOMEM;
		if (stats[i].median < stats[best].median)
			best = i;
	}
	for (size_t i = r->fixed; i < r->count; i++)
		if (i != best && is_worse(&stats[i], &stats[best]))
			r->field[i]->outcome = FILCHI_TUNE_DROPPED;
	sweep(r);
	return 0;
}

/* Runs until only the fixed settings are left, or until there are enough samples. The last race takes all samples. */
static int run_race(struct filchi_tune *t, struct race *r, bool all, struct filchi_bench_error *error)
{
	int err = 0;

	r->rounds_left = t->options.runs;
	while (!err && r->rounds_left && (all || r->count > r->fixed)) {
		err = run_round(t, r, error);
		if (err)
			break;
		err = drop(r);
		if (err)
			snprintf(error->text, sizeof(error->text), "%s", strerror(-err));
		all = all && r->count > 1;
	}
	return err;
}

/* Returns the setting that is clearly faster than the best so far, by the largest margin. */
static int choose(struct filchi_tune *t, const struct race *r)
{
	struct filchi_tune_setting *before = t->best;
	double least = WORTHWHILE;
	struct filchi_ratio ratio;

	if (filchi_tune_broken(before))
		before = t->best = t->settings;
	for (size_t i = 0; i < r->count; i++) {
		if (r->field[i] == before || r->field[i] == t->settings)
			continue;
		if (filchi_tune_compare(r->field[i], before, false, true, &ratio))
			return -ENOMEM;
		if (filchi_ratio_is_less(&ratio) && ratio.ratio < least) {
			least = ratio.ratio;
			t->best = r->field[i];
		}
	}
	return 0;
}

/* ---- the races ---- */

/*
 * True if the axis can make a difference with that many workers. Without workers no axis does, and one worker has
 * no victim.
 */
static bool matters(const struct filchi_tune *t, size_t axis)
{
	long workers = strtol(filchi_tune_value(t, t->best, FILCHI_TUNE_WORKERS), NULL, 10);

	if (!t->axes[axis].heard)
		return false;
	if (axis == FILCHI_TUNE_WORKERS || !t->axes[FILCHI_TUNE_WORKERS].heard)
		return true;
	return workers > 1 || (workers == 1 && axis != FILCHI_TUNE_VICTIM);
}

/* Estimates the runs of the remaining axes and of the last race. About half of the settings drop out. */
static size_t runs_later(const struct filchi_tune *t, size_t axis)
{
	size_t runs = 2 * t->options.runs;

	for (; axis < FILCHI_TUNE_AXES; axis++)
		if (t->axes[axis].heard && t->axes[axis].count > 1)
			runs += (t->axes[axis].count + 1) * t->options.runs / 2;
	return runs;
}

static int race_axis(struct filchi_tune *t, size_t axis, struct filchi_bench_error *error)
{
	struct race r = {.what = t->axes[axis].name, .later = runs_later(t, axis + 1)};
	const char *values[FILCHI_TUNE_AXES];
	int err;

	enter(&r, t->settings);
	enter(&r, t->best);
	r.fixed = r.count;
	for (size_t i = 0; i < t->axes[axis].count; i++) {
		memcpy(values, t->best->values, sizeof(values));
		values[axis] = t->axes[axis].values[i];
		enter(&r, filchi_tune_setting(t, values));
	}
	err = run_race(t, &r, false, error);
	if (!err)
		err = choose(t, &r);
	return err;
}

/* The last race takes new samples, because the samples of a won race are lucky ones. */
static int race_last(struct filchi_tune *t, struct filchi_bench_error *error)
{
	struct race r = {.what = "the best again"};
	int err;

	if (t->best == t->settings)
		return 0;
	enter(&r, t->settings);
	enter(&r, t->best);
	r.fixed = r.count;
	err = run_race(t, &r, true, error);
	if (!err && !filchi_tune_broken(t->best)) {
		err = filchi_tune_compare(t->best, t->settings, false, true, &t->last);
		t->decided = !err;
	}
	return err;
}

/* The search begins with the defaults, or with the first values if the defaults are not among them. */
static void begin(struct filchi_tune *t)
{
	const char *values[FILCHI_TUNE_AXES] = {NULL};

	for (size_t axis = 0; axis < FILCHI_TUNE_AXES; axis++) {
		const struct filchi_tune_axis *a = &t->axes[axis];
		bool usual = !a->heard || !a->count;

		for (size_t i = 0; i < a->count; i++)
			usual = usual || !strcmp(a->values[i], a->usual);
		values[axis] = usual ? NULL : a->values[0];
	}
	t->best = filchi_tune_setting(t, values);
}

int filchi_tune_run(struct filchi_tune *t, struct filchi_bench_error *error)
{
	int err = filchi_tune_space(t);

	if (err) {
		snprintf(error->text, sizeof(error->text), "%s", strerror(-err));
		return err;
	}
	filchi_progress_start(&t->progress, FILCHI_TUNE_MEETINGS + runs_later(t, 0));
	err = filchi_tune_meet(t, error);
	if (!err)
		begin(t);
	for (size_t axis = 0; axis < FILCHI_TUNE_AXES && !err; axis++)
		if (matters(t, axis))
			err = race_axis(t, axis, error);
	if (!err)
		err = race_last(t, error);
	filchi_progress_end(&t->progress);
	filchi_child_signals();
	return err;
}

bool filchi_tune_brief(const struct filchi_tune *t)
{
	const struct filchi_tune_setting *s = t->settings;
	struct filchi_stats stats;

	return s->count && !filchi_stats(&stats, &s->samples->ns, s->count, FILCHI_TUNE_STRIDE) &&
	       stats.median < BRIEF_NS;
}

bool filchi_tune_found(const struct filchi_tune *t)
{
	return t->decided && filchi_ratio_is_less(&t->last) && t->last.ratio < WORTHWHILE && !filchi_tune_brief(t);
}
