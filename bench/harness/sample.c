/* SPDX-License-Identifier: Apache-2.0 */
#include "sample.h"

#include "../../src/base/rng.h"
#include "progress.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_METRICS 80

static void shuffle(size_t *order, size_t count, struct filchi_rng *rng)
{
	for (size_t i = count; i > 1; i--) {
		size_t j = filchi_rng_below(rng, (uint32_t)i);
		size_t swap = order[i - 1];

		order[i - 1] = order[j];
		order[j] = swap;
	}
}

/* Takes one sample of a case; NULL: a warm-up. */
static int take(const struct filchi_bench_case *c, double *values, struct filchi_bench_error *error)
{
	double discarded[MAX_METRICS];
	struct filchi_bench_error reason = {""};
	int err = c->run(c, values ? values : discarded, &reason);

	if (err)
		snprintf(error->text, sizeof(error->text), "%.64s, %.64s: %.300s", c->subject, c->measure,
			 *reason.text ? reason.text : strerror(-err));
	return err;
}

static int allocate(struct filchi_bench_case *cases, size_t count, unsigned runs)
{
	for (size_t i = 0; i < count; i++) {
		if (cases[i].metric_count > MAX_METRICS)
			return -EINVAL;
		cases[i].samples = calloc((size_t)runs * cases[i].metric_count, sizeof(double));
		if (!cases[i].samples)
			return -ENOMEM;
	}
	return 0;
}

/* Repetition 0 is the warm-up. */
static int repeat(struct filchi_bench_case *cases, size_t *order, size_t count, const struct filchi_bench_plan *plan,
		  struct filchi_bench_error *error)
{
	struct filchi_progress progress;
	struct filchi_rng rng;
	int err = 0;

	filchi_rng_seed(&rng, plan->seed);
	filchi_progress_start(&progress, (plan->runs + (size_t)1) * count);
	for (unsigned run = 0; run <= plan->runs && !err; run++) {
		shuffle(order, count, &rng);
		for (size_t i = 0; i < count && !err; i++) {
			struct filchi_bench_case *c = &cases[order[i]];

			filchi_progress_step(&progress, c->subject, c->measure);
			err = take(c, run ? c->samples + (run - 1) * c->metric_count : NULL, error);
		}
	}
	filchi_progress_end(&progress);
	return err;
}

int filchi_bench_run(struct filchi_bench_case *cases, size_t count, const struct filchi_bench_plan *plan,
		     struct filchi_bench_error *error)
{
	size_t *order = calloc(count ? count : 1, sizeof(*order));
	int err = order ? allocate(cases, count, plan->runs) : -ENOMEM;

	if (err) {
		snprintf(error->text, sizeof(error->text), "%s", strerror(-err));
	} else {
		for (size_t i = 0; i < count; i++)
			order[i] = i;
		err = repeat(cases, order, count, plan, error);
	}
	free(order);
	return err;
}

void filchi_bench_free(struct filchi_bench_case *cases, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		free(cases[i].samples);
		cases[i].samples = NULL;
	}
}

size_t filchi_bench_metric(const struct filchi_bench_case *c, const char *name)
{
	size_t i = 0;

	while (strcmp(c->metrics[i].name, name))
		i++;
	return i;
}

void filchi_bench_set(const struct filchi_bench_case *c, double *values, const char *metric, double value)
{
	values[filchi_bench_metric(c, metric)] = value;
}
