/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE

#include "out_of_memory.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>

void *__real_malloc(size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
void __real_free(void *block);
void *__real_mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset);
int __real_munmap(void *at, size_t size);
int __real_mprotect(void *at, size_t size, int protection);

void *__wrap_malloc(size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
void __wrap_free(void *block);
void *__wrap_mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset);
int __wrap_munmap(void *at, size_t size);
int __wrap_mprotect(void *at, size_t size, int protection);

/* Threads may ask at the same time. */
static atomic_uint countdown;
static atomic_int happened;
static atomic_long live;

void out_of_memory_at(unsigned n)
{
	countdown = n;
	happened = 0;
}

int out_of_memory_happened(void)
{
	return happened;
}

long out_of_memory_live(void)
{
	return live;
}

static int refuse(void)
{
	unsigned left = countdown;

	while (left && !atomic_compare_exchange_weak(&countdown, &left, left - 1))
		;
	if (left != 1)
		return 0;
	happened = 1;
	errno = ENOMEM;
	return 1;
}

static void *counted(void *block)
{
	if (block)
		live++;
	return block;
}

void *__wrap_malloc(size_t size)
{
	return refuse() ? NULL : counted(__real_malloc(size));
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
	return refuse() ? NULL : counted(__real_aligned_alloc(alignment, size));
}

void __wrap_free(void *block)
{
	if (block)
		live--;
	__real_free(block);
}

void *__wrap_mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset)
{
	void *base = refuse() ? MAP_FAILED : __real_mmap(at, size, protection, flags, fd, offset);

	if (base != MAP_FAILED)
		live++;
	return base;
}

int __wrap_munmap(void *at, size_t size)
{
	live--;
	return __real_munmap(at, size);
}

int __wrap_mprotect(void *at, size_t size, int protection)
{
	return refuse() ? -1 : __real_mprotect(at, size, protection);
}
