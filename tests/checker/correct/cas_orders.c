/* SPDX-License-Identifier: Apache-2.0 */
/* Compare-and-swap: one order for success, another for a failure, which is only a read. */
#include "../litmus.h"

static void publish(void)
{
	W(X, 1, RLX);
	W(Y, 1, o1);
}

static void publish_by_cas(void)
{
	W(X, 1, RLX);
	r3 = CAS(Y, 0, 1, o1, RLX);
}

static void reader(void)
{
	r1 = R(Y, o2);
	r2 = R(X, RLX);
}

/* Succeeds exactly if it sees the message. */
static void take(void)
{
	r1 = CAS(Y, 1, 2, o2, o3);
	r2 = R(X, RLX);
}

/* Fails exactly if it sees the message. */
static void bounce(void)
{
	r1 = !CAS(Y, 0, 2, o2, o3);
	r2 = R(X, RLX);
}

/* A failing compare-and-swap releases nothing. */
static void fail_to_publish(void)
{
	W(X, 1, RLX);
	r3 = CAS(Y, 9, 1, o1, RLX);
	W(Z, 1, RLX);
}

static void fail_reader(void)
{
	r1 = R(Z, o2);
	r2 = R(X, RLX);
}

/* Store buffering. The reads are compare-and-swaps that always fail. */
static void sb_0(void)
{
	W(X, 1, o1);
	CAS_SEEN(Y, 9, 8, &r1, o2, o3);
}

static void sb_1(void)
{
	W(Y, 1, o1);
	CAS_SEEN(X, 9, 8, &r2, o2, o3);
}

/* Store buffering. The writes are compare-and-swaps that always succeed. */
static void sb_write_0(void)
{
	CAS(X, 0, 1, o1, RLX);
	r1 = R(Y, o2);
}

static void sb_write_1(void)
{
	CAS(Y, 0, 1, o1, RLX);
	r2 = R(X, o2);
}

/* Passes a token around by compare-and-swap. */
static void pass_0(void)
{
	SET(C, 1);
	CAS(X, 0, 1, REL, RLX);
}

static void pass_1(void)
{
	r1 = CAS(X, 1, 2, AR, RLX);
	if (r1)
		SET(C, GET(C) + 1);
	if (r1)
		CAS(X, 2, 3, REL, RLX);
}

static void pass_2(void)
{
	r2 = CAS(X, 3, 4, ACQ, RLX);
	if (r2)
		r3 = GET(C);
}

static const struct program success_acq = {.thread = {publish, take}, .shown = 2};
static const struct program failure = {.thread = {publish, bounce}, .shown = 2};
static const struct program success_rel = {.thread = {publish_by_cas, reader}, .shown = 3};
static const struct program failed_release = {.thread = {fail_to_publish, fail_reader}, .shown = 3};
static const struct program sb_fail = {.thread = {sb_0, sb_1}, .shown = 2};
static const struct program sb_write = {.thread = {sb_write_0, sb_write_1}, .shown = 2};
static const struct program pass = {.thread = {pass_0, pass_1, pass_2}, .shown = 3};

static const struct litmus tests[] = {
	ROW("CAS success reads", "acquire", &success_acq, ORDERS(REL, ACQ, RLX), FORBIDS("10"), "00 01 11", 3, 0),
	ROW("CAS success reads", "acq_rel", &success_acq, ORDERS(REL, AR, RLX), FORBIDS("10"), "00 01 11", 3, 0),
	ROW("CAS success reads", "release", &success_acq, ORDERS(REL, REL, RLX), ALLOWS("10"), "00 01 10 11", 4, 0),
	ROW("CAS success reads", "relaxed, failure acquire", &success_acq, ORDERS(REL, RLX, ACQ), ALLOWS("10"),
	    "00 01 10 11", 4, 0),
	ROW("CAS failure reads", "acq_rel, failure relaxed", &failure, ORDERS(REL, AR, RLX), ALLOWS("10"),
	    "00 01 10 11", 4, 0),
	ROW("CAS failure reads", "acq_rel, failure acquire", &failure, ORDERS(REL, AR, ACQ), FORBIDS("10"), "00 01 11",
	    3, 0),
	ROW("CAS failure reads", "seq_cst, failure relaxed", &failure, ORDERS(REL, SC, RLX), ALLOWS("10"),
	    "00 01 10 11", 4, 0),
	ROW("CAS failure reads", "relaxed, failure seq_cst", &failure, ORDERS(REL, RLX, SC), FORBIDS("10"), "00 01 11",
	    3, 0),
	ROW("CAS success writes", "release", &success_rel, ORDERS(REL, ACQ), FORBIDS("101"), "001 011 111", 3, 0),
	ROW("CAS success writes", "acquire", &success_rel, ORDERS(ACQ, ACQ), ALLOWS("101"), "001 011 101 111", 4, 0),
	ROW("CAS success writes", "seq_cst", &success_rel, ORDERS(SC, SC), FORBIDS("101"), "001 011 111", 3, 0),
	ROW("CAS failure writes nothing", "seq_cst", &failed_release, ORDERS(SC, ACQ), ALLOWS("100"), "000 010 100 110",
	    4, 0),
	ROW("SB+failing cas", "seq_cst, failure seq_cst", &sb_fail, ORDERS(SC, SC, SC), FORBIDS("00"), "01 10 11", 3,
	    0),
	ROW("SB+failing cas", "seq_cst, failure acquire", &sb_fail, ORDERS(SC, SC, ACQ), ALLOWS("00"), "00 01 10 11", 4,
	    0),
	ROW("SB+cas writes", "seq_cst", &sb_write, ORDERS(SC, SC), FORBIDS("00"), "01 10 11", 3, 0),
	ROW("SB+cas writes", "acq_rel", &sb_write, ORDERS(AR, SC), ALLOWS("00"), "00 01 10 11", 4, 0),
	ROW("CAS passes a token", "release, acquire", &pass, ORDERS(RLX), FORBIDS("111"), "000 100 112", 6, 0),
};

LITMUS_MAIN(tests)
