/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The serial parts of both sorts for elements of any size. sort_serial.c compiles them for the usual sizes, where
 * moving an element is a move of registers, and once for all other sizes. include/filch/detail/sort.h has the code.
 */
#ifndef FILCHI_ALGO_SORT_H
#define FILCHI_ALGO_SORT_H

#include <filch/detail/sort.h>

/* The serial part of the stable sort. */
struct filchi_stable_kernel {
	/* Sorts from a to b or, if !there, back to a; the other one is for scratch. */
	void (*sort)(const struct filchi_sort *s, const struct filchi_stable_kernel *k, char *a, char *b, size_t n,
		     bool there);
	void (*merge)(const struct filchi_sort *s, const char *a, size_t an, const char *b, size_t bn, char *out);
};

/* The kernels for that size of an element: comparisons are calls of s->compare. */
const struct filchi_sort_kernel *filchi_sort_kernel(size_t size);
const struct filchi_stable_kernel *filchi_stable_kernel(size_t size);

/* The number of bits of n: so many bad cuts are allowed. */
static inline unsigned filchi_sort_limit(size_t n)
{
	return n ? 64 - (unsigned)__builtin_clzll(n) : 0;
}

/* 0, or -EINVAL with a message. Sets the kernel if there is none. */
int filchi_sort_begin(struct filchi_sort *s, const char *function, void *base, size_t count);

#endif
