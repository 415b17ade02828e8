/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Load buffering. C11 lets a relaxed read see a write from its own future. RC11 rules out every cycle of program order
 * and reads-from, and so does the checker. A row is marked NOT_MODELLED if C11 allows the outcome: the test shows that
 * the checker does not produce it.
 */
#include "../litmus.h"

static void lb_0(void)
{
	r1 = R(X, o1);
	W(Y, 1, o2);
}

static void lb_1(void)
{
	r2 = R(Y, o1);
	W(X, 1, o2);
}

/* Each thread writes the value that it read: a value out of thin air is the extreme case. */
static void data_0(void)
{
	r1 = R(X, o1);
	W(Y, r1, o2);
}

static void data_1(void)
{
	r2 = R(Y, o1);
	W(X, r2, o2);
}

static void control_1(void)
{
	r2 = R(Y, o1);
	if (r2)
		W(X, 1, o2);
}

static void rmw_0(void)
{
	r1 = R(X, o1);
	ADD(Y, 1, o2);
}

static void rmw_1(void)
{
	r2 = R(Y, o1);
	ADD(X, 1, o2);
}

static void three_1(void)
{
	r2 = R(Y, o1);
	W(Z, 1, o2);
}

static void three_2(void)
{
	r3 = R(Z, o1);
	W(X, 1, o2);
}

static const struct program lb = {.thread = {lb_0, lb_1}, .shown = 2};
static const struct program data = {.thread = {data_0, data_1}, .shown = 2};
static const struct program control = {.thread = {lb_0, control_1}, .shown = 2};
static const struct program rmw = {.thread = {rmw_0, rmw_1}, .shown = 2};
static const struct program three = {.thread = {lb_0, three_1, three_2}, .shown = 3};

static const struct litmus tests[] = {
	ROW("LB", "relaxed", &lb, ORDERS(RLX, RLX), FORBIDS("11"), "00 01 10", 3, NOT_MODELLED),
	ROW("LB", "acquire reads", &lb, ORDERS(ACQ, RLX), FORBIDS("11"), "00 01 10", 3, NOT_MODELLED),
	ROW("LB", "release writes", &lb, ORDERS(RLX, REL), FORBIDS("11"), "00 01 10", 3, NOT_MODELLED),
	ROW("LB", "release/acquire", &lb, ORDERS(ACQ, REL), FORBIDS("11"), "00 01 10", 3, 0),
	ROW("LB", "seq_cst", &lb, ORDERS(SC, SC), FORBIDS("11"), "00 01 10", 3, 0),
	ROW("LB+data", "relaxed", &data, ORDERS(RLX, RLX), FORBIDS("11"), "00", 3, 0),
	ROW("LB+control", "relaxed", &control, ORDERS(RLX, RLX), FORBIDS("11"), "00 01", 2, NOT_MODELLED),
	ROW("LB+rmw", "relaxed", &rmw, ORDERS(RLX, RLX), FORBIDS("11"), "00 01 10", 3, NOT_MODELLED),
	ROW("LB3", "relaxed", &three, ORDERS(RLX, RLX), FORBIDS("111"), "000 001 010 011 100 101 110", 7, NOT_MODELLED),
	ROW("LB3", "release/acquire", &three, ORDERS(ACQ, REL), FORBIDS("111"), "000 001 010 011 100 101 110", 7, 0),
};

LITMUS_MAIN(tests)
