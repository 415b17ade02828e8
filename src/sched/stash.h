/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The stash of a worker: items that were stolen, or made on request, and have not run yet.
 *
 * Only the worker itself puts items in, at the end. Idle workers take the oldest items, from the start. The worker that
 * made an item knows its index, and can take the item back. An index therefore never changes: a taken item leaves a
 * hole, and only the worker itself cuts off the holes at the end.
 */
#ifndef FILCHI_SCHED_STASH_H
#define FILCHI_SCHED_STASH_H

#include "../base/atomic.h"
#include "../base/compiler.h"
#include "../os/os.h"

#define FILCHI_STASH_MAX FILCHI_TUNE(1024u, 4u)

struct filchi_stash {
	struct filchi_mutex lock;
	FILCHI_ATOMIC(uint32_t) count; /* indices in use, holes included */
	FILCHI_ATOMIC(uint32_t) left;  /* items, without the holes */
	uintptr_t items[FILCHI_STASH_MAX];
};

/* A range of items: for tasks, the addresses of a task stack from first to last. */
struct filchi_item_range {
	uintptr_t first, last;
};
#define FILCHI_ITEMS_ALL ((struct filchi_item_range){1, UINTPTR_MAX})

static inline struct filchi_item_range filchi_items_between(uintptr_t first, uintptr_t last)
{
	return (struct filchi_item_range){first, last};
}

int filchi_stash_init(struct filchi_stash *s);
void filchi_stash_fini(struct filchi_stash *s);

/* ---- for the worker itself ---- */

/* Indices in use. The next item gets this index. */
size_t filchi_stash_count(struct filchi_stash *s);
/* Appends items. The caller knows that there is room. */
void filchi_stash_append(struct filchi_stash *s, const uintptr_t *items, size_t count);
/* Takes the newest item of the range whose index is not below base. */
bool filchi_stash_take_own(struct filchi_stash *s, size_t base, struct filchi_item_range range, uintptr_t *item);
/* Cuts off the holes at the end, down to index base. */
void filchi_stash_trim(struct filchi_stash *s, size_t base);

/* ---- for all threads ---- */

/* Items in the stash: a hint. */
size_t filchi_stash_size(struct filchi_stash *s);
/* Takes up to max items of the range, the oldest first. Returns their number. */
size_t filchi_stash_take(struct filchi_stash *s, struct filchi_item_range range, uintptr_t *items, size_t max);
/* Takes this item, if it still is at this index. */
bool filchi_stash_remove(struct filchi_stash *s, size_t index, uintptr_t item);

#endif
