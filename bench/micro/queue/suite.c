/* SPDX-License-Identifier: Apache-2.0 */
#include "queue.h"

#include <errno.h>
#include <stdlib.h>

/* Writes a rate in the form that --rate accepts: 1000000 is 1M. */
static void name_rate(struct filchi_queue_names *names, struct filchi_queue_rate rate)
{
	if (rate.max)
		snprintf(names->rate, sizeof(names->rate), "max");
	else if (rate.per_second && rate.per_second % 1000000 == 0)
		snprintf(names->rate, sizeof(names->rate), "%uM", rate.per_second / 1000000);
	else if (rate.per_second && rate.per_second % 1000 == 0)
		snprintf(names->rate, sizeof(names->rate), "%uk", rate.per_second / 1000);
	else
		snprintf(names->rate, sizeof(names->rate), "%u", rate.per_second);
	snprintf(names->throughput, sizeof(names->throughput), "throughput_%s", names->rate);
	snprintf(names->latency, sizeof(names->latency), "latency_%s", names->rate);
}

static void add_case(struct filchi_bench_suite *s, const struct filchi_bench_case *pattern, const char *measure,
		     const struct filchi_queue_bench_kind *kind)
{
	struct filchi_bench_case *c = &s->cases[s->case_count++];

	*c = *pattern;
	c->subject = kind->loops->name;
	c->measure = measure;
	c->context = kind;
}

static int add_kind(struct filchi_bench_suite *s, const char *name)
{
	struct filchi_queue_bench *own = s->own;
	const struct filchi_bench_loops *loops = filchi_bench_loops_find(name);

	if (!loops || !loops->tides)
		return -ENOENT;
	for (size_t i = 0; i < own->options.rate_count; i++) {
		struct filchi_queue_bench_kind *kind = &own->kinds[s->subject_count * own->options.rate_count + i];
		struct filchi_queue_rate rate = own->options.rates[i];

		*kind = (struct filchi_queue_bench_kind){loops, &own->options, rate, s->options.seconds};
		if (!filchi_bench_loops_allow(loops, filchi_queue_thieves(&own->options, rate)))
			continue;
		add_case(s, &filchi_queue_bench_throughput, own->names[i].throughput, kind);
		add_case(s, &filchi_queue_bench_latency, own->names[i].latency, kind);
	}
	s->subjects[s->subject_count++] = loops->name;
	return 0;
}

static void free_own(struct filchi_bench_suite *s)
{
	struct filchi_queue_bench *own = s->own;

	if (own)
		free(own->kinds);
	free(own);
}

int filchi_queue_bench_init(struct filchi_bench_suite *s, const struct filchi_bench_options *options,
			    const struct filchi_queue_options *queue, const char *const *kinds, size_t kind_count)
{
	size_t count = kind_count * queue->rate_count;
	struct filchi_queue_bench *own = calloc(1, sizeof(*own));
	int err = -ENOMEM;

	*s = (struct filchi_bench_suite){
		.name = "queue",
		.options = *options,
		.own = own,
		.table = filchi_queue_bench_table,
		.json_options = filchi_queue_bench_json_options,
		.free_own = free_own,
	};
	if (own) {
		own->options = *queue;
		own->kinds = calloc(count, sizeof(*own->kinds));
		for (size_t i = 0; i < queue->rate_count; i++)
			name_rate(&own->names[i], queue->rates[i]);
		err = own->kinds ? filchi_bench_suite_alloc(s, kind_count, 2 * count) : -ENOMEM;
	}
	for (size_t i = 0; i < kind_count && !err; i++)
		err = add_kind(s, kinds[i]);
	if (err)
		filchi_bench_suite_free(s);
	return err;
}
