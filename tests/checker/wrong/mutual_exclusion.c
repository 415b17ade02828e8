/* SPDX-License-Identifier: Apache-2.0 */
/* Mutual exclusion with reads and writes, without the necessary seq_cst. */
#include "../wrong.h"

static unsigned flag[2], turn, choosing[2], number[2];

static void before(void)
{
	int i;

	for (i = 0; i < 2; i++) {
		INIT(flag[i], 0);
		INIT(choosing[i], 0);
		INIT(number[i], 0);
	}
	INIT(turn, 0);
}

static void section(void)
{
	SET(C, GET(C) + 1);
}

static void dekker(unsigned me)
{
	W(flag[me], 1, o1);
	F(o2);
	if (!R(flag[!me], o3))
		section();
}

static void dekker_0(void)
{
	dekker(0);
}

static void dekker_1(void)
{
	dekker(1);
}

static void peterson(unsigned me)
{
	W(flag[me], 1, o1);
	F(o3);
	W(turn, !me, o1);
	F(o3);
	while (R(flag[!me], o2) && R(turn, o2) != me)
		chk_spin();
	section();
	W(flag[me], 0, o4);
}

static void peterson_0(void)
{
	peterson(0);
}

static void peterson_1(void)
{
	peterson(1);
}

/* Peterson, but a thread raises its flag after it gave the turn away. */
static void swapped(unsigned me)
{
	W(turn, !me, SC);
	W(flag[me], 1, SC);
	while (R(flag[!me], SC) && R(turn, SC) != me)
		chk_spin();
	section();
	W(flag[me], 0, SC);
}

static void swapped_0(void)
{
	swapped(0);
}

static void swapped_1(void)
{
	swapped(1);
}

static void exchange(unsigned me)
{
	W(flag[me], 1, RLX);
	XCHG(turn, !me, o1);
	while (R(flag[!me], ACQ) && R(turn, ACQ) != me)
		chk_spin();
	section();
	W(flag[me], 0, REL);
}

static void exchange_0(void)
{
	exchange(0);
}

static void exchange_1(void)
{
	exchange(1);
}

static void bakery(unsigned me)
{
	uint64_t mine, other;

	W(choosing[me], 1, o1);
	mine = R(number[!me], o2) + 1;
	W(number[me], mine, o1);
	W(choosing[me], 0, o1);
	while (R(choosing[!me], o2))
		chk_spin();
	while ((other = R(number[!me], o2)) && (other < mine || (other == mine && me)))
		chk_spin();
	section();
	W(number[me], 0, o1);
}

static void bakery_0(void)
{
	bakery(0);
}

static void bakery_1(void)
{
	bakery(1);
}

static const struct program p_dekker = {.thread = {dekker_0, dekker_1}, .before = before};
static const struct program p_peterson = {.thread = {peterson_0, peterson_1}, .before = before};
static const struct program p_swapped = {.thread = {swapped_0, swapped_1}, .before = before};
static const struct program p_exchange = {.thread = {exchange_0, exchange_1}, .before = before};
static const struct program p_bakery = {.thread = {bakery_0, bakery_1}, .before = before};

static const struct wrong tests[] = {
	WRONG("Dekker", "release/acquire", &p_dekker, ORDERS(REL, NONE, ACQ), IS_RACE, 0),
	WRONG("Dekker", "acq_rel fences", &p_dekker, ORDERS(REL, AR, ACQ), IS_RACE, 0),
	WRONG("Dekker", "seq_cst writes only", &p_dekker, ORDERS(SC, NONE, ACQ), IS_RACE, 0),
	RIGHT("Dekker", "seq_cst", &p_dekker, ORDERS(SC, NONE, SC)),
	WRONG("Peterson", "release/acquire", &p_peterson, ORDERS(REL, ACQ, NONE, REL), IS_RACE, 0),
	WRONG("Peterson", "acq_rel fences", &p_peterson, ORDERS(RLX, ACQ, AR, REL), IS_RACE, 0),
	WRONG("Peterson", "seq_cst, relaxed exit", &p_peterson, ORDERS(SC, SC, NONE, RLX), IS_RACE, 0),
	RIGHT("Peterson", "seq_cst", &p_peterson, ORDERS(SC, SC, NONE, REL)),
	WRONG("Peterson, turn first", "seq_cst", &p_swapped, ORDERS(RLX), IS_RACE, 0),
	WRONG("Peterson by exchange", "acquire", &p_exchange, ORDERS(ACQ), IS_RACE, 0),
	WRONG("Peterson by exchange", "release", &p_exchange, ORDERS(REL), IS_RACE, 0),
	RIGHT("Peterson by exchange", "acq_rel", &p_exchange, ORDERS(AR)),
	WRONG("Bakery", "release/acquire", &p_bakery, ORDERS(REL, ACQ), IS_RACE, 0),
	RIGHT("Bakery", "seq_cst", &p_bakery, ORDERS(SC, SC)),
};

WRONG_MAIN(tests)
