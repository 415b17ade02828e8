/* SPDX-License-Identifier: Apache-2.0 */
#include "dupes.h"

#include <errno.h>
#include <filch.h>
#include <stdlib.h>

static const struct filchi_bench_metric metrics[] = {
	{"wall", "ns"},
	{"cpu", "ns"},
	{"fibers", "fibers"},
	{"stolen", "fibers"},
	{"stolen_io", "fibers"},
	{"voluntary", "switches"},
	{"involuntary", "switches"},
};

static void free_own(struct filchi_bench_suite *s)
{
	struct filchi_dupes_bench *own = s->own;

	if (own)
		filchi_dupes_tree_remove(&own->tree);
	free(own);
}

static void complete(struct filchi_dupes_bench *own, const struct filchi_dupes_options *dupes)
{
	const char *kind;

	own->options = *dupes;
	for (unsigned n = 0; !dupes->kind_count && n < FILCHI_DUPES_MAX_KINDS && (kind = filch_deque_kind_name(n)); n++)
		own->options.kinds[own->options.kind_count++] = kind;
}

static void add_case(struct filchi_bench_suite *s, size_t kind, bool cold)
{
	struct filchi_dupes_bench *own = s->own;
	struct filchi_dupes_context *context = &own->contexts[s->case_count];

	*context = (struct filchi_dupes_context){own->options.kinds[kind], &own->options, &own->tree, cold};
	s->cases[s->case_count++] = (struct filchi_bench_case){
		.subject = own->options.kinds[kind],
		.measure = cold ? "cold" : "warm",
		.metrics = metrics,
		.metric_count = sizeof(metrics) / sizeof(metrics[0]),
		.run = filchi_dupes_bench_sample,
		.context = context,
	};
}

int filchi_dupes_bench_init(struct filchi_bench_suite *s, const struct filchi_bench_options *options,
			    const struct filchi_dupes_options *dupes)
{
	struct filchi_dupes_bench *own = calloc(1, sizeof(*own));
	int err = -ENOMEM;

	*s = (struct filchi_bench_suite){
		.name = "dupes",
		.options = *options,
		.own = own,
		.table = filchi_dupes_bench_table,
		.json_options = filchi_dupes_bench_json_options,
		.free_own = free_own,
	};
	if (own) {
		complete(own, dupes);
		err = filchi_bench_suite_alloc(s, own->options.kind_count,
					       own->options.kind_count * FILCHI_DUPES_MEASURES);
	}
	if (!err)
		err = filchi_dupes_tree_make(&own->tree, (uint64_t)own->options.megabytes << 20);
	if (err) {
		filchi_bench_suite_free(s);
		return err;
	}
	for (size_t i = 0; i < own->options.kind_count; i++) {
		s->subjects[s->subject_count++] = own->options.kinds[i];
		add_case(s, i, false);
		add_case(s, i, true);
	}
	return 0;
}
