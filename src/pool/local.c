/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Storage for each worker. Only the worker itself uses its slot until filch_local_destroy, so nothing must be ordered.
 *
 * Storage of the default pool outlives that pool. The next default pool finds it by the numbers of its workers. That
 * pool may have more workers, or none. Without workers each thread has a slot, with a number that is never used again.
 * A list with a lock has the slots of such threads and of additional workers. A slot stays on it until the end.
 *
 * A child of fork() has the storage in the state of the moment of the fork. If init was not finished for a slot, the
 * child calls it again.
 *
 * Edges:
 *   M1   more: the lock orders it. store_rel is for a child of fork() that is made while another thread holds the
 *        lock: the child finds only complete entries
 *   COUNTER   orders nothing
 */
#include "job.h"
#include "lock.h"

#include "../base/mem.h"
#include "../os/process.h"

#include <errno.h>
#include <string.h>

struct slot {
	FILCHI_OWN_LINE void *storage;
	unsigned generation; /* of the process that made it */
	bool ready;	     /* init has returned */
};

/* The slot of an external thread, or of a worker that the array has no slot for. */
struct more {
	struct more *next;
	uint64_t number;
	struct slot slot;
};

/* The numbers of threads come after the ids of workers and spares. */
#define FIRST_THREAD (2 * FILCHI_MAX_WORKERS)

struct filch_local {
	const struct filch_pool *pool; /* NULL: the default pool of the moment */
	bool has_workers;	       /* pool has workers, if it is not NULL */
	size_t size;
	void (*init)(void *storage, void *arg);
	void (*fini)(void *storage, void *arg);
	void *arg;
	struct filchi_fork_lock lock;
	FILCHI_ATOMIC(struct more *) more;
	unsigned count;
	struct slot slots[];
};

int filch_local_create(struct filch_local **out, struct filch_pool *pool, size_t size,
		       void (*init)(void *storage, void *arg), void (*fini)(void *storage, void *arg), void *arg)
{
	struct filchi_pool_hold hold;
	struct filch_local *l;
	unsigned count = 0;

	if (!out)
		return filchi_fail(-EINVAL, "out is NULL");
	if (!size)
		return filchi_fail(-EINVAL, "size is 0");
	if (size > PTRDIFF_MAX)
		return filchi_fail(-EINVAL, "size is %zu: must be at most %zu", size, (size_t)PTRDIFF_MAX);
	if (filchi_pool_hold(&hold, pool))
		return -ESHUTDOWN;
	if (filchi_pool_has_workers(hold.pool))
		count = filchi_sched_ids(&hold.pool->sched);
	l = filchi_alloc_array(sizeof(*l), count, sizeof(*l->slots));
	if (l) {
		memset(l, 0, sizeof(*l) + count * sizeof(*l->slots));
		l->pool = filchi_plain_get(&hold.pool->is_default) ? NULL : hold.pool;
		l->has_workers = filchi_pool_has_workers(hold.pool);
		l->size = size;
		l->init = init;
		l->fini = fini;
		l->arg = arg;
		filchi_atomic_init(&l->more, NULL);
		l->count = count;
		*out = l;
	}
	filchi_pool_release(&hold);
	return l ? 0 : filchi_fail(-ENOMEM, "no memory for storage");
}

/* ---- slots ---- */

/* The slot of that number on the list. NULL, with a message: no memory. */
static struct slot *slot_listed(struct filch_local *l, uint64_t number)
{
	struct more *m;

	(void)filchi_fork_lock(&l->lock); /* the list is complete also in a child of fork(): M1 */
	m = filchi_load_rlx(&l->more, M1);
	while (m && m->number != number)
		m = m->next;
	if (!m) {
		m = filchi_alloc(sizeof(*m));
		if (m) {
			*m = (struct more){.next = filchi_load_rlx(&l->more, M1), .number = number};
			filchi_store_rel(&l->more, m, M1);
		}
	}
	filchi_fork_unlock(&l->lock);
	if (!m)
		(void)filchi_fail(-ENOMEM, "no memory for storage");
	return m ? &m->slot : NULL;
}

static struct slot *slot_of_worker(struct filch_local *l, uint32_t id)
{
	return id < l->count ? &l->slots[id] : slot_listed(l, id);
}

/* The slot of the calling thread, for a thread that is no worker of the pool. */
static struct slot *slot_of_thread(struct filch_local *l)
{
	static FILCHI_ATOMIC(uint64_t) numbers;
	static _Thread_local uint64_t number; /* 0: none yet */

	if (!number)
		number = FIRST_THREAD + filchi_fetch_add_rlx(&numbers, 1, COUNTER);
	return slot_listed(l, number);
}

static bool default_has_workers(void)
{
	struct filchi_pool_hold hold;
	bool workers;

	if (filchi_pool_hold_default(&hold))
		return false;
	workers = filchi_pool_has_workers(hold.pool);
	filchi_pool_release(&hold);
	return workers;
}

/* True if the calling thread, which is no worker, runs a job of that pool. NULL: of the default pool. */
static bool is_outside(const struct filch_pool *pool)
{
	const struct filchi_job *job = filchi_job_outside();

	return job && (pool ? job->pool == pool : filchi_plain_get(&job->pool->is_default));
}

/* NULL, with a message: no memory, or the storage is for workers and the caller is an external thread. */
static struct slot *slot_of_caller(struct filch_local *l)
{
	struct filchi_worker *w = filchi_pool_worker();

	if (w && filchi_pool_is(l->pool, w))
		return slot_of_worker(l, filchi_worker_id(w));
	if ((!w && is_outside(l->pool)) || !(l->pool ? l->has_workers : default_has_workers()))
		return slot_of_thread(l);
	(void)filchi_fail(-EINVAL, "the calling thread is no worker of the pool that the storage is for");
	return NULL;
}

/* ---- storage ---- */

/* The slot may have memory already: init was not finished at a fork(). */
static void *make(struct filch_local *l, struct slot *slot)
{
	if (!slot->storage)
		slot->storage = filchi_alloc(l->size);
	if (!slot->storage) {
		(void)filchi_fail(-ENOMEM, "no memory for storage");
		return NULL;
	}
	memset(slot->storage, 0, l->size);
	slot->generation = filchi_process_generation();
	if (l->init)
		l->init(slot->storage, l->arg);
	slot->ready = true;
	return slot->storage;
}

void *filch_local_get(struct filch_local *l)
{
	struct slot *slot;

	if (!l) {
		(void)filchi_fail(-EINVAL, "the storage is NULL");
		return NULL;
	}
	slot = slot_of_caller(l);
	if (!slot)
		return NULL;
	/* init itself may call this function, too. */
	if (slot->ready || (slot->storage && slot->generation == filchi_process_generation()))
		return slot->storage;
	return make(l, slot);
}

static void end(struct filch_local *l, struct slot *slot)
{
	if (slot->ready && l->fini)
		l->fini(slot->storage, l->arg);
	filchi_free(slot->storage);
}

void filch_local_destroy(struct filch_local *l)
{
	struct more *m, *next;

	if (!l)
		return;
	for (unsigned i = 0; i < l->count; i++)
		end(l, &l->slots[i]);
	for (m = filchi_load_rlx(&l->more, M1); m; m = next) {
		next = m->next;
		end(l, &m->slot);
		filchi_free(m);
	}
	filchi_free(l);
}
