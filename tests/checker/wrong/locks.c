/* SPDX-License-Identifier: Apache-2.0 */
/* Locks that do not exclude, do not order, or stay locked. */
#include "../wrong.h"

#define LOCK X

static void count(void)
{
	SET(C, GET(C) + 1);
}

static void spin(void)
{
	while (!CAS(LOCK, 0, 1, o1, RLX))
		chk_spin();
	count();
	W(LOCK, 0, o2);
}

/* Test, then set: two steps. */
static void two_steps(void)
{
	while (R(LOCK, ACQ))
		chk_spin();
	W(LOCK, 1, SC);
	count();
	W(LOCK, 0, REL);
}

/* Two threads may draw the same ticket. */
static void same_ticket(void)
{
	uint64_t mine = R(Y, SC);

	W(Y, mine + 1, SC);
	while (R(LOCK, ACQ) != mine)
		chk_spin();
	count();
	W(LOCK, mine + 1, REL);
}

static void ticket(void)
{
	uint64_t mine = ADD(Y, 1, AR);

	while (R(LOCK, o1) != mine)
		chk_spin();
	count();
	W(LOCK, mine + 1, o2);
}

/* Serves the ticket that is served already: the next thread waits for ever. */
static void stuck_ticket(void)
{
	uint64_t mine = ADD(Y, 1, AR);

	while (R(LOCK, ACQ) != mine)
		chk_spin();
	count();
	W(LOCK, mine, REL);
}

static struct chk_mutex mutex, second;

static void before(void)
{
	chk_mutex_init(&mutex);
	chk_mutex_init(&second);
}

static void ab(void)
{
	chk_mutex_lock(&mutex);
	chk_mutex_lock(&second);
	count();
	chk_mutex_unlock(&second);
	chk_mutex_unlock(&mutex);
}

static void ba(void)
{
	chk_mutex_lock(&second);
	chk_mutex_lock(&mutex);
	count();
	chk_mutex_unlock(&mutex);
	chk_mutex_unlock(&second);
}

static void twice(void)
{
	chk_mutex_lock(&mutex);
	chk_mutex_lock(&mutex);
	chk_mutex_unlock(&mutex);
}

static void keep(void)
{
	chk_mutex_lock(&mutex);
	count();
}

static void once(void)
{
	chk_mutex_lock(&mutex);
	count();
	chk_mutex_unlock(&mutex);
}

static void not_mine(void)
{
	chk_mutex_unlock(&mutex);
}

static void again(void)
{
	chk_mutex_lock(&mutex);
	chk_mutex_unlock(&mutex);
	chk_mutex_unlock(&mutex);
}

/* A failed try-lock is not a lock. */
static void careless(void)
{
	bool mine = chk_mutex_trylock(&mutex);

	count();
	if (mine)
		chk_mutex_unlock(&mutex);
}

/* Each thread guards the same data by another lock. */
static void own_0(void)
{
	chk_mutex_lock(&mutex);
	count();
	chk_mutex_unlock(&mutex);
}

static void own_1(void)
{
	chk_mutex_lock(&second);
	count();
	chk_mutex_unlock(&second);
}

/* Part of the work comes after the unlock. */
static void early_unlock(void)
{
	unsigned value;

	chk_mutex_lock(&mutex);
	value = GET(C);
	chk_mutex_unlock(&mutex);
	chk_mutex_lock(&mutex);
	SET(C, value + 1);
	chk_mutex_unlock(&mutex);
}

static void both_counted(void)
{
	chk_assert(GET(C) == 2);
}

/* Three philosophers. */
static struct chk_mutex forks[3];

static void table(void)
{
	int i;

	for (i = 0; i < 3; i++)
		chk_mutex_init(&forks[i]);
}

static void dine(unsigned left)
{
	chk_mutex_lock(&forks[left]);
	chk_mutex_lock(&forks[(left + 1) % 3]);
	chk_mutex_unlock(&forks[(left + 1) % 3]);
	chk_mutex_unlock(&forks[left]);
}

static void dine_0(void)
{
	dine(0);
}

static void dine_1(void)
{
	dine(1);
}

static void dine_2(void)
{
	dine(2);
}

static const struct program p_spin = {.thread = {spin, spin}};
static const struct program p_two_steps = {.thread = {two_steps, two_steps}};
static const struct program p_same_ticket = {.thread = {same_ticket, same_ticket}};
static const struct program p_ticket = {.thread = {ticket, ticket}};
static const struct program p_stuck_ticket = {.thread = {stuck_ticket, stuck_ticket}};
static const struct program p_abba = {.thread = {ab, ba}, .before = before};
static const struct program p_twice = {.thread = {twice}, .before = before};
static const struct program p_keep = {.thread = {keep, once}, .before = before};
static const struct program p_not_mine = {.thread = {once, not_mine}, .before = before};
static const struct program p_again = {.thread = {again}, .before = before};
static const struct program p_careless = {.thread = {careless, careless}, .before = before};
static const struct program p_own = {.thread = {own_0, own_1}, .before = before};
static const struct program p_early = {.thread = {early_unlock, early_unlock}, .before = before, .after = both_counted};
static const struct program p_table = {.thread = {dine_0, dine_1, dine_2}, .before = table};

static const struct wrong tests[] = {
	WRONG("Spinlock", "relaxed unlock", &p_spin, ORDERS(ACQ, RLX), IS_RACE, 0),
	WRONG("Spinlock", "relaxed lock", &p_spin, ORDERS(RLX, REL), IS_RACE, 0),
	WRONG("Spinlock", "release lock", &p_spin, ORDERS(REL, REL), IS_RACE, 0),
	RIGHT("Spinlock", "acquire, release", &p_spin, ORDERS(ACQ, REL)),
	WRONG("Test, then set", "", &p_two_steps, ORDERS(RLX), IS_RACE, 0),
	WRONG("Ticket lock, drawn in two steps", "", &p_same_ticket, ORDERS(RLX), IS_RACE | IS_ENDLESS, 0),
	WRONG("Ticket lock", "relaxed wait", &p_ticket, ORDERS(RLX, REL), IS_RACE, 0),
	WRONG("Ticket lock", "relaxed unlock", &p_ticket, ORDERS(ACQ, RLX), IS_RACE, 0),
	RIGHT("Ticket lock", "acquire, release", &p_ticket, ORDERS(ACQ, REL)),
	WRONG("Ticket lock, served twice", "", &p_stuck_ticket, ORDERS(RLX), IS_ENDLESS, 0),
	WRONG("Two mutexes, AB and BA", "", &p_abba, ORDERS(RLX), IS_DEADLOCK, 0),
	WRONG("Three philosophers", "", &p_table, ORDERS(RLX), IS_DEADLOCK, 0),
	WRONG("Mutex locked twice", "", &p_twice, ORDERS(RLX), IS_DEADLOCK, 0),
	WRONG("Mutex kept", "", &p_keep, ORDERS(RLX), IS_DEADLOCK, 0),
	WRONG("Mutex of another unlocked", "", &p_not_mine, ORDERS(RLX), IS_ASSERT | IS_MISUSE, 0),
	WRONG("Mutex unlocked twice", "", &p_again, ORDERS(RLX), IS_ASSERT | IS_MISUSE, 0),
	WRONG("Try-lock's answer ignored", "", &p_careless, ORDERS(RLX), IS_RACE, 0),
	WRONG("Each its own mutex", "", &p_own, ORDERS(RLX), IS_RACE, 0),
	WRONG("Unlocked in between", "", &p_early, ORDERS(RLX), IS_ASSERT, 0),
};

WRONG_MAIN(tests)
