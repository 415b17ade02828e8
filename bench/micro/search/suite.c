/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE

#include "search.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool filchi_search_there(const struct filchi_search_options *o)
{
	char path[4200];

	snprintf(path, sizeof(path), "%s/bench-search", o->folder);
	return !access(path, X_OK);
}

/* The serial program has one worker. Copies of it, and moving a batch, have no number of workers to compare. */
static bool is_measured(const struct filchi_search_case *c, const char *way, unsigned workers)
{
	if (!filchi_search_case_has(c, way))
		return false;
	if (!strcmp(way, "serial") || c->subject == FILCHI_SEARCH_BATCH)
		return workers == 1;
	return strcmp(way, "copies") != 0 || workers > 1;
}

size_t filchi_search_count(const struct filchi_search_options *o)
{
	size_t count = 0;

	for (size_t c = 0; c < o->case_count; c++)
		for (size_t w = 0; w < o->way_count; w++)
			for (size_t n = 0; n < o->workers_count; n++)
				count += is_measured(o->cases[c], o->ways[w], o->workers[n]);
	return count;
}

static void add_case(struct filchi_bench_suite *s, const struct filchi_search_case *which, const char *way,
		     unsigned workers)
{
	struct filchi_search_bench *own = s->own;
	struct filchi_search_context *context = &own->contexts[s->case_count];
	struct filchi_bench_case *c = &s->cases[s->case_count++];

	*context = (struct filchi_search_context){&own->options, which, way, workers, ""};
	snprintf(context->measure, sizeof(context->measure), "%s/%u", which->name, workers);
	*c = filchi_search_bench_pattern;
	c->subject = way;
	c->measure = context->measure;
	c->context = context;
}

static int fill(struct filchi_bench_suite *s)
{
	struct filchi_search_bench *own = s->own;
	const struct filchi_search_options *o = &own->options;
	size_t count = filchi_search_count(o);
	int err;

	own->contexts = calloc(count ? count : 1, sizeof(*own->contexts));
	if (!own->contexts)
		return -ENOMEM;
	err = filchi_bench_suite_alloc(s, o->way_count ? o->way_count : 1, count ? count : 1);
	if (err)
		return err;
	for (size_t c = 0; c < o->case_count; c++)
		for (size_t w = 0; w < o->way_count; w++)
			for (size_t n = 0; n < o->workers_count; n++)
				if (is_measured(o->cases[c], o->ways[w], o->workers[n]))
					add_case(s, o->cases[c], o->ways[w], o->workers[n]);
	for (size_t w = 0; w < o->way_count; w++)
		s->subjects[s->subject_count++] = o->ways[w];
	return 0;
}

static void free_own(struct filchi_bench_suite *s)
{
	struct filchi_search_bench *own = s->own;

	if (own)
		free(own->contexts);
	free(own);
}

int filchi_search_bench_init(struct filchi_bench_suite *s, const struct filchi_bench_options *options,
			     const struct filchi_search_options *search)
{
	struct filchi_search_bench *own = calloc(1, sizeof(*own));
	int err;

	*s = (struct filchi_bench_suite){
		.name = "search",
		.options = *options,
		.own = own,
		.table = filchi_search_bench_table,
		.json_options = filchi_search_bench_json_options,
		.free_own = free_own,
	};
	if (!own)
		return -ENOMEM;
	own->options = *search;
	err = fill(s);
	if (err)
		filchi_bench_suite_free(s);
	return err;
}
