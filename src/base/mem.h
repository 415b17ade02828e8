/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory. Blocks start on a cache line and end on one, so that no two of them share one.
 *
 * mem_linux.c takes them from libc, mem_check.c from the checker, which then sees use after free and leaks.
 */
#ifndef FILCHI_BASE_MEM_H
#define FILCHI_BASE_MEM_H

#include <stddef.h>
#include <stdint.h>

/* Not initialized. NULL when there is none, or when the size is 0 or absurd. */
void *filchi_alloc(size_t size);
void filchi_free(void *block);

/* A block of a header followed by count elements of the given size; NULL also when the sum overflows. */
static inline void *filchi_alloc_array(size_t header, size_t count, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(count, size, &bytes) || __builtin_add_overflow(bytes, header, &bytes))
		return NULL;
	return filchi_alloc(bytes);
}

#endif
