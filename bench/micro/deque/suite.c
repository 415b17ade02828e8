/* SPDX-License-Identifier: Apache-2.0 */
#include "deque.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

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
	{.measure = "owner_alone", METRICS(owner_alone), .run = filchi_deque_bench_owner_alone},
	{.measure = "with_thieves", METRICS(with_thieves), .run = filchi_deque_bench_with_thieves},
	{.measure = "steal_alone", METRICS(steal_alone), .run = filchi_deque_bench_steal_alone},
};
#define MEASURES (sizeof(measures) / sizeof(measures[0]))

static unsigned thieves_of(const struct filchi_bench_case *c, unsigned thieves)
{
	if (c->run == filchi_deque_bench_owner_alone)
		return 0;
	return c->run == filchi_deque_bench_steal_alone ? 1 : thieves;
}

static int add_kind(struct filchi_bench_suite *s, const char *name, unsigned thieves)
{
	struct filchi_deque_bench_kind *all = s->own, *kind = &all[s->subject_count];

	kind->loops = filchi_bench_loops_find(name);
	if (!kind->loops)
		return -ENOENT;
	kind->seconds = s->options.seconds;
	kind->thieves = thieves;
	s->subjects[s->subject_count++] = kind->loops->name;
	for (size_t m = 0; m < MEASURES; m++) {
		struct filchi_bench_case *c = &s->cases[s->case_count];

		if (!filchi_bench_loops_allow(kind->loops, thieves_of(&measures[m], thieves)))
			continue;
		*c = measures[m];
		c->subject = kind->loops->name;
		c->context = kind;
		s->case_count++;
	}
	return 0;
}

static void free_own(struct filchi_bench_suite *s)
{
	free(s->own);
}

int filchi_deque_bench_init(struct filchi_bench_suite *s, const struct filchi_bench_options *options, unsigned thieves,
			    const char *const *kinds, size_t kind_count)
{
	int err;

	*s = (struct filchi_bench_suite){
		.name = "deque",
		.options = *options,
		.own = calloc(kind_count + 1, sizeof(struct filchi_deque_bench_kind)),
		.table = filchi_deque_bench_table,
		.json_options = filchi_deque_bench_json_options,
		.free_own = free_own,
	};
	err = s->own ? filchi_bench_suite_alloc(s, kind_count + 1, (kind_count + 1) * MEASURES) : -ENOMEM;
	if (!err)
		err = add_kind(s, filchi_bench_plain.name, thieves);
	for (size_t i = 0; i < kind_count && !err; i++)
		err = add_kind(s, kinds[i], thieves);
	if (err)
		filchi_bench_suite_free(s);
	return err;
}
