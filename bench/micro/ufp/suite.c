/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE

#include "../../harness/child.h"
#include "ufp.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define INSTANCE_MAX (1u << 22) /* bytes of a generated instance */

/* Options of filch gen ufp. */
static const struct {
	const char *name, *nodes, *arcs, *scenarios, *seed;
} generated[] = {
	{"one-28", "28", "84", "1", "11"},	{"one-36", "36", "110", "1", "4"},
	{"fifty-14", "14", "32", "50", "1"},	{"fifty-16", "16", "38", "50", "2"},
	{"hundred-16", "16", "36", "100", "3"}, {"many-12", "12", "24", "200", "4"},
};

const char *filchi_ufp_bench_case(unsigned n)
{
	return n < sizeof(generated) / sizeof(generated[0]) ? generated[n].name : NULL;
}

static int run_filch(char *const *argv, struct filchi_child_stream *out)
{
	struct filchi_child child = {.argv = argv, .environment = environ, .out = out};
	struct filchi_child_result r = {0};
	int err = filchi_child_run(&child, &r);

	return err ? err : r.status ? -EIO : 0;
}

static int generate(const struct filchi_ufp_bench *b, struct filchi_ufp_bench_instance *i, size_t n)
{
	char *text = malloc(INSTANCE_MAX);
	struct filchi_child_stream out = {.text = text, .size = INSTANCE_MAX};
	char *argv[] = {(char *)b->options.program,
			"gen",
			"ufp",
			"--size",
			(char *)generated[n].nodes,
			"--arcs",
			(char *)generated[n].arcs,
			"--scenarios",
			(char *)generated[n].scenarios,
			"--seed",
			(char *)generated[n].seed,
			NULL};
	int err = text ? run_filch(argv, &out) : -ENOMEM;
	FILE *f;

	snprintf(i->file, sizeof(i->file), "%s/%s.ufp", b->folder, i->name);
	f = err ? NULL : fopen(i->file, "w");
	if (!err && !f)
		err = -errno;
	if (f) {
		if (fwrite(text, 1, out.length, f) != out.length)
			err = -EIO;
		if (fclose(f))
			err = -EIO;
	}
	free(text);
	return err;
}

/* The number of scenarios: the last number of the line p. */
static double scenarios_of(const char *path)
{
	FILE *f = fopen(path, "r");
	char line[256];
	double scenarios = NAN;

	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "p ufp %*s %*s %*s %lf", &scenarios) == 1)
			break;
	if (f)
		fclose(f);
	return scenarios;
}

int filchi_ufp_bench_prepare(const struct filchi_ufp_bench *b, struct filchi_ufp_bench_instance *i)
{
	char *argv[] = {(char *)b->options.program, "solve", "ufp", i->file, "--extensive", i->program, NULL};
	int err = 0;
	size_t n = 0;

	while (n < sizeof(generated) / sizeof(generated[0]) && strcmp(generated[n].name, i->name) != 0)
		n++;
	if (n < sizeof(generated) / sizeof(generated[0]))
		err = generate(b, i, n);
	else
		snprintf(i->file, sizeof(i->file), "%s", i->name);
	snprintf(i->program, sizeof(i->program), "%s/%zu.lp", b->folder, (size_t)(i - b->instances));
	i->objective = NAN;
	i->scenarios = err ? NAN : scenarios_of(i->file);
	return err ? err : run_filch(argv, NULL);
}

static int fill(struct filchi_bench_suite *s)
{
	struct filchi_ufp_bench *b = s->own;
	const struct filchi_ufp_bench_options *o = &b->options;
	int err = filchi_bench_suite_alloc(s, o->way_count + 1, o->way_count * o->case_count + 1);

	b->instances = calloc(o->case_count + 1, sizeof(*b->instances));
	b->contexts = calloc(o->case_count * o->way_count + 1, sizeof(*b->contexts));
	snprintf(b->folder, sizeof(b->folder), "/tmp/filch-ufp.XXXXXX");
	if (!b->instances || !b->contexts)
		err = -ENOMEM;
	if (!err && !mkdtemp(b->folder)) {
		err = -errno;
		b->folder[0] = '\0';
	}
	for (size_t i = 0; !err && i < o->case_count; i++) {
		b->instances[i].name = o->cases[i];
		err = filchi_ufp_bench_prepare(b, &b->instances[i]);
		for (size_t w = 0; !err && w < o->way_count; w++) {
			struct filchi_ufp_bench_context *c = &b->contexts[s->case_count];
			struct filchi_bench_case *bench = &s->cases[s->case_count++];

			*c = (struct filchi_ufp_bench_context){&b->instances[i], o, o->ways[w], b->folder};
			*bench = filchi_ufp_bench_pattern;
			bench->subject = o->ways[w];
			bench->measure = o->cases[i];
			bench->context = c;
		}
	}
	for (size_t w = 0; !err && w < o->way_count; w++)
		s->subjects[s->subject_count++] = o->ways[w];
	return err;
}

static void free_own(struct filchi_bench_suite *s)
{
	struct filchi_ufp_bench *b = s->own;
	char path[4300];

	for (size_t i = 0; b && b->folder[0] && b->instances && i < b->options.case_count; i++) {
		unlink(b->instances[i].program);
		if (!strncmp(b->instances[i].file, b->folder, strlen(b->folder)))
			unlink(b->instances[i].file);
	}
	if (b && b->folder[0]) {
		snprintf(path, sizeof(path), "%s/solution", b->folder);
		unlink(path);
		rmdir(b->folder);
	}
	if (b) {
		free(b->instances);
		free(b->contexts);
	}
	free(b);
}

static void json_options(const struct filchi_bench_suite *s, struct filchi_json *j)
{
	const struct filchi_ufp_bench *b = s->own;

	filchi_json_number(j, "limit", b->options.limit);
	filchi_json_open(j, "cases", '[');
	for (size_t i = 0; i < b->options.case_count; i++)
		filchi_json_string(j, NULL, b->options.cases[i]);
	filchi_json_close(j, ']');
}

int filchi_ufp_bench_init(struct filchi_bench_suite *s, const struct filchi_bench_options *options,
			  const struct filchi_ufp_bench_options *ufp)
{
	struct filchi_ufp_bench *b = calloc(1, sizeof(*b));
	int err;

	*s = (struct filchi_bench_suite){
		.name = "ufp",
		.options = *options,
		.own = b,
		.table = filchi_ufp_bench_table,
		.json_options = json_options,
		.free_own = free_own,
	};
	if (!b)
		return -ENOMEM;
	b->options = *ufp;
	err = fill(s);
	if (err)
		filchi_bench_suite_free(s);
	return err;
}
