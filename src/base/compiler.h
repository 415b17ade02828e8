/* SPDX-License-Identifier: Apache-2.0 */
/* Attributes that C11 leaves to the compiler, and the few constants of the machine. */
#ifndef FILCHI_BASE_COMPILER_H
#define FILCHI_BASE_COMPILER_H

#include <stdalign.h>
#include <stddef.h>
#include <stdint.h>

/* Items are words. Indices have 64 bits on all machines, so that they never wrap. filch/base.h says which are known. */
#define FILCHI_WORD_BITS (8 * sizeof(size_t))
_Static_assert(sizeof(void *) == sizeof(size_t), "an item is a pointer or a size");

#define FILCHI_LIKELY(cond) __builtin_expect(!!(cond), 1)
#define FILCHI_UNLIKELY(cond) __builtin_expect(!!(cond), 0)

/* A slow path: out of line so that the fast path stays small. unused: it may stand in a header. */
#define FILCHI_COLD __attribute__((noinline, cold, unused))

/* The opposite: a function that must be fast, although the compiler takes its only callers for cold. */
#define FILCHI_HOT __attribute__((noinline, hot))

/*
 * A thread-local variable that a shared library finds without a call, because a call may allocate memory. Only for a
 * few words: dlopen() has little room for such variables, and C libraries other than glibc have no room.
 */
#ifdef __GLIBC__
#define FILCHI_TLS_NEAR __attribute__((tls_model("initial-exec")))
#else
#define FILCHI_TLS_NEAR
#endif

/* Data written by different threads is kept this far apart. */
#define FILCHI_CACHE_LINE 64
#define FILCHI_OWN_LINE alignas(FILCHI_CACHE_LINE)

static inline int filchi_is_pow2(size_t n)
{
	return n && !(n & (n - 1));
}

/* The least power of two that is not less than n; 1 for 0. 0 if a size_t cannot hold it. */
static inline size_t filchi_round_pow2(size_t n)
{
	if (n <= 1)
		return 1;
	if (n > (SIZE_MAX >> 1) + 1)
		return 0;
	return (size_t)1 << (64 - __builtin_clzll(n - 1));
}

#endif
