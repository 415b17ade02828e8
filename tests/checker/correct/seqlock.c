/* SPDX-License-Identifier: Apache-2.0 */
/* A sequence lock over two relaxed words, with the necessary fences: a reader never accepts a torn pair. */
#include "../litmus.h"

#define SEQ X

/* r1: whether the read was accepted. r2, r3: the values that it read. */
static void reader(void)
{
	uint64_t first = R(SEQ, ACQ), second;

	r2 = R(Y, o1);
	r3 = R(Z, o1);
	F(o2);
	second = R(SEQ, RLX);
	r1 = first == second && !(first & 1);
	if (!r1)
		r2 = r3 = 0;
}

static void write_pair(unsigned value, uint64_t before)
{
	W(SEQ, before + 1, RLX);
	F(o3);
	W(Y, value, o4);
	W(Z, value, o4);
	W(SEQ, before + 2, REL);
}

static void writer(void)
{
	write_pair(1, 0);
}

static void writer_twice(void)
{
	write_pair(1, 0);
	write_pair(2, 2);
}

/* Two writers try to take the odd number by compare-and-swap. The loser gives up. */
static void writer_cas(unsigned value)
{
	uint64_t before = R(SEQ, RLX);

	if ((before & 1) || !CAS(SEQ, before, before + 1, ACQ, RLX))
		return;
	F(o3);
	W(Y, value, o4);
	W(Z, value, o4);
	W(SEQ, before + 2, REL);
}

static void writer_cas_1(void)
{
	writer_cas(1);
}

static void writer_cas_2(void)
{
	writer_cas(2);
}

static const struct program one = {.thread = {writer, reader}, .shown = 3};
static const struct program twice = {.thread = {writer_twice, reader}, .shown = 3};
static const struct program two = {.thread = {writer_cas_1, writer_cas_2, reader}, .shown = 3};

static const struct litmus tests[] = {
	ROW("Seqlock", "fences", &one, ORDERS(RLX, ACQ, REL, RLX), FORBIDS("110"), "000 100 111", 18, 0),
	ROW("Seqlock", "acquire data reads, release data writes", &one, ORDERS(ACQ, NONE, NONE, REL), FORBIDS("110"),
	    "000 100 111", 18, 0),
	ROW("Seqlock, two updates", "fences", &twice, ORDERS(RLX, ACQ, REL, RLX), FORBIDS("121"), "000 100 111 122", 81,
	    NO_NAIVE),
	ROW("Seqlock, two writers", "fences", &two, ORDERS(RLX, ACQ, REL, RLX), FORBIDS("121"), "000 100 111 122", 250,
	    NO_NAIVE),
};

LITMUS_MAIN(tests)
