/* SPDX-License-Identifier: Apache-2.0 */
/* Waits for events that never come. */
#include "../wrong.h"

static void wait_x(void)
{
	while (!R(X, ACQ))
		chk_spin();
}

static void nothing(void)
{
}

static void wait_y_then_set_x(void)
{
	while (!R(Y, ACQ))
		chk_spin();
	W(X, 1, REL);
}

static void wait_x_then_set_y(void)
{
	while (!R(X, ACQ))
		chk_spin();
	W(Y, 1, REL);
}

/* Sets the flag and clears it again: the waiting thread may be too late. */
static void blink(void)
{
	W(X, 1, REL);
	W(X, 0, REL);
}

/*
 * Sleep and wake: X is the reason, Y says that a thread sleeps, Z wakes it. With both orders weak, both threads look
 * too early.
 */
static void waker(void)
{
	W(X, 1, o1);
	F(o3);
	if (R(Y, o2))
		W(Z, 1, REL);
}

static void sleeper(void)
{
	W(Y, 1, o1);
	F(o3);
	if (R(X, o2))
		return;
	while (!R(Z, ACQ))
		chk_spin();
}

/* The sleeper looks too early: before it says that it sleeps. */
static void hasty_sleeper(void)
{
	if (R(X, SC))
		return;
	W(Y, 1, SC);
	while (!R(Z, ACQ))
		chk_spin();
}

/* A barrier that waits for one thread too many. */
static void barrier(void)
{
	ADD(X, 1, AR);
	while (R(X, ACQ) != 3)
		chk_spin();
}

/* A barrier used twice without a sense: it misses the late threads of the second turn. */
static void reuse(void)
{
	if (ADD(X, 1, AR) == 1)
		W(X, 0, REL);
	else
		while (R(X, ACQ))
			chk_spin();
}

static void reuse_twice(void)
{
	reuse();
	reuse();
}

static void no_hint(void)
{
	while (!R(X, ACQ))
		;
}

static void no_hint_writes(void)
{
	while (!R(X, ACQ))
		ADD(Y, 1, RLX);
}

static void alone(void)
{
	for (;;)
		W(X, 0, RLX);
}

/* The hint is there, but each turn writes a new value. */
static void busy(void)
{
	while (!R(X, ACQ)) {
		ADD(Y, 1, RLX);
		chk_spin();
	}
}

/* Joins. */
static int first, second;

static void join_self(void)
{
	chk_join(chk_self());
}

static void join_second(void *arg)
{
	(void)arg;
	while (!R(X, ACQ))
		chk_spin();
	chk_join(second);
}

static void join_first(void *arg)
{
	(void)arg;
	chk_join(first);
}

static void join_each_other(void)
{
	first = chk_thread(join_second, NULL);
	second = chk_thread(join_first, NULL);
	W(X, 1, REL);
	chk_join(first);
}

/* One thread spins for ever, another waits for a mutex that the first one has locked. */
static struct chk_mutex mutex;

static void before(void)
{
	chk_mutex_init(&mutex);
}

static void hold_and_wait(void)
{
	chk_mutex_lock(&mutex);
	wait_x();
	chk_mutex_unlock(&mutex);
}

static void lock_and_set(void)
{
	chk_mutex_lock(&mutex);
	W(X, 1, REL);
	chk_mutex_unlock(&mutex);
}

static const struct program p_never = {.thread = {wait_x, nothing}};
static const struct program p_each_other = {.thread = {wait_y_then_set_x, wait_x_then_set_y}};
static const struct program p_blink = {.thread = {blink, wait_x}};
static const struct program p_wake = {.thread = {waker, sleeper}};
static const struct program p_hasty = {.thread = {waker, hasty_sleeper}};
static const struct program p_barrier = {.thread = {barrier, barrier}};
static const struct program p_reuse = {.thread = {reuse_twice, reuse_twice}};
static const struct program p_no_hint = {.thread = {no_hint}};
static const struct program p_no_hint_writes = {.thread = {no_hint_writes}};
static const struct program p_alone = {.thread = {alone}};
static const struct program p_busy = {.thread = {busy}};
static const struct program p_join_self = {.thread = {join_self}};
static const struct program p_join_each_other = {.before = join_each_other};
static const struct program p_hold = {.thread = {hold_and_wait, lock_and_set}, .before = before};

static const struct wrong tests[] = {
	WRONG("Flag never set", "", &p_never, ORDERS(RLX), IS_ENDLESS, 0),
	WRONG("Each waits for the other", "", &p_each_other, ORDERS(RLX), IS_ENDLESS, 0),
	WRONG("Flag taken back", "", &p_blink, ORDERS(RLX), IS_ENDLESS, 0),
	WRONG("Lost wake-up", "release/acquire", &p_wake, ORDERS(REL, ACQ, NONE), IS_ENDLESS, 0),
	WRONG("Lost wake-up", "acq_rel fences", &p_wake, ORDERS(RLX, RLX, AR), IS_ENDLESS, 0),
	RIGHT("Lost wake-up", "seq_cst", &p_wake, ORDERS(SC, SC, NONE)),
	RIGHT("Lost wake-up", "seq_cst fences", &p_wake, ORDERS(RLX, RLX, SC)),
	WRONG("Lost wake-up, checked too early", "seq_cst", &p_hasty, ORDERS(SC, SC, NONE), IS_ENDLESS, 0),
	WRONG("Barrier for three, of two", "", &p_barrier, ORDERS(RLX), IS_ENDLESS, 0),
	WRONG("Barrier used twice", "", &p_reuse, ORDERS(RLX), IS_ENDLESS, 0),
	WRONG("No hint", "", &p_no_hint, ORDERS(RLX), IS_TOO_LONG, 0),
	WRONG("No hint, writes", "", &p_no_hint_writes, ORDERS(RLX), IS_TOO_LONG, 0),
	WRONG("No end", "", &p_alone, ORDERS(RLX), IS_TOO_LONG, 0),
	WRONG("Hint, but writes", "", &p_busy, ORDERS(RLX), IS_TOO_LONG | IS_ENDLESS, 0),
	WRONG("Joins itself", "", &p_join_self, ORDERS(RLX), IS_DEADLOCK | IS_MISUSE, 0),
	WRONG("Join each other", "", &p_join_each_other, ORDERS(RLX), IS_DEADLOCK, 0),
	WRONG("Waits inside a mutex", "", &p_hold, ORDERS(RLX), IS_ENDLESS | IS_DEADLOCK, 0),
};

WRONG_MAIN(tests)
