/* SPDX-License-Identifier: Apache-2.0 */
/* Read-modify-writes: no write comes between the read and the write, even if both are relaxed. */
#include "../litmus.h"

static void add_0(void)
{
	r1 = ADD(X, 1, o1);
}

static void add_1(void)
{
	r2 = ADD(X, 1, o1);
}

static void add_2(void)
{
	r3 = ADD(X, 1, o1);
}

static void add_twice_0(void)
{
	r1 = ADD(X, 1, o1);
	r2 = ADD(X, 1, o1);
}

static void add_twice_1(void)
{
	r3 = ADD(X, 1, o1);
	r4 = ADD(X, 1, o1);
}

static void xchg_0(void)
{
	r1 = XCHG(X, 1, o1);
}

static void xchg_1(void)
{
	r2 = XCHG(X, 2, o1);
}

static void xchg_2(void)
{
	r3 = XCHG(X, 3, o1);
}

static void write_5(void)
{
	W(X, 5, o1);
}

static void cas_0(void)
{
	r1 = CAS(X, 0, 1, o1, RLX);
}

static void cas_1(void)
{
	r2 = CAS(X, 0, 2, o1, RLX);
}

static void cas_2(void)
{
	r3 = CAS(X, 0, 3, o1, RLX);
}

/* A to B to A: the second thread may come between, or see only the end. */
static void aba_0(void)
{
	CAS(X, 0, 1, o1, RLX);
	CAS(X, 1, 0, o1, RLX);
}

static void aba_1(void)
{
	r1 = CAS(X, 0, 2, o1, RLX);
}

static void read_twice(void)
{
	r3 = R(X, o1);
	r4 = R(X, o1);
}

/* Increments by compare-and-swap, without a waiting hint: each retry means a success of another thread. */
static void loop_add(void)
{
	uint64_t seen = R(X, RLX);

	while (!CAS_SEEN(X, seen, seen + 1, &seen, o1, RLX))
		;
}

/* A relaxed read and a blind compare-and-swap: a lost update is an allowed outcome. */
static void blind_0(void)
{
	uint64_t seen = R(X, RLX);

	r1 = CAS(X, seen, seen + 1, o1, RLX);
}

static void blind_1(void)
{
	uint64_t seen = R(X, RLX);

	r2 = CAS(X, seen, seen + 1, o1, RLX);
}

/* Narrow arithmetic wraps. */
static uint8_t narrow;
static uint16_t middling;
static uint64_t wide;

static void narrow_before(void)
{
	INIT(narrow, 254);
	INIT(middling, 65535);
	INIT(wide, UINT64_MAX);
}

static void narrow_0(void)
{
	r1 = ADD(narrow, 1, o1) == 255;
	ADD(middling, 2, o1);
}

static void narrow_1(void)
{
	r2 = ADD(narrow, 1, o1) == 255;
	ADD(wide, 3, o1);
}

static void narrow_after(void)
{
	r3 = R(narrow, RLX);
	r4 = R(middling, RLX);
	r5 = R(wide, RLX);
}

static void final_2(void)
{
	r2 = R(X, RLX);
}

static void final_3(void)
{
	r3 = R(X, RLX);
}

static void final_4(void)
{
	r4 = R(X, RLX);
}

static void final_5(void)
{
	r5 = R(X, RLX);
}

static void final_1(void)
{
	r1 = R(X, RLX);
}

static const struct program add2 = {.thread = {add_0, add_1}, .after = final_3, .shown = 3};
static const struct program add3 = {.thread = {add_0, add_1, add_2}, .after = final_4, .shown = 4};
static const struct program add22 = {.thread = {add_twice_0, add_twice_1}, .after = final_5, .shown = 5};
static const struct program xchg2 = {.thread = {xchg_0, xchg_1}, .after = final_3, .shown = 3};
static const struct program xchg3 = {.thread = {xchg_0, xchg_1, xchg_2}, .after = final_4, .shown = 4};
static const struct program add_write = {.thread = {add_0, write_5}, .after = final_2, .shown = 2};
static const struct program xchg_write = {.thread = {xchg_0, write_5}, .after = final_2, .shown = 2};
static const struct program add_read = {.thread = {add_0, add_1, read_twice}, .shown = 4};
static const struct program cas2 = {.thread = {cas_0, cas_1}, .after = final_3, .shown = 3};
static const struct program cas3 = {.thread = {cas_0, cas_1, cas_2}, .after = final_4, .shown = 4};
static const struct program aba = {.thread = {aba_0, aba_1}, .after = final_2, .shown = 2};
static const struct program loop2 = {.thread = {loop_add, loop_add}, .after = final_1, .shown = 1};
static const struct program loop3 = {.thread = {loop_add, loop_add, loop_add}, .after = final_1, .shown = 1};
static const struct program blind = {.thread = {blind_0, blind_1}, .after = final_3, .shown = 3};
static const struct program narrow_adds = {
	.thread = {narrow_0, narrow_1}, .before = narrow_before, .after = narrow_after, .shown = 5};

static const struct litmus tests[] = {
	ROW("2 fetch_adds", "relaxed", &add2, ORDERS(RLX), FORBIDS("001"), "012 102", 2, 0),
	ROW("2 fetch_adds", "seq_cst", &add2, ORDERS(SC), FORBIDS("001"), "012 102", 2, 0),
	ROW("3 fetch_adds", "relaxed", &add3, ORDERS(RLX), FORBIDS("0012"), "0123 0213 1023 1203 2013 2103", 6, 0),
	ROW("3 fetch_adds", "acq_rel", &add3, ORDERS(AR), ALLOWS("2013"), "0123 0213 1023 1203 2013 2103", 6, 0),
	ROW("2+2 fetch_adds", "relaxed", &add22, ORDERS(RLX), FORBIDS("10234"), "01234 02134 03124 12034 13024 23014",
	    6, 0),
	ROW("2 exchanges", "relaxed", &xchg2, ORDERS(RLX), FORBIDS("001"), "012 201", 2, 0),
	ROW("3 exchanges", "relaxed", &xchg3, ORDERS(RLX), FORBIDS("2133"), "0123 0312 2013 2301 3021 3102", 6, 0),
	ROW("3 exchanges", "seq_cst", &xchg3, ORDERS(SC), ALLOWS("2013"), "0123 0312 2013 2301 3021 3102", 6, 0),
	ROW("fetch_add and write", "relaxed", &add_write, ORDERS(RLX), FORBIDS("01"), "05 56", 2, 0),
	ROW("exchange and write", "relaxed", &xchg_write, ORDERS(RLX), FORBIDS("01"), "05 51", 2, 0),
	ROW("fetch_adds and reads", "relaxed", &add_read, ORDERS(RLX), FORBIDS("0121"),
	    "0100 0101 0102 0111 0112 0122 1000 1001 1002 1011 1012 1022", 12, 0),
	ROW("2 cas", "relaxed", &cas2, ORDERS(RLX), FORBIDS("112"), "012 101", 2, 0),
	ROW("3 cas", "acq_rel", &cas3, ORDERS(AR), FORBIDS("1102"), "0013 0102 1001", 3, 0),
	ROW("A, B, A", "relaxed", &aba, ORDERS(RLX), ALLOWS("12"), "00 12", 3, 0),
	ROW("cas loop, 2 threads", "relaxed", &loop2, ORDERS(RLX), FORBIDS("1"), "2", 4, 0),
	ROW("cas loop, 3 threads", "relaxed", &loop3, ORDERS(RLX), FORBIDS("2"), "3", 48, NO_NAIVE),
	ROW("cas without a loop", "relaxed", &blind, ORDERS(RLX), ALLOWS("101"), "011 101 112", 4, 0),
	ROW("Wrapping", "relaxed", &narrow_adds, ORDERS(RLX), FORBIDS("11012"), "01012 10012", 2, 0),
};

LITMUS_MAIN(tests)
