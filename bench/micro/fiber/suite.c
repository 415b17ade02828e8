/* SPDX-License-Identifier: Apache-2.0 */
#include "fiber.h"

#include <errno.h>
#include <filch.h>
#include <stdlib.h>
#include <string.h>

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

static bool is_listed(const struct filchi_bench_suite *s, const char *subject)
{
	for (size_t i = 0; i < s->subject_count; i++)
		if (!strcmp(s->subjects[i], subject))
			return true;
	return false;
}

/* subject NULL: of the cases themselves. */
static void add(struct filchi_bench_suite *s, const struct filchi_fiber_cases *of, const char *subject,
		struct filchi_fiber_context *context)
{
	for (size_t i = 0; i < of->count; i++) {
		struct filchi_bench_case *c = &s->cases[s->case_count++];

		*c = of->cases[i];
		c->context = context;
		if (subject)
			c->subject = subject;
		if (!is_listed(s, c->subject))
			s->subjects[s->subject_count++] = c->subject;
	}
}

static void add_all(struct filchi_bench_suite *s, struct filchi_fiber_bench *own)
{
	struct filchi_fiber_context *others = &own->contexts[FILCHI_FIBER_MAX_KINDS];

	for (size_t i = 0; i < FILCHI_FIBER_MAX_KINDS + 1; i++)
		own->contexts[i] = (struct filchi_fiber_context){
			.kind = i < own->options.kind_count ? own->options.kinds[i] : NULL,
			.options = &own->options,
			.seconds = s->options.seconds,
		};
	for (size_t i = 0; i < own->options.kind_count; i++)
		add(s, &filchi_fiber_kind_cases, own->options.kinds[i], &own->contexts[i]);
	if (filchi_fiber_has_boost(&own->options))
		add(s, &filchi_fiber_boost_cases, NULL, others);
	add(s, &filchi_fiber_io_cases, NULL, others);
	add(s, &filchi_fiber_echo_cases, NULL, others);
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
		size_t others =
			filchi_fiber_boost_cases.count + filchi_fiber_io_cases.count + filchi_fiber_echo_cases.count;

		complete(own, options, fiber);
		err = filchi_bench_suite_alloc(s, own->options.kind_count + others,
					       own->options.kind_count * filchi_fiber_kind_cases.count + others);
	}
	if (err) {
		filchi_bench_suite_free(s);
		return err;
	}
	add_all(s, own);
	return 0;
}
