/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Radix sort of elements with a number as their key. Both steps are stable, and neither compares elements:
 *
 *   cut    a range is cut into 256 buckets by the highest eight bits in which its keys differ (most significant digit
 *          first). Buckets are ranges of their own, so that workers can sort them at the same time
 *   sort   a range that fits into the cache is sorted from the lowest digit up, but only by as many high bits as tell
 *          most of its elements apart. A last pass then sorts the few elements that are still equal in these bits
 *
 * A range knows its lowest and its highest key. So small numbers take few passes in any type, and the sort does not
 * depend on the distribution of the keys: a bucket with too many elements is cut again, in the bits that are left.
 */
#ifndef FILCHI_ALGO_RADIX_H
#define FILCHI_ALGO_RADIX_H

#include <filch/algo.h>

#include <stdbool.h>

#define FILCHI_RADIX_BUCKETS 256u
#define FILCHI_RADIX_BITS 8u
/* A range of at most so many bytes is sorted within the cache: the second level of most processors has twice that. */
#define FILCHI_RADIX_CACHE ((size_t)256 << 10)

struct filchi_radix_kernel;

/* How to read the key of an element: as an unsigned number that is in the order wanted. */
struct filchi_radix {
	size_t size;   /* of an element */
	size_t offset; /* of the key */
	bool wide;     /* 64 bits, not 32 */
	bool floating;
	uint64_t flip; /* bits that are turned around: the sign of integers, or all */
	uint64_t nan;  /* the key of all that is not a number */
	const struct filchi_radix_kernel *kernel;
};

/*
 * The keys of a range: lowest and highest, first and last, and whether each is not below, or is below, the one before.
 */
struct filchi_radix_view {
	uint64_t min, max;
	uint64_t first, last;
	bool rising, falling;
};

struct filchi_radix_kernel {
	void (*look)(const struct filchi_radix *r, const char *a, size_t n, struct filchi_radix_view *view);
	/* Adds the number of elements of each bucket: by the eight bits from `shift` on of the key less min. */
	void (*count)(const struct filchi_radix *r, const char *a, size_t n, uint64_t min, unsigned shift,
		      size_t counts[FILCHI_RADIX_BUCKETS]);
	/* Moves each element to its bucket in b; place: the next free place of each. */
	void (*move)(const struct filchi_radix *r, const char *a, size_t n, uint64_t min, unsigned shift,
		     size_t place[FILCHI_RADIX_BUCKETS], char *b);
	/* Sorts in one thread, from a to b or, if !there, back to a; the other one is for scratch. */
	void (*sort)(const struct filchi_radix *r, char *a, char *b, size_t n, bool there);
	void (*reverse)(const struct filchi_radix *r, char *a, size_t n, size_t from, size_t to);
	uint64_t (*key)(const struct filchi_radix *r, const char *element);
};

/* The kernel for that element and key. */
const struct filchi_radix_kernel *filchi_radix_kernel(const struct filchi_radix *r);

/* The lowest of the eight highest bits in which keys from min to max differ. */
static inline unsigned filchi_radix_shift(uint64_t min, uint64_t max)
{
	unsigned bits = min == max ? 0 : 64 - (unsigned)__builtin_clzll(max - min);

	return bits > FILCHI_RADIX_BITS ? bits - FILCHI_RADIX_BITS : 0;
}

/* The view of two ranges, one after the other. */
static inline struct filchi_radix_view filchi_radix_join(struct filchi_radix_view a, struct filchi_radix_view b)
{
	return (struct filchi_radix_view){.min = a.min < b.min ? a.min : b.min,
					  .max = a.max > b.max ? a.max : b.max,
					  .first = a.first,
					  .last = b.last,
					  .rising = a.rising && b.rising && a.last <= b.first,
					  .falling = a.falling && b.falling && a.last > b.first};
}

#endif
