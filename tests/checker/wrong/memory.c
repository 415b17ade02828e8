/* SPDX-License-Identifier: Apache-2.0 */
/* Tracked memory: used after its release, released twice, or leaked. */
#include "../wrong.h"

struct box {
	unsigned value;	 /* plain */
	unsigned shared; /* atomic */
};

static struct box *box, *slot;

static void make(void)
{
	box = chk_alloc(sizeof(*box));
	SET(box->value, 1);
	INIT(box->shared, 1);
	INIT(slot, NULL);
}

static void use_cell_after(void)
{
	make();
	chk_free(box);
	r1 = GET(box->value);
}

static void write_cell_after(void)
{
	make();
	chk_free(box);
	SET(box->value, 2);
}

static void use_atomic_after(void)
{
	make();
	chk_free(box);
	r1 = R(box->shared, SC);
}

static void write_atomic_after(void)
{
	make();
	chk_free(box);
	W(box->shared, 2, SC);
}

/* The use and the release are unordered. */
static void read_cell(void)
{
	r1 = GET(box->value);
}

static void read_atomic(void)
{
	r2 = R(box->shared, ACQ);
}

static void add_atomic(void)
{
	r2 = ADD(box->shared, 1, AR);
}

static void release(void)
{
	chk_free(box);
}

/* The reader says that it is done, with too weak an order. */
static void use_and_tell(void)
{
	r1 = GET(box->value);
	W(X, 1, o1);
}

static void release_when_told(void)
{
	while (!R(X, o2))
		chk_spin();
	chk_free(box);
}

/* The thread with the last reference releases the object. */
static void drop(void)
{
	r1 += GET(box->value);
	if (ADD(box->shared, -1, o1) != 1)
		return;
	F(o2);
	chk_free(box);
}

static void two_references(void)
{
	make();
	ADD(box->shared, 1, RLX);
}

/* Reads the count after it has dropped its reference. */
static void drop_and_look(void)
{
	ADD(box->shared, -1, AR);
	if (!R(box->shared, ACQ))
		chk_free(box);
}

/* Takes a reference to an object that may be gone. */
static void one_reference(void)
{
	make();
	W(slot, box, REL);
}

static void owner_drops(void)
{
	W(slot, NULL, REL);
	if (ADD(box->shared, -1, AR) == 1)
		chk_free(box);
}

static void visitor(void)
{
	struct box *seen = (struct box *)(uintptr_t)R(slot, ACQ);

	if (!seen)
		return;
	ADD(seen->shared, 1, RLX);
	if (ADD(seen->shared, -1, AR) == 1)
		chk_free(seen);
}

static void free_twice(void)
{
	make();
	chk_free(box);
	chk_free(box);
}

static void free_foreign(void)
{
	static struct box foreign;

	chk_free(&foreign);
}

static void free_inside(void)
{
	make();
	chk_free(&box->shared);
}

static void forget(void)
{
	make();
}

/* Leaks only if the taker comes too early. */
static void give(void)
{
	struct box *mine = chk_alloc(sizeof(*mine));

	SET(mine->value, 1);
	W(slot, mine, REL);
}

static void take_once(void)
{
	struct box *theirs = (struct box *)(uintptr_t)XCHG(slot, NULL, ACQ);

	if (theirs)
		chk_free(theirs);
}

static void no_slot(void)
{
	INIT(slot, NULL);
}

static const struct program p_use_cell = {.before = use_cell_after};
static const struct program p_write_cell = {.before = write_cell_after};
static const struct program p_use_atomic = {.before = use_atomic_after};
static const struct program p_write_atomic = {.before = write_atomic_after};
static const struct program p_race_cell = {.thread = {read_cell, release}, .before = make};
static const struct program p_race_atomic = {.thread = {read_atomic, release}, .before = make};
static const struct program p_race_add = {.thread = {release, add_atomic}, .before = make};
static const struct program p_told = {.thread = {use_and_tell, release_when_told}, .before = make};
static const struct program p_drop = {.thread = {drop, drop}, .before = two_references};
static const struct program p_look = {.thread = {drop_and_look, drop_and_look}, .before = two_references};
static const struct program p_visitor = {.thread = {owner_drops, visitor}, .before = one_reference};
static const struct program p_twice = {.before = free_twice};
static const struct program p_race_twice = {.thread = {release, release}, .before = make};
static const struct program p_foreign = {.before = free_foreign};
static const struct program p_inside = {.before = free_inside};
static const struct program p_forget = {.before = forget};
static const struct program p_too_early = {.thread = {give, take_once}, .before = no_slot};

static const struct wrong tests[] = {
	WRONG("Cell read after free", "", &p_use_cell, ORDERS(RLX), IS_USE_AFTER_FREE, 0),
	WRONG("Cell written after free", "", &p_write_cell, ORDERS(RLX), IS_USE_AFTER_FREE, 0),
	WRONG("Atomic read after free", "", &p_use_atomic, ORDERS(RLX), IS_USE_AFTER_FREE, 0),
	WRONG("Atomic written after free", "", &p_write_atomic, ORDERS(RLX), IS_USE_AFTER_FREE, 0),
	WRONG("Cell read, free unordered", "", &p_race_cell, ORDERS(RLX), IS_USE_AFTER_FREE, 0),
	WRONG("Atomic read, free unordered", "", &p_race_atomic, ORDERS(RLX), IS_USE_AFTER_FREE, 0),
	WRONG("Atomic add, free unordered", "", &p_race_add, ORDERS(RLX), IS_USE_AFTER_FREE, 0),
	WRONG("Free when told", "relaxed word", &p_told, ORDERS(RLX, ACQ), IS_USE_AFTER_FREE, 0),
	WRONG("Free when told", "relaxed wait", &p_told, ORDERS(REL, RLX), IS_USE_AFTER_FREE, 0),
	RIGHT("Free when told", "release/acquire", &p_told, ORDERS(REL, ACQ)),
	WRONG("Reference count", "relaxed", &p_drop, ORDERS(RLX, NONE), IS_USE_AFTER_FREE, 0),
	WRONG("Reference count", "release, no fence", &p_drop, ORDERS(REL, NONE), IS_USE_AFTER_FREE, 0),
	WRONG("Reference count", "relaxed, acquire fence", &p_drop, ORDERS(RLX, ACQ), IS_USE_AFTER_FREE, 0),
	WRONG("Reference count", "acquire", &p_drop, ORDERS(ACQ, NONE), IS_USE_AFTER_FREE, 0),
	RIGHT("Reference count", "acq_rel", &p_drop, ORDERS(AR, NONE)),
	RIGHT("Reference count", "release, acquire fence", &p_drop, ORDERS(REL, ACQ)),
	WRONG("Reference count looked at twice", "", &p_look, ORDERS(RLX), IS_USE_AFTER_FREE | IS_DOUBLE_FREE, 0),
	WRONG("Reference taken too late", "", &p_visitor, ORDERS(RLX), IS_USE_AFTER_FREE, 0),
	WRONG("Freed twice", "", &p_twice, ORDERS(RLX), IS_DOUBLE_FREE, 0),
	WRONG("Freed by two threads", "", &p_race_twice, ORDERS(RLX), IS_DOUBLE_FREE, 0),
	WRONG("Freed, never allocated", "", &p_foreign, ORDERS(RLX), IS_DOUBLE_FREE, 0),
	WRONG("Freed from the middle", "", &p_inside, ORDERS(RLX), IS_DOUBLE_FREE, 0),
	WRONG("Leak", "", &p_forget, ORDERS(RLX), IS_LEAK, 0),
	WRONG("Leak in one execution", "", &p_too_early, ORDERS(RLX), IS_LEAK, 0),
};

WRONG_MAIN(tests)
