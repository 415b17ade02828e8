/* SPDX-License-Identifier: Apache-2.0 */
#include "max2sat.h"

#include <stdlib.h>

static bool read_header(struct filchi_text *t, struct filchi_max2sat *m)
{
	struct filchi_text_word word;

	if (!filchi_text_next_line(t, 'c'))
		return filchi_text_ended(t, "the file ends before the line 'p wcnf VARIABLES CLAUSES'");
	if (!filchi_text_word(t, &word) || !filchi_text_is(&word, "p") || !filchi_text_word(t, &word) ||
	    !filchi_text_is(&word, "wcnf"))
		return filchi_text_fail(t, "the first line must be 'p wcnf VARIABLES CLAUSES'");
	if (!filchi_text_size(t, "the number of variables", 1, FILCHI_MAX2SAT_VARIABLES_MAX, &m->variables) ||
	    !filchi_text_size(t, "the number of clauses", 0, m->variables * (2 * m->variables + 1), &m->clauses))
		return false;
	if (filchi_text_word(t, &word))
		return filchi_text_fail(t, "hard clauses are not supported: 'p' takes two numbers");
	m->weight = filchi_text_alloc(t, 4 * m->variables * m->variables, sizeof(*m->weight));
	return !t->failed;
}

/* The number of a literal, or false. 0 ends the clause: *end. */
static bool read_literal(struct filchi_text *t, const struct filchi_max2sat *m, const char *name, size_t *literal,
			 bool *end)
{
	int64_t n = (int64_t)m->variables, value;

	if (!filchi_text_integer(t, name, -n, n, &value))
		return false;
	*end = value == 0;
	if (!*end)
		*literal = 2 * (size_t)((value < 0 ? -value : value) - 1) + (value > 0);
	return true;
}

static bool add_clause(struct filchi_text *t, struct filchi_max2sat *m, uint64_t *seen, size_t a, size_t b,
		       int64_t weight)
{
	size_t literals = 2 * m->variables;

	if (filchi_bit_test(seen, a * literals + b))
		return filchi_text_fail(t, "the clause comes twice");
	filchi_bit_set(seen, a * literals + b);
	filchi_bit_set(seen, b * literals + a);
	if (a / 2 == b / 2 && a != b) {
		m->always += weight;
	} else {
		m->weight[a * literals + b] = weight;
		m->weight[b * literals + a] = weight;
	}
	return filchi_text_sum(t, "absolute weights", &m->sum, weight);
}

static bool read_clause(struct filchi_text *t, struct filchi_max2sat *m, uint64_t *seen)
{
	size_t a = 0, b = 0, none;
	int64_t weight;
	bool end;

	if (!filchi_text_integer(t, "the weight", -FILCHI_TEXT_SUM_MAX, FILCHI_TEXT_SUM_MAX, &weight) ||
	    !read_literal(t, m, "the literal", &a, &end))
		return false;
	if (end)
		return filchi_text_fail(t, "the clause has no literal");
	if (!read_literal(t, m, "the second literal or 0", &b, &end))
		return false;
	if (end)
		b = a;
	else if (!read_literal(t, m, "the final 0", &none, &end))
		return false;
	if (!end)
		return filchi_text_fail(t, "the clause has more than two literals");
	return filchi_text_line_end(t) && add_clause(t, m, seen, a, b, weight);
}

static bool read_clauses(struct filchi_text *t, struct filchi_max2sat *m)
{
	uint64_t *seen = filchi_text_alloc(t, 4 * m->variables * m->variables / 64 + 1, sizeof(*seen));
	size_t clauses = 0;

	while (seen && filchi_text_next_line(t, 'c')) {
		if (clauses == m->clauses)
			filchi_text_fail(t, "there are more than the %zu clauses of the line 'p'", m->clauses);
		else
			clauses += read_clause(t, m, seen);
	}
	if (!t->failed && (clauses < m->clauses || t->cut))
		filchi_text_ended(t, "the file ends after %zu of %zu clauses", clauses, m->clauses);
	free(seen);
	return !t->failed;
}

void *filchi_max2sat_read(struct filchi_text *t)
{
	struct filchi_max2sat *m = filchi_text_alloc(t, 1, sizeof(*m));

	if (m && read_header(t, m) && read_clauses(t, m))
		return m;
	filchi_max2sat_destroy(m);
	return NULL;
}

void filchi_max2sat_destroy(void *instance)
{
	struct filchi_max2sat *m = instance;

	if (m)
		free(m->weight);
	free(m);
}
