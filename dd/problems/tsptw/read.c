/* SPDX-License-Identifier: Apache-2.0 */
#include "tsptw.h"

#include <stdlib.h>

static bool read_time(struct filchi_text *t, const char *name, int64_t *out)
{
	return filchi_text_wrap(t, '#', name) &&
	       filchi_text_decimal(t, name, FILCHI_TSPTW_DECIMALS, 0, FILCHI_TSPTW_TIME_MAX, out);
}

static bool read_tables(struct filchi_text *t, struct filchi_tsptw *m)
{
	for (size_t i = 0; i < m->places * m->places; i++)
		if (!read_time(t, "a distance", &m->distance[i]))
			return false;
	for (size_t i = 0; i < m->places; i++) {
		if (!read_time(t, "the start of a window", &m->earliest[i]) ||
		    !read_time(t, "the end of a window", &m->latest[i]))
			return false;
		if (m->earliest[i] > m->latest[i])
			return filchi_text_fail(t, "the window of place %zu ends before it starts", i);
	}
	if (!filchi_text_line_end(t))
		return false;
	if (filchi_text_next_line(t, '#'))
		return filchi_text_fail(t, "the file goes on after the last window");
	return t->cut ? filchi_text_ended(t, "%s", "") : true;
}

void *filchi_tsptw_read(struct filchi_text *t)
{
	struct filchi_tsptw *m = filchi_text_alloc(t, 1, sizeof(*m));

	if (!m)
		return NULL;
	filchi_text_wrap(t, '#', "the number of places");
	filchi_text_size(t, "the number of places", 2, FILCHI_TSPTW_PLACES_MAX, &m->places);
	m->distance = filchi_text_alloc(t, m->places * m->places, sizeof(*m->distance));
	m->earliest = filchi_text_alloc(t, m->places, sizeof(*m->earliest));
	m->latest = filchi_text_alloc(t, m->places, sizeof(*m->latest));
	if (!t->failed && read_tables(t, m))
		return m;
	filchi_tsptw_destroy(m);
	return NULL;
}

void filchi_tsptw_destroy(void *instance)
{
	struct filchi_tsptw *m = instance;

	if (m) {
		free(m->distance);
		free(m->earliest);
		free(m->latest);
	}
	free(m);
}
