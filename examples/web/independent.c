/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A page for the browser: the largest set of vertices of a graph without an edge between them, its decision diagrams,
 * and the solver. page.html calls web_graph(), web_diagram() and web_solve(). docs/ports.md says how to build the page.
 * The same program runs in a terminal: independent [SEED [VERTICES [PERCENT]]].
 */
#include <filch.h>
#include <filch/dd.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 60

const char *web_graph(unsigned seed, int vertices, int percent);
const char *web_diagram(int kind, int width);
const char *web_solve(int width);

static struct {
	int vertices;
	uint64_t near[MOST]; /* the neighbours of each vertex */
} graph;

/* ---- the problem: a state is the set of vertices that may still join ---- */

static int64_t root(const struct filch_dd_layer *layer, void *state)
{
	(void)layer;
	*(uint64_t *)state = (UINT64_C(1) << graph.vertices) - 1;
	return 0;
}

static void expand(const struct filch_dd_layer *layer, const void *state, struct filch_dd_children *children)
{
	uint64_t left = *(const uint64_t *)state, own = UINT64_C(1) << layer->variable;

	*(uint64_t *)filch_dd_child(children, 0, 0) = left & ~own;
	if (left & own)
		*(uint64_t *)filch_dd_child(children, 1, 1) = left & ~own & ~graph.near[layer->variable];
}

static void merge(const struct filch_dd_layer *layer, void *into, const void *state)
{
	(void)layer;
	*(uint64_t *)into |= *(const uint64_t *)state;
}

static int64_t bound(const struct filch_dd_layer *layer, const void *state, int64_t limit)
{
	(void)layer;
	(void)limit;
	return __builtin_popcountll(*(const uint64_t *)state);
}

/* The vertices of the state, with the numbers that the page shows. */
static int describe(const void *state, char *text, size_t size, void *arg)
{
	int used = snprintf(text, size, "{");

	(void)arg;
	for (int v = 0; v < graph.vertices && (size_t)used < size; v++)
		if (*(const uint64_t *)state >> v & 1)
			used += snprintf(text + used, size - (size_t)used, used > 1 ? " %d" : "%d", v + 1);
	return (size_t)used < size ? used + snprintf(text + used, size - (size_t)used, "}") : used;
}

static struct filch_dd_problem problem(void)
{
	return (struct filch_dd_problem){.struct_size = sizeof(struct filch_dd_problem),
					 .goal = FILCH_SEARCH_MAXIMISE,
					 .variables = graph.vertices,
					 .state_size = sizeof(uint64_t),
					 .root = root,
					 .expand = expand,
					 .merge = merge,
					 .bound = bound,
					 .describe = describe};
}

/* ---- the page: each function returns text that the next call replaces ---- */

static char *text;

static const char *fail(void)
{
	free(text);
	text = malloc(strlen(filch_error_message()) + 16);
	if (text)
		sprintf(text, "error: %s", filch_error_message());
	return text ? text : "error: no memory";
}

/* Makes a graph: each pair of vertices has an edge with this probability. The edges, as pairs of numbers from 0. */
const char *web_graph(unsigned seed, int vertices, int percent)
{
	static char edges[MOST * MOST * 4];
	uint64_t random = seed;
	size_t used = 0;

	memset(&graph, 0, sizeof(graph));
	graph.vertices = vertices < 1 ? 1 : vertices > MOST ? MOST : vertices;
	edges[0] = '\0';
	for (int a = 0; a < graph.vertices; a++)
		for (int b = 0; b < a; b++) {
			random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
			if ((int)((random >> 33) % 100) >= percent)
				continue;
			graph.near[a] |= UINT64_C(1) << b;
			graph.near[b] |= UINT64_C(1) << a;
			used += (size_t)snprintf(edges + used, sizeof(edges) - used, "%d %d ", a, b);
		}
	return edges;
}

/* The whole file as text. In a browser files are in memory. */
static const char *read_text(const char *path)
{
	FILE *file = fopen(path, "r");
	long size = -1;

	free(text);
	text = NULL;
	if (file && !fseek(file, 0, SEEK_END) && (size = ftell(file)) >= 0 && (text = malloc((size_t)size + 1))) {
		rewind(file);
		text[fread(text, 1, (size_t)size, file)] = '\0';
	}
	if (file)
		fclose(file);
	return text ? text : "error: no picture";
}

/* A picture of a diagram, as SVG. kind: enum filch_dd_kind. */
const char *web_diagram(int kind, int width)
{
	struct filch_dd_compile_options o = {
		.struct_size = sizeof(o), .kind = kind, .width = width < 1 ? 1 : (size_t)width};
	struct filch_dd_problem p = problem();
	struct filch_dd_diagram *diagram;
	const char *path = "independent.svg";
	int err;

	if (filch_dd_compile(&diagram, &p, &o))
		return fail();
	err = filch_dd_diagram_draw(diagram, path, "svg");
	filch_dd_diagram_destroy(diagram);
	if (err)
		return fail();
	return read_text(path);
}

/* Solves. The size of the set, the subproblems, the diagrams, their nodes, and the vertices of the set from 0. */
const char *web_solve(int width)
{
	struct filch_dd_options o = {
		.struct_size = sizeof(o), .width = width < 1 ? 1 : (size_t)width, .cache = 1 << 20};
	struct filch_dd_result r = {.struct_size = sizeof(r)};
	static char answer[64 + 4 * MOST];
	struct filch_dd_problem p = problem();
	struct filch_dd *dd;
	size_t used;

	if (filch_dd_create(&dd, &p, &o))
		return fail();
	if (filch_dd_run(dd, &r) || r.end != FILCH_SEARCH_DONE) {
		filch_dd_destroy(dd);
		return fail();
	}
	used = (size_t)snprintf(answer, sizeof(answer), "%" PRId64 " %" PRIu64 " %" PRIu64 " %" PRIu64, r.best,
				r.explored, r.diagrams, r.nodes);
	for (int v = 0; v < graph.vertices; v++)
		if (r.labels[v])
			used += (size_t)snprintf(answer + used, sizeof(answer) - used, " %d", v);
	filch_dd_destroy(dd);
	return answer;
}

int main(int argc, char **argv)
{
	const char *answer;

	(void)web_graph(argc > 1 ? (unsigned)atoi(argv[1]) : 1, argc > 2 ? atoi(argv[2]) : 40,
			argc > 3 ? atoi(argv[3]) : 20);
	if (filch_start(NULL)) { /* in a browser the pool has no workers */
		fprintf(stderr, "%s\n", filch_error_message());
		return 1;
	}
	answer = web_solve(16);
	puts(answer);
	filch_stop();
	free(text);
	return strncmp(answer, "error", 5) ? 0 : 1;
}
