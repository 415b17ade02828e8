/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The order in which dominance looks at the nodes of a row, if all states have the same key and one coordinate: from the
 * largest coordinate down. Then a node comes after all nodes of the row that dominate it, and new points go to the end of
 * the list of points.
 */
#include "table.h"

#define FEW 48u /* nodes */
#define DIGIT 11u
#define DIGITS (1u << DIGIT)

static inline uint64_t *keys_of(const struct filchi_dd_work *w)
{
	return (uint64_t *)(void *)w->keys.data;
}

/* Keys rise as coordinates fall. Their lowest bits are the numbers of the nodes. Returns the number of bits in use. */
static unsigned make_keys(struct filchi_dd_work *w, const struct filchi_dd_row *r, unsigned bits)
{
	const struct filch_dd_problem *p = &w->model->p;
	int64_t *coordinate = filchi_dd_words(&w->keys), low = INT64_MAX, high = INT64_MIN;
	unsigned shift = 0, used = bits;
	uint64_t range;

	for (uint32_t i = 0; i < r->count; i++) {
		coordinate[i] = 0;
		(void)p->dominance(&w->layer, filchi_dd_state(w, r->node + i), w->key.data, &coordinate[i]);
		low = coordinate[i] < low ? coordinate[i] : low;
		high = coordinate[i] > high ? coordinate[i] : high;
	}
	for (range = (uint64_t)high - (uint64_t)low; range >> shift >> (64 - bits);)
		shift++;
	for (uint32_t i = 0; i < r->count; i++)
		keys_of(w)[i] = ((uint64_t)high - (uint64_t)coordinate[i]) >> shift << bits | i;
	for (range >>= shift; range; range >>= 1)
		used++;
	return used;
}

/* One pass of a radix sort. */
static void sort_digit(const uint64_t *from, uint64_t *to, size_t count, unsigned shift)
{
	uint32_t place[DIGITS] = {0}, sum = 0;

	for (size_t i = 0; i < count; i++)
		place[from[i] >> shift & (DIGITS - 1)]++;
	for (size_t d = 0; d < DIGITS; d++) {
		uint32_t here = place[d];

		place[d] = sum;
		sum += here;
	}
	for (size_t i = 0; i < count; i++)
		to[place[from[i] >> shift & (DIGITS - 1)]++] = from[i];
}

static void sort_few(uint64_t *keys, size_t count)
{
	for (size_t i = 1; i < count; i++) {
		uint64_t key = keys[i];
		size_t j = i;

		for (; j && keys[j - 1] > key; j--)
			keys[j] = keys[j - 1];
		keys[j] = key;
	}
}

int filchi_dd_order(struct filchi_dd_work *w, const struct filchi_dd_row *r, uint32_t *order)
{
	unsigned bits = 32 - (unsigned)__builtin_clz(r->count | 1), used;
	uint64_t *from, *to;

	if (filchi_dd_need(w->memory, &w->keys, 2 * (size_t)r->count, sizeof(uint64_t)))
		return -ENOMEM;
	used = make_keys(w, r, bits);
	from = keys_of(w);
	to = from + r->count;
	if (r->count <= FEW)
		sort_few(from, r->count);
	for (unsigned shift = bits; r->count > FEW && shift < used; shift += DIGIT) { /* the numbers are in order from the start */
		uint64_t *swap = from;

		sort_digit(from, to, r->count, shift);
		from = to;
		to = swap;
	}
	for (uint32_t i = 0; i < r->count; i++)
		order[i] = (uint32_t)(from[i] & (((uint64_t)1 << bits) - 1));
	return 0;
}
