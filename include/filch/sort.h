/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A sort for a type of your own, with an inlined comparison:
 *
 *	struct edge { double weight; int from, to; };
 *	#define LIGHTER(a, b) ((a).weight < (b).weight)
 *	FILCH_SORT_DEFINE(sort_edges, struct edge, LIGHTER);
 *
 *	err = sort_edges(NULL, edges, count);
 *
 * FILCH_SORT_DEFINE(name, type, LESS), with a semicolon after it, defines a function
 *
 *	static inline int name(struct filch_pool *pool, type *base, size_t count)
 *
 * It sorts as filch_sort does: in place, parallel, not stable. Its errors are those of filch_sort. LESS(a, b) is a
 * macro or function of two values of the type. It must be true if a comes before b, and false if they are equal. A LESS
 * without branches is faster. Several threads evaluate LESS at once.
 *
 * For numbers, and for structs with a number as their key, filch_sort_keys is faster still.
 */
#ifndef FILCH_SORT_H
#define FILCH_SORT_H

#include "algo.h"
#include "detail/sort.h"

#define FILCH_SORT_DEFINE(name, type, LESS)                                                                            \
	FILCHI_SORT_INLINE bool name##_filch_less_(const struct filchi_sort *filchi_s, const char *filchi_a,           \
						   const char *filchi_b)                                               \
	{                                                                                                              \
		type filchi_x, filchi_y;                                                                               \
                                                                                                                       \
		(void)filchi_s;                                                                                        \
		memcpy(&filchi_x, filchi_a, sizeof(filchi_x));                                                         \
		memcpy(&filchi_y, filchi_b, sizeof(filchi_y));                                                         \
		return LESS(filchi_x, filchi_y);                                                                       \
	}                                                                                                              \
	FILCHI_SORT_KERNEL(name##_filch_, sizeof(type), name##_filch_less_);                                           \
	__attribute__((unused)) static inline int name(struct filch_pool *pool, type *base, size_t count)              \
	{                                                                                                              \
		struct filchi_sort filchi_s = {sizeof(type), &name##_filch_, FILCHI_NULL, FILCHI_NULL};                \
                                                                                                                       \
		return filch_sort_with_(pool, base, count, &filchi_s);                                                 \
	}                                                                                                              \
	struct filchi_sort /* for the semicolon */

#endif
