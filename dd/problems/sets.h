/* SPDX-License-Identifier: Apache-2.0 */
/* Sets of small numbers as words of 64 bits, for the states of orders: tours and sequences of jobs. */
#ifndef FILCHI_PROBLEMS_SETS_H
#define FILCHI_PROBLEMS_SETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline size_t filchi_set_words(size_t n)
{
	return (n + 63) / 64;
}

static inline bool filchi_set_has(const uint64_t *set, size_t i)
{
	return set[i / 64] >> (i % 64) & 1;
}

static inline void filchi_set_add(uint64_t *set, size_t i)
{
	set[i / 64] |= (uint64_t)1 << (i % 64);
}

static inline void filchi_set_remove(uint64_t *set, size_t i)
{
	set[i / 64] &= ~((uint64_t)1 << (i % 64));
}

static inline size_t filchi_set_count(const uint64_t *set, size_t words)
{
	size_t count = 0;

	for (size_t w = 0; w < words; w++)
		count += (size_t)__builtin_popcountll(set[w]);
	return count;
}

static inline bool filchi_set_meets(const uint64_t *a, const uint64_t *b, size_t words)
{
	for (size_t w = 0; w < words; w++)
		if (a[w] & b[w])
			return true;
	return false;
}

/*
 * Three sets in a row: numbers that must still come, numbers that may come, and the possible last numbers. A merged state
 * must do what both states must do, and may do what one state may do.
 */
static inline void filchi_sets_merge(uint64_t *into, const uint64_t *from, size_t words)
{
	for (size_t w = 0; w < words; w++) {
		uint64_t all = into[w] | into[words + w] | from[w] | from[words + w];

		into[w] &= from[w];
		into[words + w] = all & ~into[w];
		into[2 * words + w] |= from[2 * words + w];
	}
}

/* For each i in a set: FILCHI_SET_EACH(i, set, words) body. */
#define FILCHI_SET_EACH(i, set, words)                                                                                 \
	for (size_t w_##i = 0; w_##i < (words); w_##i++)                                                               \
		for (uint64_t left_##i = (set)[w_##i], i; left_##i && (i = w_##i * 64 + (size_t)__builtin_ctzll(left_##i), true);       \
		     left_##i &= left_##i - 1)

#endif
