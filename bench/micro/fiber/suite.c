/* SPDX-License-Identifier: Apache-2.0 */
#include "fiber.h"

#include <errno.h>
#include <filch.h>
#include <stdlib.h>

static void free_own(struct filchi_bench_suite *s)
{
	free(s->own);
}

static void complete(struct filchi_fiber_bench *own, const struct filchi_bench_options *options,
		     const struct filchi_fiber_options *fiber)
{
	const char *kind;

	own->options = *fiber;
	if (!own->options.fibers)
		own->options.fibers = options->quick ? 10000 : 100000;
	for (unsigned n = 0; !fiber->kind_count && n < FILCHI_FIBER_MAX_KINDS && (kind = filch_deque_kind_name(n)); n++)
		own->options.kinds[own->options.kind_count++] = kind;
}

int filchi_fiber_bench_init(struct filchi_bench_suite *s, const struct filchi_bench_options *options,
			    const struct filchi_fiber_options *fiber)
{
	struct filchi_fiber_bench *own = calloc(1, sizeof(*own));
	int err = -ENOMEM;

	*s = (struct filchi_bench_suite){
		.name = "fiber",
		.options = *options,
		.own = own,
		.table = filchi_fiber_bench_table,
		.json_options = filchi_fiber_bench_json_options,
		.free_own = free_own,
	};
	if (own) {
		complete(own, options, fiber);
		err = filchi_bench_suite_alloc(s, own->options.kind_count,
					       own->options.kind_count * FILCHI_FIBER_MEASURES);
	}
	if (err) {
		filchi_bench_suite_free(s);
		return err;
	}
	for (size_t i = 0; i < own->options.kind_count; i++) {
		own->contexts[i] =
			(struct filchi_fiber_context){own->options.kinds[i], own->options.fibers, options->seconds};
		s->subjects[s->subject_count++] = own->options.kinds[i];
		for (size_t j = 0; j < FILCHI_FIBER_MEASURES; j++) {
			struct filchi_bench_case *c = &s->cases[s->case_count++];

			*c = filchi_fiber_bench_cases[j];
			c->subject = own->options.kinds[i];
			c->context = &own->contexts[i];
		}
	}
	return 0;
}
