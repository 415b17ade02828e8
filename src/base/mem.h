/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory. Blocks start and end at the border of a cache line, so that no two blocks share a line.
 *
 * mem_linux.c takes them from libc. mem_check.c takes them from the checker, which then reports leaks and the use of
 * freed memory.
 */
#ifndef FILCHI_BASE_MEM_H
#define FILCHI_BASE_MEM_H

#include <stddef.h>
#include <stdint.h>

/* The memory is not initialized. NULL if there is no memory, or if the size is 0 or absurd. */
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
