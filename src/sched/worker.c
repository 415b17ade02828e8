/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a worker does all day. README.md has the protocol of sleeping that idle() follows.
 *
 * Edges:
 *   F4   sched.c: store_rel stopping (F1), enter: load_acq stopping   what was put in before is seen by who sees this
 *   F2   stopping: that it is over; and whether to search, where who is to believe it looks again
 *   F3   park: fetch_add_acq parked, again   who parks after one that has taken a permit for DRAIN, and looked again
 *        with the fence of S1, sees DRAIN, too; other changes are RMWs and go on with what was published
 *   S3   park: fence_rel, sleep.c: enter: fence_sc   who falls asleep after the last one has left sees END; that one
 *        changes counts on its way out, and so passes the torch to those who have before
 *   W1   warm: a hint
 *   Y4   wanted: a hint
 */
#include "sched.h"

#include <string.h>

/* Rounds of searching before sleep; a round is an attempt at each of the others. */
#define ROUNDS FILCHI_TUNE(48u, 1u)
/* From this one on the processor is offered to others between rounds: one of them may be the one to wait for. */
#define YIELD_ROUND 16u
/* Every so many items the injector is asked first, so that those outside are not starved. */
#define FAIRNESS 61u
/* Items taken from the injector at once, at most. */
#define SHARE FILCHI_TUNE(16u, 2u)

struct filchi_worker *filchi_worker_self(void)
{
	return filchi_thread_local();
}

static bool steal_from(struct filchi_worker *w, uint32_t id, uintptr_t *item, bool insist)
{
	struct filchi_worker *victim = &w->sched->workers[id];
	int result;

	while ((result = filchi_worker_steal(w, victim, item, insist)) == FILCH_LOST)
		filchi_spin_wait();
	if (result != FILCH_OK)
		return false;
	w->last_victim = id;
	filchi_count(&w->counters.steals);
	return true;
}

/* How many of what is in the injector one may take. What the deque would keep to itself is not for the others. */
static size_t fair_share(struct filchi_sched *s)
{
	size_t share = (filchi_injector_size(&s->injector) + s->worker_count - 1) / s->worker_count;

	return s->setup.kind->info.owner_private || share < 1 ? 1 : share < SHARE ? share : SHARE;
}

/* A share of what is there: one to run, the rest to the own deque, where others can get at it. */
static bool take_injected(struct filchi_worker *w, uintptr_t *item)
{
	struct filchi_sched *s = w->sched;
	uintptr_t items[SHARE];
	size_t taken;
	int result;

	/* Also lost if who puts in the next one is not done yet: that is waited for. */
	while ((result = filchi_injector_take_many(&s->injector, items, fair_share(s), &taken)) == FILCH_LOST)
		filchi_spin_wait();
	if (result != FILCH_OK)
		return false;
	/* The newest first, if what goes in last comes out first. */
	for (size_t i = 1; i < taken; i++) {
		uintptr_t next = s->setup.kind->info.owner_order == FILCH_LIFO ? items[taken - i] : items[i];

		while (w->deque->ops->push(w->deque, next) && filchi_injector_push(&s->injector, next))
			filchi_thread_yield(); /* no room anywhere: until some memory is free */
	}
	/* Who looked for them where they were, and fell asleep before they were here, is told. */
	if (taken > 1)
		filchi_worker_notify(w);
	*item = items[0];
	return true;
}

static bool find(struct filchi_worker *w, uintptr_t *item, bool everywhere)
{
	uint32_t victims = filchi_sched_victims(w->sched);

	if ((++w->ticks % FAIRNESS == 0 && take_injected(w, item)) || w->deque->ops->pop(w->deque, item) == FILCH_OK ||
	    take_injected(w, item)) {
		w->stolen_from = NULL;
		return true;
	}
	if (filchi_stash_take_own(w, 0, 1, UINTPTR_MAX, item))
		return true;
	for (uint32_t i = 0; i + 1 < victims; i++) {
		uint32_t victim = everywhere ? (w->id + 1 + i) % victims : filchi_victim_pick(w, i);

		if (steal_from(w, victim, item, everywhere))
			return true;
	}
	return false;
}

bool filchi_worker_find(struct filchi_worker *w, uintptr_t *item)
{
	return find(w, item, true);
}

bool filchi_stays_awake(struct filchi_sched *s)
{
	return s->setup.wait == FILCHI_WAIT_LATENCY || filchi_load_rlx(&s->keep_awake, W1);
}

/* Searches for a while, or as long as nobody is to sleep. */
static bool search(struct filchi_worker *w, uintptr_t *item)
{
	struct filchi_sched *s = w->sched;

	for (uint32_t round = 0;; round++) {
		if (round >= (s->setup.wait == FILCHI_WAIT_POWER ? 1 : ROUNDS) && !filchi_stays_awake(s))
			return false;
		if (find(w, item, false))
			return true;
		if (filchi_load_rlx(&s->stopping, F2) || (filchi_load_rlx(&s->wanted, Y4) && !filchi_stays_awake(s)))
			return false;
		for (uint32_t i = 0; i < (1u << (round < 6 ? round : 6)); i++)
			filchi_pause();
		if (round >= YIELD_ROUND)
			filchi_thread_yield();
	}
}

uint32_t filchi_worker_enter(struct filchi_worker *w, bool searching)
{
	filchi_sleep_enter(&w->sched->sleep, searching);
	return filchi_load_acq(&w->sched->stopping, F4);
}

/*
 * Sleeps, unless it is over. It is when the last worker has looked in vain, after nothing more came from outside: all
 * the others have looked in vain, too, and have nothing in hand since. Until then they stay, as what runs may make
 * more.
 *
 * One that has not seen DRAIN before its look has been given a permit since, but a permit names nobody: another may
 * have taken it, looked in vain, and parked as one that is not the last. So who comes after that one looks again.
 */
bool filchi_worker_park(struct filchi_worker *w, uint32_t stopping)
{
	struct filchi_sched *s = w->sched;
	bool counts = w->id < s->worker_count;
	uint32_t parked;

	/* A spare has a place of its own to wait at; what it was woken with goes to one that counts. */
	if (stopping == FILCHI_STOPPING_END || (stopping && !counts))
		return false;
	parked = counts ? filchi_fetch_add_acq(&s->parked, 1, F3) + 1 : 0;
	if (stopping == FILCHI_STOPPING_DRAIN && parked == s->started) {
		filchi_store_rlx(&s->stopping, FILCHI_STOPPING_END, F2);
		filchi_fence_rel(S3);
		filchi_sleep_wake_all(&s->sleep);
		return false;
	}
	if (filchi_load_rlx(&s->stopping, F2) == stopping) {
		filchi_count(&w->counters.parks);
		if (counts)
			filchi_worker_sleep(w);
		else
			filchi_sleep_wait(&s->sleep);
	} else {
		filchi_sleep_leave(&s->sleep);
	}
	if (counts)
		(void)filchi_fetch_add_rlx(&s->parked, (uint32_t)-1, F3);
	return true;
}

/* Until there is something to run: true; or the end has come: false. */
static bool idle(struct filchi_worker *w, uintptr_t *item)
{
	struct filchi_sched *s = w->sched;
	/* The cap is against searching in vain by many; awake they are meant to be. */
	bool searching = filchi_sleep_search(&s->sleep, filchi_stays_awake(s) ? UINT16_MAX : s->setup.searchers);

	for (;;) {
		bool found = searching && search(w, item);

		if (!found) {
			uint32_t stopping = filchi_worker_enter(w, searching);

			found = find(w, item, true);
			if (!found && filchi_worker_park(w, stopping)) {
				searching = true;
				continue;
			}
			filchi_sleep_leave(&s->sleep);
		}
		if (filchi_sleep_found(&s->sleep))
			filchi_count(&w->counters.wakes);
		return found;
	}
}

bool filchi_worker_next(struct filchi_worker *w, uintptr_t *item)
{
	return find(w, item, false) || idle(w, item);
}

static void died(void *worker)
{
	struct filchi_worker *w = worker;

	if (w->sched->setup.died)
		w->sched->setup.died(w);
}

int filchi_worker_start(struct filchi_worker *w, void *(*main)(void *worker))
{
	struct filchi_sched *s = w->sched;
	struct filchi_thread_setup setup = {
		.main = main, .died = died, .arg = w, .stack_bytes = s->setup.stack_bytes, .signals = &s->signals};
	int err = filchi_thread_start(&w->thread, &setup);

	w->started = !err;
	return err;
}

void *filchi_worker_main(void *arg)
{
	struct filchi_worker *w = arg;
	struct filchi_sched *s = w->sched;
	uintptr_t item;

	filchi_thread_local_set(w);
	if (s->setup.begin)
		s->setup.begin(w);
	while (filchi_worker_next(w, &item))
		s->setup.run(w, item);
	if (s->setup.end)
		s->setup.end(w);
	filchi_thread_local_set(NULL);
	return NULL;
}
