/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What both sorts are made of: serial sorting, partitioning and merging of elements of any size. sort_serial.c has it
 * compiled for the usual sizes, where moving an element is a move of a register or two, and once for all others.
 */
#ifndef FILCHI_ALGO_SORT_H
#define FILCHI_ALGO_SORT_H

#include <filch/algo.h>

#include <stdbool.h>

struct filchi_kernel;

struct filchi_sort {
	size_t size; /* of an element */
	filch_compare_fn *compare;
	void *arg;
	const struct filchi_kernel *kernel;
};

/* Which elements go to the left: those before the pivot, or those not after it. */
enum filchi_side { FILCHI_BEFORE, FILCHI_NOT_AFTER };

struct filchi_kernel {
	/* Sorts; limit: so many bad cuts and it is heap sort; first: nothing is to the left of a. */
	void (*sort)(const struct filchi_sort *s, char *a, size_t n, unsigned limit, bool first);
	/* Those of the side come first, and so many they are. */
	size_t (*partition)(const struct filchi_sort *s, char *a, size_t n, const char *pivot, enum filchi_side side,
			    bool *moved);
	void (*heap_sort)(const struct filchi_sort *s, char *a, size_t n);
	/* Sorts if few moves will do, else leaves it in any order and says no. */
	bool (*touch_up)(const struct filchi_sort *s, char *a, size_t n);
	void (*swap_many)(const struct filchi_sort *s, char *a, char *b, size_t n);
	/* Stable, from a to b or, if !there, back to a; the other one is for scratch. */
	void (*sort_stable)(const struct filchi_sort *s, char *a, char *b, size_t n, bool there);
	void (*merge)(const struct filchi_sort *s, const char *a, size_t an, const char *b, size_t bn, char *out);
};

/* Fewer than this are not worth a cut. */
#define FILCHI_SORT_SMALL 32u
/* A cut with less than this part on one side is a bad one. */
#define FILCHI_SORT_BAD 8u

static inline int filchi_sort_compare(const struct filchi_sort *s, const char *a, const char *b)
{
	return s->compare(a, b, s->arg);
}

/* The kernel for that size. */
const struct filchi_kernel *filchi_sort_kernel(size_t size);

/* Moves a good pivot to the front. */
void filchi_sort_pivot(const struct filchi_sort *s, char *a, size_t n);
/* Breaks up patterns that make bad cuts. */
void filchi_sort_shuffle(const struct filchi_sort *s, char *a, size_t n);

/*
 * After a cut, with the pivot in its place and `left` elements before it. True: all is sorted. Else there is more to
 * do, and limit may be lower.
 */
bool filchi_sort_finished(const struct filchi_sort *s, char *a, size_t n, size_t left, bool moved, unsigned *limit);

/* The number of bits of n: so many bad cuts are allowed. */
static inline unsigned filchi_sort_limit(size_t n)
{
	return n ? 64 - (unsigned)__builtin_clzll(n) : 0;
}

/* 0 or -EINVAL; then s is complete. */
int filchi_sort_begin(struct filchi_sort *s, const char *function, void *base, size_t count);

#endif
