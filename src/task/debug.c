/* SPDX-License-Identifier: Apache-2.0 */
/*
 * FILCH_DEBUG: spawns and syncs that do not match.
 *
 * Edges:
 *   J3   state: as in spawn.c
 */
#include "task.h"

void filch_task_misuse_(struct filch_worker_ *public)
{
	/* What runs alone has nowhere to count, be it in the thread of a worker. */
	if (filchi_worker_self() == filchi_worker_of(public))
		filchi_count(&filchi_worker_of(public)->counters.misuses);
}

void filch_task_sync_missing_(struct filch_worker_ *public, struct filch_task *base, struct filch_task *head)
{
	struct filchi_worker *w = filchi_worker_of(public);
	uintptr_t item;

	filch_task_misuse_(public);
	if (filchi_worker_self() != w)
		return; /* then all were calls */
	while (w->deque->ops->pop(w->deque, &item) == FILCH_OK) {
		if (filchi_item_is_task(item) && item >= (uintptr_t)base && item < (uintptr_t)head) {
			struct filch_task *t = (struct filch_task *)item;

			/* Above all of them: those between are yet to be looked at. */
			t->run(&w->public, t, head);
			filchi_store_rlx(filchi_task_state(t), FILCHI_TASK_RESULT, J3);
			continue;
		}
		/* An older one: where it was. */
		if (w->deque->ops->push(w->deque, item))
			while (filchi_sched_inject(w->sched, item))
				filchi_thread_yield();
		filchi_worker_notify(w); /* for who looked meanwhile */
		break;
	}
	for (struct filch_task *t = base; t < head; t += t->lines)
		if (filchi_load_rlx(filchi_task_state(t), J3) != FILCHI_TASK_RESULT)
			filchi_task_finish(w, t, head);
}
