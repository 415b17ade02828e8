/* SPDX-License-Identifier: Apache-2.0 */
/* Checks of the arrays that callers pass, and the first values of reductions and scans. */
#ifndef FILCHI_ALGO_ARRAY_H
#define FILCHI_ALGO_ARRAY_H

#include "../pool/pool.h"

#include <errno.h>
#include <string.h>

/*
 * 0; -EINVAL with a message: the array is NULL, or no array has count elements of size bytes. function, name and
 * size_name are the words of the public interface.
 */
static inline int filchi_array_check(const char *function, const char *name, const void *array, size_t count,
				     const char *size_name, size_t size)
{
	size_t bytes;

	if (count && !array)
		return filchi_fail(-EINVAL, "%s: %s is NULL, but count is %zu", function, name, count);
	if (!__builtin_mul_overflow(count, size, &bytes) && bytes <= PTRDIFF_MAX)
		return 0;
	return filchi_fail(-EINVAL, "%s: count is %zu and %s is %zu, but an array has at most %zu bytes", function,
			   count, size_name, size, (size_t)PTRDIFF_MAX);
}

/* Sets a value of size bytes to the identity. NULL: all bytes are zero. */
static inline void filchi_set_identity(void *value, const void *identity, size_t size)
{
	if (identity)
		memcpy(value, identity, size);
	else
		memset(value, 0, size);
}

#endif
