/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Variable k is mark k+1, its label the position. State: the last mark, the first distance, the marks as distances from
 * the last one, and the distances between all marks. Bit d-1 stands for distance d. Merge: intersections and minima.
 *
 * By symmetry the first distance is less than the last one.
 */
#include "../model.h"
#include "../sets.h"
#include "golomb.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The published lengths of optimal rulers. A ruler of n marks is only bounded by the lengths of smaller rulers. */
static const int shortest[FILCHI_GOLOMB_MARKS_MAX + 1] = {0,   0,   1,	 3,   6,   11,	17,  25,  34,  44,  55,	 72, 85,
							  106, 127, 151, 177, 199, 216, 246, 283, 333, 356, 372, 425};

struct model {
	const struct filchi_golomb *g;
	int marks, length; /* length: of a ruler that is known */
	size_t words;
};

struct state {
	int32_t last, first;
	uint64_t sets[]; /* marks, distances */
};

static int64_t root(const struct filch_dd_layer *layer, void *state)
{
	const struct model *m = layer->arg;

	memset(state, 0, sizeof(struct state) + 2 * m->words * sizeof(uint64_t));
	return 0;
}

/* to |= from shifted by n bits: to larger distances, or (down) to smaller ones. */
static void add_up(uint64_t *to, const uint64_t *from, size_t words, size_t n)
{
	size_t whole = n / 64, part = n % 64;

	for (size_t w = whole; w < words; w++) {
		to[w] |= from[w - whole] << part;
		if (part && w > whole)
			to[w] |= from[w - whole - 1] >> (64 - part);
	}
}

static void add_down(uint64_t *to, const uint64_t *from, size_t words, size_t n)
{
	size_t whole = n / 64, part = n % 64;

	for (size_t w = 0; w + whole < words; w++) {
		to[w] |= from[w + whole] >> part;
		if (part && w + whole + 1 < words)
			to[w] |= from[w + whole + 1] << (64 - part);
	}
}

/* The distances from the last mark that would repeat a distance to some mark. */
static void find_forbidden(const struct model *m, const struct state *s, uint64_t *forbidden)
{
	const uint64_t *distances = s->sets + m->words;

	memcpy(forbidden, distances, m->words * sizeof(*forbidden));
	FILCHI_SET_EACH(i, s->sets, m->words)
	add_down(forbidden, distances, m->words, i + 1);
}

static void place(const struct filch_dd_layer *layer, const struct state *s, int distance, bool last,
		  struct filch_dd_children *children)
{
	const struct model *m = layer->arg;
	struct state *child = filch_dd_child(children, s->last + distance, distance);

	memset(child, 0, sizeof(*child) + 2 * m->words * sizeof(uint64_t));
	if (last) /* all ends are equal */
		return;
	child->last = s->last + distance;
	child->first = layer->depth ? s->first : distance;
	add_up(child->sets, s->sets, m->words, (size_t)distance);
	filchi_set_add(child->sets, (size_t)distance - 1);
	for (size_t w = 0; w < m->words; w++)
		child->sets[m->words + w] = s->sets[m->words + w] | child->sets[w];
}

static void expand(const struct filch_dd_layer *layer, const void *state, struct filch_dd_children *children)
{
	const struct model *m = layer->arg;
	const struct state *s = state;
	uint64_t forbidden[FILCHI_GOLOMB_WORDS_MAX];
	int left = m->marks - 2 - layer->depth; /* marks after the next one */
	int most = m->length - s->last - shortest[left + 1];
	bool last = left == 0 && m->marks > 2;

	find_forbidden(m, s, forbidden);
	for (int distance = last ? s->first + 1 : 1; distance <= most; distance++)
		if (!filchi_set_has(forbidden, (size_t)distance - 1))
			place(layer, s, distance, left == 0, children);
}

static void merge(const struct filch_dd_layer *layer, void *into, const void *state)
{
	const struct model *m = layer->arg;
	const struct state *from = state;
	struct state *s = into;

	s->last = from->last < s->last ? from->last : s->last;
	s->first = from->first < s->first ? from->first : s->first;
	for (size_t w = 0; w < 2 * m->words; w++)
		s->sets[w] &= from->sets[w];
}

/* A merged node has the smallest last mark, which is the value. */
static int64_t merge_cost(const struct filch_dd_layer *layer, const void *state, const void *merged)
{
	(void)layer;
	return ((const struct state *)merged)->last - ((const struct state *)state)->last;
}

/*
 * left distances between neighbours are missing, with sum t. They are different and new, and so are the left-1 sums of
 * two neighbours, and the left-2 sums of three. All these add up to at most t, 3t and 6t less the distances at the ends,
 * which are counted less often. They are at least the smallest new distances.
 */
static int64_t sum_bound(const uint64_t *used, size_t words, int left)
{
	int64_t sum = 0, ends = 0, best = 0, first[3] = {0, 0, 0};
	int count = 0, counts[3] = {left, left > 1 ? 2 * left - 1 : 0, left > 2 ? 3 * left - 3 : 0};

	for (int distance = 1; count < (counts[2] > counts[1] ? counts[2] : counts[1] > left ? counts[1] : left); distance++) {
		if ((size_t)distance <= 64 * words && filchi_set_has(used, (size_t)distance - 1))
			continue;
		if (count < 3)
			first[count] = distance;
		sum += distance;
		count++;
		ends = first[0] + first[1];
		if (count == counts[0] && sum > best)
			best = sum;
		if (count == counts[1] && (sum + ends + 2) / 3 > best)
			best = (sum + ends + 2) / 3;
		if (count == counts[2] && (sum + 3 * ends + 2 * first[2] + 5) / 6 > best)
			best = (sum + 3 * ends + 2 * first[2] + 5) / 6;
	}
	return best;
}

static int64_t bound(const struct filch_dd_layer *layer, const void *state, int64_t limit)
{
	const struct model *m = layer->arg;
	const struct state *s = state;
	int left = m->marks - 1 - layer->depth;
	int64_t table = layer->depth ? shortest[left + 1] : 0, sum;

	if (left == 0 || table >= limit)
		return table;
	sum = sum_bound(s->sets + m->words, m->words, left);
	return sum > table ? sum : table;
}

static size_t width(int depth, void *arg)
{
	(void)depth;
	(void)arg;
	return 10;
}

static int check(const int32_t *labels, int64_t *value, void *arg)
{
	const struct model *m = arg;
	struct filchi_check_error error;

	return filchi_golomb_check(m->g, labels, m->g->marks - 1, value, &error);
}

static int describe(const void *state, char *text, size_t size, void *arg)
{
	(void)arg;
	return snprintf(text, size, "%d", ((const struct state *)state)->last);
}

/* The length of the ruler that takes the smallest possible mark each time: no optimal ruler is longer. */
static int greedy(int marks)
{
	bool used[FILCHI_GOLOMB_WORDS_MAX * 64] = {false};
	int mark[FILCHI_GOLOMB_MARKS_MAX] = {0};

	for (int count = 1, next = 1; count < marks; next++) {
		bool fits = true;

		for (int i = 0; i < count; i++)
			fits &= !used[next - mark[i]];
		for (int i = 0; fits && i < count; i++)
			used[next - mark[i]] = true;
		if (fits)
			mark[count++] = next;
	}
	return mark[marks - 1];
}

int filchi_golomb_model_make(struct filch_dd_problem *p, const void *instance)
{
	struct model *m = calloc(1, sizeof(*m));

	*p = (struct filch_dd_problem){.struct_size = sizeof(*p),
				       .arg = m,
				       .root = root,
				       .expand = expand,
				       .merge = merge,
				       .merge_cost = merge_cost,
				       .bound = bound,
				       .width = width,
				       .check = check,
				       .describe = describe,
				       .goal = FILCH_SEARCH_MINIMISE};
	if (!m)
		return -ENOMEM;
	m->g = instance;
	m->marks = (int)m->g->marks;
	m->length = greedy(m->marks);
	m->words = filchi_set_words((size_t)m->length);
	p->state_size = sizeof(struct state) + 2 * m->words * sizeof(uint64_t);
	p->children_max = (unsigned)m->length;
	p->variables = m->marks - 1;
	p->fingerprint = filchi_model_fingerprint(0, &m->marks, sizeof(m->marks));
	return 0;
}

void filchi_golomb_model_destroy(struct filch_dd_problem *p)
{
	free(p->arg);
	p->arg = NULL;
}
