/* SPDX-License-Identifier: Apache-2.0 */
/* Wrong one-time initialization. */
#include "../wrong.h"

static struct chk_mutex mutex;

static void before(void)
{
	chk_mutex_init(&mutex);
}

/* Double-checked, but the first check or the publication is too weak. */
static void checked(void)
{
	if (!R(X, o1)) {
		chk_mutex_lock(&mutex);
		if (!R(X, RLX)) {
			SET(C, 7);
			W(X, 1, o2);
		}
		chk_mutex_unlock(&mutex);
	}
	chk_assert(GET(C) == 7);
}

/* The flag says ready too early. */
static void hasty(void)
{
	if (!R(X, ACQ)) {
		chk_mutex_lock(&mutex);
		if (!R(X, RLX)) {
			W(X, 1, REL);
			SET(C, 7);
		}
		chk_mutex_unlock(&mutex);
	}
	chk_assert(GET(C) == 7);
}

/* No second check: both threads may initialize. */
static void single_check(void)
{
	if (!R(X, ACQ)) {
		chk_mutex_lock(&mutex);
		chk_assert(ADD(Y, 1, RLX) == 0);
		W(X, 1, REL);
		chk_mutex_unlock(&mutex);
	}
}

/* The losers of the compare-and-swap do not wait. */
static void no_wait(void)
{
	if (CAS(X, 0, 1, AR, ACQ)) {
		SET(C, 7);
		W(X, 2, REL);
	}
	chk_assert(GET(C) == 7);
}

/* The order of the waiting loads is too weak. */
static void weak_wait(void)
{
	if (CAS(X, 0, 1, AR, RLX)) {
		SET(C, 7);
		W(X, 2, o1);
	} else {
		while (R(X, o2) != 2)
			chk_spin();
	}
	chk_assert(GET(C) == 7);
}

/* Both threads make a box, and the loser keeps its own. */
struct box {
	unsigned value;
};

static struct box *boxes;

static void race_before(void)
{
	INIT(boxes, NULL);
}

static void race_leak(void)
{
	struct box *box = chk_alloc(sizeof(*box));
	uint64_t seen;

	SET(box->value, 1);
	if (!CAS_SEEN(boxes, NULL, box, &seen, AR, ACQ))
		box = (struct box *)(uintptr_t)seen;
	chk_assert(GET(box->value) == 1);
}

/* The loser gets the winner's box through a relaxed failure. */
static void race_relaxed(void)
{
	struct box *box = chk_alloc(sizeof(*box));
	uint64_t seen;

	SET(box->value, 1);
	if (!CAS_SEEN(boxes, NULL, box, &seen, AR, o1)) {
		chk_free(box);
		box = (struct box *)(uintptr_t)seen;
	}
	chk_assert(GET(box->value) == 1);
}

static void race_after(void)
{
	chk_free((void *)(uintptr_t)R(boxes, RLX));
}

static const struct program p_checked = {.thread = {checked, checked}, .before = before};
static const struct program p_hasty = {.thread = {hasty, hasty}, .before = before};
static const struct program p_single = {.thread = {single_check, single_check}, .before = before};
static const struct program p_no_wait = {.thread = {no_wait, no_wait}};
static const struct program p_weak_wait = {.thread = {weak_wait, weak_wait}};
static const struct program p_leak = {.thread = {race_leak, race_leak}, .before = race_before, .after = race_after};
static const struct program p_relaxed = {
	.thread = {race_relaxed, race_relaxed}, .before = race_before, .after = race_after};

static const struct wrong tests[] = {
	WRONG("Double-checked init", "relaxed", &p_checked, ORDERS(RLX, RLX), IS_RACE, 0),
	WRONG("Double-checked init", "relaxed check", &p_checked, ORDERS(RLX, REL), IS_RACE, 0),
	WRONG("Double-checked init", "relaxed publication", &p_checked, ORDERS(ACQ, RLX), IS_RACE, 0),
	RIGHT("Double-checked init", "acquire, release", &p_checked, ORDERS(ACQ, REL)),
	WRONG("Ready too early", "", &p_hasty, ORDERS(RLX), IS_RACE, 0),
	WRONG("No second check", "", &p_single, ORDERS(RLX), IS_ASSERT, 0),
	WRONG("Losers do not wait", "", &p_no_wait, ORDERS(RLX), IS_RACE | IS_ASSERT, 0),
	WRONG("Losers wait", "relaxed read", &p_weak_wait, ORDERS(REL, RLX), IS_RACE, 0),
	WRONG("Losers wait", "relaxed write", &p_weak_wait, ORDERS(RLX, ACQ), IS_RACE, 0),
	RIGHT("Losers wait", "release/acquire", &p_weak_wait, ORDERS(REL, ACQ)),
	WRONG("Loser keeps its own", "", &p_leak, ORDERS(RLX), IS_LEAK, 0),
	WRONG("Loser reads the winner's", "relaxed failure", &p_relaxed, ORDERS(RLX), IS_RACE | IS_UNINIT, 0),
	RIGHT("Loser reads the winner's", "acquire failure", &p_relaxed, ORDERS(ACQ)),
};

WRONG_MAIN(tests)
