/* SPDX-License-Identifier: Apache-2.0 */
/* Not a program: see codegen.sh. The hot paths as they are shipped, through the atomics layer. */
#include "codegen.h"

int codegen_push(struct filchi_chase_lev *q, uintptr_t item)
{
	return filchi_chase_lev_push(q, item);
}

int codegen_pop(struct filchi_chase_lev *q, uintptr_t *item)
{
	return filchi_chase_lev_pop(q, item);
}

int codegen_steal(struct filchi_chase_lev *q, uintptr_t *item)
{
	return filchi_chase_lev_steal(q, item);
}

size_t codegen_size(const struct filchi_chase_lev *q)
{
	return filchi_chase_lev_size(q);
}
