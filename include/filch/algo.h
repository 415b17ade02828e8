/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loops, maps, reductions, scans and sorts on the workers of a pool.
 *
 * Each function can be called from any thread, and inside of tasks and jobs. In a task or job the pool is that of the
 * calling worker; elsewhere it is the default pool. The function returns when all of the work is done. Workers that are
 * idle help; the calling thread may do a part of the work, too. If there is no pool, or if it has no workers, the
 * calling thread does all of it.
 *
 * The functions that you pass are called by several threads at once. They may call any function of filch. Their last
 * argument, arg, is the pointer that you have passed with them. They must return: no longjmp() out of them, no C++
 * exception, no pthread_exit(). In the calling thread they have its stack, not the large one of a worker; if they need
 * more, for example because they recurse deeply, call from a task or job. The calling thread cannot be cancelled
 * (pthread_cancel) until the function has returned.
 *
 * All return 0, -EINVAL (an argument makes no sense, such as an array that is larger than memory can be) or -ENOMEM (no
 * memory). After an error nothing has been changed, and filch_error_message() has the reason in words.
 * docs/algorithms.md says what each function costs.
 */
#ifndef FILCH_ALGO_H
#define FILCH_ALGO_H

#include "base.h"

FILCH_BEGIN_DECLS

/*
 * A parallel loop over the indices from first to last - 1. The range is cut into parts, and body(from, to, arg) is
 * called for each part: it does the indices from from to to - 1. Each index is in exactly one part. The order of the
 * parts is not specified. If last is not greater than first, body is not called.
 *
 * Parts are handed to other workers only while some are idle. Otherwise the caller's own worker does one part after the
 * other, as a serial loop does.
 *
 * grain 0: the library chooses the size of the parts, so that one takes some microseconds.
 * grain n: no part has more than n indices, and parts are always cut at the same places: at first plus multiples of n.
 */
FILCH_API int filch_for(size_t first, size_t last, size_t grain, void (*body)(size_t from, size_t to, void *arg),
			void *arg);

/*
 * Calls function(in + i, out + i, arg) for each of count elements. in_size and out_size are the sizes of the elements
 * in bytes. in and out may be the same array if the sizes are equal.
 */
FILCH_API int filch_map(const void *in, size_t in_size, void *out, size_t out_size, size_t count,
			void (*function)(const void *in, void *out, void *arg), void *arg);

struct filch_invocation {
	void (*function)(void *arg);
	void *arg;
};

/*
 * Calls all the functions, and returns when all have returned. They may run at the same time or one after the other, so
 * none of them may wait for another.
 */
FILCH_API int filch_invoke(const struct filch_invocation *calls, size_t count);

/*
 * How to compute one value from all the indices of a range, such as a sum or a maximum.
 *
 *   fold      adds the indices from from to to - 1 to *value
 *   combine   adds *right to *value. *right was made from the indices that follow those of *value
 *
 * Values are copied with memcpy. combine must be associative; it need not be commutative.
 */
struct filch_reduce_options {
	size_t struct_size;   /* sizeof(struct filch_reduce_options) */
	size_t value_size;    /* of a value, in bytes */
	const void *identity; /* the value that a fold starts with; NULL: all bytes are zero */
	void (*fold)(size_t from, size_t to, void *value, void *arg);
	void (*combine)(void *value, const void *right, void *arg);
	void *arg;
	/* As the grain of filch_for. */
	size_t grain;
	/*
	 * Not 0: which parts are folded, and the order in which they are combined, depend on the range and the grain
	 * only. So the result is always the same, also with floating point numbers and with any number of workers.
	 * A grain of 0 then means a 1024th of the range.
	 */
	int deterministic;
};

/* Writes the value of the indices from first to last - 1 to *result. Of an empty range that is the identity. */
FILCH_API int filch_reduce(size_t first, size_t last, const struct filch_reduce_options *how, void *result);

/*
 * How to compute prefixes, such as running sums: out[i] is in[0], in[1], ... in[i] combined. If exclusive is set, it is
 * the identity and in[0], ... in[i - 1] combined.
 *
 * combine is as in struct filch_reduce_options. Where the array is cut depends on which workers help. So the result is
 * always the same only if combine is exactly associative, which additions of floating point numbers are not.
 */
struct filch_scan_options {
	size_t struct_size;   /* sizeof(struct filch_scan_options) */
	size_t value_size;    /* of an element, in bytes */
	const void *identity; /* NULL: all bytes are zero */
	void (*combine)(void *value, const void *right, void *arg);
	/*
	 * May be NULL. Scans count elements in one call, which can be much faster than combine for each of them. At
	 * first *carry is the value of all that is before in[0]; run adds the elements to it. If out is not NULL, run
	 * also writes the prefixes there, and has to do what exclusive says.
	 */
	void (*run)(void *carry, const void *in, void *out, size_t count, void *arg);
	void *arg;
	int exclusive;
	size_t grain; /* the array is cut into parts of so many elements; 0: the library chooses */
};

/* in and out may be the same array. They must not overlap in another way. */
FILCH_API int filch_scan(const void *in, void *out, size_t count, const struct filch_scan_options *how);

/* Returns a number less than 0 if a comes before b, greater than 0 if it comes after b, and 0 if they are equal. */
typedef int filch_compare_fn(const void *a, const void *b, void *arg);

/*
 * Sort an array of count elements, each of size bytes.
 *
 *   sort          needs no memory. Elements that are equal may change their order
 *   sort_stable   needs as much memory as the array. Elements that are equal keep their order
 *
 * Both take time proportional to n log n at worst, for any input. If compare contradicts itself, the order of the
 * elements is not specified, but none is lost.
 */
FILCH_API int filch_sort(void *base, size_t count, size_t size, filch_compare_fn *compare, void *arg);
FILCH_API int filch_sort_stable(void *base, size_t count, size_t size, filch_compare_fn *compare, void *arg);

FILCH_END_DECLS

#endif
