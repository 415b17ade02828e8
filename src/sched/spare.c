/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Spares: workers that take the place of workers that block. A processor is then not idle because a task sleeps. And an
 * item that a blocked task waits for, without the scheduler's knowledge, can run even if all workers block.
 *
 * If fewer spares run than workers block, a worker that is about to block wakes a parked spare, or makes a new one. A
 * spare is a worker with a deque and an id of its own. When more spares run than workers block, a spare runs only the
 * items of its own deque and stash, and then parks until a worker blocks again. A parked spare has no items.
 *
 * While the scheduler is stopped, the spares stay until the workers have ended and no spare runs. Until then a blocked
 * thread may wait for an item that a spare would run. Workers that have ended stay counted as blocked. So no spare is
 * surplus then, and each looks everywhere before it parks.
 *
 * A spare with hooks that keep it busy goes on until they do not.
 *
 * A worker that blocks while enough spares run relies on them. A spare that is about to park therefore looks again if a
 * worker began to block since the spare last looked.
 *
 * The counts change with the lock held. Reads without the lock are hints. The thread that gives a permit holds the
 * lock, and the spare that takes it locks next.
 *
 * Edges:
 *   V1   make: store_rel victims, filchi_sched_victims: load_acq victims   a spare's deque
 *   X3   stalled: as in sched.c
 *   R1   blocked, running: the lock orders them; a look without the lock is a hint
 */
#include "sched.h"

#include "../os/process.h"

#include <string.h>

int filchi_spare_init(struct filchi_spares *p)
{
	memset(p, 0, sizeof(*p));
	filchi_atomic_init(&p->blocked, 0);
	filchi_atomic_init(&p->running, 0);
	filchi_permits_init(&p->permits);
	return filchi_mutex_init(&p->lock);
}

void filchi_spare_fini(struct filchi_spares *p)
{
	filchi_mutex_destroy(&p->lock);
}

/* Gives permits to parked spares. The caller holds the lock. */
static void give(struct filchi_spares *p, uint32_t count)
{
	p->parked -= count;
	filchi_permits_give(&p->permits, count);
}

static bool is_surplus(struct filchi_spares *p)
{
	return filchi_load_rlx(&p->running, R1) > filchi_load_rlx(&p->blocked, R1);
}

/* Ends the parked spares if none can be needed any more. The caller holds the lock. */
static void close_if_quiet(struct filchi_spares *p)
{
	if (p->closing && !filchi_load_rlx(&p->running, R1) && filchi_load_rlx(&p->blocked, R1) == p->ended)
		give(p, p->parked);
}

/*
 * Parks the spare until it may run again: true; or until the end: false. Does not sleep if a worker began to block
 * since *blocks was read, before the last look.
 */
static bool park(struct filchi_spares *p, uint32_t *blocks)
{
	bool again;

	filchi_mutex_lock(&p->lock);
	if (*blocks != p->blocks) {
		*blocks = p->blocks;
		filchi_mutex_unlock(&p->lock);
		return true;
	}
	filchi_store_rlx(&p->running, filchi_load_rlx(&p->running, R1) - 1, R1);
	p->parked++;
	close_if_quiet(p);
	filchi_mutex_unlock(&p->lock);
	filchi_permits_take(&p->permits);
	filchi_mutex_lock(&p->lock);
	/* The thread that wakes a spare counts it as running. At the end no thread does. */
	again = filchi_load_rlx(&p->running, R1) > 0;
	*blocks = p->blocks;
	filchi_mutex_unlock(&p->lock);
	return again;
}

static bool next(struct filchi_worker *w, uintptr_t *item)
{
	if (is_surplus(&w->sched->spares) && !filchi_worker_is_busy(w))
		return filchi_worker_find_own(w, item);
	return filchi_worker_next(w, item);
}

static void *spare_main(void *arg)
{
	struct filchi_worker *w = arg;
	struct filchi_spares *p = &w->sched->spares;
	uintptr_t item;
	uint32_t blocks;

	/* The thread that makes this spare holds the lock until it is done. */
	filchi_mutex_lock(&p->lock);
	blocks = p->blocks;
	filchi_mutex_unlock(&p->lock);
	filchi_worker_begin(w);
	do
		while (next(w, &item))
			w->sched->setup.run(w, item);
	while (park(p, &blocks));
	filchi_worker_end(w);
	return NULL;
}

/* Makes a spare, which runs at once. The caller holds the lock. */
static bool make(struct filchi_sched *s)
{
	uint32_t id = s->worker_count + s->spares.made;

	if (filchi_sched_create_worker(s, id))
		return false;
	if (filchi_worker_start(s->workers[id], spare_main)) {
		filchi_sched_destroy_worker(s, id);
		return false;
	}
	s->spares.made++;
	filchi_store_rel(&s->victims, id + 1, V1);
	return true;
}

/*
 * Moves free items to the injector if only the owner can see them in the deque. The newest bound item, and all items
 * below it, stay: the worker that made a task may have to take it back.
 */
static void publish_private(struct filchi_worker *w)
{
	uintptr_t item;

	if (!w->sched->setup.kind->info.owner_private)
		return;
	while (filchi_worker_pop(w, &item))
		if (!filchi_item_is_free(item) || filchi_sched_inject(w->sched, item)) {
			filchi_worker_requeue(w, &item, 1);
			break;
		}
	filchi_worker_poll(w);
	/* A worker that looked for the item while it was out may sleep now. */
	filchi_worker_notify(w);
}

/* More workers block: wakes or makes one spare. The caller holds the lock. */
static void block(struct filchi_sched *s, uint32_t workers)
{
	struct filchi_spares *p = &s->spares;
	uint32_t blocked = filchi_load_rlx(&p->blocked, R1) + workers;
	uint32_t running = filchi_load_rlx(&p->running, R1);

	filchi_store_rlx(&p->blocked, blocked, R1);
	p->blocks++;
	if (running >= blocked || running >= s->setup.spares)
		return;
	/* The spare counts as running before it can look. */
	filchi_store_rlx(&p->running, running + 1, R1);
	if (p->parked)
		give(p, 1);
	else if (p->made == s->setup.spares || !make(s))
		filchi_store_rlx(&p->running, running, R1);
}

void filchi_spare_begin(struct filchi_worker *w)
{
	struct filchi_sched *s = w->sched;

	if (w->blocking++)
		return;
	publish_private(w);
	if (!s->setup.spares)
		return;
	filchi_mutex_lock(&s->spares.lock);
	block(s, 1);
	filchi_mutex_unlock(&s->spares.lock);
}

void filchi_spare_end(struct filchi_worker *w)
{
	struct filchi_spares *p = &w->sched->spares;

	if (!w->blocking || --w->blocking || !w->sched->setup.spares)
		return;
	filchi_mutex_lock(&p->lock);
	filchi_store_rlx(&p->blocked, filchi_load_rlx(&p->blocked, R1) - 1, R1);
	filchi_mutex_unlock(&p->lock);
}

uint32_t filchi_spare_depth(const struct filchi_worker *w)
{
	return w->blocking;
}

void filchi_spare_unwind(struct filchi_worker *w, uint32_t depth)
{
	/* In a child of fork() no worker is counted as blocked, and another thread may have held the lock. */
	if (w->blocking > depth && w->sched->generation != filchi_process_generation())
		w->blocking = depth;
	while (w->blocking > depth)
		filchi_spare_end(w);
}

void filchi_spare_close(struct filchi_sched *s)
{
	struct filchi_spares *p = &s->spares;
	bool any;

	filchi_mutex_lock(&p->lock);
	p->closing = true;
	any = p->made > 0;
	if (any) {
		p->ended = s->worker_count;
		block(s, p->ended);
		/* Workers that have ended look for no items. So perhaps only spares do. */
		(void)filchi_fetch_add_rlx(&s->stalled, s->worker_count, X3);
	}
	close_if_quiet(p);
	filchi_mutex_unlock(&p->lock);
	if (any && s->setup.stalled && filchi_sched_is_stalled(s))
		s->setup.stalled(s);
	/* A running spare may make more spares. No spare is made after the first spare has ended. */
	for (uint32_t i = 0; any && (!i || i < p->made); i++)
		filchi_thread_join(&s->workers[s->worker_count + i]->thread);
}
