/* SPDX-License-Identifier: Apache-2.0 */
#include "sop.h"

#include <stdlib.h>
#include <string.h>

/* "KEY: VALUE", "KEY : VALUE" and "KEY:VALUE" are the same. */
static bool is_key(const struct filchi_text_word *word, const char *key)
{
	size_t size = strlen(key);

	return word->size >= size && !memcmp(word->at, key, size) && (word->size == size || word->at[size] == ':');
}

static void skip_words(struct filchi_text *t)
{
	struct filchi_text_word word;

	while (filchi_text_word(t, &word))
		;
}

/* The value after a key. The colon may stand alone, or have no blank after it. */
static bool read_dimension(struct filchi_text *t, const struct filchi_text_word *key, size_t *out)
{
	const char *colon = memchr(key->at, ':', key->size);
	struct filchi_text_word word;

	if (colon)
		t->at = colon + 1;
	else if (filchi_text_word(t, &word) && word.at[0] == ':')
		t->at = word.at + 1;
	else
		return filchi_text_fail(t, "there must be a colon after DIMENSION");
	return filchi_text_size(t, "the DIMENSION", 2, FILCHI_SOP_JOBS_MAX, out) && filchi_text_line_end(t);
}

/* Up to EDGE_WEIGHT_SECTION. */
static bool read_keys(struct filchi_text *t, size_t *dimension)
{
	struct filchi_text_word word;

	while (filchi_text_next_line(t, 0) && filchi_text_word(t, &word)) {
		if (is_key(&word, "EDGE_WEIGHT_SECTION"))
			return filchi_text_line_end(t);
		if (is_key(&word, "DIMENSION") && !read_dimension(t, &word, dimension))
			return false;
		skip_words(t);
	}
	return filchi_text_ended(t, "the file ends before EDGE_WEIGHT_SECTION");
}

static bool read_costs(struct filchi_text *t, struct filchi_sop *m)
{
	struct filchi_text_word word;

	for (size_t i = 0; i < m->jobs * m->jobs; i++)
		if (!filchi_text_wrap(t, 0, "the last of the costs") ||
		    !filchi_text_integer(t, "the cost", FILCHI_SOP_BEFORE, FILCHI_SOP_COST_MAX, &m->cost[i]))
			return false;
	if (!filchi_text_line_end(t))
		return false;
	if (filchi_text_next_line(t, 0) && filchi_text_word(t, &word) && !filchi_text_is(&word, "EOF"))
		return filchi_text_fail(t, "the file goes on after the costs, without EOF");
	return !t->failed;
}

void *filchi_sop_read(struct filchi_text *t)
{
	struct filchi_sop *m = filchi_text_alloc(t, 1, sizeof(*m));
	size_t dimension = 0;

	if (!m)
		return NULL;
	if (read_keys(t, &dimension) && filchi_text_wrap(t, 0, "the number of jobs"))
		filchi_text_size(t, "the number of jobs", 2, FILCHI_SOP_JOBS_MAX, &m->jobs);
	if (!t->failed && dimension && dimension != m->jobs)
		filchi_text_fail(t, "the number of jobs is %zu, but the DIMENSION is %zu", m->jobs, dimension);
	m->cost = filchi_text_alloc(t, m->jobs * m->jobs, sizeof(*m->cost));
	if (!t->failed && read_costs(t, m))
		return m;
	filchi_sop_destroy(m);
	return NULL;
}

void filchi_sop_destroy(void *instance)
{
	struct filchi_sop *m = instance;

	if (m)
		free(m->cost);
	free(m);
}
