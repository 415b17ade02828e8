/* SPDX-License-Identifier: Apache-2.0 */
#include "deque.h"

#include <errno.h>
#include <filch/deque.h>
#include <stdlib.h>
#include <string.h>

/* All that can be measured. A kind that the library has and that is missing here is an error of every run. */
extern const struct filchi_bench_loops filchi_bench_abp, filchi_bench_global;
extern const struct filchi_bench_loops filchi_bench_locked, filchi_bench_chase_lev, filchi_bench_split;
extern const struct filchi_bench_loops filchi_bench_private;
extern const struct filchi_bench_loops filchi_bench_bwos_lifo, filchi_bench_bwos_fifo;

static const struct filchi_bench_loops *const all[] = {
	&filchi_bench_plain,   &filchi_bench_locked,	&filchi_bench_global,
	&filchi_bench_abp,     &filchi_bench_chase_lev, &filchi_bench_split,
	&filchi_bench_private, &filchi_bench_bwos_lifo, &filchi_bench_bwos_fifo,
};

static const struct filchi_bench_metric owner_alone[] = {
	{"ns_per_pair", "ns"},
	{"pushes", "items"},
	{"preemptions", "times"},
};
static const struct filchi_bench_metric with_thieves[] = {
	{"owner_ops_per_s", "1/s"}, {"steals_per_s", "1/s"}, {"lost_share", "1"}, {"empty_share", "1"},
	{"pushes", "items"},	    {"pops", "items"},	     {"steals", "items"}, {"left", "items"},
	{"lost", "attempts"},	    {"empty", "attempts"},
};
static const struct filchi_bench_metric steal_alone[] = {{"ns_per_steal", "ns"}, {"steals", "items"}};

#define METRICS(list) .metrics = (list), .metric_count = sizeof(list) / sizeof((list)[0])
static const struct filchi_bench_case measures[] = {
	{.measure = "owner_alone", METRICS(owner_alone), .run = filchi_bench_owner_alone},
	{.measure = "with_thieves", METRICS(with_thieves), .run = filchi_bench_with_thieves},
	{.measure = "steal_alone", METRICS(steal_alone), .run = filchi_bench_steal_alone},
};
#define MEASURES (sizeof(measures) / sizeof(measures[0]))

const struct filchi_bench_loops *filchi_bench_loops_find(const char *name)
{
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (!strcmp(all[i]->name, name))
			return all[i];
	return NULL;
}

static bool has(const struct filchi_bench_suite *s, const struct filchi_bench_loops *loops)
{
	for (size_t i = 0; i < s->contender_count; i++)
		if (s->contenders[i].loops == loops)
			return true;
	return false;
}

static int add_contenders(struct filchi_bench_suite *s, const char *const *kinds, size_t kind_count)
{
	s->contenders[s->contender_count++].loops = &filchi_bench_plain;
	for (size_t i = 0; i < kind_count; i++) {
		const struct filchi_bench_loops *loops = filchi_bench_loops_find(kinds[i]);

		if (!loops)
			return -ENOENT;
		if (!has(s, loops))
			s->contenders[s->contender_count++].loops = loops;
	}
	for (size_t i = 0; i < s->contender_count; i++)
		s->contenders[i].options = &s->options;
	return 0;
}

/* Some kinds allow only so many thieves at once. */
static bool allows(const char *kind, unsigned thieves)
{
	const struct filch_deque_info *info;

	for (unsigned i = 0; (info = filch_deque_kind_info(i)); i++)
		if (!strcmp(info->name, kind))
			return !info->thieves || info->thieves >= thieves;
	return true;
}

static void add_cases(struct filchi_bench_suite *s)
{
	for (size_t i = 0; i < s->contender_count; i++) {
		const struct filchi_bench_loops *loops = s->contenders[i].loops;

		for (size_t m = 0; m < MEASURES; m++) {
			struct filchi_bench_case *c = &s->cases[s->case_count];

			if (measures[m].run != filchi_bench_owner_alone && !loops->thief)
				continue;
			if (measures[m].run == filchi_bench_with_thieves && !allows(loops->name, s->options.thieves))
				continue;
			*c = measures[m];
			c->contender = loops->name;
			c->context = &s->contenders[i];
			s->case_count++;
		}
	}
}

int filchi_bench_suite_init(struct filchi_bench_suite *s, const struct filchi_bench_options *options,
			    const char *const *kinds, size_t kind_count)
{
	int err = -ENOMEM;

	*s = (struct filchi_bench_suite){.options = *options, .seed = 1};
	s->contenders = calloc(kind_count + 1, sizeof(*s->contenders));
	s->cases = calloc((kind_count + 1) * MEASURES, sizeof(*s->cases));
	if (s->contenders && s->cases)
		err = add_contenders(s, kinds, kind_count);
	if (err)
		filchi_bench_suite_free(s);
	else
		add_cases(s);
	return err;
}

int filchi_bench_suite_run(struct filchi_bench_suite *s, struct filchi_bench_error *error)
{
	const struct filchi_bench_plan plan = {.runs = s->options.runs, .seed = s->seed};

	return filchi_bench_run(s->cases, s->case_count, &plan, error);
}

void filchi_bench_suite_free(struct filchi_bench_suite *s)
{
	if (s->cases)
		filchi_bench_free(s->cases, s->case_count);
	free(s->cases);
	free(s->contenders);
	*s = (struct filchi_bench_suite){0};
}

const struct filchi_bench_case *filchi_bench_suite_case(const struct filchi_bench_suite *s, const char *contender,
							const char *measure)
{
	for (size_t i = 0; i < s->case_count; i++)
		if (!strcmp(s->cases[i].contender, contender) && !strcmp(s->cases[i].measure, measure))
			return &s->cases[i];
	return NULL;
}
