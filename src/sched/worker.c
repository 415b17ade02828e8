/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The loop of a worker. The worker finds an item, runs it, and sleeps if it finds no item. README.md has the protocol
 * of sleeping that idle() follows.
 *
 * A worker without work searches for some rounds. Then it counts itself as sleeping, looks everywhere once more, and
 * waits for a permit. With the permit it searches again.
 *
 * Edges:
 *   F4   sched.c: store_rel stopping (F1), enter: load_acq stopping   a worker that sees DRAIN sees all injected items
 *   F2   stopping: whether to search, and the end. A worker that must believe it looks again
 *   F3   park: fetch_add_acq parked, again   a worker that parks after another one has taken a permit for DRAIN, and
 *        looked again with the fence of S1, sees DRAIN, too. All changes are RMWs and continue the release sequence
 *   S3   park: fence_rel, sleep.c: enter: fence_sc   a worker that falls asleep after the last one has left sees END.
 *        The last one changes counts on its way out, and so wakes the workers that fell asleep before
 *   Y4   borrowers: a hint
 */
#include "borrow.h"
#include "steal.h"

#include "../base/clock.h"
#include "../base/mem.h"
#include "../os/backoff.h"

#include <filch/pool.h>

#include <string.h>

/* Rounds of searching before sleep. A round is an attempt at each of the other workers. */
#define ROUNDS FILCHI_TUNE(48u, 1u)
#define ROUNDS_POWER 1u
/* Every 61st look begins with the injector. So injected items do not starve. */
#define FAIRNESS 61u
/* Items that a thief takes from one victim before it looks elsewhere. */
#define STREAK FILCHI_TUNE(61u, 1u)
/* Looks at a victim that has nothing, in a streak. One more for each item of the streak. */
#define AGAIN_TRIES 8u
/* Items that a worker takes from the injector at once, at most. */
#define SHARE FILCHI_TUNE(16u, 2u)

int filchi_worker_init(struct filchi_worker *w, struct filchi_sched *s, uint32_t id, FILCHI_ATOMIC(uintptr_t) * request)
{
	int err;

	memset(w, 0, sizeof(*w));
	w->sched = s;
	w->request = request;
	w->id = w->thief.last_victim = id;
	filchi_rng_seed(&w->thief.rng, id);
	filchi_atomic_init(&w->lease, 0);
	filchi_atomic_init(&w->counters.steals, 0);
	filchi_atomic_init(&w->counters.parks, 0);
	filchi_atomic_init(&w->counters.wakes, 0);
	err = filchi_stash_init(&w->stash);
	if (err)
		return err;
	err = s->setup.kind->ops.create(&w->deque, &s->setup.deque);
	if (err)
		filchi_stash_fini(&w->stash);
	return err;
}

void filchi_worker_fini(struct filchi_worker *w)
{
	w->sched->setup.kind->ops.destroy(w->deque);
	filchi_stash_fini(&w->stash);
	filchi_free(w->nearest);
}

struct filchi_worker *filchi_worker_self(void)
{
	return filchi_thread_local();
}

void filchi_worker_notify(struct filchi_worker *w)
{
	if (filchi_sleep_notify(&w->sched->sleep))
		filchi_count(&w->counters.wakes);
}

void filchi_worker_requeue(struct filchi_worker *w, const uintptr_t *items, size_t count)
{
	for (size_t i = 0; i < count; i++)
		while (filchi_worker_push(w, items[i]) && filchi_injector_push(&w->sched->injector, items[i]))
			filchi_thread_yield();
	filchi_worker_notify(w);
}

void filchi_worker_pass_on(struct filchi_worker *w, uintptr_t item)
{
	while (filchi_sched_inject(w->sched, item))
		filchi_thread_yield();
}

void filchi_worker_stats(const struct filchi_worker *w, struct filch_stats *stats)
{
	uint64_t grows = 0, shrinks = 0;

	stats->steals += filchi_count_read(&w->counters.steals);
	stats->parks += filchi_count_read(&w->counters.parks);
	stats->wakes += filchi_count_read(&w->counters.wakes);
	if (w->deque->ops->moves)
		w->deque->ops->moves(w->deque, &grows, &shrinks);
	stats->split_grows += grows;
	stats->split_shrinks += shrinks;
}

/* ---- finding an item ---- */

/*
 * After a steal from a stash the thief takes more to its own stash. After a steal from a deque it comes back for the
 * next items one by one (filchi_worker_steal_again): an item that the victim has published costs the victim nothing,
 * and the owner of a task can still take it back. A worker with a stash takes no more. Nor does a spare, which may have
 * to give up its place soon.
 */
bool filchi_worker_steal(struct filchi_worker *w, uint32_t id, uintptr_t *item, bool last_look)
{
	struct filchi_worker *victim = w->sched->workers[id];
	int result;

	while ((result = filchi_steal(w, victim, FILCHI_ITEMS_ALL, item, last_look)) == FILCH_LOST)
		filchi_spin_wait();
	if (result != FILCH_OK)
		return false;
	w->thief.last_victim = id;
	filchi_count(&w->counters.steals);
	if (filchi_item_is_free(*item) || filchi_worker_is_spare(w) || filchi_stash_count(&w->stash))
		return true;
	if (filchi_stash_size(&victim->stash))
		filchi_steal_more(w, victim, FILCHI_ITEMS_ALL);
	else
		w->thief.streak = STREAK;
	return true;
}

/*
 * Without a look at the clock, and without a request to spawn. The victim may be about to publish more: a short wait is
 * cheaper than to become idle. The thief waits for longer if it has found much so far.
 */
bool filchi_worker_steal_again(struct filchi_worker *w, uintptr_t *item)
{
	struct filchi_worker *victim = w->sched->workers[w->thief.last_victim];
	uint32_t most = FILCHI_TUNE(AGAIN_TRIES + STREAK - w->thief.streak, 1u);
	int result = FILCH_EMPTY;

	/* A worker with hooks asks them before each item. */
	if (!w->thief.streak || w->hooks || filchi_worker_size(w))
		return false;
	w->thief.streak--;
	for (uint32_t tries = 0; tries < most; tries++) {
		result = victim->deque->ops->steal(victim->deque, item);
		if (result == FILCH_OK)
			break;
		if (!tries)
			w->thief.dry_at = filchi_clock_ns();
		filchi_spin_wait();
	}
	if (result != FILCH_OK) {
		w->thief.streak = 0;
		return false;
	}
	w->thief.dry_at = 0;
	filchi_count(&w->counters.steals);
	return true;
}

/*
 * How many injected items a worker may take. Only one if the others could not see the rest in its deque. The size of
 * the injector costs a look at the words that others change, so the worker asks for it only where it counts.
 */
static size_t fair_share(struct filchi_sched *s)
{
	size_t share;

	if (filchi_sched_owner_private(s))
		return 1;
	if (s->worker_count == 1)
		return SHARE;
	share = (filchi_injector_size(&s->injector) + s->worker_count - 1) / s->worker_count;
	return share < 1 ? 1 : share < SHARE ? share : SHARE;
}

/* Takes a share of the injected items: one to run, and the others to the worker's own deque. */
static bool take_injected(struct filchi_worker *w, uintptr_t *item)
{
	struct filchi_sched *s = w->sched;
	uintptr_t items[SHARE], rest[SHARE];
	size_t taken;
	int result;

	/* LOST also if a thread is about to put in the next item: the worker waits for it. */
	while ((result = filchi_injector_take_many(&s->injector, items, fair_share(s), &taken)) == FILCH_LOST)
		filchi_spin_wait();
	if (result != FILCH_OK)
		return false;
	/* Into a LIFO the newest goes first, so that the oldest comes out first. */
	for (size_t i = 1; i < taken; i++)
		rest[i - 1] = s->setup.kind->info.owner_order == FILCH_LIFO ? items[taken - i] : items[i];
	if (taken > 1)
		filchi_worker_requeue(w, rest, taken - 1);
	*item = items[0];
	return true;
}

bool filchi_worker_find_own(struct filchi_worker *w, uintptr_t *item)
{
	return filchi_worker_pop(w, item) || filchi_stash_take_own(&w->stash, 0, FILCHI_ITEMS_ALL, item);
}

static bool ask(struct filchi_worker *w, enum filch_look look, uintptr_t *item)
{
	struct filch_item *found;

	if (FILCHI_LIKELY(!w->hooks))
		return false;
	found = w->hooks->next(w->hook_context, look);
	*item = filchi_item_foreign(found);
	return found;
}

static bool find(struct filchi_worker *w, uintptr_t *item, bool everywhere)
{
	uint32_t victims = filchi_sched_victims(w->sched);

	w->thief.streak = 0;
	if ((++w->ticks % FAIRNESS == 0 && take_injected(w, item)) ||
	    ask(w, everywhere ? FILCH_LOOK_SLEEP : FILCH_LOOK_POP, item) || filchi_worker_pop(w, item) ||
	    ask(w, FILCH_LOOK_STEAL, item) || take_injected(w, item) ||
	    filchi_stash_take_own(&w->stash, 0, FILCHI_ITEMS_ALL, item))
		return true;
	for (uint32_t i = 0; i + 1 < victims; i++) {
		uint32_t victim = everywhere ? (w->id + 1 + i) % victims : filchi_victim_pick(w, i);

		if (filchi_worker_steal(w, victim, item, everywhere))
			return true;
	}
	return false;
}

bool filchi_worker_find(struct filchi_worker *w, uintptr_t *item)
{
	return find(w, item, true);
}

/* ---- nothing to do ---- */

/*
 * After poor steals a worker must not sleep at once. It would request a task before it sleeps, the victim would wake
 * it, and so on: each time at the price of a system call. So it rests for its pause first. Then it searches once more,
 * to see the answer to its request while it is awake. Meanwhile it counts as searching.
 */
static bool rest(struct filchi_worker *w)
{
	if (!filchi_steal_is_poor(w) || w->hooks || filchi_load_rlx(&w->sched->stopping, F2))
		return false;
	(void)filchi_futex_wait_for(&w->sched->stopping, FILCHI_STOPPING_NOT, w->thief.pause_ns);
	return true;
}

/* Searches for a while, or as long as no worker may sleep. */
static bool search(struct filchi_worker *w, uintptr_t *item)
{
	struct filchi_sched *s = w->sched;
	const struct filchi_backoff_limits limits = {.tries =
							     s->setup.wait == FILCHI_WAIT_POWER ? ROUNDS_POWER : ROUNDS,
						     .yield_after = 16,
						     .doublings = 6,
						     .equal_tries = 4};
	struct filchi_backoff rounds = {0};
	bool rested = false;

	for (;;) {
		bool awake = filchi_sched_stays_awake(s);

		if (!awake && filchi_backoff_is_over(&rounds, &limits)) {
			if (rested || !rest(w))
				return false;
			rested = true;
			filchi_backoff_reset(&rounds);
		}
		if (find(w, item, false))
			return true;
		if (filchi_load_rlx(&s->stopping, F2) ||
		    (filchi_load_rlx(&s->borrowers, Y4) && !filchi_sched_stays_awake(s)))
			return false;
		if (awake)
			filchi_backoff_stay(&rounds, &limits);
		else
			(void)filchi_backoff(&rounds, &limits);
	}
}

void filchi_worker_adopt(struct filchi_worker *w)
{
	void *arg, *context;
	const struct filch_hooks *hooks = w->hooks ? NULL : filchi_sched_hooks(w->sched, &arg);

	if (FILCHI_LIKELY(!hooks))
		return;
	context = hooks->begin(arg, w->sched->setup.owner, (int)w->id);
	if (!context)
		return;
	w->bed.wake = hooks->wake;
	w->bed.context = w->hook_context = context;
	w->hooks = hooks;
	filchi_bed_add(&w->sched->sleep, &w->bed);
}

bool filchi_worker_is_busy(struct filchi_worker *w)
{
	return w->hooks && w->hooks->busy && w->hooks->busy(w->hook_context);
}

uint32_t filchi_worker_enter(struct filchi_worker *w, bool searching)
{
	if (w->hooks)
		filchi_bed_enter(&w->sched->sleep, &w->bed, searching);
	else
		filchi_sleep_enter(&w->sched->sleep, searching);
	return filchi_load_acq(&w->sched->stopping, F4);
}

static void leave(struct filchi_worker *w)
{
	if (w->hooks)
		filchi_bed_leave(&w->sched->sleep, &w->bed);
	else
		filchi_sleep_leave(&w->sched->sleep);
}

/* Sleeps in the worker's own bed, or in its hooks. */
static void wait_in_bed(struct filchi_worker *w)
{
	struct filchi_sleep *sleep = &w->sched->sleep;
	uint64_t deadline = FILCHI_NO_DEADLINE;
	bool elsewhere = w->hooks->plan && w->hooks->plan(w->hook_context, &deadline);

	if (filchi_bed_is_quiet(sleep, &w->bed)) {
		if (!elsewhere)
			filchi_bed_wait(&w->bed, deadline);
		else if (filchi_bed_elsewhere(&w->bed))
			w->hooks->sleep(w->hook_context, deadline);
	}
	filchi_bed_leave(sleep, &w->bed);
}

/*
 * Sleeps, unless it is the end. The end has come when the last worker has found nothing, after the last item came from
 * outside: all others have found nothing either, and hold no item. Until then all workers stay, because a running item
 * may make more items.
 *
 * A worker that had not seen DRAIN when it looked has been given a permit since. Permits are anonymous: another worker
 * may have taken it, found nothing, and parked although it was not the last. The next worker therefore looks again.
 *
 * A worker that its hooks keep busy is not counted, and so keeps the scheduler from ending.
 */
bool filchi_worker_park(struct filchi_worker *w, uint32_t stopping)
{
	struct filchi_sched *s = w->sched;
	bool spare = filchi_worker_is_spare(w), busy = filchi_worker_is_busy(w), counts = !spare && !busy;
	uint32_t parked;

	/* A spare parks in spare.c instead. A worker gets the permit with which the spare was woken. */
	if (!busy && (stopping == FILCHI_STOPPING_END || (stopping && spare)))
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
		if (w->hooks)
			wait_in_bed(w);
		else if (counts)
			filchi_lease_wait(w);
		else
			filchi_sleep_wait(&s->sleep);
	} else {
		leave(w);
	}
	if (counts)
		(void)filchi_fetch_add_rlx(&s->parked, (uint32_t)-1, F3);
	return true;
}

/*
 * The worker has stopped searching, and wakes another because there may be more items. Before the wake-up of a worker
 * has returned, this worker could have run a short item. So it first looks whether the item is the only one: a job, all
 * other workers sleep, and nothing is left here or in the injector. The tasks of a busy worker are not all in sight.
 */
static bool wake_another(struct filchi_worker *w, bool found, uintptr_t item)
{
	struct filchi_sched *s = w->sched;
	bool woken = false;

	if (!found || !filchi_item_is_free(item) || w->deque->ops->size(w->deque) || filchi_stash_count(&w->stash))
		return filchi_sleep_found(&s->sleep);
	if (filchi_sleep_found_alone(&s->sleep, filchi_sched_victims(s) - 1, &woken) &&
	    !filchi_injector_is_empty(&s->injector))
		woken = filchi_sleep_notify(&s->sleep);
	return woken;
}

/* Searches and sleeps until there is an item: true; or until the end: false. */
static bool idle(struct filchi_worker *w, uintptr_t *item)
{
	struct filchi_sched *s = w->sched;
	/* The cap keeps many workers from searching for nothing. Workers that stay awake may all search. */
	bool searching = filchi_sleep_search(&s->sleep, filchi_sched_stays_awake(s) ? UINT16_MAX : s->setup.searchers);

	for (;;) {
		bool found = searching && search(w, item);

		filchi_worker_adopt(w);
		if (!found) {
			uint32_t stopping = filchi_worker_enter(w, searching);

			found = find(w, item, true);
			if (!found && filchi_worker_park(w, stopping)) {
				searching = true;
				continue;
			}
			leave(w);
		}
		if (wake_another(w, found, *item))
			filchi_count(&w->counters.wakes);
		return found;
	}
}

bool filchi_worker_next(struct filchi_worker *w, uintptr_t *item)
{
	return find(w, item, false) || idle(w, item);
}

/* ---- the thread ---- */

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

void filchi_worker_begin(struct filchi_worker *w)
{
	filchi_thread_local_set(w);
	if (w->sched->setup.begin)
		w->sched->setup.begin(w);
}

void filchi_worker_end(struct filchi_worker *w)
{
	if (w->hooks)
		w->hooks->end(w->hook_context);
	if (w->sched->setup.end)
		w->sched->setup.end(w);
	filchi_thread_local_set(NULL);
}

void *filchi_worker_main(void *arg)
{
	struct filchi_worker *w = arg;
	uintptr_t item;

	filchi_worker_begin(w);
	while (filchi_worker_next(w, &item))
		w->sched->setup.run(w, item);
	filchi_worker_end(w);
	return NULL;
}
