/* SPDX-License-Identifier: Apache-2.0 */
#include "arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK ((size_t)64 << 10)

struct filchi_arena_block {
	struct filchi_arena_block *before;
	size_t size;
	alignas(max_align_t) char bytes[];
};

static int add_block(struct filchi_arena *a, size_t need)
{
	size_t size = need > BLOCK ? need : BLOCK;
	struct filchi_arena_block *block = calloc(1, sizeof(*block) + size);

	if (!block)
		return -1;
	block->before = a->last;
	block->size = size;
	a->last = block;
	a->left = size;
	return 0;
}

void *filchi_arena_alloc(struct filchi_arena *a, size_t size)
{
	size_t unit = alignof(max_align_t);
	void *start;

	if (size > SIZE_MAX / 2)
		return NULL;
	size = (size + unit - 1) / unit * unit;
	if (size > a->left && add_block(a, size))
		return NULL;
	if (!a->last) /* count or size is 0 */
		return add_block(a, unit) ? NULL : a->last->bytes;
	start = a->last->bytes + (a->last->size - a->left);
	a->left -= size;
	return start;
}

void *filchi_arena_array(struct filchi_arena *a, size_t count, size_t size)
{
	return count > SIZE_MAX / 2 / (size ? size : 1) ? NULL : filchi_arena_alloc(a, count * size);
}

char *filchi_arena_copy(struct filchi_arena *a, const char *text, size_t length)
{
	char *copy = length < SIZE_MAX ? filchi_arena_alloc(a, length + 1) : NULL;

	return copy ? memcpy(copy, text, length) : NULL;
}

char *filchi_arena_print(struct filchi_arena *a, const char *format, va_list args)
{
	va_list again;
	char *text;
	int length;

	va_copy(again, args);
	length = vsnprintf(NULL, 0, format, again);
	va_end(again);
	text = length >= 0 ? filchi_arena_alloc(a, (size_t)length + 1) : NULL;
	if (text)
		vsnprintf(text, (size_t)length + 1, format, args);
	return text;
}

void filchi_arena_free(struct filchi_arena *a)
{
	struct filchi_arena_block *before;

	for (struct filchi_arena_block *block = a->last; block; block = before) {
		before = block->before;
		free(block);
	}
	*a = (struct filchi_arena){0};
}
