/* SPDX-License-Identifier: Apache-2.0 */
/*
 * FILCH_DEBUG: spawns and syncs that do not match.
 *
 * Edges:
 *   J3   state: as in spawn.c
 */
#include "internal.h"

void filch_task_misuse_(struct filch_worker_ *public)
{
	struct filchi_task_worker *w = filchi_task_worker_of(public);

	/* A serial run has no counters, even in the thread of a worker. */
	if (filchi_worker_self() == &w->sched)
		filchi_count(&w->counters.misuses);
}

/* Pops the tasks from base to head and runs them above head, because the caller still needs the tasks in between. */
static void run_queued(struct filchi_task_worker *w, struct filch_task *base, struct filch_task *head)
{
	uintptr_t item;

	while (filchi_worker_pop(&w->sched, &item)) {
		struct filch_task *t = (struct filch_task *)item;

		if (filchi_item_is_free(item) || t < base || t >= head) {
			filchi_worker_requeue(&w->sched, &item, 1);
			return;
		}
		t->run(&w->public, t, head);
		filchi_store_rlx(filchi_task_state(t), FILCHI_TASK_RESULT, J3);
	}
}

void filch_task_sync_missing_(struct filch_worker_ *public, struct filch_task *base, struct filch_task *head)
{
	struct filchi_task_worker *w = filchi_task_worker_of(public);

	filch_task_misuse_(public);
	if (filchi_worker_self() != &w->sched)
		return; /* all spawns were calls */
	run_queued(w, base, head);
	for (struct filch_task *t = base; t < head; t += t->lines)
		if (filchi_load_rlx(filchi_task_state(t), J3) != FILCHI_TASK_RESULT)
			filchi_task_finish(w, t, head);
}
