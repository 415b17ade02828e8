/* SPDX-License-Identifier: Apache-2.0 */
/* The start of a thread orders everything before it, and a join orders everything that the thread did. */
#include "../litmus.h"

/* The scenario's own thread, here as .before, starts threads itself. */
static void child_reads(void *arg)
{
	(void)arg;
	r1 = GET(C);
	r2 = R(X, RLX);
}

static void start_orders(void)
{
	SET(C, 1);
	W(X, 1, RLX);
	chk_join(chk_thread(child_reads, NULL));
}

static void child_writes(void *arg)
{
	(void)arg;
	SET(C, 1);
	W(X, 1, RLX);
}

static void join_orders(void)
{
	chk_join(chk_thread(child_writes, NULL));
	r1 = GET(C);
	r2 = R(X, RLX);
}

/* A write after the start is not ordered with the child. */
static void start_then_write(void)
{
	int child;

	W(X, 1, RLX);
	child = chk_thread(child_reads, NULL);
	W(X, 2, RLX);
	chk_join(child);
}

/* A parent joins a grandchild. The thread that joins the parent sees the grandchild's writes. */
static void parent(void *arg)
{
	(void)arg;
	chk_join(chk_thread(child_writes, NULL));
}

static void transitive(void)
{
	chk_join(chk_thread(parent, NULL));
	r1 = GET(C);
	r2 = R(X, RLX);
}

/* No thread joins this grandchild before the end: its write may be seen or not. */
static int orphan;

static void negligent(void *arg)
{
	(void)arg;
	orphan = chk_thread(child_writes, NULL);
}

static void unjoined(void)
{
	chk_join(chk_thread(negligent, NULL));
	r2 = R(X, RLX);
	chk_join(orphan);
	r1 = GET(C);
}

/* Siblings, one after the other: the joins between them order them. */
static void increment(void *arg)
{
	(void)arg;
	SET(C, GET(C) + 1);
}

static void one_after_the_other(void)
{
	int i;

	for (i = 0; i < 4; i++)
		chk_join(chk_thread(increment, NULL));
	r1 = GET(C);
}

/* Threads know their own numbers, and the parent gets the same numbers. */
static void self(void *arg)
{
	*(uint64_t *)arg = (uint64_t)chk_self();
}

static void numbers(void)
{
	int a = chk_thread(self, &r1), b = chk_thread(self, &r2);

	chk_join(b);
	chk_join(a);
	r3 = r1 == (uint64_t)a && r2 == (uint64_t)b && r1 != r2 && r1 != (uint64_t)chk_self();
	r1 = r2 = 0;
}

/* Message passing through a join by a third thread. */
static int worker;

static void joiner(void *arg)
{
	(void)arg;
	chk_join(worker);
	r1 = GET(C);
	r2 = R(X, RLX);
}

static void third_joins(void)
{
	worker = chk_thread(child_writes, NULL);
	chk_join(chk_thread(joiner, NULL));
}

static const struct program p_start = {.before = start_orders, .shown = 2};
static const struct program p_join = {.before = join_orders, .shown = 2};
static const struct program p_start_write = {.before = start_then_write, .shown = 2};
static const struct program p_transitive = {.before = transitive, .shown = 2};
static const struct program p_unjoined = {.before = unjoined, .shown = 2};
static const struct program p_sequence = {.before = one_after_the_other, .shown = 1};
static const struct program p_numbers = {.before = numbers, .shown = 3};
static const struct program p_third = {.before = third_joins, .shown = 2};

static const struct litmus tests[] = {
	ROW("Start orders", "plain and relaxed", &p_start, ORDERS(RLX), FORBIDS("10"), "11", 1, 0),
	ROW("Join orders", "plain and relaxed", &p_join, ORDERS(RLX), FORBIDS("10"), "11", 1, 0),
	ROW("Start, then write", "relaxed", &p_start_write, ORDERS(RLX), FORBIDS("00"), "01 02", 2, 0),
	ROW("Join is transitive", "plain and relaxed", &p_transitive, ORDERS(RLX), FORBIDS("10"), "11", 1, 0),
	ROW("Join of a grandchild", "relaxed", &p_unjoined, ORDERS(RLX), ALLOWS("10"), "10 11", 2, 0),
	ROW("Joins in a row", "plain", &p_sequence, ORDERS(RLX), FORBIDS("3"), "4", 1, 0),
	ROW("Thread numbers", "", &p_numbers, ORDERS(RLX), ALLOWS("001"), "001", 1, 0),
	ROW("Join by a third", "plain and relaxed", &p_third, ORDERS(RLX), FORBIDS("10"), "11", 1, 0),
};

LITMUS_MAIN(tests)
