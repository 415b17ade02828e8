/* SPDX-License-Identifier: Apache-2.0 */
#include "misp.h"

#include <stdlib.h>

static bool read_header(struct filchi_text *t, struct filchi_misp *m)
{
	struct filchi_text_word word;

	if (!filchi_text_next_line(t, 'c'))
		return filchi_text_ended(t, "the file ends before the line 'p edge VERTICES EDGES'");
	if (!filchi_text_word(t, &word) || !filchi_text_is(&word, "p") || !filchi_text_word(t, &word) ||
	    !(filchi_text_is(&word, "edge") || filchi_text_is(&word, "col")))
		return filchi_text_fail(t, "the first line must be 'p edge VERTICES EDGES'");
	if (!filchi_text_size(t, "the number of vertices", 1, FILCHI_MISP_VERTICES_MAX, &m->vertices) ||
	    !filchi_text_size(t, "the number of edges", 0, m->vertices * (m->vertices - 1) / 2, &m->edges))
		return false;
	m->words = (m->vertices + 63) / 64;
	m->adjacent = filchi_text_alloc(t, m->vertices * m->words, sizeof(*m->adjacent));
	m->weight = filchi_text_alloc(t, m->vertices, sizeof(*m->weight));
	return filchi_text_line_end(t);
}

static bool read_edge(struct filchi_text *t, struct filchi_misp *m, size_t *edges)
{
	size_t u, v;

	if (!filchi_text_size(t, "the vertex", 1, m->vertices, &u) ||
	    !filchi_text_size(t, "the second vertex", 1, m->vertices, &v) || !filchi_text_line_end(t))
		return false;
	if (u == v)
		return filchi_text_fail(t, "the edge joins vertex %zu to itself", u);
	if (filchi_bit_test(filchi_misp_row(m, u - 1), v - 1))
		return filchi_text_fail(t, "the edge %zu %zu comes twice", u, v);
	if (++*edges > m->edges)
		return filchi_text_fail(t, "there are more than the %zu edges of the line 'p'", m->edges);
	filchi_bit_set(m->adjacent + (u - 1) * m->words, v - 1);
	filchi_bit_set(m->adjacent + (v - 1) * m->words, u - 1);
	return true;
}

/* A weight of -1 marks a vertex without its line, until the end. */
static bool read_weight(struct filchi_text *t, struct filchi_misp *m)
{
	int64_t weight;
	size_t v;

	if (!filchi_text_size(t, "the vertex", 1, m->vertices, &v) ||
	    !filchi_text_integer(t, "the weight", 0, FILCHI_TEXT_SUM_MAX, &weight) || !filchi_text_line_end(t))
		return false;
	if (m->weight[v - 1] >= 0)
		return filchi_text_fail(t, "the weight of vertex %zu comes twice", v);
	m->weight[v - 1] = weight;
	return true;
}

static bool read_lines(struct filchi_text *t, struct filchi_misp *m)
{
	struct filchi_text_word word;
	size_t edges = 0;
	int64_t sum = 0;

	for (size_t v = 0; v < m->vertices; v++)
		m->weight[v] = -1;
	while (filchi_text_next_line(t, 'c') && filchi_text_word(t, &word)) {
		bool edge = filchi_text_is(&word, "e");

		if (!edge && !filchi_text_is(&word, "n"))
			return filchi_text_fail(t, "a line must begin with e, n or c");
		if (!(edge ? read_edge(t, m, &edges) : read_weight(t, m)))
			return false;
	}
	if (edges < m->edges || t->cut)
		return filchi_text_ended(t, "the file ends after %zu of %zu edges", edges, m->edges);
	for (size_t v = 0; v < m->vertices; v++) {
		m->weight[v] = m->weight[v] < 0 ? 1 : m->weight[v];
		filchi_text_sum(t, "weights", &sum, m->weight[v]);
	}
	return !t->failed;
}

void *filchi_misp_read(struct filchi_text *t)
{
	struct filchi_misp *m = filchi_text_alloc(t, 1, sizeof(*m));

	if (m && read_header(t, m) && read_lines(t, m))
		return m;
	filchi_misp_destroy(m);
	return NULL;
}

void filchi_misp_destroy(void *instance)
{
	struct filchi_misp *m = instance;

	if (m) {
		free(m->adjacent);
		free(m->weight);
	}
	free(m);
}
