/* SPDX-License-Identifier: Apache-2.0 */
/* The hooks of a pool: include/filch/hooks.h. The scheduler calls most of them. */
#ifndef FILCHI_POOL_HOOKS_H
#define FILCHI_POOL_HOOKS_H

#include "pool.h"

/* A worker runs an item of the hooks. */
void filchi_hooks_run_item(struct filchi_worker *w, uintptr_t item);
/* The pool has ended. */
void filchi_hooks_detach(struct filch_pool *pool);

#endif
