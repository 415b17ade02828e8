/* SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE

#include "wake.h"

#include <errno.h>
#include <filch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct filchi_wake_calls calls[] = {
	{"run_apart", "run", "apart", .submit = false, .apart = true},
	{"run_back_to_back", "run", "back to back", .submit = false, .apart = false},
	{"submit_apart", "submit", "apart", .submit = true, .apart = true},
	{"submit_back_to_back", "submit", "back to back", .submit = true, .apart = false},
};
#define CALLS (sizeof(calls) / sizeof(calls[0]))

const struct filchi_wake_calls *filchi_wake_calls(unsigned n)
{
	return n < CALLS ? &calls[n] : NULL;
}

const char *filchi_wake_wait(unsigned n)
{
	const char *name = filch_wait_name(n);

	return name ? name : !n || filch_wait_name(n - 1) ? FILCHI_WAKE_WARM : NULL;
}

bool filchi_wake_is_awake(const char *wait)
{
	return !strcmp(wait, "latency") || !strcmp(wait, FILCHI_WAKE_WARM);
}

static void add_case(struct filchi_bench_suite *s, const char *wait, const struct filchi_wake_calls *how)
{
	struct filchi_wake_bench *own = s->own;
	struct filchi_wake_context *context = &own->contexts[s->case_count];
	struct filchi_bench_case *c = &s->cases[s->case_count++];

	*context = (struct filchi_wake_context){wait, &own->options, how, s->options.seconds};
	*c = how ? filchi_wake_bench_calls : filchi_wake_bench_idle;
	c->subject = wait;
	c->measure = how ? how->measure : FILCHI_WAKE_IDLE;
	c->context = context;
}

static void free_own(struct filchi_bench_suite *s)
{
	struct filchi_wake_bench *own = s->own;

	if (own)
		free(own->contexts);
	free(own);
}

static void complete(struct filchi_wake_bench *own, const struct filchi_bench_options *options,
		     const struct filchi_wake_options *wake)
{
	const char *wait;

	own->options = *wake;
	if (!(own->options.idle_seconds > 0))
		own->options.idle_seconds = options->quick ? 1 : 10;
	for (unsigned n = 0; !wake->wait_count && n < FILCHI_WAKE_MAX_WAITS && (wait = filchi_wake_wait(n)); n++)
		own->options.waits[own->options.wait_count++] = wait;
	if (getloadavg(&own->load, 1) != 1)
		own->load = NAN;
}

int filchi_wake_bench_init(struct filchi_bench_suite *s, const struct filchi_bench_options *options,
			   const struct filchi_wake_options *wake)
{
	struct filchi_wake_bench *own = calloc(1, sizeof(*own));
	int err = -ENOMEM;

	*s = (struct filchi_bench_suite){
		.name = "wake",
		.options = *options,
		.own = own,
		.table = filchi_wake_bench_table,
		.json_options = filchi_wake_bench_json_options,
		.free_own = free_own,
	};
	if (own) {
		size_t count;

		complete(own, options, wake);
		count = own->options.wait_count * (CALLS + 1);
		own->contexts = calloc(count, sizeof(*own->contexts));
		err = own->contexts ? filchi_bench_suite_alloc(s, own->options.wait_count, count) : -ENOMEM;
	}
	if (err) {
		filchi_bench_suite_free(s);
		return err;
	}
	for (size_t i = 0; i < own->options.wait_count; i++) {
		s->subjects[s->subject_count++] = own->options.waits[i];
		add_case(s, own->options.waits[i], NULL);
		for (size_t j = 0; j < CALLS; j++)
			add_case(s, own->options.waits[i], &calls[j]);
	}
	return 0;
}
