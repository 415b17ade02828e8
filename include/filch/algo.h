/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loops, maps, reductions, scans and sorts on the workers of a pool.
 *
 * Any thread may call these functions, also inside tasks and jobs. The first argument is the pool. NULL means the pool
 * of the calling worker, or the default pool if the caller is no worker. A function returns when all of its work is
 * done. Idle workers of the pool help, and the calling thread may do a part of the work. The calling thread does all of
 * the work if the pool has no workers or is being stopped, or if pool is NULL and there is no pool.
 *
 * Several threads call your functions at once. Your functions may call any function of filch. Their last argument, arg,
 * is the pointer that you passed with them. They must return: no longjmp(), C++ exception or pthread_exit() may leave
 * them. In the calling thread they run on its stack, which may be smaller than the stack of a worker. Call from a task
 * or job if they recurse deeply. pthread_cancel() does not end the calling thread before the function has returned.
 *
 * All functions return 0, -EINVAL (an argument makes no sense) or -ENOMEM (no memory). After an error nothing has
 * changed, and filch_error_message() has the reason in words. docs/algorithms.md says how much each function costs.
 */
#ifndef FILCH_ALGO_H
#define FILCH_ALGO_H

#include "base.h"

FILCH_BEGIN_DECLS

struct filch_pool;

/* Does the indices from from to to - 1 of a loop. */
typedef void filch_for_fn(size_t from, size_t to, void *arg);

/*
 * A parallel loop over the indices from first to last - 1. The library cuts the range into chunks and calls
 * body(from, to, arg) for each chunk. Each index is in exactly one chunk. The order of the chunks is not specified. If
 * last is not greater than first, body is not called.
 *
 * Other workers get chunks only while they are idle. Otherwise the caller's own worker does one chunk after the other,
 * as a serial loop does.
 *
 * grain 0: the library chooses the size of the chunks, so that each chunk takes some microseconds.
 * grain n: no chunk has more than n indices, and chunks always start at first plus a multiple of n.
 */
FILCH_API int filch_for(struct filch_pool *pool, size_t first, size_t last, size_t grain, filch_for_fn *body,
			void *arg);

/* Computes one element of the output from one element of the input. */
typedef void filch_map_fn(const void *in, void *out, void *arg);

/*
 * Calls function for each of count elements: with the address of an element of in, of the same element of out, and arg.
 * in_size and out_size are the sizes of the elements in bytes. in and out may be the same array if the sizes are equal.
 */
FILCH_API int filch_map(struct filch_pool *pool, const void *in, void *out, size_t count, size_t in_size,
			size_t out_size, filch_map_fn *function, void *arg);

typedef void filch_invoke_fn(void *arg);

struct filch_invocation {
	filch_invoke_fn *function;
	void *arg;
};

/*
 * Calls all the functions, and returns when all of them have returned. They may run at the same time or one after the
 * other, so none of them may wait for another.
 */
FILCH_API int filch_invoke(struct filch_pool *pool, const struct filch_invocation *calls, size_t count);

/*
 * How to compute one value from all the indices of a range, such as a sum or a maximum.
 *
 *   fold      adds the indices from from to to - 1 to *value. It is faster if it adds up in a local variable first
 *   combine   adds *right to *value. *right was made from the indices that follow the indices of *value
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
	 * Not 0: the chunks, and the order in which their values are combined, depend on the range and the grain only.
	 * The result is then always the same, also with floating point numbers and with any number of workers.
	 * A grain of 0 then means a 1024th of the range.
	 */
	int deterministic;
};

/* Writes the value of the indices from first to last - 1 to *result. The value of an empty range is the identity. */
FILCH_API int filch_reduce(struct filch_pool *pool, size_t first, size_t last,
			   const struct filch_reduce_options *options, void *result);

/*
 * How to compute prefixes, such as running sums: out[i] is in[0], in[1], ... in[i] combined. If exclusive is set, it is
 * the identity and in[0], ... in[i - 1] combined.
 *
 * combine is as in struct filch_reduce_options. The places where the library cuts the array depend on the workers that
 * help. The result is therefore always the same only if combine is exactly associative. An addition of floating point
 * numbers is not.
 */
struct filch_scan_options {
	size_t struct_size;   /* sizeof(struct filch_scan_options) */
	size_t value_size;    /* of an element, in bytes */
	const void *identity; /* NULL: all bytes are zero */
	void (*combine)(void *value, const void *right, void *arg);
	/*
	 * May be NULL. Scans count elements in one call, which can be much faster than combine for each of them. At
	 * first *carry is the value of all elements before in[0]; run adds the elements to it. If out is not NULL, run
	 * also writes the prefixes to out, and must obey exclusive.
	 */
	void (*run)(void *carry, const void *in, void *out, size_t count, void *arg);
	void *arg;
	int exclusive;
	size_t grain; /* the array is cut into blocks of so many elements; 0: the library chooses */
};

/* in and out may be the same array. They must not overlap in another way. */
FILCH_API int filch_scan(struct filch_pool *pool, const void *in, void *out, size_t count,
			 const struct filch_scan_options *options);

/* Returns a number less than 0 if a comes before b, greater than 0 if it comes after b, and 0 if they are equal. */
typedef int filch_compare_fn(const void *a, const void *b, void *arg);

/*
 * Sort an array of count elements, each of size bytes.
 *
 *   sort          needs no memory. Equal elements may change their order
 *   sort_stable   needs as much memory as the array. Equal elements keep their order
 *
 * Both take time proportional to n log n at worst, for any input. If compare contradicts itself, the order of the
 * elements is not specified, but each element is still there.
 *
 * A comparison without branches is faster: return (x > y) - (x < y).
 */
FILCH_API int filch_sort(struct filch_pool *pool, void *base, size_t count, size_t size, filch_compare_fn *compare,
			 void *arg);
FILCH_API int filch_sort_stable(struct filch_pool *pool, void *base, size_t count, size_t size,
				filch_compare_fn *compare, void *arg);

/* The type of a key: a number of 32 or 64 bits, signed, unsigned or floating. */
enum filch_key_type {
	FILCH_KEY_I32 = 1,
	FILCH_KEY_U32,
	FILCH_KEY_F32,
	FILCH_KEY_I64,
	FILCH_KEY_U64,
	FILCH_KEY_F64,
};

/* Where the key of an element is, and the order that is wanted. */
struct filch_sort_key {
	size_t struct_size; /* sizeof(struct filch_sort_key) */
	size_t offset;	    /* of the key in an element, in bytes */
	enum filch_key_type type;
	int descending;
	/*
	 * Not 0: elements with equal keys keep their order, and -ENOMEM is returned if there is no memory.
	 * 0: equal elements may change their order; if there is no memory, the sort is slower.
	 */
	int stable;
};

/*
 * Sorts an array of count elements, each of size bytes, by a number in each element. It compares no elements (radix
 * sort), so that its time is proportional to n. It takes a third of the time of filch_sort, or less, and as much memory
 * as the array. docs/algorithms.md has the details.
 *
 * Floating point numbers: -0 comes before +0, and each NaN after all numbers. descending reverses all of that.
 */
FILCH_API int filch_sort_keys(struct filch_pool *pool, void *base, size_t count, size_t size,
			      const struct filch_sort_key *key);

/* Sorts an array of numbers. */
static inline int filch_sort_numbers(struct filch_pool *pool, void *base, size_t count, enum filch_key_type type,
				     int descending)
{
	struct filch_sort_key key = {sizeof(key), 0, type, descending, 0};

	return filch_sort_keys(pool, base, count, type >= FILCH_KEY_I64 ? 8 : 4, &key);
}

#ifndef __cplusplus
/* The type of a number as a key. It is an error of the compiler if x is no number of 32 or 64 bits. */
#define FILCH_KEY_TYPE(x)                                                                                              \
	_Generic((x), int                                                                                              \
		 : FILCH_KEY_I32, unsigned                                                                             \
		 : FILCH_KEY_U32, float                                                                                \
		 : FILCH_KEY_F32, long                                                                                 \
		 : sizeof(long) == 8 ? FILCH_KEY_I64 : FILCH_KEY_I32, unsigned long                                    \
		 : sizeof(long) == 8 ? FILCH_KEY_U64 : FILCH_KEY_U32, long long                                        \
		 : FILCH_KEY_I64, unsigned long long                                                                   \
		 : FILCH_KEY_U64, double                                                                               \
		 : FILCH_KEY_F64)

/*
 * Ascending sorts of an array of numbers, and of an array of structs by one of their fields:
 *
 *	double prices[1000];
 *	FILCH_SORT_NUMBERS(NULL, prices, 1000);
 *	struct { int age; char name[12]; } people[1000];
 *	FILCH_SORT_BY(NULL, people, 1000, age);
 */
#define FILCH_SORT_NUMBERS(pool, base, count) filch_sort_numbers(pool, base, count, FILCH_KEY_TYPE(*(base)), 0)
#define FILCH_SORT_BY(pool, base, count, field)                                                                        \
	filch_sort_keys(                                                                                               \
		pool, base, count, sizeof(*(base)),                                                                    \
		&(struct filch_sort_key){.struct_size = sizeof(struct filch_sort_key),                                 \
					 .offset = (size_t)((const char *)&(base)->field - (const char *)(base)),      \
					 .type = FILCH_KEY_TYPE((base)->field)})
#endif

FILCH_END_DECLS

#endif
