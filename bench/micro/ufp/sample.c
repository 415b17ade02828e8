/* SPDX-License-Identifier: Apache-2.0 */
/* Runs filch, glpsol or cbc on an instance, and reads what it has found. */
#define _GNU_SOURCE

#include "../../harness/child.h"
#include "ufp.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define OUTPUT 65536

static const struct {
	const char *name;
	const char *options[6]; /* of filch solve; NULL: another program */
} ways[] = {
	{"filch-1", {"--workers", "1"}},
	{"filch-2", {"--workers", "2"}},
	{"no-share", {"--workers", "2", "--no-share"}},
	{"master", {"--workers", "2", "--move", "master"}},
	{"cutset", {"--workers", "1", "--cutset", "frontier"}},
	{"weak-cuts", {"--workers", "1", "--weak-cuts"}},
	{"glpsol", {NULL}},
	{"cbc", {NULL}},
};

const char *filchi_ufp_bench_way(unsigned n)
{
	return n < sizeof(ways) / sizeof(ways[0]) ? ways[n].name : NULL;
}

static bool is_peer(const char *way)
{
	return !strcmp(way, "glpsol") || !strcmp(way, "cbc");
}

bool filchi_ufp_bench_there(const char *way)
{
	char path[4200];
	const char *folder = getenv("PATH");

	if (!is_peer(way))
		return true;
	for (; folder && *folder; folder += strcspn(folder, ":"), folder += *folder == ':') {
		snprintf(path, sizeof(path), "%.*s/%s", (int)strcspn(folder, ":"), folder, way);
		if (!access(path, X_OK))
			return true;
	}
	return false;
}

static const struct filchi_bench_metric metrics[] = {
	{"ns", "ns"},	     {"cpu_ns", "ns"},	 {"objective", ""},	     {"nodes", "nodes"}, {"cuts", "cuts"},
	{"learned", "cuts"}, {"flows", "flows"}, {"diagram_nodes", "nodes"}, {"scenarios", ""},	 {"finished", "share"},
};

/* The number after a text, or NaN. */
static double number_after(const char *text, const char *key)
{
	const char *at = strstr(text, key);

	return at ? strtod(at + strlen(key), NULL) : NAN;
}

/* Arguments of the program of a way; out: the file that a peer writes its solution to. */
static void arguments(const struct filchi_ufp_bench_context *c, char *out, size_t room, const char *argv[16])
{
	size_t count = 0;

	snprintf(out, room, "%s/solution", c->folder);
	if (is_peer(c->way)) {
		const char *glpsol[] = {"glpsol", "--lp", c->instance->program, "-o", out};
		const char *cbc[] = {"cbc", c->instance->program, "solve", "solution", out};

		memcpy(argv, c->way[0] == 'g' ? glpsol : cbc, sizeof(glpsol));
		argv[5] = NULL;
		return;
	}
	argv[count++] = c->options->program;
	argv[count++] = "solve";
	argv[count++] = "ufp";
	argv[count++] = c->instance->file;
	argv[count++] = "--json";
	for (size_t w = 0; w < sizeof(ways) / sizeof(ways[0]); w++)
		for (size_t i = 0; !strcmp(ways[w].name, c->way) && i < 6 && ways[w].options[i]; i++)
			argv[count++] = ways[w].options[i];
	argv[count] = NULL;
}

static void read_file(const char *path, char *text, size_t room)
{
	FILE *f = fopen(path, "r");
	size_t size = f ? fread(text, 1, room - 1, f) : 0;

	text[size] = '\0';
	if (f)
		fclose(f);
}

/* The mean of the scenarios, or NaN if the program has proved none. */
static double objective_of(const struct filchi_ufp_bench_context *c, const char *out, char *text)
{
	if (!is_peer(c->way))
		return strstr(text, "\"status\": \"optimal\"") ? number_after(text, "\"objective\": ") : NAN;
	read_file(out, text, OUTPUT);
	if (!strcmp(c->way, "cbc"))
		return fabs(number_after(text, "Optimal - objective value ")) / c->instance->scenarios;
	return strstr(text, "OPTIMAL") ? number_after(text, "reward = ") / c->instance->scenarios : NAN;
}

static int judge(const struct filchi_ufp_bench_context *c, double found, struct filchi_bench_error *error)
{
	struct filchi_ufp_bench_instance *i = c->instance;

	if (isnan(i->objective))
		i->objective = found;
	if (!isnan(found) && fabs(found - i->objective) > 1e-6 * fabs(found) + 1e-6) {
		snprintf(error->text, sizeof(error->text),
			 "the optimum of %s is %.10g, but another program has found %.10g", i->name, found,
			 i->objective);
		return -EPROTO;
	}
	return 0;
}

static int run(const struct filchi_bench_case *bench, double *values, struct filchi_bench_error *error)
{
	const struct filchi_ufp_bench_context *c = bench->context;
	const char *argv[16];
	char out[4200], *text = calloc(1, OUTPUT);
	struct filchi_child_stream stream = {.text = text, .size = OUTPUT};
	struct filchi_child child = {
		.environment = environ, .out = &stream, .apart = true, .seconds = c->options->limit};
	struct filchi_child_result r = {0};
	double found;
	int err;

	if (!text)
		return -ENOMEM;
	arguments(c, out, sizeof(out), argv);
	unlink(out);
	child.argv = (char *const *)(void *)argv;
	err = filchi_child_run(&child, &r);
	if (err || (r.status && !r.late) || r.signal) {
		snprintf(error->text, sizeof(error->text), "%s does not solve %s", c->way, c->instance->name);
		free(text);
		return err ? err : r.signal ? -EINTR : -EIO;
	}
	for (size_t i = 0; i < bench->metric_count; i++)
		values[i] = NAN;
	filchi_bench_set(bench, values, "nodes", number_after(text, "\"nodes\": "));
	filchi_bench_set(bench, values, "cuts", number_after(text, "\"cuts\": "));
	filchi_bench_set(bench, values, "learned", number_after(text, "\"cuts_learned\": "));
	filchi_bench_set(bench, values, "flows", number_after(text, "\"flows\": "));
	filchi_bench_set(bench, values, "diagram_nodes", number_after(text, "\"dd_nodes\": "));
	found = r.late ? NAN : objective_of(c, out, text);
	filchi_bench_set(bench, values, "ns", r.ns);
	filchi_bench_set(bench, values, "cpu_ns", r.cpu_ns);
	filchi_bench_set(bench, values, "objective", found);
	filchi_bench_set(bench, values, "scenarios", c->instance->scenarios);
	filchi_bench_set(bench, values, "finished", !isnan(found));
	free(text);
	return judge(c, found, error);
}

const struct filchi_bench_case filchi_ufp_bench_pattern = {
	.metrics = metrics,
	.metric_count = sizeof(metrics) / sizeof(metrics[0]),
	.run = run,
};
