/* SPDX-License-Identifier: Apache-2.0 */
#include "mem.h"

#include "../../check/shim.h"

/* Not rounded up, so that the checker sees an access to the first byte beyond the end. */
void *filchi_alloc(size_t size)
{
	if (!size || size > PTRDIFF_MAX)
		return NULL;
	return chk_alloc(size);
}

void filchi_free(void *block)
{
	if (block)
		chk_free(block);
}
