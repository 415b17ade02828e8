/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SPAWN_Ns: a body that spawns a task by number, FILCH_SPAWN_N, and what it has yet to spawn.
 *
 * The numbers are called one after the other, and nothing is made of those that are still to come: what it takes to
 * make them is known, and each has its place on the task stack. All SPAWN_Ns that a worker is in, from the outermost to
 * the one that it is just at, are on a list. So when someone asks, tasks can be made of any of them, and not only of
 * what the innermost body would spawn next: half of what each has left, beginning with the outermost, is for others,
 * and one request is enough to share all that a worker has to do.
 *
 * Where nobody asks that costs a few stores for each SPAWN_N. A deque is of no use for such tasks, as their owner does
 * not get to them in the reverse order: they go to its hand (sched/steal.c), from where thieves take some at once, and
 * the owner takes back one by one what is left when it gets there.
 *
 * Most of what is made may be shorts, or taken back. So few are made at once if those before were not worth it, and
 * more if they were: all together, as in an irregular tree one of them makes up for many.
 *
 * If a worker leaves something off to run something else while it waits, that has a list of its own: who waits for it
 * may not run anything of the former. When there is nothing on the new list, those who are idle get of the older ones.
 *
 * Edges:
 *   J3   state: nobody else knows of the task yet
 *   H1   threshold: as in spawn.c
 */
#include "../base/clock.h"
#include "task.h"

/* Tasks that are made at once, for each who is idle. */
#define AT_ONCE FILCHI_TUNE(128u, 2u)
#define AT_ONCE_LEAST FILCHI_TUNE(4u, 2u)
/* Not larger than a page anywhere. */
#define PAGE 4096u
/* What a task should keep another worker busy for, on average: each of the two spends some 200 ns on it. */
#define WORTH_NS 400u
/* Parts of the room that there is: less for one who waits, as that may not take all that is there. */
#define PART_FOR_IDLE FILCHI_TUNE(2u, 1u)
#define PART FILCHI_TUNE(8u, 1u)

static uintptr_t make(struct filchi_worker *w, struct filch_spawn_n *f, size_t number, void *job)
{
	struct filch_task *t = f->first + number * f->kind->lines;

	t->run = f->kind->run;
	t->lines = f->kind->lines;
	t->owner = (uint16_t)w->id;
	__builtin_memcpy(t->payload, f + 1, f->kind->args_size);
	filchi_number(t->payload, f->kind->number_size, number);
	*filchi_task_context(t) = job;
	filchi_store_rlx(filchi_task_state(t), FILCHI_TASK_QUEUED, J3);
	filchi_count(&w->counters.tasks);
	return (uintptr_t)t;
}

/* The oldest that has something left, or NULL. */
static struct filch_spawn_n *find(struct filch_pending *pending)
{
	struct filch_spawn_n *f = pending->oldest;

	while (f && f->next == f->end && f->inner)
		f = f->inner;
	pending->oldest = f;
	return f && f->next < f->end ? f : NULL;
}

/*
 * How many to make now: more than the last time, or fewer, as those that have been synced since have kept others busy
 * for long enough or not. If there were none, all of them are taken to have been at work since.
 */
static size_t pace(struct filchi_worker *w)
{
	uint64_t now = filchi_clock_ns();
	uint64_t tasks = w->joined ? w->joined : w->gave;
	uint64_t ns = w->joined ? w->joined_ns : now - w->gave_at;

	if (!w->at_once)
		w->at_once = AT_ONCE;
	else if (ns >= WORTH_NS * tasks)
		w->at_once = 2 * w->at_once < AT_ONCE ? 2 * w->at_once : AT_ONCE;
	else if (w->joined)
		w->at_once = w->at_once / 2 > AT_ONCE_LEAST ? w->at_once / 2 : AT_ONCE_LEAST;
	w->gave_at = now;
	w->joined = 0;
	w->joined_ns = 0;
	return w->at_once;
}

/* How many of so many are for others. up: if that is no whole number, and the other way at the next one. */
static size_t part_of(size_t left, size_t others, bool *up)
{
	size_t keep = left / (others + 1);

	if (left % (others + 1)) {
		keep += !*up;
		*up = !*up;
	}
	return left - keep;
}

/* At most so many, from that one on; others: how many they are for, 0: all that there is. */
static size_t share(struct filchi_worker *w, struct filch_spawn_n *f, void *job, size_t max, size_t others)
{
	uintptr_t items[AT_ONCE];
	size_t count = 0, made = 0;
	bool up = true;

	for (; f && made < max; f = f->inner) {
		size_t left = f->end - f->next;
		size_t give = others ? part_of(left, others, &up) : left;

		/* The last ones, but of these the first one first. */
		give = give < max - made ? give : max - made;
		f->end -= give;
		made += give;
		for (size_t i = 0; i < give; i++) {
			items[count++] = make(w, f, f->end + i, job);
			if (count == AT_ONCE) {
				filchi_task_stash(w, items, count);
				count = 0;
			}
		}
	}
	filchi_task_stash(w, items, count);
	return made;
}

/* Places in hand. One stays free, for who waits: join.c. That may be taken, too. */
static size_t room_of(struct filchi_worker *w)
{
	size_t held;

	/* Nothing there is nothing that a wait could have begun with. */
	if (!filchi_stash_size(w))
		w->mark = 0;
	filchi_stash_trim(w, w->mark);
	held = filchi_stash_count(w);
	return held < FILCHI_STASH_MAX ? FILCHI_STASH_MAX - 1 - held : 0;
}

/* All that there is room for; or, if nobody is there yet who could take it, no more than there usually is. */
static bool give_all(struct filchi_worker *w, size_t idle)
{
	size_t max = room_of(w), left = filchi_stash_size(w), made = 0;

	if (!idle && max > AT_ONCE)
		max = AT_ONCE;
	if (!idle)
		max = left < max ? max - left : 0;
	for (struct filch_pending *pending = &w->public.pending; pending && made < max; pending = pending->outer)
		made += share(w, find(pending), pending->job, max - made, 0);
	return made;
}

bool filchi_spawn_n_give(struct filchi_worker *w, bool all)
{
	struct filch_pending *pending = &w->public.pending;
	struct filch_spawn_n *f = find(pending);
	uint32_t counts;
	size_t idle, room, max;

	while (!f && pending->outer)
		f = find(pending = pending->outer);
	if (!f)
		return false;
	counts = filchi_sleep_counts(&w->sched->sleep);
	idle = FILCHI_SLEEPING(counts) + FILCHI_SEARCHING(counts);
	if (all)
		return give_all(w, idle);
	/* What was left off is of no use to who waits for what runs now, but to any other. */
	if (pending != &w->public.pending && !idle)
		return false;
	room = room_of(w) / (idle ? PART_FOR_IDLE : PART);
	if (!room)
		return false;
	max = pace(w) * (idle ? idle : 1);
	w->gave = (uint32_t)share(w, f, pending->job, room < max ? room : max, idle ? idle : 1);
	return true;
}

bool filchi_spawn_n_share(struct filchi_worker *w, struct filch_task *head)
{
	if (!filchi_spawn_n_give(w, false))
		return false;
	filchi_threshold_set(w, (uintptr_t)head);
	return true;
}

/* What is above the task stack must be met, and not jumped over: it is what tells that there was no room. */
void filch_task_probe_stack_(struct filch_worker_ *public, struct filch_task *head, size_t count, size_t lines)
{
	struct filchi_worker *w = filchi_worker_of(public);
	size_t bytes;

	if (__builtin_mul_overflow(count, lines * sizeof(*head), &bytes))
		bytes = SIZE_MAX - PAGE;
	if (filchi_worker_self() == w) {
		uintptr_t end = ((uintptr_t)head | (w->sched->setup.task_stack_bytes - 1)) + 1;

		if (bytes > end - (uintptr_t)head)
			*(char *)end = 0;
		return;
	}
	/* Alone, of which nobody knows the end: a page after the other. */
	for (size_t at = 0; at < bytes; at += PAGE) {
		((char *)head)[at] = 0;
		__asm__("" : : "r"(head) : "memory"); /* not to be left out, nor to be done at once */
	}
}

void filch_task_spawn_n_(struct filch_worker_ *public, struct filch_task *head)
{
	struct filchi_worker *w = filchi_worker_of(public);
	bool asked = filchi_load_rlx(filchi_threshold(w), H1) == FILCHI_THRESHOLD_REQUESTED;
	bool idle = filchi_sleep_counts(&w->sched->sleep);

	/* If there is nothing the threshold stays, until there is. */
	if (asked || (idle && !filchi_stash_size(w)))
		(void)filchi_spawn_n_share(w, head);
	else
		filchi_threshold_set(w, (uintptr_t)head);
}
