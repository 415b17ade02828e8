/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE

#include "run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool filchi_programs_there(const struct filchi_programs_options *o, const char *program)
{
	char path[4200];

	snprintf(path, sizeof(path), "%s/bench-%s", o->folder, program);
	return !access(path, X_OK);
}

/* Keeps only programs that exist. */
static void find_programs(struct filchi_programs_bench *own)
{
	struct filchi_programs_options *o = &own->options;
	size_t kept = 0;

	for (size_t i = 0; i < o->runtime_count; i++) {
		const struct filchi_programs_runtime *c = &o->runtimes[i];

		if (filchi_programs_there(o, c->program))
			o->runtimes[kept++] = *c;
		else if (own->absent_count < sizeof(own->absent) / sizeof(own->absent[0]) &&
			 (!own->absent_count || own->absent[own->absent_count - 1] != c->program))
			own->absent[own->absent_count++] = c->program;
	}
	o->runtime_count = kept;
}

/* Copies are of the first filch, which must also be measured alone. */
static void add_copies(struct filchi_programs_bench *own)
{
	struct filchi_programs_options *o = &own->options;
	const struct filchi_programs_runtime *filch = NULL;
	bool one = false, more = false;

	for (size_t i = 0; i < o->runtime_count && !filch; i++)
		if (!strcmp(o->runtimes[i].program, "filch"))
			filch = &o->runtimes[i];
	for (size_t i = 0; i < o->workers_count; i++) {
		one = one || o->workers[i] == 1;
		more = more || o->workers[i] > 1;
	}
	if (!filch || !one || !more || o->no_copies || o->runtime_count == FILCHI_PROGRAMS_MAX_RUNTIMES)
		return;
	o->runtimes[o->runtime_count] = *filch;
	o->runtimes[o->runtime_count].copies = true;
	snprintf(o->runtimes[o->runtime_count].name, sizeof(filch->name), "copies");
	o->runtime_count++;
	own->copied = filch;
}

static const char *pick(bool quick, bool full, const char *small, const char *usual, const char *large)
{
	return full ? large : quick ? small : usual;
}

static bool same_group(const struct filchi_programs_group *a, const struct filchi_programs_group *b)
{
	return a->workload == b->workload && !strcmp(a->size, b->size) && !strcmp(a->peer_size, b->peer_size);
}

/* Each once. */
static void add_group(struct filchi_programs_bench *own, const struct filchi_programs_workload *workload,
		      const char *size, size_t length, const char *peer_size)
{
	struct filchi_programs_group *g = &own->groups[own->group_count];

	if (own->group_count == FILCHI_PROGRAMS_MAX_WORKLOADS)
		return;
	g->workload = workload;
	snprintf(g->size, sizeof(g->size), "%.*s", (int)length, size);
	snprintf(g->peer_size, sizeof(g->peer_size), "%s", peer_size ? peer_size : g->size);
	for (size_t i = 0; i < own->group_count; i++)
		if (same_group(&own->groups[i], g))
			return;
	own->group_count++;
}

/* Adds one group for each size in the list. */
static void add_groups(struct filchi_programs_bench *own, const struct filchi_programs_choice *choice, bool quick)
{
	const struct filchi_programs_workload *w = choice->workload;
	bool full = own->options.full, asked = *choice->size != '\0';
	const char *list = asked ? choice->size : pick(quick, full, w->quick, w->usual, w->full);
	const char *peer = asked ? NULL : pick(quick, full, w->peer_quick, w->peer_usual, w->peer_full);

	for (;;) {
		size_t length = strcspn(list, ",");

		add_group(own, w, list, length, peer);
		if (!list[length])
			return;
		list += length + 1;
	}
}

static void add_case(struct filchi_bench_suite *s, const struct filchi_programs_group *g,
		     const struct filchi_programs_runtime *runtime, unsigned workers)
{
	struct filchi_programs_bench *own = s->own;
	struct filchi_programs_case *mine = &own->cases[s->case_count];
	struct filchi_bench_case *c = &s->cases[s->case_count++];
	bool peer = strcmp(runtime->program, "serial") != 0 && strncmp(runtime->program, "filch", 5) != 0;

	*mine = (struct filchi_programs_case){
		.options = &own->options,
		.runtime = runtime,
		.group = g,
		.workers = workers,
		.size = peer ? g->peer_size : g->size,
	};
	snprintf(mine->measure, sizeof(mine->measure), "%s/%s/%u", g->workload->name, mine->size, workers);
	*c = filchi_programs_pattern;
	c->subject = runtime->name;
	c->measure = mine->measure;
	c->context = mine;
}

/* The serial program always has one worker. One copy is filch with one worker. */
static void add_cases(struct filchi_bench_suite *s, const struct filchi_programs_group *g)
{
	const struct filchi_programs_bench *own = s->own;
	const struct filchi_programs_options *o = &own->options;

	for (size_t i = 0; i < o->runtime_count; i++) {
		bool serial = !strcmp(o->runtimes[i].program, "serial");

		for (size_t w = 0; w < (serial ? 1 : o->workers_count); w++)
			if (!o->runtimes[i].copies || o->workers[w] > 1)
				add_case(s, g, &o->runtimes[i], serial ? 1 : o->workers[w]);
	}
}

static void free_own(struct filchi_bench_suite *s)
{
	struct filchi_programs_bench *own = s->own;

	if (own)
		free(own->cases);
	free(own);
}

static int fill(struct filchi_bench_suite *s)
{
	struct filchi_programs_bench *own = s->own;
	const struct filchi_programs_options *o = &own->options;
	size_t count;
	int err;

	find_programs(own);
	add_copies(own);
	for (size_t i = 0; i < o->choice_count; i++)
		add_groups(own, &o->choices[i], s->options.quick);
	count = own->group_count * o->runtime_count * o->workers_count;
	own->cases = calloc(count ? count : 1, sizeof(*own->cases));
	if (!own->cases)
		return -ENOMEM;
	err = filchi_bench_suite_alloc(s, o->runtime_count ? o->runtime_count : 1, count ? count : 1);
	if (err)
		return err;
	for (size_t i = 0; i < own->group_count; i++)
		add_cases(s, &own->groups[i]);
	for (size_t i = 0; i < o->runtime_count; i++)
		s->subjects[s->subject_count++] = o->runtimes[i].name;
	/* Threads of OpenMP need large stacks, too, because some workloads recurse deeply. */
	return setenv("OMP_STACKSIZE", "256M", 0) ? -errno : 0;
}

int filchi_programs_init(struct filchi_bench_suite *s, const struct filchi_bench_options *options,
			 const struct filchi_programs_options *programs)
{
	struct filchi_programs_bench *own = calloc(1, sizeof(*own));
	int err;

	*s = (struct filchi_bench_suite){
		.name = "programs",
		.options = *options,
		.own = own,
		.table = filchi_programs_table,
		.json_options = filchi_programs_json_options,
		.after = programs->profile ? filchi_programs_profile : NULL,
		.json_case = filchi_programs_json_case,
		.free_own = free_own,
	};
	if (!own)
		return -ENOMEM;
	own->options = *programs;
	err = fill(s);
	if (err)
		filchi_bench_suite_free(s);
	return err;
}
