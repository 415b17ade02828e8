/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE

#include "spawn.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *filchi_spawn_runtime(unsigned n)
{
	static const char *const names[] = {"serial", "filch", "tbb", "libgomp", "libomp"};

	return n < sizeof(names) / sizeof(names[0]) ? names[n] : NULL;
}

const char *filchi_spawn_flags(unsigned n)
{
	static const char *const names[] = {"O2", "O3", "clang"};

	return n < sizeof(names) / sizeof(names[0]) ? names[n] : NULL;
}

bool filchi_spawn_is_serial(const struct filchi_spawn_subject *subject)
{
	return !strcmp(subject->runtime, "serial");
}

/* Each OpenMP belongs to one compiler. */
static bool can_be(const char *runtime, const char *flags)
{
	bool clang = !strcmp(flags, "clang");

	return strcmp(runtime, clang ? "libgomp" : "libomp") != 0;
}

static bool there(const struct filchi_spawn_options *o, const char *runtime, const char *flags)
{
	char path[4200];

	snprintf(path, sizeof(path), "%s/bench-spawn-%s-%s", o->folder, runtime, flags);
	return !access(path, X_OK);
}

bool filchi_spawn_there(const struct filchi_spawn_options *o)
{
	for (size_t r = 0; r < o->runtime_count; r++)
		for (size_t f = 0; f < o->flags_count; f++)
			if (can_be(o->runtimes[r], o->flags[f]) && there(o, o->runtimes[r], o->flags[f]))
				return true;
	return false;
}

static void find_subjects(struct filchi_spawn_bench *own)
{
	const struct filchi_spawn_options *o = &own->options;

	for (size_t f = 0; f < o->flags_count; f++)
		for (size_t r = 0; r < o->runtime_count; r++) {
			struct filchi_spawn_subject subject = {.runtime = o->runtimes[r], .flags = o->flags[f]};

			if (!can_be(subject.runtime, subject.flags))
				continue;
			snprintf(subject.name, sizeof(subject.name), "%s-%s", subject.runtime, subject.flags);
			if (there(o, subject.runtime, subject.flags))
				own->subjects[own->subject_count++] = subject;
			else
				memcpy(own->absent[own->absent_count++], subject.name, sizeof(subject.name));
		}
}

/* True if an earlier subject has the same runtime. */
static bool is_again(const struct filchi_spawn_bench *own, size_t subject)
{
	for (size_t i = 0; i < subject; i++)
		if (!strcmp(own->subjects[i].runtime, own->subjects[subject].runtime))
			return true;
	return false;
}

static void add_case(struct filchi_bench_suite *s, const struct filchi_spawn_case *which,
		     const struct filchi_spawn_subject *subject, unsigned workers)
{
	struct filchi_spawn_bench *own = s->own;
	struct filchi_spawn_context *context = &own->contexts[s->case_count];
	struct filchi_bench_case *c = &s->cases[s->case_count++];

	*context = (struct filchi_spawn_context){own, which, subject, workers, s->options.seconds, ""};
	snprintf(context->measure, sizeof(context->measure), "%s/%u", which->name, workers);
	*c = filchi_spawn_bench_pattern;
	c->subject = subject->name;
	c->measure = context->measure;
	c->context = context;
}

/* If the compiler makes no difference, each runtime is measured with its first flags. */
static void add_cases(struct filchi_bench_suite *s, const struct filchi_spawn_case *which)
{
	struct filchi_spawn_bench *own = s->own;

	for (size_t i = 0; i < own->subject_count; i++) {
		if (!which->on_compiler && is_again(own, i))
			continue;
		add_case(s, which, &own->subjects[i], 1);
		if (!filchi_spawn_is_serial(&own->subjects[i]))
			add_case(s, which, &own->subjects[i], own->options.workers);
	}
}

static void free_own(struct filchi_bench_suite *s)
{
	struct filchi_spawn_bench *own = s->own;

	if (own)
		free(own->contexts);
	free(own);
}

static int fill(struct filchi_bench_suite *s)
{
	struct filchi_spawn_bench *own = s->own;
	size_t count;
	int err;

	find_subjects(own);
	count = own->options.case_count * own->subject_count * 2;
	own->contexts = calloc(count ? count : 1, sizeof(*own->contexts));
	if (!own->contexts)
		return -ENOMEM;
	err = filchi_bench_suite_alloc(s, own->subject_count ? own->subject_count : 1, count ? count : 1);
	if (err)
		return err;
	for (size_t i = 0; i < own->options.case_count; i++)
		add_cases(s, own->options.cases[i]);
	for (size_t i = 0; i < own->subject_count; i++)
		s->subjects[s->subject_count++] = own->subjects[i].name;
	return 0;
}

int filchi_spawn_bench_init(struct filchi_bench_suite *s, const struct filchi_bench_options *options,
			    const struct filchi_spawn_options *spawn)
{
	struct filchi_spawn_bench *own = calloc(1, sizeof(*own));
	int err;

	*s = (struct filchi_bench_suite){
		.name = "spawn",
		.options = *options,
		.own = own,
		.table = filchi_spawn_bench_table,
		.json_options = filchi_spawn_bench_json_options,
		.free_own = free_own,
	};
	if (!own)
		return -ENOMEM;
	own->options = *spawn;
	err = fill(s);
	if (err)
		filchi_bench_suite_free(s);
	return err;
}
