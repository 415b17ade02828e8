/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Borrowing: an external thread runs as a sleeping worker for a while, and so runs its own loop itself. To hand a short
 * loop over and to wait for it would take longer than the loop.
 *
 * The worker must be asleep. Its deque, its task stack and its other private data then belong to the external thread.
 * To all other threads the borrower is the worker. Two words say so:
 *
 * - counts (sleep.c): the borrower counts one sleeper less. So wakers find one sleeper less, and as many threads run as
 *   there are workers.
 * - lease, one for each worker: the worker stores ASLEEP before it waits for a permit, and takes its lease back when it
 *   has a permit. A borrower changes ASLEEP to BORROWED. Permits are anonymous: a worker that gets a permit while it is
 *   borrowed passes the permit on to another sleeper, and waits until it is given back.
 *
 * The borrower takes the lease first and changes the count then. If all sleepers are already woken, it returns the
 * lease and has missed nothing. Giving back goes the other way, as falling asleep does (README.md): the thread counts
 * the worker as sleeping, has a fence, and then looks for items for which no sleeper was woken. It takes none, and
 * wakes a sleeper instead. It also requests tasks from all workers, because a sleeping worker relies on its requests.
 *
 * If no worker sleeps but some search, the borrower asks them to make room.
 *
 * Edges:
 *   Y1   wait: store_rel lease → borrow: cas_acq lease   the worker's own data, as the worker left them
 *   Y2   return_lease: exchange_rel lease → wait, borrow: cas_acq lease   the same, as the borrower left them
 *   Y3   lease: whether to sleep; the kernel looks again
 *   Y4   borrowers: a hint
 */
#include "borrow.h"

#include "../os/backoff.h"
#include "steal.h"

enum { AWAKE, ASLEEP, BORROWED };
#define WAITED 4u /* with BORROWED: the worker sleeps until it is given back */

/*
 * How often a borrower looks for a sleeping worker while workers search, or while the only worker may be about to
 * sleep. Without this wait it would never find that worker asleep. In the end it yields, because the worker may need
 * this processor before it can sleep. On one processor each look does.
 */
static const struct filchi_backoff_limits limits = {
	.tries = FILCHI_TUNE(204, 1), .tries_alone = FILCHI_TUNE(4, 1), .yield_after = FILCHI_TUNE(200, 1)};

/* ---- the worker ---- */

static void wait_for_lease(struct filchi_worker *w)
{
	uint32_t lease;

	while ((lease = filchi_load_rlx(&w->lease, Y3)) != ASLEEP)
		(void)filchi_wait_bit(&w->lease, lease, WAITED, FILCHI_NO_DEADLINE);
}

void filchi_lease_wait(struct filchi_worker *w)
{
	filchi_store_rel(&w->lease, ASLEEP, Y1);
	for (;;) {
		uint32_t lease = ASLEEP;

		filchi_sleep_wait(&w->sched->sleep);
		if (filchi_cas_acq(&w->lease, &lease, AWAKE, Y2))
			return;
		filchi_sleep_pass(&w->sched->sleep);
		wait_for_lease(w);
	}
}

/* ---- the borrower ---- */

static void return_lease(struct filchi_worker *w)
{
	if (filchi_exchange_rel(&w->lease, ASLEEP, Y2) & WAITED)
		filchi_futex_wake(&w->lease, 1);
}

/* Begins with the last worker, so that borrowers often get the same worker, with a warm cache. */
static struct filchi_worker *take(struct filchi_sched *s)
{
	for (uint32_t i = s->worker_count; i && FILCHI_SLEEPING(filchi_sleep_counts(&s->sleep)); i--) {
		struct filchi_worker *w = s->workers[i - 1];
		uint32_t lease = ASLEEP;

		if (filchi_load_rlx(&w->lease, Y3) != ASLEEP || !filchi_cas_acq(&w->lease, &lease, BORROWED, Y1))
			continue;
		if (filchi_sleep_replace(&s->sleep))
			return w;
		return_lease(w);
	}
	return NULL;
}

struct filchi_worker *filchi_borrow(struct filchi_sched *s)
{
	struct filchi_backoff looks = filchi_backoff_start(s->setup.one_processor);
	struct filchi_worker *w;
	void *arg;

	/* Useless if the workers take no requests, or if they never sleep. The context of hooks belongs to one thread.
	 */
	if ((!s->workers[0]->request && s->worker_count > 1) || filchi_sched_stays_awake(s) ||
	    filchi_sched_hooks(s, &arg))
		return NULL;
	w = take(s);
	if (!w && (s->setup.one_processor || s->worker_count == 1 || filchi_sched_searching(s))) {
		(void)filchi_fetch_add_rlx(&s->borrowers, 1, Y4);
		while (!w && filchi_backoff(&looks, &limits))
			w = take(s);
		(void)filchi_fetch_add_rlx(&s->borrowers, (uint32_t)-1, Y4);
	}
	if (w)
		filchi_thread_local_set(w);
	return w;
}

/* True if there is an item for which a sleeper must be woken. Requests tasks from all workers. */
static bool is_anything(struct filchi_sched *s)
{
	uint32_t victims = filchi_sched_victims(s);
	bool found = !filchi_injector_is_empty(&s->injector);

	for (uint32_t i = 0; i < victims; i++) {
		struct filchi_worker *victim = s->workers[i];

		filchi_request(victim);
		found = found || filchi_worker_size(victim) || filchi_stash_size(&victim->stash);
	}
	return found;
}

void filchi_give_back(struct filchi_worker *w)
{
	struct filchi_sched *s = w->sched;

	filchi_spare_unwind(w, 0);
	filchi_thread_local_set(NULL);
	return_lease(w);
	filchi_sleep_enter(&s->sleep, false);
	if (filchi_sched_stays_awake(s))
		filchi_sleep_wake_all(&s->sleep);
	else if (is_anything(s))
		(void)filchi_sleep_notify(&s->sleep);
}
