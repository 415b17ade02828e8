/* SPDX-License-Identifier: Apache-2.0 */
/* Barriers: after the barrier each thread sees all writes from before it. */
#include "../litmus.h"

static unsigned slot[3];

static void before(void)
{
	int i;

	for (i = 0; i < 3; i++)
		SET(slot[i], 0);
}

/* Counts arrivals in X; the last thread opens the gate Y. */
static void arrive_and_wait(unsigned members)
{
	if (ADD(X, 1, o1) + 1 == members) {
		W(Y, 1, o2);
		return;
	}
	while (!R(Y, ACQ))
		chk_spin();
}

static void two_0(void)
{
	SET(slot[0], 1);
	arrive_and_wait(2);
	r1 = GET(slot[1]);
}

static void two_1(void)
{
	SET(slot[1], 1);
	arrive_and_wait(2);
	r2 = GET(slot[0]);
}

static void three_0(void)
{
	SET(slot[0], 1);
	arrive_and_wait(3);
	r1 = GET(slot[1]);
}

static void three_1(void)
{
	SET(slot[1], 1);
	arrive_and_wait(3);
	r2 = GET(slot[2]);
}

static void three_2(void)
{
	SET(slot[2], 1);
	arrive_and_wait(3);
	r3 = GET(slot[0]);
}

/* Without a gate: all threads spin on the counter itself, a release sequence of all arrivals. */
static void count_0(void)
{
	SET(slot[0], 1);
	ADD(X, 1, REL);
	while (R(X, ACQ) != 2)
		chk_spin();
	r1 = GET(slot[1]);
}

static void count_1(void)
{
	SET(slot[1], 1);
	ADD(X, 1, REL);
	while (R(X, ACQ) != 2)
		chk_spin();
	r2 = GET(slot[0]);
}

/* Two turns, with a sense that flips. */
static void sense_turn(unsigned sense)
{
	if (ADD(X, 1, AR) == 1) {
		W(X, 0, RLX);
		W(Y, sense, REL);
		return;
	}
	while (R(Y, ACQ) != sense)
		chk_spin();
}

static void sense_0(void)
{
	SET(slot[0], 1);
	sense_turn(1);
	r1 = GET(slot[1]);
	sense_turn(0);
	SET(slot[1], 5);
}

static void sense_1(void)
{
	SET(slot[1], 2);
	sense_turn(1);
	r2 = GET(slot[0]);
	sense_turn(0);
	SET(slot[0], 5);
}

static const struct program two = {.thread = {two_0, two_1}, .before = before, .shown = 2};
static const struct program three = {.thread = {three_0, three_1, three_2}, .before = before, .shown = 3};
static const struct program counter = {.thread = {count_0, count_1}, .before = before, .shown = 2};
static const struct program sense = {.thread = {sense_0, sense_1}, .before = before, .shown = 2};

static const struct litmus tests[] = {
	ROW("Barrier, 2 threads", "acq_rel", &two, ORDERS(AR, REL), FORBIDS("10"), "11", 4, BLOCKS),
	ROW("Barrier, 2 threads", "seq_cst", &two, ORDERS(SC, SC), FORBIDS("01"), "11", 4, BLOCKS),
	ROW("Barrier, 3 threads", "acq_rel", &three, ORDERS(AR, REL), FORBIDS("110"), "111", 24, BLOCKS),
	ROW("Barrier by counting", "release, acquire", &counter, ORDERS(RLX), FORBIDS("10"), "11", 4, BLOCKS),
	ROW("Barrier with a sense", "acq_rel", &sense, ORDERS(RLX), FORBIDS("15"), "21", 16, BLOCKS),
};

LITMUS_MAIN(tests)
