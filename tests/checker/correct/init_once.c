/* SPDX-License-Identifier: Apache-2.0 */
/* Correct one-time initialization. */
#include "../litmus.h"

static struct chk_mutex mutex;

static void before(void)
{
	chk_mutex_init(&mutex);
}

/* Double-checked: X says that C is ready. r3 counts initializations. */
static unsigned checked(void)
{
	if (!R(X, o1)) {
		chk_mutex_lock(&mutex);
		if (!R(X, RLX)) {
			SET(C, 7);
			r3++;
			F(o4);
			W(X, 1, o2);
		}
		chk_mutex_unlock(&mutex);
	}
	F(o3);
	return GET(C);
}

static void checked_0(void)
{
	r1 = checked();
}

static void checked_1(void)
{
	r2 = checked();
}

/* 0 new, 1 busy, 2 done: the winner of the compare-and-swap initializes, the others wait. */
static unsigned once(void)
{
	if (CAS(X, 0, 1, o1, RLX)) {
		SET(C, 7);
		r3++;
		W(X, 2, REL);
	} else {
		while (R(X, ACQ) != 2)
			chk_spin();
	}
	return GET(C);
}

static void once_0(void)
{
	r1 = once();
}

static void once_1(void)
{
	r2 = once();
}

/* Each thread makes a box, and the first to publish wins. The loser drops its own box and takes the winner's. */
struct box {
	unsigned value;
};

static struct box *boxes;

static void race_before(void)
{
	INIT(boxes, NULL);
}

static unsigned race(unsigned value)
{
	struct box *box = (struct box *)(uintptr_t)R(boxes, ACQ);
	uint64_t seen;

	if (!box) {
		box = chk_alloc(sizeof(*box));
		SET(box->value, value);
		if (!CAS_SEEN(boxes, NULL, box, &seen, o1, o2)) {
			chk_free(box);
			box = (struct box *)(uintptr_t)seen;
		}
	}
	return GET(box->value);
}

static void race_0(void)
{
	r1 = race(1);
}

static void race_1(void)
{
	r2 = race(2);
}

static void race_after(void)
{
	chk_free((void *)(uintptr_t)R(boxes, RLX));
}

static const struct program p_checked = {.thread = {checked_0, checked_1}, .before = before, .shown = 3};
static const struct program p_once = {.thread = {once_0, once_1}, .shown = 3};
static const struct program p_race = {
	.thread = {race_0, race_1}, .before = race_before, .after = race_after, .shown = 2};

static const struct litmus tests[] = {
	ROW("Double-checked init", "acquire, release", &p_checked, ORDERS(ACQ, REL, NONE, NONE), FORBIDS("772"), "771",
	    4, BLOCKS),
	ROW("Double-checked init", "fences", &p_checked, ORDERS(RLX, RLX, ACQ, REL), FORBIDS("772"), "771", 4, BLOCKS),
	ROW("Init by cas", "acquire, release", &p_once, ORDERS(ACQ), FORBIDS("772"), "771", 4, BLOCKS),
	ROW("Init by cas", "relaxed cas", &p_once, ORDERS(RLX), FORBIDS("772"), "771", 4, BLOCKS),
	ROW("Init by racing pointers", "acq_rel", &p_race, ORDERS(AR, ACQ), FORBIDS("12"), "11 22", 4, 0),
	ROW("Init by racing pointers", "release, failure acquire", &p_race, ORDERS(REL, ACQ), FORBIDS("21"), "11 22", 4,
	    0),
};

LITMUS_MAIN(tests)
