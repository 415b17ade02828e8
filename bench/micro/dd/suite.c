/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE

#include "dd.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const unsigned filchi_dd_widths[FILCHI_DD_WIDTHS] = {100, 1000};

bool filchi_dd_there(const struct filchi_dd_options *o)
{
	char path[4200];

	snprintf(path, sizeof(path), "%s/bench-dd", o->folder);
	return !access(path, X_OK);
}

/* The problem of a folder of instances; NULL: filch solve does not know it. */
static const char *problem_of(const char *name, size_t length)
{
	static const char *const known[][2] = {{"knapsack", "knapsack"}, {"misp", "misp"},   {"max2sat", "max2sat"},
					       {"mcp", "maxcut"},	 {"tsptw", "tsptw"}, {"sop", "sop"}};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (strlen(known[i][0]) == length && !memcmp(known[i][0], name, length))
			return known[i][1];
	return NULL;
}

/* A line of optima.csv. Lines that make no sense are left out. */
static void add_line(struct filchi_dd_options *o, const char *folder, char *line)
{
	char *comma = strchr(line, ','), *slash = strchr(line, '/');
	const char *problem = slash ? problem_of(line, (size_t)(slash - line)) : NULL;
	struct filchi_dd_instance *i = &o->instances[o->instance_count];

	if (!comma || !problem || comma < slash || o->instance_count == FILCHI_DD_MAX_INSTANCES)
		return;
	*comma = '\0';
	if (strlen(line) >= sizeof(i->name))
		return;
	memcpy(i->name, line, strlen(line) + 1);
	snprintf(i->source, sizeof(i->source), "%s:%s/%s", problem, folder, line);
	i->optimum = strtod(comma + 1, NULL);
	o->instance_count++;
}

int filchi_dd_add_folder(struct filchi_dd_options *o, const char *folder)
{
	char path[4200], line[512];
	FILE *f;

	snprintf(path, sizeof(path), "%s/optima.csv", folder);
	f = fopen(path, "r");
	if (!f)
		return -errno;
	while (fgets(line, sizeof(line), f))
		add_line(o, folder, line);
	(void)fclose(f);
	return 0;
}

static void add_case(struct filchi_bench_suite *s, const struct filchi_dd_instance *instance, const char *way,
		     unsigned workers, unsigned width)
{
	struct filchi_dd_bench *own = s->own;
	struct filchi_dd_context *context = &own->contexts[s->case_count];
	struct filchi_bench_case *c = &s->cases[s->case_count++];

	*context = (struct filchi_dd_context){&own->options, instance, way, workers, width, ""};
	snprintf(context->measure, sizeof(context->measure), "%s/%u", instance->name, width ? width : workers);
	*c = filchi_dd_bench_pattern;
	c->subject = way;
	c->measure = context->measure;
	c->context = context;
}

/* Nodes are counted in generated instances, which all machines have. */
static bool counts_nodes(const struct filchi_dd_options *o, const struct filchi_dd_instance *i)
{
	return !o->no_nodes && filchi_dd_case_find(i->name, strlen(i->name));
}

static void add_instance(struct filchi_bench_suite *s, const struct filchi_dd_instance *instance)
{
	const struct filchi_dd_options *o = &((struct filchi_dd_bench *)s->own)->options;

	for (size_t w = 0; w < o->workers_count; w++) {
		add_case(s, instance, "solve", o->workers[w], 0);
		if (o->workers[w] > 1)
			add_case(s, instance, "copies", o->workers[w], 0);
	}
	for (size_t w = 0; w < FILCHI_DD_WIDTHS && counts_nodes(o, instance); w++)
		add_case(s, instance, "nodes", 1, filchi_dd_widths[w]);
}

static int fill(struct filchi_bench_suite *s)
{
	static const char *const ways[] = {"solve", "copies", "nodes"};
	struct filchi_dd_bench *own = s->own;
	const struct filchi_dd_options *o = &own->options;
	size_t most = o->instance_count * (2 * o->workers_count + FILCHI_DD_WIDTHS) + 1;
	int err;

	own->contexts = calloc(most, sizeof(*own->contexts));
	if (!own->contexts)
		return -ENOMEM;
	err = filchi_bench_suite_alloc(s, sizeof(ways) / sizeof(ways[0]), most);
	if (err)
		return err;
	for (size_t i = 0; i < o->instance_count; i++)
		add_instance(s, &o->instances[i]);
	for (size_t w = 0; w < sizeof(ways) / sizeof(ways[0]); w++)
		s->subjects[s->subject_count++] = ways[w];
	return 0;
}

static void free_own(struct filchi_bench_suite *s)
{
	struct filchi_dd_bench *own = s->own;

	if (own)
		free(own->contexts);
	free(own);
}

int filchi_dd_bench_init(struct filchi_bench_suite *s, const struct filchi_bench_options *options,
			 const struct filchi_dd_options *dd)
{
	struct filchi_dd_bench *own = calloc(1, sizeof(*own));
	int err;

	*s = (struct filchi_bench_suite){
		.name = "dd",
		.options = *options,
		.own = own,
		.table = filchi_dd_bench_table,
		.json_options = filchi_dd_bench_json_options,
		.free_own = free_own,
	};
	if (!own)
		return -ENOMEM;
	own->options = *dd;
	err = fill(s);
	if (err)
		filchi_bench_suite_free(s);
	return err;
}
