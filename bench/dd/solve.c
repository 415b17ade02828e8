/* SPDX-License-Identifier: Apache-2.0 */
#include "solve.h"

#include <filch.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define PROGRESS_NS 500000u

double filchi_dd_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

struct watch {
	double begin;
	struct filchi_dd_sample *sample;
};

/* Each gap is reached once. */
static void note_gap(struct watch *w, double gap)
{
	for (size_t i = 0; i < FILCHI_DD_GAPS; i++)
		if (isnan(w->sample->gap_ns[i]) && 100 * gap <= filchi_dd_gaps[i])
			w->sample->gap_ns[i] = filchi_dd_now() - w->begin;
}

static void show(const struct filch_search_progress *progress, void *arg)
{
	if (progress->has_best && progress->has_bound)
		note_gap(arg, progress->gap);
}

static bool is_right(const struct filchi_dd_request *r, const struct filch_dd_result *result)
{
	double value = (double)result->best / pow(10, r->problem->decimals);

	if (result->end != FILCH_SEARCH_DONE && result->end != FILCH_SEARCH_TIME) {
		fprintf(stderr, "the run ended early: %s\n", strerror(-result->error));
		return false;
	}
	if (result->end == FILCH_SEARCH_DONE && !isnan(r->optimum) && fabs(value - r->optimum) > 1e-5) {
		fprintf(stderr, "wrong answer: %.4f, not %.4f\n", value, r->optimum);
		return false;
	}
	return true;
}

static bool run(const struct filchi_dd_request *r, struct filch_dd *dd, struct filchi_dd_sample *s, struct watch *w)
{
	struct filch_dd_result result = {.struct_size = sizeof(result)};
	int err = filch_dd_run(dd, &result);

	if (err) {
		fprintf(stderr, "cannot solve: %s\n", strerror(-err));
		return false;
	}
	s->ns += filchi_dd_now() - w->begin;
	s->nodes += (double)result.explored;
	s->dd_nodes += (double)result.nodes;
	s->proved = result.end == FILCH_SEARCH_DONE;
	if (s->proved > 0)
		note_gap(w, 0);
	return is_right(r, &result);
}

bool filchi_dd_solve(const struct filchi_dd_request *r, struct filchi_dd_sample *s)
{
	struct watch w = {.sample = s};
	struct filch_dd_options opt = {.struct_size = sizeof(opt),
				       .workers = r->workers,
				       .width = r->width,
				       .cutset = r->problem->cutset,
				       .no_cache = r->problem->no_cache,
				       .time_limit_ns = (uint64_t)(r->seconds * 1e9),
				       .progress = show,
				       .progress_arg = &w,
				       .progress_ns = PROGRESS_NS};
	struct filch_dd *dd;
	bool right;
	int err;

	w.begin = filchi_dd_now();
	err = filch_dd_create(&dd, &r->p, &opt);
	if (err) {
		fprintf(stderr, "cannot make the solver: %s\n", strerror(-err));
		return false;
	}
	right = run(r, dd, s, &w);
	filch_dd_destroy(dd);
	return right;
}
