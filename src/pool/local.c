/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Storage of each worker's own. Only the worker touches its slot until it is all over, so there is nothing to be
 * ordered. Without workers the threads that call have slots, in a list with a lock. A thread is known by the address of
 * what is local to it: one that comes after another has ended may have its slot, as the next job of a worker would.
 */
#include "lock.h"
#include "pool.h"

#include "../base/mem.h"

#include <errno.h>
#include <string.h>

struct slot {
	FILCHI_OWN_LINE void *storage;
};

/* Of a thread, where there are no workers. */
struct caller {
	struct caller *next;
	const void *thread;
	struct slot slot;
};

struct filch_local {
	const struct filchi_sched *sched; /* NULL: there are no workers */
	size_t size;
	void (*init)(void *storage, void *context);
	void (*fini)(void *storage, void *context);
	void *context;
	struct filchi_fork_lock lock;
	struct caller *callers; /* with the lock held */
	unsigned count;
	struct slot slots[];
};

int filch_local_create(struct filch_local **out, struct filch_pool *pool, size_t size,
		       void (*init)(void *storage, void *context), void (*fini)(void *storage, void *context),
		       void *context)
{
	struct filchi_pool_hold hold;
	struct filch_local *l;
	unsigned count = 0;

	if (!out)
		return filchi_because(-EINVAL, "no place for the storage");
	if (!size)
		return filchi_because(-EINVAL, "storage of no size");
	if (size > PTRDIFF_MAX)
		return filchi_because(-EINVAL, "storage: size is %zu: more bytes than there can be", size);
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

/* The slot of the calling thread; NULL: no memory. With the lock held. */
static struct slot *slot_of_caller(struct filch_local *l)
{
	static _Thread_local char here;
	struct caller *c = l->callers;

	while (c && c->thread != &here)
		c = c->next;
	if (!c) {
		c = filchi_alloc(sizeof(*c));
		if (!c)
			return NULL;
		*c = (struct caller){.next = l->callers, .thread = &here};
		l->callers = c;
	}
	return &c->slot;
}

void *filch_local_get(struct filch_local *l)
{
	struct filchi_worker *w;
	struct slot *slot;
	void *storage;

	if (!l) {
		(void)filchi_because(-EINVAL, "no storage");
		return NULL;
	}
	if (l->sched) {
		w = filchi_pool_worker();
		if (!w || w->sched != l->sched || w->id >= l->count) {
			(void)filchi_because(-EINVAL,
					     "storage is for the workers of its pool, inside of tasks and jobs");
			return NULL;
		}
		slot = &l->slots[w->id];
	} else {
		(void)filchi_fork_lock(&l->lock);
		slot = slot_of_caller(l);
		filchi_fork_unlock(&l->lock);
	}
	if (slot && slot->storage)
		return slot->storage;
	storage = slot ? make(l, slot) : NULL;
	if (!storage)
		(void)filchi_because(-ENOMEM, "no memory for storage");
	return storage;
}

static void end(struct filch_local *l, struct slot *slot)
{
	if (!slot->storage)
		return;
	if (l->fini)
		l->fini(slot->storage, l->context);
	filchi_free(slot->storage);
}

void filch_local_destroy(struct filch_local *l)
{
	if (!l)
		return;
	for (unsigned i = 0; i < l->count; i++)
		end(l, &l->slots[i]);
	while (l->callers) {
		struct caller *c = l->callers;

		l->callers = c->next;
		end(l, &c->slot);
		filchi_free(c);
	}
	filchi_free(l);
}
