/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fans: a body that spawns a task by number, FILCH_SPAWN_N, and what it has yet to spawn.
 *
 * The numbers are called one after the other, and nothing is made of those that are still to come: what it takes to
 * make them is known, and each has its place on the task stack. All fans that a worker is in, from the outermost to the
 * one that it is just at, are on a list. So when someone asks, tasks can be made of any of them, and not only of what
 * the innermost body would spawn next: half of what each has left, beginning with the outermost, is for others, and one
 * request is enough to share all that a worker has to do.
 *
 * Where nobody asks that costs a few stores for each fan. A deque is of no use for such tasks, as their owner does not
 * get to them in the reverse order: they go to its hand (sched/steal.c), from where thieves take some at once, and the
 * owner takes back one by one what is left when it gets there.
 *
 * If a worker leaves something off to run something else while it waits, that has a list of its own: who waits for it
 * may not run anything of the former. When there is nothing on the new list, those who are idle get of the older ones.
 *
 * Edges:
 *   J3   state: nobody else knows of the task yet
 *   H1   hurdle: as in fork.c
 */
#include "fork.h"

/* Tasks that are made at once. Not all places are for them: who waits needs some, too. */
#define AT_ONCE FILCHI_TUNE(128u, 2u)
#define PLACES (FILCHI_HELD_MAX / 2)

/* The last of those that are still to come. */
static uintptr_t make(struct filchi_worker *w, struct filch_fan *f, void *job)
{
	struct filch_task *t = f->first + --f->end * f->kind->lines;

	t->run = f->kind->run;
	t->lines = f->kind->lines;
	t->owner = (uint16_t)w->id;
	__builtin_memcpy(t->payload, f + 1, f->kind->args_size);
	filchi_number(t->payload, f->kind->number_size, f->end);
	*filchi_task_job(t) = job;
	filchi_store_rlx(filchi_task_state(t), FILCHI_TASK_QUEUED, J3);
	filchi_count(&w->counters.tasks);
	return (uintptr_t)t;
}

/* The oldest that has something left, or NULL. */
static struct filch_fan *find(struct filch_fans *fans)
{
	struct filch_fan *f = fans->oldest;

	while (f && f->next == f->end && f->inner)
		f = f->inner;
	fans->oldest = f;
	return f && f->next < f->end ? f : NULL;
}

/* From that one on. */
static void share(struct filchi_worker *w, struct filch_fan *f, void *job)
{
	uintptr_t items[AT_ONCE];
	size_t count = 0;
	bool up = true; /* if a half is not a whole number */

	for (; f && count < AT_ONCE; f = f->inner) {
		size_t left = f->end - f->next;
		size_t give = (left + up) / 2;

		up ^= left & 1;
		for (; give && count < AT_ONCE; give--)
			items[count++] = make(w, f, job);
	}
	filchi_task_keep(w, items, count);
}

bool filchi_fan_give(struct filchi_worker *w)
{
	struct filch_fans *fans = &w->public.fans;
	struct filch_fan *f = find(fans);

	/* What was left off is of no use to who waits for what runs now, but for any other. */
	if (!f && filchi_sleep_counts(&w->sched->sleep))
		while (!f && (fans = fans->left_off))
			f = find(fans);
	if (!f)
		return false;
	filchi_worker_trim(w, w->mark);
	if (filchi_worker_held(w) + AT_ONCE > PLACES)
		return filchi_worker_left(w);
	share(w, f, fans->job);
	return true;
}

bool filchi_fan_share(struct filchi_worker *w, struct filch_task *head)
{
	if (!filchi_fan_give(w))
		return false;
	filchi_hurdle_set(w, (uintptr_t)head);
	return true;
}

void filch_task_fan_(struct filch_worker_ *public, struct filch_task *head)
{
	struct filchi_worker *w = filchi_worker_of(public);
	bool asked = filchi_load_rlx(filchi_hurdle(w), H1) == FILCHI_HURDLE_RAISED;
	bool idle = filchi_sleep_counts(&w->sched->sleep);

	/* If there is nothing the hurdle stays, until there is. */
	if (asked || (idle && !filchi_worker_left(w)))
		(void)filchi_fan_share(w, head);
	else
		filchi_hurdle_set(w, (uintptr_t)head);
}
