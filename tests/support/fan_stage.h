/* SPDX-License-Identifier: Apache-2.0 */
/* FILCH_SPAWN_N written out, on the stage of fork_stage.h: for tests/check/fan.c and its scenarios. */
#ifndef TEST_SUPPORT_FAN_STAGE_H
#define TEST_SUPPORT_FAN_STAGE_H

#include "fork_stage.h"

#include <string.h>

/* Of task n. */
typedef void fan_body(struct filch_worker_ *w, struct filch_task *head, unsigned n);

struct fan_args {
	uint32_t number;
	uint32_t first; /* the n of number 0 */
	fan_body *body;
};

STAGE void fan_execute(struct filch_worker_ *w, struct filch_task *t, struct filch_task *head)
{
	struct fan_args args;

	memcpy(&args, t->payload, sizeof(args));
	args.body(w, head, args.first + args.number);
}

static const struct filch_fan_kind fan_kind = {fan_execute, 1, sizeof(uint32_t), sizeof(struct fan_args)};
_Static_assert(FILCHI_TASK_LINES(sizeof(struct fan_args)) == 1, "lines of a task");

/* From n = first on. How many were calls: the others were made to be taken. */
STAGE unsigned spawn_n(struct filch_worker_ *w, struct filch_task *head, unsigned count, unsigned first, fan_body *body)
{
	struct {
		struct filch_fan fan;
		struct fan_args args __attribute__((aligned(16)));
	} f = {.fan = {.kind = &fan_kind, .first = head, .end = count}, .args = {.first = first, .body = body}};
	struct filch_task *top = head + count;

	for (unsigned i = 0; i < count; i++)
		filchi_cell_set(&now.state[first + i], NEW);
	filchi_fan_begin(&f.fan, w);
	for (unsigned i = 0; i < f.fan.end; i++) {
		f.fan.next = i + 1;
		if ((uintptr_t)head < filchi_load_rlx(filchi_hurdle(filchi_worker_of(w)), FLAG))
			filch_task_fan_(w, head);
		filchi_store_rlx(filchi_task_state(head + i), FILCHI_TASK_RESULT, FLAG);
		body(w, top, first + i);
	}
	filchi_fan_end(&f.fan, w);
	return (unsigned)f.fan.end;
}

STAGE void sync_n(struct filch_worker_ *w, struct filch_task *head, unsigned count, unsigned first)
{
	while (count--)
		sync_with(w, head + count, first + count);
}

STAGE void fan_leaf(struct filch_worker_ *w, struct filch_task *head, unsigned n)
{
	(void)head;
	begin(w, n);
	end(n);
}

/* ---- who asks, and who takes ---- */

/* Someone has asked. */
STAGE void request(struct filch_worker_ *w)
{
	filchi_store_rlx(filchi_hurdle(filchi_worker_of(w)), FILCHI_HURDLE_RAISED, FLAG);
}

STAGE bool is_requested(struct filch_worker_ *w)
{
	return filchi_load_rlx(filchi_hurdle(filchi_worker_of(w)), FLAG) == FILCHI_HURDLE_RAISED;
}

STAGE bool is_made(struct filch_task *t)
{
	return filchi_load_rlx(filchi_task_state(t), FLAG) != FILCHI_TASK_RESULT;
}

/* As a worker does that looks for something: steal_from() of worker.c. */
STAGE bool look_at(struct filchi_worker *w, unsigned from, uintptr_t *item)
{
	struct filchi_worker *victim = &now.sched.workers[from];

	w->stolen_from = victim;
	return filchi_worker_take_held(victim, 1, UINTPTR_MAX, item, 1) ||
	       filchi_worker_steal(w, victim, item, true) == FILCH_OK;
}

STAGE bool take_and_run(struct filchi_worker *w, unsigned from)
{
	uintptr_t item;

	if (!look_at(w, from, &item))
		return false;
	run_item(w, item);
	return true;
}

STAGE void take_1(void *from)
{
	take_and_run(become(1), (unsigned)(uintptr_t)from);
}

STAGE void take_2(void *from)
{
	take_and_run(become(2), (unsigned)(uintptr_t)from);
}

/* Worker 0 does that. */
STAGE void play(const void *arg, task_run *root)
{
	setup(arg);
	acts(0, root);
	finish();
}

#endif
