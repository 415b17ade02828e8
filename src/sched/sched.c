/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Making, starting and stopping a scheduler, and the way in.
 *
 * Edges:
 *   G1   leave: fetch_add_rel gate → stop: load_acq gate   all that a thread from outside did. Its last
 *        look at the sleepers is among that: the scheduler may be freed when stop returns
 *   G2   gate: entering; whether it is closed is all that matters
 *   X3   stalled: pool/wait.c orders it
 *   R1   running: a hint, spare.c
 *   F1   stop: store_rel stopping, worker.c: load_acq stopping
 *   S1   stop: fence_sc, sleep.c: enter: fence_sc   a worker that falls asleep sees the flag, or is woken
 */
#include "sched.h"

#include "../base/mem.h"
#include "../os/process.h"

#include <errno.h>
#include <string.h>

#define CLOSED 1u
#define ENTERED 2u

int filchi_worker_init(struct filchi_worker *w, struct filchi_sched *s, uint32_t id)
{
	int err;

	memset(w, 0, sizeof(*w));
	w->sched = s;
	w->id = w->last_victim = id;
	filchi_rng_seed(&w->rng, id);
	filchi_atomic_init((FILCHI_ATOMIC(uintptr_t) *)&w->public.threshold,
			   s->makes_tasks ? FILCHI_THRESHOLD_OPEN : 0);
	filchi_atomic_init(&w->base, 0);
	filchi_atomic_init(&w->current, 0);
	filchi_atomic_init(&w->waiting, 0);
	filchi_atomic_init(&w->place, 0);
	filchi_atomic_init(&w->stash_count, 0);
	filchi_atomic_init(&w->stash_left, 0);
	for (size_t i = 0; i < sizeof(w->counters) / sizeof(uint64_t); i++)
		filchi_atomic_init((FILCHI_ATOMIC(uint64_t) *)&w->counters + i, 0);
	err = filchi_mutex_init(&w->stash_lock);
	if (err)
		return err;
	w->task_stacks[0] = filchi_vm_map(s->setup.task_stack_bytes);
	err = w->task_stacks[0] ? s->setup.kind->ops.create(&w->deque, &s->setup.deque) : -ENOMEM;
	if (!err)
		w->split = filchi_deque_split(w->deque);
	if (err) {
		if (w->task_stacks[0])
			filchi_vm_unmap(w->task_stacks[0], s->setup.task_stack_bytes);
		filchi_mutex_destroy(&w->stash_lock);
	}
	return err;
}

void filchi_worker_fini(struct filchi_worker *w)
{
	for (uint32_t i = 0; i < FILCHI_MAX_TASK_STACKS && w->task_stacks[i]; i++)
		filchi_vm_unmap(w->task_stacks[i], w->sched->setup.task_stack_bytes);
	w->sched->setup.kind->ops.destroy(w->deque);
	filchi_mutex_destroy(&w->stash_lock);
	filchi_free(w->order);
}

int filchi_sched_init(struct filchi_sched *s, const struct filchi_sched_setup *setup)
{
	int err;

	s->setup = *setup;
	s->worker_count = 0;
	s->generation = filchi_process_generation();
	s->makes_tasks = setup->workers > 1 && setup->kind->info.owner_order == FILCH_LIFO;
	filchi_atomic_init(&s->submitters, 0);
	filchi_atomic_init(&s->stopping, FILCHI_STOPPING_NOT);
	filchi_atomic_init(&s->parked, 0);
	filchi_atomic_init(&s->keep_awake, 0);
	filchi_atomic_init(&s->wanted, 0);
	filchi_atomic_init(&s->stalled, 0);
	filchi_atomic_init(&s->victims, setup->workers);
	filchi_sleep_init(&s->sleep);
	memset(&s->spares, 0, sizeof(s->spares));
	filchi_atomic_init(&s->spares.lent, 0);
	filchi_atomic_init(&s->spares.running, 0);
	filchi_atomic_init(&s->spares.permits, 0);
	err = filchi_mutex_init(&s->spares.lock);
	if (err)
		return err;
	err = filchi_injector_init(&s->injector, FILCHI_TUNE(0, 2));
	if (err) {
		filchi_mutex_destroy(&s->spares.lock);
		return err;
	}
	s->workers = filchi_alloc_array(0, (size_t)setup->workers + setup->spares, sizeof(*s->workers));
	if (!s->workers)
		err = -ENOMEM;
	while (!err && s->worker_count < setup->workers) {
		err = filchi_worker_init(&s->workers[s->worker_count], s, s->worker_count);
		s->worker_count += !err;
	}
	if (err)
		filchi_sched_fini(s);
	return err;
}

void filchi_sched_fini(struct filchi_sched *s)
{
	for (uint32_t i = 0; i < s->worker_count + s->spares.made; i++)
		filchi_worker_fini(&s->workers[i]);
	filchi_free(s->workers);
	filchi_mutex_destroy(&s->spares.lock);
	filchi_injector_fini(&s->injector);
}

int filchi_sched_start(struct filchi_sched *s)
{
	filchi_signals_get(&s->signals);
	for (uint32_t i = 0; i < s->worker_count; i++) {
		int err = filchi_worker_start(&s->workers[i], filchi_worker_main);

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
		s->started += s->workers[i].started;
	filchi_store_rel(&s->stopping, FILCHI_STOPPING_DRAIN, F1);
	filchi_fence_sc(S1);
	filchi_sleep_wake_all(&s->sleep);
	for (uint32_t i = 0; i < s->worker_count; i++)
		if (s->workers[i].started)
			filchi_thread_join(&s->workers[i].thread);
	if (s->setup.spares)
		filchi_spare_close(s);
}

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
	/* From here on the scheduler may be gone; to wake the thread that waits, the address will do. */
	if (filchi_fetch_add_rel(&s->submitters, (uint32_t)-ENTERED, G1) == (ENTERED | CLOSED))
		filchi_futex_wake(&s->submitters, 1);
}

/* When it is closed: until no thread from outside is in it. */
void filchi_sched_wait_outside(struct filchi_sched *s)
{
	uint32_t gate;

	while ((gate = filchi_load_acq(&s->submitters, G1)) != CLOSED)
		filchi_futex_wait(&s->submitters, gate);
}

int filchi_sched_inject(struct filchi_sched *s, uintptr_t item)
{
	struct filchi_worker *w = filchi_worker_self();
	int err = filchi_injector_push(&s->injector, item);

	if (!err && filchi_sleep_notify(&s->sleep) && w && w->sched == s)
		filchi_count(&w->counters.wakes);
	return err;
}

/* Spares that are parked look for nothing, either. */
bool filchi_sched_is_stalled(struct filchi_sched *s)
{
	return filchi_load_rlx(&s->stalled, X3) >= s->worker_count + filchi_load_rlx(&s->spares.running, R1);
}

bool filchi_sched_stall(struct filchi_sched *s)
{
	(void)filchi_fetch_add_rlx(&s->stalled, 1, X3);
	return filchi_sched_is_stalled(s);
}

void filchi_sched_unstall(struct filchi_sched *s)
{
	(void)filchi_fetch_add_rlx(&s->stalled, (uint32_t)-1, X3);
}

int filchi_sched_offer(struct filchi_worker *w, uintptr_t item)
{
	if (filchi_sched_owner_private(w->sched) || w->deque->ops->push(w->deque, item))
		return filchi_sched_inject(w->sched, item);
	filchi_worker_notify(w);
	return 0;
}
