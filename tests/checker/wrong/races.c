/* SPDX-License-Identifier: Apache-2.0 */
/* Data races: plain accesses that no edge orders. */
#include "../wrong.h"

static void mp_0(void)
{
	SET(C, 1);
	F(o1);
	W(Y, 1, o2);
}

static void mp_1(void)
{
	if (!R(Y, o3))
		return;
	F(o4);
	r1 = GET(C);
}

/* The same over three threads: the middle thread passes the flag on. */
static void chain_0(void)
{
	SET(C, 1);
	W(X, 1, REL);
}

static void chain_1(void)
{
	if (R(X, o1))
		W(Y, 1, o2);
}

static void chain_2(void)
{
	if (R(Y, ACQ))
		r1 = GET(C);
}

/* A plain write after the release ends the release sequence. A read-modify-write would continue it. */
static void sequence_0(void)
{
	SET(C, 1);
	W(Y, 1, REL);
	W(Y, 2, o1);
}

static void sequence_1(void)
{
	if (R(Y, ACQ) == 2)
		r1 = GET(C);
}

static void increment(void)
{
	SET(C, GET(C) + 1);
}

static void only_write(void)
{
	SET(C, 5);
}

static void only_read(void)
{
	r1 = GET(C);
}

/* An overlap of one byte is enough. */
static void write_byte(void)
{
	unsigned char *byte = (unsigned char *)&C + 2;

	SET(*byte, 1);
}

/* The main thread looks before the join. */
static void impatient_child(void *arg)
{
	(void)arg;
	SET(C, 1);
}

static void impatient(void)
{
	int child = chk_thread(impatient_child, NULL);

	r1 = GET(C);
	chk_join(child);
}

/* The initialization of an atomic is not atomic. */
static void late_child(void *arg)
{
	(void)arg;
	r1 = R(X, ACQ);
}

static void late_init(void)
{
	int child = chk_thread(late_child, NULL);

	INIT(X, 1);
	chk_join(child);
}

/* Readers among themselves do not race, but the late writer does. */
static void write_if_told(void)
{
	if (R(X, RLX) == 2)
		SET(C, 1);
}

static void read_and_tell(void)
{
	r1 = GET(C);
	ADD(X, 1, o1);
}

static void read_and_tell_too(void)
{
	r2 = GET(C);
	ADD(X, 1, o1);
}

static const struct program mp = {.thread = {mp_0, mp_1}};
static const struct program chain = {.thread = {chain_0, chain_1, chain_2}};
static const struct program sequence = {.thread = {sequence_0, sequence_1}};
static const struct program counter = {.thread = {increment, increment}};
static const struct program writes = {.thread = {only_write, only_write}};
static const struct program read_write = {.thread = {only_read, only_write}};
static const struct program byte = {.thread = {write_byte, only_read}};
static const struct program early = {.before = impatient};
static const struct program init = {.before = late_init};
static const struct program readers = {.thread = {read_and_tell, read_and_tell_too, write_if_told}};

static const struct wrong tests[] = {
	WRONG("MP+cell", "relaxed", &mp, ORDERS(NONE, RLX, RLX, NONE), IS_RACE, 0),
	WRONG("MP+cell", "relaxed write, acquire", &mp, ORDERS(NONE, RLX, ACQ, NONE), IS_RACE, 0),
	WRONG("MP+cell", "release, relaxed read", &mp, ORDERS(NONE, REL, RLX, NONE), IS_RACE, 0),
	WRONG("MP+cell", "release fence only", &mp, ORDERS(REL, RLX, RLX, NONE), IS_RACE, 0),
	WRONG("MP+cell", "acquire fence only", &mp, ORDERS(NONE, RLX, RLX, ACQ), IS_RACE, 0),
	WRONG("MP+cell", "fences the wrong way round", &mp, ORDERS(ACQ, RLX, RLX, REL), IS_RACE, 0),
	RIGHT("MP+cell", "release/acquire", &mp, ORDERS(NONE, REL, ACQ, NONE)),
	RIGHT("MP+cell", "fences", &mp, ORDERS(REL, RLX, RLX, ACQ)),
	WRONG("Chain", "relaxed first read", &chain, ORDERS(RLX, REL), IS_RACE, 0),
	WRONG("Chain", "relaxed second write", &chain, ORDERS(ACQ, RLX), IS_RACE, 0),
	RIGHT("Chain", "release/acquire", &chain, ORDERS(ACQ, REL)),
	WRONG("Broken release sequence", "relaxed", &sequence, ORDERS(RLX), IS_RACE, 0),
	RIGHT("Broken release sequence", "release", &sequence, ORDERS(REL)),
	WRONG("Plain counter", "", &counter, ORDERS(RLX), IS_RACE, 0),
	WRONG("Two plain writes", "", &writes, ORDERS(RLX), IS_RACE, 0),
	WRONG("Plain read and write", "", &read_write, ORDERS(RLX), IS_RACE, 0),
	WRONG("One byte of a word", "", &byte, ORDERS(RLX), IS_RACE, 0),
	WRONG("Read before the join", "", &early, ORDERS(RLX), IS_RACE, 0),
	WRONG("Init after the start", "", &init, ORDERS(RLX), IS_RACE, 0),
	WRONG("Two readers, then a writer", "relaxed", &readers, ORDERS(RLX), IS_RACE, 0),
};

WRONG_MAIN(tests)
