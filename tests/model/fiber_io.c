/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The hand-over between a fiber and the thread that completes its operation, with fiber/io/op.c and fiber/waiter.c as
 * they are shipped. A timer or a canceller may end the wait of the fiber meanwhile. The record of the operation is
 * freed as soon as the fiber has its result. So the checker reports a completing thread that uses the record too long.
 * In the last scenario the completion puts the fiber into a deque, as it is shipped, and a thief may steal it.
 */
#include "../../check/chk.h"
#include "../../fiber/io/op.h"
#include "../../src/base/mem.h"
#include "../../src/os/os_check.h"
#include "../fixtures/check_main.h"

#include <errno.h>
#include <filch/deque.h>

struct scenario {
	uint8_t kind;	/* of the fiber */
	bool timer;	/* its time is over */
	bool cancels;	/* a thread cancels it */
	bool only_ends; /* the operation is complete only after the fiber has asked for its end */
	bool elsewhere; /* the fiber is in another worker than its operation, and asks through the list */
	unsigned operations;
};

static struct {
	const struct scenario *s;
	struct filch_fiber fiber;
	struct filchi_cancel_list cancels;
	FILCHI_ATOMIC(struct filchi_op *) submitted;
	FILCHI_ATOMIC(uint64_t) ticket;
	FILCHI_ATOMIC(uint32_t) ready, asked;
	uint32_t waits;
	struct filch_deque *deque; /* of the worker that completes the operation; or NULL */
	bool kept;		   /* the fiber was woken before it had left its stack */
	FILCHI_ATOMIC(uint32_t) resumed;
} now;

/*
 * Edges of the test:
 *   SUBMIT   as a ring or a queue: the record
 *   READY    as a deque or an inbox
 *   TIMER    as the lock of the timers
 *   COUNT    orders nothing
 */
void filchi_fiber_ready(struct filch_fiber *p)
{
	chk_assert(p == &now.fiber);
	if (!now.deque)
		(void)filchi_fetch_add_rel(&now.ready, 1, READY);
	else if (chk_self())
		chk_assert(filch_deque_push(now.deque, (uintptr_t)p) == FILCH_OK);
	else
		now.kept = true;
}

void filchi_fiber_thread_yield(void)
{
}

/* As wait.c, without the switch. */
int filchi_fiber_wait(struct filch_fiber *self, filchi_ticket ticket, uint64_t deadline, const char *waits_for)
{
	(void)waits_for;
	if (deadline != UINT64_MAX)
		filchi_store_rel(&now.ticket, ticket, TIMER);
	if (now.s->cancels && deadline != UINT64_MAX && filchi_waiter_is_cancelled(self) &&
	    filchi_waiter_take_back(self, ticket))
		return -ECANCELED;
	now.waits++;
	if (self->kind == FILCHI_WAITER_FREE)
		filchi_waiter_parked(self);
	while (filchi_load_acq(&now.ready, READY) != now.waits)
		filchi_spin_wait();
	filchi_waiter_resume(self);
	return (int)filchi_plain_get(&self->reason);
}

/* Ends operations as a worker does, whenever it looks into the list. */
static void owner(void *unused)
{
	struct filchi_op *op, *end;

	(void)unused;
	while (!(op = filchi_exchange_acq(&now.submitted, NULL, SUBMIT)))
		filchi_spin_wait();
	while (!(end = filchi_op_take_cancel(&now.cancels)) && now.s->only_ends)
		filchi_spin_wait();
	chk_assert(!end || end == op);
	filchi_op_complete(op, 11);
	chk_assert(!filchi_op_take_cancel(&now.cancels));
}

static void completer(void *unused)
{
	(void)unused;
	for (unsigned i = 1; i <= now.s->operations; i++) {
		struct filchi_op *op;

		while (!(op = filchi_exchange_acq(&now.submitted, NULL, SUBMIT)))
			filchi_spin_wait();
		if (now.s->only_ends)
			while (filchi_load_rlx(&now.asked, COUNT) != i)
				filchi_spin_wait();
		filchi_op_complete(op, 10 + (intptr_t)i);
	}
}

static void timer(void *unused)
{
	uint64_t ticket;

	(void)unused;
	while (!(ticket = filchi_load_acq(&now.ticket, TIMER)))
		filchi_spin_wait();
	(void)filchi_waiter_end(&now.fiber, ticket, -ETIMEDOUT);
}

static void canceller(void *unused)
{
	(void)unused;
	if (filchi_waiter_cancel(&now.fiber))
		filchi_waiter_wake(&now.fiber, -ECANCELED);
}

/* As run() of drive_linux.c. */
static void operate(unsigned number)
{
	struct filchi_op *op = filchi_alloc(sizeof(*op));
	filchi_ticket ticket;
	int reason;

	filchi_atomic_init(&op->ticket, 0);
	ticket = filchi_op_begin(op, &now.fiber, false);
	filchi_store_rel(&now.submitted, op, SUBMIT);
	reason = filchi_op_wait(op, ticket, 0, "");
	chk_assert(!reason || (reason == -ETIMEDOUT && now.s->timer) || (reason == -ECANCELED && now.s->cancels));
	chk_assert(reason || !now.s->only_ends);
	if (reason && filchi_op_begin_cancel(op, &ticket)) {
		filchi_store_rlx(&now.asked, number, COUNT);
		if (now.s->elsewhere)
			filchi_op_add_cancel(&now.cancels, op);
		filchi_op_wait_cancelled(op, ticket, "");
		if (now.s->elsewhere)
			filchi_op_remove_cancel(&now.cancels, op);
	}
	chk_assert(filchi_plain_get(&op->result) == 10 + (intptr_t)number);
	filchi_free(op);
}

static void start(const struct scenario *s)
{
	filchi_os_check_start();
	now.s = s;
	now.waits = 0;
	now.fiber = (struct filch_fiber){.kind = s->kind};
	filchi_atomic_init(&now.fiber.state, 0);
	filchi_atomic_init(&now.fiber.joiner, NULL);
	filchi_atomic_init(&now.fiber.cancelled, 0);
	filchi_atomic_init(&now.submitted, NULL);
	filchi_atomic_init(&now.ticket, 0);
	filchi_atomic_init(&now.ready, 0);
	filchi_atomic_init(&now.asked, 0);
	filchi_atomic_init(&now.cancels.lock.word, 0);
	filchi_atomic_init(&now.cancels.first, NULL);
	filchi_atomic_init(&now.resumed, 0);
	now.deque = NULL;
	now.kept = false;
}

static void play(void *arg)
{
	const struct scenario *s = arg;
	int id[3], threads = 0;

	start(s);
	id[threads++] = chk_thread(s->elsewhere ? owner : completer, NULL);
	if (s->timer)
		id[threads++] = chk_thread(timer, NULL);
	if (s->cancels)
		id[threads++] = chk_thread(canceller, NULL);
	for (unsigned i = 1; i <= s->operations; i++)
		operate(i);
	while (threads)
		chk_join(id[--threads]);
	chk_assert(filchi_load_rlx(&now.ready, COUNT) == now.waits);
}

/* ---- from the ring to a deque, and to a thief ---- */

/* The fiber goes on, with the result of the operation on its stack. */
static void resume(struct filchi_op *op)
{
	filchi_waiter_resume(&now.fiber);
	chk_assert(filchi_plain_get(&op->result) == 11);
	filchi_free(op);
	chk_assert(filchi_fetch_add_rlx(&now.resumed, 1, COUNT) == 0);
}

/* The worker that has the ring: it completes the operation, and may pop the fiber. */
static void complete_and_pop(void *unused)
{
	struct filchi_op *op;
	uintptr_t item;

	(void)unused;
	while (!(op = filchi_exchange_acq(&now.submitted, NULL, SUBMIT)))
		filchi_spin_wait();
	filchi_op_complete(op, 11);
	if (filch_deque_pop(now.deque, &item) == FILCH_OK)
		resume(op);
}

/* The worker that the fiber leaves is a thief afterwards. */
static void play_stolen(void *arg)
{
	struct filch_deque_options o = {.struct_size = sizeof(o), .capacity = 2};
	struct filchi_op *op;
	uintptr_t item;
	int id;

	start(arg);
	chk_assert(filch_deque_create(&now.deque, "chase_lev", &o) == 0);
	op = filchi_alloc(sizeof(*op));
	filchi_atomic_init(&op->ticket, 0);
	(void)filchi_op_begin(op, &now.fiber, false);
	filchi_store_rel(&now.submitted, op, SUBMIT);
	id = chk_thread(complete_and_pop, NULL);
	filchi_waiter_parked(&now.fiber);
	if (now.kept || filch_deque_steal(now.deque, &item) == FILCH_OK)
		resume(op);
	chk_join(id);
	if (!filchi_load_rlx(&now.resumed, COUNT)) { /* the thief came too early */
		chk_assert(filch_deque_pop(now.deque, &item) == FILCH_OK);
		resume(op);
	}
	filch_deque_destroy(now.deque);
	now.deque = NULL;
}

#define SCENARIO(name_, play_, ...)                                                                                    \
	{                                                                                                              \
		.name = name_, .play = play_, .arg = &(const struct scenario)                                          \
		{                                                                                                      \
			__VA_ARGS__                                                                                    \
		}                                                                                                      \
	}
static const struct check_scenario scenarios[] = {
	SCENARIO("complete", play, .kind = FILCHI_WAITER_PINNED, .operations = 2),
	SCENARIO("complete_free", play, .kind = FILCHI_WAITER_FREE, .operations = 1),
	SCENARIO("timeout", play, .kind = FILCHI_WAITER_PINNED, .timer = true, .operations = 1),
	SCENARIO("timeout_free", play, .kind = FILCHI_WAITER_FREE, .timer = true, .operations = 1),
	SCENARIO("ended", play, .kind = FILCHI_WAITER_PINNED, .timer = true, .only_ends = true, .operations = 1),
	SCENARIO("ended_free", play, .kind = FILCHI_WAITER_FREE, .timer = true, .only_ends = true, .operations = 1),
	SCENARIO("cancel", play, .kind = FILCHI_WAITER_PINNED, .cancels = true, .operations = 1),
	SCENARIO("elsewhere", play, .kind = FILCHI_WAITER_FREE, .timer = true, .elsewhere = true, .operations = 1),
	SCENARIO("elsewhere_ended", play, .kind = FILCHI_WAITER_FREE, .timer = true, .elsewhere = true,
		 .only_ends = true, .operations = 1),
	SCENARIO("cancel_ended", play, .kind = FILCHI_WAITER_FREE, .cancels = true, .only_ends = true, .operations = 1),
	SCENARIO("stolen", play_stolen, .kind = FILCHI_WAITER_FREE),
};

int main(int argc, char **argv)
{
	static const struct check_program program = {
		.mutants = {.name = "fiber_io", .file = "/fiber/io/op.c", .prefix = "filchi_op_"},
		.scenarios = scenarios,
		.count = sizeof(scenarios) / sizeof(scenarios[0]),
	};

	return check_main(&program, argc, argv);
}
