/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loops, maps, reductions, scans and sorts on the workers of the default pool.
 *
 * Each may be called from anywhere: outside of tasks it runs as FILCH_RUN does, in a task it is shared with those who
 * are idle. Without a pool, or with no workers, all runs in the caller. Functions that are passed run in several
 * threads at once, and may use all of filch themselves; ctx is what they are called with.
 *
 * All return 0, or -EINVAL: arguments make no sense, or -ENOMEM: no memory, and then nothing was changed; filch_why()
 * has the reason in words. docs/algorithms.md has what each costs.
 */
#ifndef FILCH_ALGO_H
#define FILCH_ALGO_H

#include "base.h"

FILCH_BEGIN_DECLS

/*
 * body(from, to, ctx) for parts of first..last, last excluded, that together are all of it, in any order; none if last
 * is not above first. Not earlier than they are wanted are parts given away: a loop that nobody helps with is a serial
 * loop.
 *
 * grain 0: parts are as large as takes some microseconds. Else: none is larger than grain, and each but the last starts
 * and ends at first plus a multiple of it, so that they are always the same ones.
 */
FILCH_API int filch_for(size_t first, size_t last, size_t grain, void (*body)(size_t from, size_t to, void *ctx),
			void *ctx);

/* function(in + i, out + i, ctx) for count elements of these sizes. in and out may be the same, if the sizes are. */
FILCH_API int filch_map(const void *in, size_t in_size, void *out, size_t out_size, size_t count,
			void (*function)(const void *in, void *out, void *ctx), void *ctx);

struct filch_call {
	void (*function)(void *ctx);
	void *ctx;
};

/* Calls them all, and returns when all have returned. They may run at once, but need not: none may wait for another. */
FILCH_API int filch_invoke(const struct filch_call *calls, size_t count);

/*
 * A value made of all of a range: fold adds what is at from..to to a value, combine adds a value to the one that is to
 * the left of it. Values are moved by memcpy. combine is associative; it need not be commutative.
 */
struct filch_reduction {
	size_t size;	      /* sizeof(struct filch_reduction) */
	size_t value_size;    /* of a value */
	const void *identity; /* what a fold starts with; NULL: zeroes */
	void (*fold)(size_t from, size_t to, void *value, void *ctx);
	void (*combine)(void *value, const void *right, void *ctx);
	void *ctx;
	/* As that of filch_for. */
	size_t grain;
	/*
	 * Not 0: what is folded and combined with what depends on the range and the grain only, not on the number of
	 * workers or on time: sums of floating point numbers are always the same. Default grain: a 1024th of the range.
	 */
	int deterministic;
};

/* The value of first..last to *result; that of an empty range is the identity. */
FILCH_API int filch_reduce(size_t first, size_t last, const struct filch_reduction *how, void *result);

/*
 * Prefixes: out[i] is in[0] to in[i] combined, or if exclusive the identity and in[0] to in[i - 1]. combine as above.
 * What is combined with what depends on who helps: for results that are always the same it must be associative indeed.
 */
struct filch_scanning {
	size_t size;	      /* sizeof(struct filch_scanning) */
	size_t value_size;    /* of an element */
	const void *identity; /* NULL: zeroes */
	void (*combine)(void *value, const void *right, void *ctx);
	/*
	 * May be NULL. Does count elements at once, which can be much faster than combine for each: *carry is what is
	 * to the left, and in the end the same with all of in. Where out is NULL only carry is asked for. exclusive is
	 * then its business.
	 */
	void (*run)(void *carry, const void *in, void *out, size_t count, void *ctx);
	void *ctx;
	int exclusive;
	size_t grain; /* elements that are done at once, at least; 0: automatic */
};

/* in and out may be the same, but not overlap otherwise. */
FILCH_API int filch_scan(const void *in, void *out, size_t count, const struct filch_scanning *how);

/* Less than 0: a is before b, more: after, 0: neither. */
typedef int filch_compare(const void *a, const void *b, void *ctx);

/*
 * Sorts count elements of that size, each any number of bytes. sort needs no memory and takes time as n log n whatever
 * the input; stable keeps the order of those that compare equal, and needs as much memory as the elements take. With a
 * compare that contradicts itself the order is any, but all the elements are still there.
 */
FILCH_API int filch_sort(void *base, size_t count, size_t size, filch_compare *compare, void *ctx);
FILCH_API int filch_sort_stable(void *base, size_t count, size_t size, filch_compare *compare, void *ctx);

FILCH_END_DECLS

#endif
