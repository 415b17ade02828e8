/* SPDX-License-Identifier: Apache-2.0 */
#include "maxcut.h"

#include <stdlib.h>

static bool read_edge(struct filchi_text *t, struct filchi_maxcut *m, uint64_t *seen)
{
	size_t u, v, low, high;
	int64_t weight;

	if (!filchi_text_size(t, "the vertex", 1, m->vertices, &u) ||
	    !filchi_text_size(t, "the second vertex", 1, m->vertices, &v) ||
	    !filchi_text_integer(t, "the weight", -FILCHI_TEXT_SUM_MAX, FILCHI_TEXT_SUM_MAX, &weight) ||
	    !filchi_text_line_end(t))
		return false;
	if (u == v)
		return filchi_text_fail(t, "the edge joins vertex %zu to itself", u);
	low = (u < v ? u : v) - 1;
	high = (u < v ? v : u) - 1;
	if (filchi_bit_test(seen, low * m->vertices + high))
		return filchi_text_fail(t, "the edge %zu %zu comes twice", u, v);
	filchi_bit_set(seen, low * m->vertices + high);
	m->weight[low * m->vertices + high] = weight;
	m->weight[high * m->vertices + low] = weight;
	return filchi_text_sum(t, "absolute weights", &m->sum, weight);
}

static bool read_edges(struct filchi_text *t, struct filchi_maxcut *m)
{
	uint64_t *seen = filchi_text_alloc(t, m->vertices * m->vertices / 64 + 1, sizeof(*seen));
	size_t edges = 0;

	while (seen && filchi_text_next_line(t, 'c')) {
		if (edges == m->edges)
			filchi_text_fail(t, "there are more than the %zu edges of the first line", m->edges);
		else
			edges += read_edge(t, m, seen);
	}
	if (!t->failed && (edges < m->edges || t->cut))
		filchi_text_ended(t, "the file ends after %zu of %zu edges", edges, m->edges);
	free(seen);
	return !t->failed;
}

void *filchi_maxcut_read(struct filchi_text *t)
{
	struct filchi_maxcut *m = filchi_text_alloc(t, 1, sizeof(*m));

	if (!m)
		return NULL;
	filchi_text_next_line(t, 'c');
	if (filchi_text_size(t, "the number of vertices", 1, FILCHI_MAXCUT_VERTICES_MAX, &m->vertices))
		filchi_text_size(t, "the number of edges", 0, m->vertices * (m->vertices - 1) / 2, &m->edges);
	filchi_text_line_end(t);
	m->weight = filchi_text_alloc(t, m->vertices * m->vertices, sizeof(*m->weight));
	if (!t->failed && read_edges(t, m))
		return m;
	filchi_maxcut_destroy(m);
	return NULL;
}

void filchi_maxcut_destroy(void *instance)
{
	struct filchi_maxcut *m = instance;

	if (m)
		free(m->weight);
	free(m);
}
