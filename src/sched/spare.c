/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Spares: workers that take the place of those that block. So a processor is not idle because a task sleeps, and what
 * a task waits for, of which the scheduler knows nothing, can be run even if all workers wait.
 *
 * Who is about to block lends its place: if there are fewer spares at work than places lent, one gets up, or is made if
 * there may be more. A spare is a worker like any other, with a deque and an id of its own; but when there are more at
 * work than places lent, it runs what is in its own deque and then parks, until it is given a place again. A parked one
 * has nothing that anybody could want.
 *
 * While the scheduler is stopped, spares are there until the workers have ended and no spare is at work: up to then
 * there may be someone who blocks until what a spare would run has been run. Workers that have ended have lent their
 * places for good: so none of the spares is surplus then, and each looks everywhere before it parks.
 *
 * Who lends a place while as many spares are at work as there are places leaves it to them. So one that is about to
 * park looks again if places were lent since it last looked: it may be the one that was counted on.
 *
 * The counts are changed with the lock held; outside of it they are hints.
 *
 * Edges:
 *   V1   make: store_rel victims, filchi_sched_victims: load_acq victims   a spare's deque
 *   X3   stalled: as in sched.c
 *   R1   lent, running: the lock orders them; a look without it is a hint
 *   R2   permits: changed by RMW only, given with the lock held, which who has taken one gets next
 */
#include "../os/process.h"
#include "sched.h"

/* So many permits, with the lock held; to parked ones, which are none any more. */
static void give(struct filchi_spares *p, uint32_t count)
{
	p->parked -= count;
	(void)filchi_fetch_add_rlx(&p->permits, count, R2);
	filchi_futex_wake(&p->permits, count);
}

static void take(struct filchi_spares *p)
{
	for (;;) {
		uint32_t permits = filchi_load_rlx(&p->permits, R2);

		if (!permits)
			filchi_futex_wait(&p->permits, 0);
		else if (filchi_cas_rlx(&p->permits, &permits, permits - 1, R2))
			return;
	}
}

static bool is_surplus(struct filchi_spares *p)
{
	return filchi_load_rlx(&p->running, R1) > filchi_load_rlx(&p->lent, R1);
}

/* With the lock held: when it is over for all, they are told. */
static void close_if_quiet(struct filchi_spares *p)
{
	if (p->closing && !filchi_load_rlx(&p->running, R1) && filchi_load_rlx(&p->lent, R1) == p->ended)
		give(p, p->parked);
}

/*
 * Gives up its place and sleeps until it has one again: true; or the end has come: false. It does not if places were
 * lent since *lends was read, before the last look.
 */
static bool park(struct filchi_spares *p, uint32_t *lends)
{
	bool again;

	filchi_mutex_lock(&p->lock);
	if (*lends != p->lends) {
		*lends = p->lends;
		filchi_mutex_unlock(&p->lock);
		return true;
	}
	filchi_store_rlx(&p->running, filchi_load_rlx(&p->running, R1) - 1, R1);
	p->parked++;
	close_if_quiet(p);
	filchi_mutex_unlock(&p->lock);
	take(p);
	filchi_mutex_lock(&p->lock);
	/* Who gives a place counts it; at the end nobody does. */
	again = filchi_load_rlx(&p->running, R1) > 0;
	*lends = p->lends;
	filchi_mutex_unlock(&p->lock);
	return again;
}

static bool own(struct filchi_worker *w, uintptr_t *item)
{
	return w->deque->ops->pop(w->deque, item) == FILCH_OK || filchi_stash_take_own(w, 0, 1, UINTPTR_MAX, item);
}

static void *spare_main(void *arg)
{
	struct filchi_worker *w = arg;
	struct filchi_sched *s = w->sched;
	uintptr_t item;
	uint32_t lends;

	/* Until who makes it is done with that. */
	filchi_mutex_lock(&s->spares.lock);
	lends = s->spares.lends;
	filchi_mutex_unlock(&s->spares.lock);
	filchi_thread_local_set(w);
	if (s->setup.begin)
		s->setup.begin(w);
	do
		while (is_surplus(&s->spares) ? own(w, &item) : filchi_worker_next(w, &item))
			s->setup.run(w, item);
	while (park(&s->spares, &lends));
	if (s->setup.end)
		s->setup.end(w);
	filchi_thread_local_set(NULL);
	return NULL;
}

/* One more, with the lock held. It starts with a place. */
static bool make(struct filchi_sched *s)
{
	uint32_t id = s->worker_count + s->spares.made;
	struct filchi_worker *w = &s->workers[id];

	if (filchi_worker_init(w, s, id))
		return false;
	if (filchi_worker_start(w, spare_main)) {
		filchi_worker_fini(w);
		return false;
	}
	s->spares.made++;
	filchi_store_rel(&s->victims, id + 1, V1);
	return true;
}

/*
 * Items for anyone, which have the lowest bit set, go to the injector if the deque would keep them to itself. The next
 * task, and all below it, stays: who spawned it may have to take it back.
 */
static void publish_private(struct filchi_worker *w)
{
	const struct filchi_deque_ops *ops = w->deque->ops;
	uintptr_t item;

	if (!w->sched->setup.kind->info.owner_private)
		return;
	while (ops->pop(w->deque, &item) == FILCH_OK)
		if (!(item & 1) || filchi_sched_inject(w->sched, item)) {
			while (ops->push(w->deque, item) && filchi_sched_inject(w->sched, item))
				filchi_thread_yield(); /* no room anywhere: until some memory is free */
			break;
		}
	if (ops->poll)
		ops->poll(w->deque);
	/* Who looked for it while it was taken out may sleep now. */
	filchi_worker_notify(w);
}

/* So many places more, with the lock held: one gets up for them, or is made. */
static void lend(struct filchi_sched *s, uint32_t places)
{
	struct filchi_spares *p = &s->spares;
	uint32_t lent = filchi_load_rlx(&p->lent, R1) + places;
	uint32_t running = filchi_load_rlx(&p->running, R1);

	filchi_store_rlx(&p->lent, lent, R1);
	p->lends++;
	if (running >= lent || running >= s->setup.spares)
		return;
	/* Counted before it can look. */
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
	lend(s, 1);
	filchi_mutex_unlock(&s->spares.lock);
}

void filchi_spare_end(struct filchi_worker *w)
{
	struct filchi_spares *p = &w->sched->spares;

	if (!w->blocking || --w->blocking || !w->sched->setup.spares)
		return;
	filchi_mutex_lock(&p->lock);
	filchi_store_rlx(&p->lent, filchi_load_rlx(&p->lent, R1) - 1, R1);
	filchi_mutex_unlock(&p->lock);
}

void filchi_spare_unwind(struct filchi_worker *w, uint32_t depth)
{
	/* In a child of fork() no place is lent any more, and another thread may have held the lock. */
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
		lend(s, p->ended);
		/* Workers that have ended look for nothing: the spares may be all that do. */
		(void)filchi_fetch_add_rlx(&s->stalled, s->worker_count, X3);
	}
	close_if_quiet(p);
	filchi_mutex_unlock(&p->lock);
	if (any && s->setup.stalled && filchi_sched_is_stalled(s))
		s->setup.stalled(s);
	/* One may yet make another, but when the first has ended nobody does. */
	for (uint32_t i = 0; any && (!i || i < p->made); i++)
		filchi_thread_join(&s->workers[s->worker_count + i].thread);
}
