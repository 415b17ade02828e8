/* SPDX-License-Identifier: Apache-2.0 */
#include "mem.h"

#include "compiler.h"

#include <stdlib.h>

void *filchi_alloc(size_t size)
{
	/* aligned_alloc needs a multiple of the alignment. The cap keeps the rounding from overflowing. */
	if (!size || size > PTRDIFF_MAX - FILCHI_CACHE_LINE)
		return NULL;
	size = (size + FILCHI_CACHE_LINE - 1) & ~(size_t)(FILCHI_CACHE_LINE - 1);
	return aligned_alloc(FILCHI_CACHE_LINE, size);
}

void filchi_free(void *block)
{
	free(block);
}
