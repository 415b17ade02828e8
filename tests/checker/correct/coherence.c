/* SPDX-License-Identifier: Apache-2.0 */
/* Coherence: all accesses to one location agree on one order of its writes, with any memory orders. */
#include "../litmus.h"

static void write_1(void)
{
	W(X, 1, o1);
}

static void write_2(void)
{
	W(X, 2, o1);
}

static void corr(void)
{
	r1 = R(X, o2);
	r2 = R(X, o2);
}

static void corr_second(void)
{
	r3 = R(X, o2);
	r4 = R(X, o2);
}

static void read_thrice(void)
{
	r1 = R(X, o2);
	r2 = R(X, o2);
	r3 = R(X, o2);
}

static void coww(void)
{
	W(X, 1, o1);
	W(X, 2, o1);
}

static void cowr(void)
{
	W(X, 1, o1);
	r1 = R(X, o2);
}

static void corw(void)
{
	r1 = R(X, o2);
	W(X, 1, o1);
}

static void corw_other(void)
{
	r2 = R(X, o2);
	W(X, 2, o1);
}

static void final_1(void)
{
	r1 = R(X, RLX);
}

static void final_2(void)
{
	r2 = R(X, RLX);
}

static void final_3(void)
{
	r3 = R(X, RLX);
}

/* The same with the smallest and the largest width. */
static uint8_t narrow;
static uint64_t wide;

static void widths_before(void)
{
	INIT(narrow, 0);
	INIT(wide, 0);
}

static void widths_write(void)
{
	W(narrow, 255, o1);
	W(wide, 5000000000u, o1);
}

static void widths_read(void)
{
	r2 = R(wide, o2) == 5000000000u;
	r1 = R(narrow, o2) == 255;
}

static const struct program p_corr = {.thread = {write_1, corr}, .shown = 2};
static const struct program p_corr1 = {.thread = {coww, corr}, .shown = 2};
static const struct program p_corr2 = {.thread = {write_1, write_2, corr, corr_second}, .shown = 4};
static const struct program p_corr3 = {.thread = {coww, read_thrice}, .shown = 3};
static const struct program p_coww = {.thread = {coww}, .after = final_1, .shown = 1};
static const struct program p_coww2 = {.thread = {coww, write_1}, .after = final_1, .shown = 1};
static const struct program p_cowr = {.thread = {cowr}, .shown = 1};
static const struct program p_cowr1 = {.thread = {cowr, write_2}, .after = final_2, .shown = 2};
static const struct program p_corw = {.thread = {corw}, .after = final_2, .shown = 2};
static const struct program p_corw1 = {.thread = {corw, write_2}, .after = final_2, .shown = 2};
static const struct program p_corw2 = {.thread = {corw, corw_other}, .after = final_3, .shown = 3};
static const struct program p_widths = {.thread = {widths_write, widths_read}, .before = widths_before, .shown = 2};

static const struct litmus tests[] = {
	ROW("CoRR", "relaxed", &p_corr, ORDERS(RLX, RLX), FORBIDS("10"), "00 01 11", 3, 0),
	ROW("CoRR", "seq_cst", &p_corr, ORDERS(SC, SC), FORBIDS("10"), "00 01 11", 3, 0),
	ROW("CoRR1", "relaxed", &p_corr1, ORDERS(RLX, RLX), FORBIDS("21"), "00 01 02 11 12 22", 6, 0),
	ROW("CoRR1", "seq_cst", &p_corr1, ORDERS(SC, SC), FORBIDS("21"), "00 01 02 11 12 22", 6, 0),
	ROW("CoRR2", "relaxed", &p_corr2, ORDERS(RLX, RLX), FORBIDS("1221"),
	    "0000 0001 0002 0011 0012 0021 0022 0100 0101 0102 0111 0112 0121 0122 0200 0201 0202 0211 0212 0221 0222 "
	    "1100 1101 1102 1111 1112 1121 1122 1200 1201 1202 1211 1212 1222 2100 2101 2102 2111 2121 2122 2200 2201 "
	    "2202 2211 2212 2221 2222",
	    72, NO_NAIVE),
	ROW("CoRR2", "release/acquire", &p_corr2, ORDERS(REL, ACQ), FORBIDS("1221"),
	    "0000 0001 0002 0011 0012 0021 0022 0100 0101 0102 0111 0112 0121 0122 0200 0201 0202 0211 0212 0221 0222 "
	    "1100 1101 1102 1111 1112 1121 1122 1200 1201 1202 1211 1212 1222 2100 2101 2102 2111 2121 2122 2200 2201 "
	    "2202 2211 2212 2221 2222",
	    72, NO_NAIVE),
	ROW("CoRR2", "seq_cst", &p_corr2, ORDERS(SC, SC), FORBIDS("1221"),
	    "0000 0001 0002 0011 0012 0021 0022 0100 0101 0102 0111 0112 0121 0122 0200 0201 0202 0211 0212 0221 0222 "
	    "1100 1101 1102 1111 1112 1121 1122 1200 1201 1202 1211 1212 1222 2100 2101 2102 2111 2121 2122 2200 2201 "
	    "2202 2211 2212 2221 2222",
	    72, NO_NAIVE),
	ROW("CoRRR", "relaxed", &p_corr3, ORDERS(RLX, RLX), FORBIDS("121"), "000 001 002 011 012 022 111 112 122 222",
	    10, 0),
	ROW("CoWW", "relaxed", &p_coww, ORDERS(RLX), FORBIDS("1"), "2", 1, 0),
	ROW("CoWW", "seq_cst", &p_coww, ORDERS(SC), FORBIDS("1"), "2", 1, 0),
	ROW("CoWW+write", "relaxed", &p_coww2, ORDERS(RLX), ALLOWS("1"), "1 2", 3, 0),
	ROW("CoWR", "relaxed", &p_cowr, ORDERS(RLX, RLX), FORBIDS("0"), "1", 1, 0),
	ROW("CoWR", "seq_cst", &p_cowr, ORDERS(SC, SC), FORBIDS("0"), "1", 1, 0),
	ROW("CoWR1", "relaxed", &p_cowr1, ORDERS(RLX, RLX), FORBIDS("21"), "11 12 22", 3, 0),
	ROW("CoWR1", "seq_cst", &p_cowr1, ORDERS(SC, SC), FORBIDS("21"), "11 12 22", 3, 0),
	ROW("CoRW", "relaxed", &p_corw, ORDERS(RLX, RLX), FORBIDS("11"), "01", 1, 0),
	ROW("CoRW1", "relaxed", &p_corw1, ORDERS(RLX, RLX), FORBIDS("22"), "01 02 21", 3, 0),
	ROW("CoRW1", "seq_cst", &p_corw1, ORDERS(SC, SC), FORBIDS("22"), "01 02 21", 3, 0),
	ROW("CoRW2", "relaxed", &p_corw2, ORDERS(RLX, RLX), FORBIDS("212"), "001 002 012 201", 4, 0),
	ROW("CoRW2", "release/acquire", &p_corw2, ORDERS(REL, ACQ), FORBIDS("212"), "001 002 012 201", 4, 0),
	ROW("Widths", "relaxed", &p_widths, ORDERS(RLX, RLX), ALLOWS("01"), "00 01 10 11", 4, 0),
	ROW("Widths", "release/acquire", &p_widths, ORDERS(REL, ACQ), FORBIDS("01"), "00 10 11", 3, 0),
};

LITMUS_MAIN(tests)
