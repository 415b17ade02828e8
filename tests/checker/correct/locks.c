/* SPDX-License-Identifier: Apache-2.0 */
/* Locks: each guards a plain counter. A lock that fails to exclude or to order shows as a race. */
#include "../litmus.h"

#define LOCK X /* the lock's word */

static void count(void)
{
	SET(C, GET(C) + 1);
}

static void final_count(void)
{
	r1 = GET(C);
}

static void spin_cas(void)
{
	while (!CAS(LOCK, 0, 1, o1, RLX))
		chk_spin();
	F(o3);
	count();
	W(LOCK, 0, o2);
}

static void spin_xchg(void)
{
	while (XCHG(LOCK, 1, o1))
		chk_spin();
	count();
	W(LOCK, 0, o2);
}

static void test_and_test_and_set(void)
{
	for (;;) {
		while (R(LOCK, RLX))
			chk_spin();
		if (CAS(LOCK, 0, 1, ACQ, RLX))
			break;
	}
	count();
	W(LOCK, 0, REL);
}

static void try_0(void)
{
	r1 = CAS(LOCK, 0, 1, ACQ, RLX);
	if (!r1)
		return;
	count();
	W(LOCK, 0, REL);
}

static void try_1(void)
{
	r2 = CAS(LOCK, 0, 1, ACQ, RLX);
	if (!r2)
		return;
	count();
	W(LOCK, 0, REL);
}

static void try_after(void)
{
	r3 = GET(C);
}

/* Y gives out tickets, X serves them. */
static void ticket(void)
{
	uint64_t mine = ADD(Y, 1, RLX);

	while (R(X, o1) != mine)
		chk_spin();
	count();
	W(X, mine + 1, o2);
}

/* A queue of waiting threads; each waits on its own node. Nodes are numbered from 1, 0 is none. */
struct node {
	unsigned next, locked;
};

static struct node node[3];

static void mcs_before(void)
{
	int i;

	for (i = 1; i < 3; i++) {
		INIT(node[i].next, 0);
		INIT(node[i].locked, 0);
	}
}

static void mcs(unsigned me)
{
	uint64_t before, after;

	before = XCHG(LOCK, me, AR);
	if (before) {
		W(node[me].locked, 1, RLX);
		W(node[before].next, me, REL);
		while (R(node[me].locked, ACQ))
			chk_spin();
	}
	count();
	after = R(node[me].next, ACQ);
	if (!after) {
		if (CAS(LOCK, me, 0, REL, RLX))
			return;
		while (!(after = R(node[me].next, ACQ)))
			chk_spin();
	}
	W(node[after].locked, 0, REL);
}

static void mcs_1(void)
{
	mcs(1);
}

static void mcs_2(void)
{
	mcs(2);
}

static struct chk_mutex mutex, second;

static void mutex_before(void)
{
	chk_mutex_init(&mutex);
	chk_mutex_init(&second);
}

static void with_mutex(void)
{
	chk_mutex_lock(&mutex);
	count();
	chk_mutex_unlock(&mutex);
}

static void with_mutex_twice(void)
{
	with_mutex();
	with_mutex();
}

static void with_two(void)
{
	chk_mutex_lock(&mutex);
	chk_mutex_lock(&second);
	count();
	chk_mutex_unlock(&second);
	chk_mutex_unlock(&mutex);
}

static void mutex_try_0(void)
{
	r1 = chk_mutex_trylock(&mutex);
	if (!r1)
		return;
	count();
	chk_mutex_unlock(&mutex);
}

static void mutex_try_1(void)
{
	r2 = chk_mutex_trylock(&mutex);
	if (!r2)
		return;
	count();
	chk_mutex_unlock(&mutex);
}

/* The mutex also makes the relaxed accesses of other threads consistent. */
static void mutex_sb_0(void)
{
	chk_mutex_lock(&mutex);
	W(X, 1, RLX);
	r1 = R(Y, RLX);
	chk_mutex_unlock(&mutex);
}

static void mutex_sb_1(void)
{
	chk_mutex_lock(&mutex);
	W(Y, 1, RLX);
	r2 = R(X, RLX);
	chk_mutex_unlock(&mutex);
}

/* Readers add 2, a writer sets bit 0 if there is no reader; both only try. */
static unsigned rw_read(void)
{
	unsigned value;

	if (ADD(LOCK, 2, ACQ) & 1) {
		ADD(LOCK, -2, RLX);
		return 0;
	}
	value = GET(C);
	ADD(LOCK, -2, REL);
	return 1 + value;
}

static void rw_reader(void)
{
	r1 = rw_read();
}

static void rw_second_reader(void)
{
	r3 = rw_read();
}

static void rw_writer(void)
{
	r2 = CAS(LOCK, 0, 1, ACQ, RLX);
	if (!r2)
		return;
	count();
	ADD(LOCK, -1, REL);
}

static const struct program p_spin_cas = {.thread = {spin_cas, spin_cas}, .after = final_count, .shown = 1};
static const struct program p_spin_cas3 = {.thread = {spin_cas, spin_cas, spin_cas}, .after = final_count, .shown = 1};
static const struct program p_spin_xchg = {.thread = {spin_xchg, spin_xchg}, .after = final_count, .shown = 1};
static const struct program p_ttas = {
	.thread = {test_and_test_and_set, test_and_test_and_set}, .after = final_count, .shown = 1};
static const struct program p_try = {.thread = {try_0, try_1}, .after = try_after, .shown = 3};
static const struct program p_ticket = {.thread = {ticket, ticket}, .after = final_count, .shown = 1};
static const struct program p_ticket3 = {.thread = {ticket, ticket, ticket}, .after = final_count, .shown = 1};
static const struct program p_mcs = {.thread = {mcs_1, mcs_2}, .before = mcs_before, .after = final_count, .shown = 1};
static const struct program p_mutex = {
	.thread = {with_mutex, with_mutex}, .before = mutex_before, .after = final_count, .shown = 1};
static const struct program p_mutex3 = {
	.thread = {with_mutex, with_mutex, with_mutex}, .before = mutex_before, .after = final_count, .shown = 1};
static const struct program p_mutex22 = {
	.thread = {with_mutex_twice, with_mutex_twice}, .before = mutex_before, .after = final_count, .shown = 1};
static const struct program p_two = {
	.thread = {with_two, with_two}, .before = mutex_before, .after = final_count, .shown = 1};
static const struct program p_mutex_try = {
	.thread = {mutex_try_0, mutex_try_1}, .before = mutex_before, .after = try_after, .shown = 3};
static const struct program p_mutex_sb = {.thread = {mutex_sb_0, mutex_sb_1}, .before = mutex_before, .shown = 2};
static const struct program p_rw = {.thread = {rw_reader, rw_writer}, .shown = 2};
static const struct program p_rw2 = {.thread = {rw_reader, rw_writer, rw_second_reader}, .shown = 3};

static const struct litmus tests[] = {
	ROW("Spinlock by cas", "acquire, release", &p_spin_cas, ORDERS(ACQ, REL, NONE), FORBIDS("1"), "2", 2, BLOCKS),
	ROW("Spinlock by cas", "acquire fence, release", &p_spin_cas, ORDERS(RLX, REL, ACQ), FORBIDS("1"), "2", 2,
	    BLOCKS),
	ROW("Spinlock by cas", "seq_cst", &p_spin_cas, ORDERS(SC, SC, NONE), FORBIDS("1"), "2", 2, BLOCKS),
	ROW("Spinlock by cas, 3 threads", "acquire, release", &p_spin_cas3, ORDERS(ACQ, REL, NONE), FORBIDS("2"), "3",
	    6, BLOCKS),
	ROW("Spinlock by exchange", "acquire, release", &p_spin_xchg, ORDERS(ACQ, REL), FORBIDS("1"), "2", 2, BLOCKS),
	ROW("Test and test-and-set", "acquire, release", &p_ttas, ORDERS(RLX), FORBIDS("1"), "2", 6, BLOCKS),
	ROW("Try-lock by cas", "acquire, release", &p_try, ORDERS(RLX), FORBIDS("111"), "011 101 112", 4, 0),
	ROW("Ticket lock", "acquire, release", &p_ticket, ORDERS(ACQ, REL), FORBIDS("1"), "2", 4, BLOCKS),
	ROW("Ticket lock, 3 threads", "acquire, release", &p_ticket3, ORDERS(ACQ, REL), FORBIDS("2"), "3", 36,
	    BLOCKS | NO_NAIVE),
	ROW("MCS lock", "acquire, release", &p_mcs, ORDERS(RLX), FORBIDS("1"), "2", 14, BLOCKS),
	ROW("Mutex", "2 threads", &p_mutex, ORDERS(RLX), FORBIDS("1"), "2", 2, BLOCKS),
	ROW("Mutex", "3 threads", &p_mutex3, ORDERS(RLX), FORBIDS("2"), "3", 6, BLOCKS),
	ROW("Mutex", "twice by 2 threads", &p_mutex22, ORDERS(RLX), FORBIDS("3"), "4", 6, BLOCKS),
	ROW("Mutex", "nested, same order", &p_two, ORDERS(RLX), FORBIDS("1"), "2", 2, BLOCKS),
	ROW("Mutex", "try-lock", &p_mutex_try, ORDERS(RLX), FORBIDS("000"), "011 101 112", 4, 0),
	ROW("Mutex", "SB inside", &p_mutex_sb, ORDERS(RLX), FORBIDS("00"), "01 10", 2, BLOCKS),
	ROW("Reader-writer try-lock", "1 reader", &p_rw, ORDERS(RLX), FORBIDS("00"), "01 10 11 21", 5, 0),
	ROW("Reader-writer try-lock", "2 readers", &p_rw2, ORDERS(RLX), FORBIDS("000"),
	    "010 011 012 101 110 111 112 210 211 212", 58, 0),
};

LITMUS_MAIN(tests)
