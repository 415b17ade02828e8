/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Making, starting and stopping a scheduler, and the way in for items.
 *
 * Edges:
 *   G1   leave: fetch_add_rel submitters → stop: load_acq submitters   all that an external thread did. Its last
 *        look at the sleepers is part of that: the scheduler may be freed when stop returns
 *   G2   submitters: entering; the answer depends on the bit CLOSED only
 *   X3   stalled: pool/wait.c orders it
 *   R1   running: a hint, spare.c
 *   F1   stop: store_rel stopping, worker.c: load_acq stopping
 *   S1   stop: fence_sc, sleep.c: enter: fence_sc   a worker that falls asleep sees the flag, or is woken
 *   W1   keep_awake: a hint
 *   K1   attach: store_rel hooks, sched.h: load_acq hooks   the table and its argument
 */
#include "sched.h"

#include "../base/mem.h"
#include "../os/process.h"

#include <errno.h>

#define CLOSED 1u
#define ENTERED 2u

/* ---- workers ---- */

static int create_plain(struct filchi_worker **out, struct filchi_sched *s, uint32_t id)
{
	struct filchi_worker *w = filchi_alloc(sizeof(*w));
	int err = w ? filchi_worker_init(w, s, id, NULL) : -ENOMEM;

	if (err)
		filchi_free(w);
	*out = w;
	return err;
}

static void destroy_plain(struct filchi_worker *w)
{
	filchi_worker_fini(w);
	filchi_free(w);
}

int filchi_sched_create_worker(struct filchi_sched *s, uint32_t id)
{
	return (s->setup.worker_create ? s->setup.worker_create : create_plain)(&s->workers[id], s, id);
}

void filchi_sched_destroy_worker(struct filchi_sched *s, uint32_t id)
{
	(s->setup.worker_destroy ? s->setup.worker_destroy : destroy_plain)(s->workers[id]);
}

/* ---- making and ending ---- */

static void init_words(struct filchi_sched *s)
{
	filchi_atomic_init(&s->submitters, 0);
	filchi_atomic_init(&s->stopping, FILCHI_STOPPING_NOT);
	filchi_atomic_init(&s->parked, 0);
	filchi_atomic_init(&s->keep_awake, 0);
	filchi_atomic_init(&s->borrowers, 0);
	filchi_atomic_init(&s->stalled, 0);
	filchi_atomic_init(&s->victims, s->setup.workers);
	filchi_atomic_init(&s->hooks, NULL);
	filchi_sleep_init(&s->sleep);
}

int filchi_sched_init(struct filchi_sched *s, const struct filchi_sched_setup *setup)
{
	int err;

	s->setup = *setup;
	s->worker_count = 0;
	s->generation = filchi_process_generation();
	init_words(s);
	err = filchi_spare_init(&s->spares);
	if (err)
		return err;
	err = filchi_injector_init(&s->injector, FILCHI_TUNE(0, 2));
	if (err) {
		filchi_spare_fini(&s->spares);
		return err;
	}
	s->workers = filchi_alloc_array(0, (size_t)setup->workers + setup->spares, sizeof(struct filchi_worker *));
	if (!s->workers)
		err = -ENOMEM;
	while (!err && s->worker_count < setup->workers) {
		err = filchi_sched_create_worker(s, s->worker_count);
		s->worker_count += !err;
	}
	if (!err)
		err = filchi_victim_init(s);
	if (err)
		filchi_sched_fini(s);
	return err;
}

void filchi_sched_fini(struct filchi_sched *s)
{
	for (uint32_t i = 0; i < s->worker_count + s->spares.made; i++)
		filchi_sched_destroy_worker(s, i);
	filchi_free(s->workers);
	filchi_spare_fini(&s->spares);
	filchi_injector_fini(&s->injector);
}

int filchi_sched_start(struct filchi_sched *s)
{
	filchi_signals_get(&s->signals);
	for (uint32_t i = 0; i < s->worker_count; i++) {
		int err = filchi_worker_start(s->workers[i], filchi_worker_main);

		if (err) {
			filchi_sched_stop(s);
			return err;
		}
	}
	return 0;
}

void filchi_sched_stop(struct filchi_sched *s)
{
	(void)filchi_fetch_add_rlx(&s->submitters, CLOSED, G2);
	filchi_sched_wait_outside(s);
	for (uint32_t i = s->started = 0; i < s->worker_count; i++)
		s->started += s->workers[i]->started;
	filchi_store_rel(&s->stopping, FILCHI_STOPPING_DRAIN, F1);
	filchi_fence_sc(S1);
	filchi_sleep_wake_all(&s->sleep);
	filchi_parker_wake_each(&s->sleep);
	for (uint32_t i = 0; i < s->worker_count; i++)
		if (s->workers[i]->started)
			filchi_thread_join(&s->workers[i]->thread);
	if (s->setup.spares)
		filchi_spare_close(s);
}

/* ---- the way in ---- */

bool filchi_sched_enter(struct filchi_sched *s)
{
	if (!(filchi_fetch_add_rlx(&s->submitters, ENTERED, G2) & CLOSED))
		return true;
	filchi_sched_leave(s);
	return false;
}

void filchi_sched_stay(struct filchi_sched *s)
{
	(void)filchi_fetch_add_rlx(&s->submitters, ENTERED, G2);
}

void filchi_sched_leave(struct filchi_sched *s)
{
	/* From here on the scheduler may be freed. To wake the waiting thread, its address is enough. */
	if (filchi_fetch_add_rel(&s->submitters, (uint32_t)-ENTERED, G1) == (ENTERED | CLOSED))
		filchi_futex_wake(&s->submitters, 1);
}

void filchi_sched_wait_outside(struct filchi_sched *s)
{
	uint32_t submitters;

	while ((submitters = filchi_load_acq(&s->submitters, G1)) != CLOSED)
		filchi_futex_wait(&s->submitters, submitters);
}

int filchi_sched_inject(struct filchi_sched *s, uintptr_t item)
{
	struct filchi_worker *w = filchi_worker_self();
	int err = filchi_injector_push(&s->injector, item);

	if (!err && filchi_sleep_notify(&s->sleep) && w && w->sched == s)
		filchi_count(&w->counters.wakes);
	return err;
}

int filchi_sched_take(struct filchi_sched *s, uintptr_t *item)
{
	return filchi_injector_take(&s->injector, item);
}

int filchi_sched_offer(struct filchi_worker *w, uintptr_t item)
{
	if (filchi_sched_owner_private(w->sched) || filchi_worker_push(w, item))
		return filchi_sched_inject(w->sched, item);
	filchi_worker_notify(w);
	return 0;
}

/* ---- sleeping inside of items ---- */

/* Parked spares look for no items either. */
bool filchi_sched_is_stalled(struct filchi_sched *s)
{
	return filchi_load_rlx(&s->stalled, X3) >= s->worker_count + filchi_load_rlx(&s->spares.running, R1);
}

bool filchi_sched_stall(struct filchi_sched *s)
{
	if (!s->setup.stalled)
		return false;
	(void)filchi_fetch_add_rlx(&s->stalled, 1, X3);
	return filchi_sched_is_stalled(s);
}

void filchi_sched_stall_and_report(struct filchi_sched *s)
{
	if (filchi_sched_stall(s))
		s->setup.stalled(s);
}

void filchi_sched_unstall(struct filchi_sched *s)
{
	if (s->setup.stalled)
		(void)filchi_fetch_add_rlx(&s->stalled, (uint32_t)-1, X3);
}

/* ---- hooks ---- */

/* A worker adopts the hooks before it runs a foreign item, and before it sleeps. Nothing needs it to do so earlier. */
void filchi_sched_attach(struct filchi_sched *s, const struct filch_hooks *hooks, void *arg)
{
	filchi_plain_set(&s->hooks_arg, arg);
	filchi_store_rel(&s->hooks, hooks, K1);
}

void filchi_sched_wake_stopping(struct filchi_sched *s)
{
	filchi_fence_sc(S1);
	if (filchi_load_rlx(&s->stopping, F1))
		filchi_parker_wake_each(&s->sleep);
}

/* ---- staying awake ---- */

bool filchi_sched_stays_awake(struct filchi_sched *s)
{
	return s->setup.wait == FILCHI_WAIT_LATENCY || filchi_load_rlx(&s->keep_awake, W1);
}

void filchi_sched_keep_awake_begin(struct filchi_sched *s)
{
	(void)filchi_fetch_add_rlx(&s->keep_awake, 1, W1);
	filchi_sleep_wake_all(&s->sleep);
}

void filchi_sched_keep_awake_end(struct filchi_sched *s)
{
	uint32_t callers = filchi_load_rlx(&s->keep_awake, W1);

	/* The begin may have been in a pool that no longer exists. */
	while (callers && !filchi_cas_rlx(&s->keep_awake, &callers, callers - 1, W1))
		;
}
