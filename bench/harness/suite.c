/* SPDX-License-Identifier: Apache-2.0 */
#include "suite.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

int filchi_bench_suite_alloc(struct filchi_bench_suite *s, size_t subjects, size_t cases)
{
	s->seed = 1;
	s->subject_count = s->case_count = 0;
	s->subjects = calloc(subjects, sizeof(*s->subjects));
	s->cases = calloc(cases, sizeof(*s->cases));
	return s->subjects && s->cases ? 0 : -ENOMEM;
}

void filchi_bench_suite_free(struct filchi_bench_suite *s)
{
	if (s->cases)
		filchi_bench_free(s->cases, s->case_count);
	free(s->cases);
	free(s->subjects);
	if (s->free_own)
		s->free_own(s);
	*s = (struct filchi_bench_suite){0};
}

int filchi_bench_suite_run(struct filchi_bench_suite *s, struct filchi_bench_error *error)
{
	const struct filchi_bench_plan plan = {.runs = s->options.runs, .seed = s->seed};
	int err = filchi_bench_run(s->cases, s->case_count, &plan, error);

	if (!err && s->after)
		s->after(s);
	return err;
}

const struct filchi_bench_case *filchi_bench_suite_case(const struct filchi_bench_suite *s, const char *subject,
							const char *measure)
{
	for (size_t i = 0; i < s->case_count; i++)
		if (!strcmp(s->cases[i].subject, subject) && !strcmp(s->cases[i].measure, measure))
			return &s->cases[i];
	return NULL;
}

int filchi_bench_suite_stats(const struct filchi_bench_suite *s, const char *subject, const char *measure,
			     const char *metric, struct filchi_stats *out)
{
	const struct filchi_bench_case *c = filchi_bench_suite_case(s, subject, measure);

	if (!c)
		return filchi_stats(out, NULL, 0, 1);
	return filchi_stats(out, c->samples + filchi_bench_metric(c, metric), s->options.runs, c->metric_count);
}

double filchi_bench_suite_median(const struct filchi_bench_suite *s, const char *subject, const char *measure,
				 const char *metric)
{
	struct filchi_stats stats;

	return filchi_bench_suite_stats(s, subject, measure, metric, &stats) ? NAN : stats.median;
}
