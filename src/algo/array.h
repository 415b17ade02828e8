/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays of the caller's: whether there can be one of that size. */
#ifndef FILCHI_ALGO_ARRAY_H
#define FILCHI_ALGO_ARRAY_H

#include "../pool/pool.h"

#include <errno.h>

/* 0; -EINVAL, and why: no array has count elements of size bytes. argument: the name that the caller knows it by. */
static inline int filchi_array_check(const char *what, size_t count, const char *argument, size_t size)
{
	size_t bytes;

	if (!__builtin_mul_overflow(count, size, &bytes) && bytes <= PTRDIFF_MAX)
		return 0;
	return filchi_fail(-EINVAL, "%s: count is %zu and %s is %zu: more bytes than there can be", what, count,
			   argument, size);
}

#endif
