/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The protocol of waiting and waking of fibers under the checker, with fiber/waiter.c as it is shipped. The switch is
 * left out. Two threads act as one fiber in turn: the worker that the fiber leaves, and the worker that resumes it.
 * Plain data stand for its stack. If it goes on before it has left its stack, the checker reports a race. If it is
 * woken twice, or never, an assertion fails or all threads wait.
 */
#include "../../check/chk.h"
#include "../../fiber/waiter.h"
#include "../../src/base/mem.h"
#include "../../src/os/os_check.h"
#include "../fixtures/check_main.h"

#include <errno.h>

struct scenario {
	uint8_t kind;	 /* of the fiber that waits */
	unsigned claims; /* threads that try to end its wait, each with a reason of its own */
	bool cancels;	 /* a thread cancels it */
	bool shielded;	 /* it does not listen */
	unsigned rounds; /* waits, one after the other */
	bool over;	 /* join: a timer ends the wait of the joiner */
};

static struct {
	const struct scenario *s;
	struct filch_fiber fiber;
	FILCHI_ATOMIC(uint64_t) ticket; /* published as the lock of a queue does */
	FILCHI_ATOMIC(uint32_t) ready;	/* how often the fiber became ready */
	FILCHI_ATOMIC(uint32_t) won, tried;
	FILCHI_ATOMIC(uint32_t) freed;
	struct filch_fiber *record; /* of a fiber that ends */
	int stack;
} now;

/*
 * Edges of the test:
 *   TICKET   as the lock of a queue
 *   READY    as a deque or an inbox
 *   COUNT    orders nothing
 */
void filchi_fiber_ready(struct filch_fiber *p)
{
	chk_assert(p == &now.fiber);
	(void)filchi_fetch_add_rel(&now.ready, 1, READY);
}

void filchi_fiber_thread_yield(void)
{
}

static void start(const struct scenario *s)
{
	filchi_os_check_start();
	now.s = s;
	now.fiber = (struct filch_fiber){.kind = s->kind};
	filchi_atomic_init(&now.fiber.state, 0);
	filchi_atomic_init(&now.fiber.joiner, NULL);
	filchi_atomic_init(&now.fiber.cancelled, 0);
	filchi_atomic_init(&now.ticket, 0);
	filchi_atomic_init(&now.ready, 0);
	filchi_atomic_init(&now.won, 0);
	filchi_atomic_init(&now.tried, 0);
	filchi_atomic_init(&now.freed, 0);
}

/* ---- waiting and waking ---- */

static void claimer(void *number)
{
	uint64_t seen = 0;

	for (unsigned round = 0; round < now.s->rounds; round++) {
		uint64_t ticket;

		while ((ticket = filchi_load_acq(&now.ticket, TICKET)) == seen)
			filchi_spin_wait();
		seen = ticket;
		if (filchi_waiter_end(&now.fiber, ticket, -(int)(uintptr_t)number))
			(void)filchi_fetch_add_rlx(&now.won, 1, COUNT);
		(void)filchi_fetch_add_rlx(&now.tried, 1, COUNT);
	}
}

static void canceller(void *unused)
{
	(void)unused;
	if (filchi_waiter_cancel(&now.fiber))
		filchi_waiter_wake(&now.fiber, -ECANCELED);
}

/* The worker in which the fiber waits: it leaves its stack, and only then another worker may go on. */
static void leave(void)
{
	filchi_plain_set(&now.stack, 1);
	if (now.fiber.kind == FILCHI_WAITER_FREE)
		filchi_waiter_parked(&now.fiber);
}

/* The worker in which it goes on. */
static void go_on(void *round)
{
	uint32_t times;
	intptr_t reason;

	while ((times = filchi_load_acq(&now.ready, READY)) != (uint32_t)(uintptr_t)round)
		filchi_spin_wait();
	filchi_plain_set(&now.stack, 2);
	reason = filchi_plain_get(&now.fiber.reason);
	chk_assert(reason == -ECANCELED ? now.s->cancels && !now.s->shielded : reason < 0);
	filchi_waiter_resume(&now.fiber);
}

static void play(void *arg)
{
	const struct scenario *s = arg;
	int id[4], threads = 0, other = 0;

	start(s);
	if (s->kind == FILCHI_WAITER_FREE)
		other = chk_thread(go_on, (void *)(uintptr_t)1);
	for (unsigned i = 1; i <= s->claims; i++)
		id[threads++] = chk_thread(claimer, (void *)(uintptr_t)i);
	if (s->cancels)
		id[threads++] = chk_thread(canceller, NULL);
	for (unsigned round = 1; round <= s->rounds; round++) {
		filchi_ticket ticket;

		filchi_plain_set(&now.fiber.reason, 1); /* as the record is written when a fiber begins */
		ticket = filchi_waiter_begin(&now.fiber, s->shielded);
		filchi_store_rel(&now.ticket, ticket, TICKET);
		if (!s->shielded && filchi_waiter_is_cancelled(&now.fiber) &&
		    filchi_waiter_take_back(&now.fiber, ticket)) {
			filchi_plain_set(&now.fiber.reason, -ECANCELED);
			(void)filchi_fetch_add_rel(&now.ready, 1, READY);
			if (s->kind == FILCHI_WAITER_FREE)
				chk_join(other);
			continue;
		}
		leave();
		if (s->kind == FILCHI_WAITER_FREE)
			chk_join(other);
		else
			go_on((void *)(uintptr_t)round);
		/* The next wait begins when all claims of this one were tried: the number tells them apart. */
		while (s->rounds > 1 && filchi_load_rlx(&now.tried, COUNT) < round * s->claims)
			filchi_spin_wait();
	}
	while (threads)
		chk_join(id[--threads]);
	chk_assert(filchi_load_rlx(&now.ready, COUNT) == s->rounds);
	chk_assert(s->cancels || filchi_load_rlx(&now.won, COUNT) == s->rounds);
}

/* A claim of a former wait fails, also while the next wait goes on. */
static void stale_claimer(void *ticket)
{
	chk_assert(!filchi_waiter_claim(&now.fiber, (filchi_ticket)(uintptr_t)ticket));
}

static void play_stale(void *arg)
{
	filchi_ticket old, ticket;
	int id;

	start(arg);
	old = filchi_waiter_begin(&now.fiber, false);
	chk_assert(filchi_waiter_take_back(&now.fiber, old));
	id = chk_thread(stale_claimer, (void *)(uintptr_t)old);
	ticket = filchi_waiter_begin(&now.fiber, false);
	leave();
	chk_assert(filchi_waiter_end(&now.fiber, ticket, 0));
	chk_join(id);
	chk_assert(filchi_load_rlx(&now.ready, COUNT) == 1);
}

/* ---- the end of a fiber ---- */

static void new_record(bool detached)
{
	now.record = filchi_alloc(sizeof(*now.record));
	*now.record = (struct filch_fiber){.kind = FILCHI_WAITER_PINNED};
	filchi_atomic_init(&now.record->state, 0);
	filchi_waiter_init(now.record, detached);
}

static void free_record(void)
{
	(void)filchi_fetch_add_rlx(&now.freed, 1, COUNT);
	filchi_free(now.record);
}

static void ends(void *unused)
{
	(void)unused;
	filchi_plain_set(&now.record->result, &now);
	if (filchi_waiter_finish(now.record))
		free_record();
}

static void timer(void *unused)
{
	uint64_t ticket;

	(void)unused;
	while (!(ticket = filchi_load_acq(&now.ticket, TICKET)))
		filchi_spin_wait();
	(void)filchi_waiter_end(&now.fiber, ticket, -ETIMEDOUT);
}

static void wait_for_end(filchi_ticket ticket)
{
	int err = filchi_waiter_join(now.record, &now.fiber);

	chk_assert(!err || err == -EALREADY);
	filchi_store_rel(&now.ticket, ticket, TICKET);
	if (err) {
		if (!filchi_waiter_take_back(&now.fiber, ticket))
			go_on((void *)1);
		return;
	}
	while (!filchi_load_acq(&now.ready, READY))
		filchi_spin_wait();
	chk_assert(filchi_load_rlx(&now.ready, COUNT) == 1);
	if (!filchi_plain_get(&now.fiber.reason) || !filchi_waiter_leave(now.record, &now.fiber))
		return;
	filchi_store_rlx(&now.ticket, UINT64_MAX, COUNT); /* it gives the fiber up */
	if (filchi_waiter_detach(now.record))
		free_record();
}

static void play_join(void *arg)
{
	const struct scenario *s = arg;
	int id[2], threads = 0;

	start(s);
	new_record(false);
	id[threads++] = chk_thread(ends, NULL);
	if (s->over)
		id[threads++] = chk_thread(timer, NULL);
	wait_for_end(filchi_waiter_begin(&now.fiber, false));
	if (filchi_load_rlx(&now.ticket, COUNT) != UINT64_MAX) {
		filchi_waiter_wait_done(now.record);
		chk_assert(filchi_plain_get(&now.record->result) == &now);
		free_record();
	}
	while (threads)
		chk_join(id[--threads]);
}

static void play_detach(void *arg)
{
	int id;

	start(arg);
	new_record(false);
	id = chk_thread(ends, NULL);
	if (filchi_waiter_detach(now.record))
		free_record();
	chk_join(id);
	chk_assert(filchi_load_rlx(&now.freed, COUNT) == 1);
}

#define SCENARIO(name_, play_, ...)                                                                                    \
	{                                                                                                              \
		.name = name_, .play = play_, .arg = &(const struct scenario)                                          \
		{                                                                                                      \
			__VA_ARGS__                                                                                    \
		}                                                                                                      \
	}
static const struct check_scenario scenarios[] = {
	SCENARIO("wake_pinned", play, .kind = FILCHI_WAITER_PINNED, .claims = 1, .rounds = 1),
	SCENARIO("wake_free", play, .kind = FILCHI_WAITER_FREE, .claims = 1, .rounds = 1),
	SCENARIO("two_claims", play, .kind = FILCHI_WAITER_PINNED, .claims = 2, .rounds = 1),
	SCENARIO("two_claims_free", play, .kind = FILCHI_WAITER_FREE, .claims = 2, .rounds = 1),
	SCENARIO("two_waits", play, .kind = FILCHI_WAITER_PINNED, .claims = 1, .rounds = 2),
	SCENARIO("cancel", play, .kind = FILCHI_WAITER_PINNED, .cancels = true, .rounds = 1),
	SCENARIO("cancel_free", play, .kind = FILCHI_WAITER_FREE, .cancels = true, .rounds = 1),
	SCENARIO("cancel_or_wake", play, .kind = FILCHI_WAITER_FREE, .claims = 1, .cancels = true, .rounds = 1),
	SCENARIO("cancel_shielded", play, .kind = FILCHI_WAITER_FREE, .claims = 1, .cancels = true, .shielded = true,
		 .rounds = 1),
	SCENARIO("stale", play_stale, .kind = FILCHI_WAITER_FREE, .rounds = 1),
	SCENARIO("join", play_join, .kind = FILCHI_WAITER_PINNED),
	SCENARIO("join_time_over", play_join, .kind = FILCHI_WAITER_PINNED, .over = true),
	SCENARIO("detach", play_detach, .kind = FILCHI_WAITER_PINNED),
};

int main(int argc, char **argv)
{
	static const struct check_program program = {
		.mutants = {.name = "fiber", .file = "/fiber/waiter.c", .prefix = "filchi_waiter_"},
		.scenarios = scenarios,
		.count = sizeof(scenarios) / sizeof(scenarios[0]),
	};

	return check_main(&program, argc, argv);
}
