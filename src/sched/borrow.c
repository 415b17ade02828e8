/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Guests: threads from outside that take the place of a worker for a while, and so run what they have brought
 * themselves. To hand a short loop over and to wait for it would take longer than the loop.
 *
 * The worker must be asleep. Then its deque, its task stack and all else that is its own are the guest's, who is that
 * worker to everyone. Two words tell that:
 *
 * - counts (sleep.c): the guest moves itself in for one of those who sleep. So there is one less to be woken, and as
 *   many at work as there are workers.
 * - place, of each worker: it says ASLEEP before it waits for a permit, and takes its place back when it has one. A
 *   guest who finds it ASLEEP makes that BORROWED. A permit bears no name: should the worker get one meanwhile, it
 * passes it on, to another who sleeps, and waits until its place is free.
 *
 * First the place, then the count: who gets the place but finds all woken already gives it back, and nothing has been
 * missed. At the end it goes the other way, and as who falls asleep does (README.md): the guest counts the worker in as
 * sleeping, fence, and then looks whether there is anything that it was not woken for. It takes nothing, but has a
 * sleeper woken for it; and it raises the thresholds, as those who sleep rely on having asked.
 *
 * If nobody sleeps but some search, they are asked to make room.
 *
 * Edges:
 *   Y1   wait: store_rel place → enter: cas_acq place   what is the worker's own, as it left it
 *   Y2   leave: exchange_rel place → wait, enter: cas_acq place   the same, as the guest left it
 *   Y3   place: whether to sleep; the kernel looks again
 *   Y4   wanted: a hint
 *   H1   threshold: raised after the fence of S1 (sleep.c)
 *   W1   warm: a hint
 */
#include "sched.h"

enum { AWAKE, ASLEEP, BORROWED, BORROWED_AND_WAITED };

/*
 * How long one from outside waits for those who search to make room, or for the only worker, which may be on its way
 * there from what was last put in: who does not wait for it then never finds it asleep.
 */
#define SPINS FILCHI_TUNE(200, 1)
/* The same where there is but one processor: they need it for that. */
#define YIELD_SPINS FILCHI_TUNE(4, 1)

/* ---- the worker ---- */

/* The place is lent: until it is not. */
static void wait_for_place(struct filchi_worker *w)
{
	for (;;) {
		uint32_t place = filchi_load_rlx(&w->place, Y3);

		if (place == ASLEEP)
			return;
		if (place == BORROWED_AND_WAITED || filchi_cas_rlx(&w->place, &place, BORROWED_AND_WAITED, Y3))
			filchi_futex_wait(&w->place, BORROWED_AND_WAITED);
	}
}

void filchi_worker_sleep(struct filchi_worker *w)
{
	filchi_store_rel(&w->place, ASLEEP, Y1);
	for (;;) {
		uint32_t place = ASLEEP;

		filchi_sleep_wait(&w->sched->sleep);
		if (filchi_cas_acq(&w->place, &place, AWAKE, Y2))
			return;
		filchi_sleep_pass(&w->sched->sleep);
		wait_for_place(w);
	}
}

/* ---- the guest ---- */

static void give_back(struct filchi_worker *w)
{
	if (filchi_exchange_rel(&w->place, ASLEEP, Y2) == BORROWED_AND_WAITED)
		filchi_futex_wake(&w->place, 1);
}

/* The last one first: so it is often the same one. */
static struct filchi_worker *take(struct filchi_sched *s)
{
	for (uint32_t i = s->worker_count; i && FILCHI_SLEEPING(filchi_sleep_counts(&s->sleep)); i--) {
		struct filchi_worker *w = &s->workers[i - 1];
		uint32_t place = ASLEEP;

		if (filchi_load_rlx(&w->place, Y3) != ASLEEP || !filchi_cas_acq(&w->place, &place, BORROWED, Y1))
			continue;
		if (filchi_sleep_replace(&s->sleep))
			return w;
		give_back(w);
	}
	return NULL;
}

struct filchi_worker *filchi_borrow(struct filchi_sched *s)
{
	bool one = s->setup.one_processor;
	struct filchi_worker *w;

	/* Where nobody makes tasks, or nobody is to sleep, a guest would be of no use. */
	if ((!s->makes_tasks && s->worker_count > 1) || filchi_stays_awake(s))
		return NULL;
	w = take(s);
	if (!w && (one || s->worker_count == 1 || FILCHI_SEARCHING(filchi_sleep_counts(&s->sleep)))) {
		(void)filchi_fetch_add_rlx(&s->wanted, 1, Y4);
		for (int looks = 0; !w && looks < (one ? YIELD_SPINS : SPINS); looks++) {
			if (one)
				filchi_thread_yield();
			else
				filchi_pause();
			w = take(s);
		}
		(void)filchi_fetch_add_rlx(&s->wanted, (uint32_t)-1, Y4);
	}
	if (w)
		filchi_thread_local_set(w);
	return w;
}

/* Is there anything that a worker who sleeps should have been woken for? Whoever has nothing now is asked for it. */
static bool is_anything(struct filchi_sched *s)
{
	uint32_t victims = filchi_sched_victims(s);
	bool found = !filchi_injector_is_empty(&s->injector);

	for (uint32_t i = 0; i < victims; i++) {
		struct filchi_worker *victim = &s->workers[i];
		FILCHI_ATOMIC(uintptr_t) *threshold = (FILCHI_ATOMIC(uintptr_t) *)&victim->public.threshold;

		if (s->makes_tasks && filchi_load_rlx(threshold, H1) != FILCHI_THRESHOLD_REQUESTED)
			filchi_store_rlx(threshold, FILCHI_THRESHOLD_REQUESTED, H1);
		found = found || victim->deque->ops->size(victim->deque) || filchi_stash_size(victim);
	}
	return found;
}

void filchi_give_back(struct filchi_worker *w)
{
	struct filchi_sched *s = w->sched;

	filchi_spare_unwind(w, 0);
	filchi_thread_local_set(NULL);
	give_back(w);
	filchi_sleep_enter(&s->sleep, false);
	if (filchi_stays_awake(s))
		filchi_sleep_wake_all(&s->sleep);
	else if (is_anything(s))
		(void)filchi_sleep_notify(&s->sleep);
}
