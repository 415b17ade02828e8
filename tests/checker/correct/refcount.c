/* SPDX-License-Identifier: Apache-2.0 */
/* Reference counts: the thread that drops the last reference releases the object, after all uses by other threads. */
#include "../litmus.h"

struct object {
	unsigned references; /* atomic */
	unsigned value;	     /* plain */
};

static struct object *object;

static void two_references(void)
{
	object = chk_alloc(sizeof(*object));
	INIT(object->references, 2);
	SET(object->value, 7);
}

static void three_references(void)
{
	two_references();
	ADD(object->references, 1, RLX);
}

static bool drop(void)
{
	if (ADD(object->references, -1, o1) != 1)
		return false;
	F(o2);
	SET(object->value, 0);
	chk_free(object);
	return true;
}

static void user_0(void)
{
	r1 = GET(object->value) == 7;
	r3 = drop();
}

static void user_1(void)
{
	r2 = GET(object->value) == 7;
	r4 = drop();
}

static void user_2(void)
{
	r6 = GET(object->value);
	r5 = drop();
}

static const struct program two = {.thread = {user_0, user_1}, .before = two_references, .shown = 4};
static const struct program three = {.thread = {user_0, user_1, user_2}, .before = three_references, .shown = 5};

static const struct litmus tests[] = {
	ROW("Reference count", "acq_rel", &two, ORDERS(AR, NONE), FORBIDS("1100"), "1101 1110", 2, 0),
	ROW("Reference count", "release, acquire fence", &two, ORDERS(REL, ACQ), FORBIDS("1111"), "1101 1110", 2, 0),
	ROW("Reference count, 3 users", "release, acquire fence", &three, ORDERS(REL, ACQ), FORBIDS("11000"),
	    "11001 11010 11100", 6, 0),
};

LITMUS_MAIN(tests)
