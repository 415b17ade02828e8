/* SPDX-License-Identifier: Apache-2.0 */
/* Mutual exclusion with reads and writes only. It needs seq_cst; the critical section is plain. */
#include "../litmus.h"

static unsigned flag[2], turn;

static void before(void)
{
	INIT(flag[0], 0);
	INIT(flag[1], 0);
	INIT(turn, 0);
}

static void after(void)
{
	r3 = GET(C);
}

/* Dekker's core: a thread raises its flag, and enters if the other flag is down. Otherwise it gives up. */
static void dekker(unsigned me)
{
	W(flag[me], 1, o1);
	F(o2);
	if (!R(flag[!me], o3)) {
		SET(C, GET(C) + 1);
		reg[me] = 1;
	}
}

static void dekker_0(void)
{
	dekker(0);
}

static void dekker_1(void)
{
	dekker(1);
}

/* Peterson: the thread that sets the turn last waits. */
static void peterson(unsigned me)
{
	W(flag[me], 1, o1);
	F(o3);
	W(turn, !me, o1);
	F(o3);
	while (R(flag[!me], o2) && R(turn, o2) != me)
		chk_spin();
	SET(C, GET(C) + 1);
	W(flag[me], 0, REL);
	reg[me] = 1;
}

static void peterson_0(void)
{
	peterson(0);
}

static void peterson_1(void)
{
	peterson(1);
}

/* Peterson with an acq_rel exchange for the turn: then the flags may be weaker, without any seq_cst. */
static void exchange(unsigned me)
{
	W(flag[me], 1, RLX);
	XCHG(turn, !me, o1);
	while (R(flag[!me], ACQ) && R(turn, ACQ) != me)
		chk_spin();
	SET(C, GET(C) + 1);
	W(flag[me], 0, REL);
	reg[me] = 1;
}

static void exchange_0(void)
{
	exchange(0);
}

static void exchange_1(void)
{
	exchange(1);
}

/* Lamport's bakery for two: each thread takes a number above the other's. The lower number goes first. */
static unsigned choosing[2], number[2];

static void bakery_before(void)
{
	INIT(choosing[0], 0);
	INIT(choosing[1], 0);
	INIT(number[0], 0);
	INIT(number[1], 0);
}

static void bakery(unsigned me)
{
	uint64_t mine, other;

	W(choosing[me], 1, SC);
	mine = R(number[!me], SC) + 1;
	W(number[me], mine, SC);
	W(choosing[me], 0, SC);
	while (R(choosing[!me], SC))
		chk_spin();
	while ((other = R(number[!me], SC)) && (other < mine || (other == mine && me)))
		chk_spin();
	SET(C, GET(C) + 1);
	W(number[me], 0, SC);
	reg[me] = 1;
}

static void bakery_0(void)
{
	bakery(0);
}

static void bakery_1(void)
{
	bakery(1);
}

static const struct program p_dekker = {.thread = {dekker_0, dekker_1}, .before = before, .after = after, .shown = 3};
static const struct program p_peterson = {
	.thread = {peterson_0, peterson_1}, .before = before, .after = after, .shown = 3};
static const struct program p_exchange = {
	.thread = {exchange_0, exchange_1}, .before = before, .after = after, .shown = 3};
static const struct program p_bakery = {
	.thread = {bakery_0, bakery_1}, .before = bakery_before, .after = after, .shown = 3};

static const struct litmus tests[] = {
	ROW("Dekker", "seq_cst", &p_dekker, ORDERS(SC, NONE, SC), FORBIDS("112"), "000 011 101", 3, 0),
	ROW("Dekker", "seq_cst fences", &p_dekker, ORDERS(RLX, SC, RLX), FORBIDS("112"), "000 011 101", 3, 0),
	ROW("Peterson", "seq_cst", &p_peterson, ORDERS(SC, SC, NONE), FORBIDS("111"), "112", 12, BLOCKS),
	ROW("Peterson", "seq_cst fences", &p_peterson, ORDERS(RLX, ACQ, SC), FORBIDS("111"), "112", 12,
	    BLOCKS | NO_NAIVE),
	ROW("Peterson by exchange", "acq_rel", &p_exchange, ORDERS(AR), FORBIDS("111"), "112", 12, BLOCKS),
	ROW("Bakery", "seq_cst", &p_bakery, ORDERS(SC), FORBIDS("111"), "112", 25, BLOCKS | NO_NAIVE),
};

LITMUS_MAIN(tests)
