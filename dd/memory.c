/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory that counts: all workers together stay below the limit.
 *
 * Edges:
 *   MEM  bytes: a count
 */
#include "dd.h"

#include <errno.h>
#include <stdlib.h>

bool filchi_dd_count(struct filchi_dd_memory *m, ptrdiff_t bytes)
{
	size_t used = filchi_fetch_add_rlx(&m->used, (size_t)bytes, MEM) + (size_t)bytes, peak;

	if (bytes <= 0)
		return true;
	if (m->limit && used > m->limit) {
		(void)filchi_fetch_add_rlx(&m->used, (size_t)-bytes, MEM);
		return false;
	}
	peak = filchi_load_rlx(&m->peak, MEM);
	while (used > peak && !filchi_cas_rlx(&m->peak, &peak, used, MEM))
		;
	return true;
}

void *filchi_dd_alloc(struct filchi_dd_memory *m, size_t size)
{
	void *block;

	if (size > PTRDIFF_MAX || !filchi_dd_count(m, (ptrdiff_t)size))
		return NULL;
	block = malloc(size);
	if (!block)
		(void)filchi_dd_count(m, -(ptrdiff_t)size);
	return block;
}

void filchi_dd_free(struct filchi_dd_memory *m, void *block, size_t size)
{
	if (!block)
		return;
	free(block);
	(void)filchi_dd_count(m, -(ptrdiff_t)size);
}

int filchi_dd_grow(struct filchi_dd_memory *m, struct filchi_dd_array *a, size_t count, size_t size)
{
	size_t bytes, more;
	unsigned char *data;

	if (count > PTRDIFF_MAX / 2 / size)
		return -ENOMEM;
	bytes = count * size < 4096 ? 4096 : count * size;
	if (bytes < a->room + a->room / 2)
		bytes = a->room + a->room / 2;
	more = bytes - a->room;
	if (!filchi_dd_count(m, (ptrdiff_t)more)) {
		bytes = count * size;
		more = bytes - a->room;
		if (!filchi_dd_count(m, (ptrdiff_t)more))
			return -ENOMEM;
	}
	data = realloc(a->data, bytes);
	if (!data) {
		(void)filchi_dd_count(m, -(ptrdiff_t)more);
		return -ENOMEM;
	}
	memset(data + a->room, 0, more); /* states end with bytes that no function writes */
	a->data = data;
	a->room = bytes;
	return 0;
}

void filchi_dd_drop(struct filchi_dd_memory *m, struct filchi_dd_array *a)
{
	filchi_dd_free(m, a->data, a->room);
	a->data = NULL;
	a->room = 0;
}
