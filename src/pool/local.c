/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Storage of each worker's own. Only the worker touches its slot until it is all over, so there is nothing to be
 * ordered; but without workers there is one slot for all callers, and a lock for who makes it.
 */
#include "lock.h"
#include "pool.h"

#include "../base/mem.h"

#include <errno.h>
#include <string.h>

struct slot {
	FILCHI_OWN_LINE void *storage;
};

struct filch_local {
	const struct filchi_sched *sched; /* NULL: there are no workers */
	size_t size;
	void (*init)(void *storage, void *context);
	void (*fini)(void *storage, void *context);
	void *context;
	struct filchi_fork_lock lock;
	unsigned count;
	struct slot slots[];
};

int filch_local_create(struct filch_local **out, struct filch_pool *pool, size_t size,
		       void (*init)(void *storage, void *context), void (*fini)(void *storage, void *context),
		       void *context)
{
	struct filchi_pool_hold hold;
	struct filch_local *l;
	unsigned count = 1;

	if (!out || !size)
		return filchi_because(-EINVAL, "no place, or no size");
	if (filchi_pool_hold(&hold, pool))
		return -ESHUTDOWN;
	if (filchi_pool_has_workers(hold.pool))
		count = hold.pool->sched.worker_count + hold.pool->sched.setup.spares;
	l = filchi_alloc_array(sizeof(*l), count, sizeof(*l->slots));
	if (l) {
		memset(l, 0, sizeof(*l) + count * sizeof(*l->slots));
		l->sched = filchi_pool_has_workers(hold.pool) ? &hold.pool->sched : NULL;
		l->size = size;
		l->init = init;
		l->fini = fini;
		l->context = context;
		l->count = count;
		*out = l;
	}
	filchi_pool_release(&hold);
	return l ? 0 : filchi_because(-ENOMEM, "no memory for storage");
}

static void *make(struct filch_local *l, struct slot *slot)
{
	void *storage = filchi_alloc(l->size);

	if (!storage)
		return NULL;
	memset(storage, 0, l->size);
	slot->storage = storage;
	if (l->init)
		l->init(storage, l->context);
	return storage;
}

void *filch_local_get(struct filch_local *l)
{
	struct filchi_worker *w;
	void *storage;

	if (!l)
		return NULL;
	if (l->sched) {
		w = filchi_pool_worker();
		if (!w || w->sched != l->sched || w->id >= l->count)
			return NULL;
		storage = l->slots[w->id].storage;
		return storage ? storage : make(l, &l->slots[w->id]);
	}
	(void)filchi_fork_lock(&l->lock);
	storage = l->slots[0].storage;
	if (!storage)
		storage = make(l, &l->slots[0]);
	filchi_fork_unlock(&l->lock);
	return storage;
}

void filch_local_destroy(struct filch_local *l)
{
	if (!l)
		return;
	for (unsigned i = 0; i < l->count; i++) {
		if (!l->slots[i].storage)
			continue;
		if (l->fini)
			l->fini(l->slots[i].storage, l->context);
		filchi_free(l->slots[i].storage);
	}
	filchi_free(l);
}
