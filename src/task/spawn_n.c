/* SPDX-License-Identifier: Apache-2.0 */
/*
 * FILCH_SPAWN_N: a body spawns a task by number. A SPAWN_N is pending while it has numbers that are not spawned yet.
 *
 * The body calls the numbers one after the other, and makes no tasks of later numbers. The library can make such a task
 * at any time, and each number has its place on the task stack. The pending SPAWN_Ns of a worker are on a list, from
 * the outermost to the innermost. So a request can be answered with tasks of any of them, and not only with the next
 * spawn of the innermost body. Other workers get half of the numbers that each SPAWN_N has left, the outermost first.
 * One request is then enough to share all the work that a worker has.
 *
 * Without a request that costs a few stores for each SPAWN_N. A deque is of no use for such tasks, because their owner
 * does not reach them in reverse order. They go to its stash (src/sched/stash.h). Thieves take several from there at
 * once, and the owner takes the others back one by one.
 *
 * A task that runs during a wait gets its own list of SPAWN_Ns, because a worker that waits for this task must not run
 * numbers of the suspended body. When that list is empty, idle workers take from the older lists.
 *
 * Edges:
 *   J3   state: no other worker knows of the task yet
 *   H1   threshold: as in spawn.c
 */
#include "internal.h"

#include "../sched/steal.h"

/* No page is smaller anywhere. */
#define PAGE 4096u
/* One request fills at most this part of the free indices. Less for a waiting worker, which may not run all of them. */
#define PART_FOR_IDLE FILCHI_TUNE(2u, 1u)
#define PART FILCHI_TUNE(8u, 1u)
/* Tasks that a request makes for each idle worker, at most. */
#define AT_ONCE FILCHI_TUNE(128u, 2u)
/* What a number of a chunk costs its owner: marks, and a result in the cache of another worker. */
#define NUMBER_NS 12u

/*
 * A chunk: one task for several numbers in a row. The task of its first number stands for all. The place of its second
 * number has this struct until that number runs. The owner marks the other places as members (finish_chunk in spawn.c),
 * and no other worker looks at these marks.
 */
struct chunk {
	const struct filch_spawn_n_kind *kind;
	size_t from, count;
};

/* Most arguments and results are small: a copy of constant size is faster. Each place has so many bytes. */
static void copy_payload(struct filch_task *to, const struct filch_task *from, size_t size)
{
	if (size <= 16)
		__builtin_memcpy(to->payload, from->payload, 16);
	else
		__builtin_memcpy(to->payload, from->payload, size);
}

/*
 * The places of the numbers are in the cache of another worker. So a number runs in a task above head, and only its
 * result goes to its place: nobody waits for such a store.
 */
static void run_chunk(struct filch_worker_ *public, struct filch_task *first, struct filch_task *head)
{
	struct filch_task *t = first + first->lines;
	struct filch_task *args = head, *here;
	struct chunk c;

	__builtin_memcpy(&c, t->payload, sizeof(c));
	here = head + c.kind->lines;
	copy_payload(args, first, c.kind->args_size);
	for (size_t i = 0; i < c.count; i++) {
		copy_payload(here, args, c.kind->args_size);
		filchi_number(here->payload, c.kind->number_size, c.from + i);
		c.kind->run(public, here, here + c.kind->lines);
		if (c.kind->result_size)
			copy_payload(first + i * c.kind->lines, here, c.kind->result_size);
	}
	filchi_task_worker_of(public)->owner_ns += c.count * NUMBER_NS;
}

static void make_chunk(struct filchi_task_worker *w, struct filch_task *first, const struct chunk *c)
{
	struct filch_task *t = first;

	first->run = run_chunk;
	for (uint32_t i = 1; i < c->count; i++) {
		t += c->kind->lines;
		t->lines = c->kind->lines;
		t->owner = (uint16_t)filchi_worker_id(&w->sched);
		filchi_store_rlx(filchi_task_state(t), FILCHI_TASK_AT(0u, i) | FILCHI_TASK_MEMBER, J3);
	}
	__builtin_memcpy((first + c->kind->lines)->payload, c, sizeof(*c));
}

/* Makes a task of so many numbers. */
static uintptr_t make(struct filchi_task_worker *w, struct filch_spawn_n *f, size_t number, size_t count, void *context)
{
	struct filch_task *t = f->first + number * f->kind->lines;

	t->run = f->kind->run;
	t->lines = f->kind->lines;
	t->owner = (uint16_t)filchi_worker_id(&w->sched);
	__builtin_memcpy(t->payload, f + 1, f->kind->args_size);
	filchi_number(t->payload, f->kind->number_size, number);
	filchi_task_tail(t)->context = context;
	filchi_store_rlx(filchi_task_state(t), FILCHI_TASK_QUEUED, J3);
	if (count > 1)
		make_chunk(w, t, &(struct chunk){f->kind, number, count});
	filchi_count(&w->counters.tasks);
	return (uintptr_t)t;
}

/* The oldest SPAWN_N of the list that has numbers left, or NULL. */
static struct filch_spawn_n *find(struct filch_pending *pending)
{
	struct filch_spawn_n *f = pending->oldest;

	while (f && f->next == f->end && f->inner)
		f = f->inner;
	pending->oldest = f;
	return f && f->next < f->end ? f : NULL;
}

/* Divides the remaining numbers: returns the part of the others. Rounds up and down in turn. */
static size_t part_of(size_t left, size_t others, bool *up)
{
	size_t keep = left / (others + 1);

	if (left % (others + 1)) {
		keep += !*up;
		*up = !*up;
	}
	return left - keep;
}

/*
 * Makes at most max tasks, from this SPAWN_N on inwards. others: the workers to share with; 0: give all numbers away.
 */
static size_t share(struct filchi_task_worker *w, struct filch_spawn_n *f, void *context, size_t max, size_t others)
{
	uintptr_t items[AT_ONCE];
	size_t count = 0, made = 0;
	bool up = true;

	for (; f && made < max; f = f->inner) {
		size_t left = f->end - f->next;
		size_t give = others ? part_of(left, others, &up) : left;
		size_t chunk = filchi_spawn_n_chunk(&w->spawn_n, give);

		/* The last numbers; thieves start with the lowest of these. */
		give = give < (max - made) * chunk ? give : (max - made) * chunk;
		f->end -= give;
		for (size_t i = 0; i < give; i += chunk, made++) {
			items[count++] = make(w, f, f->end + i, give - i < chunk ? give - i : chunk, context);
			if (count == AT_ONCE) {
				filchi_steal_stash(&w->sched, items, count);
				count = 0;
			}
		}
	}
	filchi_steal_stash(&w->sched, items, count);
	return made;
}

/* Free indices of the stash, less one that a wait needs (join.c). 0 if that one is in use as well. */
static size_t room_of(struct filchi_task_worker *w)
{
	struct filchi_stash *stash = filchi_worker_stash(&w->sched);
	size_t count;

	/* An empty stash has no tasks from before a wait. */
	if (!filchi_stash_size(stash))
		w->stash_base = 0;
	filchi_stash_trim(stash, w->stash_base);
	count = filchi_stash_count(stash);
	return count < FILCHI_STASH_MAX ? FILCHI_STASH_MAX - 1 - count : 0;
}

static size_t idle_of(struct filchi_task_worker *w)
{
	return filchi_sched_idle(filchi_worker_sched(&w->sched));
}

/* As many as there is room for. If no worker is idle yet, no more than a usual batch. */
void filchi_task_give_all(struct filchi_worker *worker)
{
	struct filchi_task_worker *w = filchi_task_worker(worker);
	size_t max, left, made = 0;
	bool any = false;

	for (struct filch_pending *p = &w->public.pending; p && !any; p = p->outer)
		any = find(p);
	if (!any || !w->config->makes_tasks)
		return;
	max = room_of(w);
	left = filchi_stash_size(filchi_worker_stash(worker));
	if (!idle_of(w)) {
		max = max > AT_ONCE ? AT_ONCE : max;
		max = left < max ? max - left : 0;
	}
	for (struct filch_pending *p = &w->public.pending; p && made < max; p = p->outer)
		made += share(w, find(p), p->job, max - made, 0);
}

bool filchi_spawn_n_give(struct filchi_task_worker *w)
{
	struct filch_pending *pending = &w->public.pending;
	struct filch_spawn_n *f = find(pending);
	size_t idle, room, max;

	while (!f && pending->outer)
		f = find(pending = pending->outer);
	if (!f)
		return false;
	idle = idle_of(w);
	/* A worker that waits for the running task cannot run suspended ones. An idle worker can. */
	if (pending != &w->public.pending && !idle)
		return false;
	room = room_of(w) / (idle ? PART_FOR_IDLE : PART);
	if (!room)
		return false;
	max = AT_ONCE * (idle ? idle : 1);
	(void)share(w, f, pending->job, room < max ? room : max, idle ? idle : 1);
	return true;
}

bool filchi_spawn_n_share(struct filchi_task_worker *w, struct filch_task *head)
{
	if (!filchi_spawn_n_give(w))
		return false;
	filchi_threshold_set(w, (uintptr_t)head);
	return true;
}

/* The guard behind the task stack must be hit, and not skipped: it says that there was no room. */
void filch_task_probe_stack_(struct filch_worker_ *public, struct filch_task *head, size_t count, size_t lines)
{
	struct filchi_task_worker *w = filchi_task_worker_of(public);
	size_t bytes;

	if (__builtin_mul_overflow(count, lines * sizeof(*head), &bytes))
		bytes = SIZE_MAX - PAGE;
	if (filchi_worker_self() == &w->sched) {
		uintptr_t end = ((uintptr_t)head | (w->config->stack_bytes - 1)) + 1;

		if (bytes > end - (uintptr_t)head)
			*(char *)end = 0;
		return;
	}
	/* Without a worker the end of the stack is unknown: touch page after page. */
	for (size_t at = 0; at < bytes; at += PAGE) {
		((char *)head)[at] = 0;
		__asm__("" : : "r"(head) : "memory"); /* the compiler must neither drop nor merge the stores */
	}
}

void filch_task_spawn_n_(struct filch_worker_ *public, struct filch_task *head)
{
	struct filchi_task_worker *w = filchi_task_worker_of(public);

	/* If there is nothing to share, the request stands until there is. */
	if (filchi_is_requested(w) || (idle_of(w) && !filchi_stash_size(filchi_worker_stash(&w->sched))))
		(void)filchi_spawn_n_share(w, head);
	else
		filchi_threshold_set(w, (uintptr_t)head);
}
