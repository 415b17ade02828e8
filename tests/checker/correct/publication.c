/* SPDX-License-Identifier: Apache-2.0 */
/* Published tracked memory: one thread makes, fills and publishes it by a pointer, and the last user releases it. */
#include "../litmus.h"

struct box {
	unsigned value;	 /* plain */
	unsigned shared; /* atomic */
};

static struct box *slot;

static void before(void)
{
	INIT(slot, NULL);
}

static struct box *make(void)
{
	struct box *box = chk_alloc(sizeof(*box));

	INIT(box->shared, 1);
	SET(box->value, 7);
	return box;
}

static void publish(void)
{
	struct box *box = make();

	F(o1);
	W(slot, box, o2);
}

static void look(void)
{
	struct box *box = (struct box *)(uintptr_t)R(slot, o3);

	if (!box)
		return;
	F(o4);
	r1 = GET(box->value);
	r2 = R(box->shared, RLX);
}

static void free_slot(void)
{
	chk_free((void *)(uintptr_t)R(slot, RLX));
}

/* The reader takes the box out and releases it. */
static void take(void)
{
	struct box *box = (struct box *)(uintptr_t)XCHG(slot, NULL, o3);

	if (!box)
		return;
	r1 = GET(box->value);
	r2 = R(box->shared, RLX);
	chk_free(box);
}

static void take_second(void)
{
	struct box *box = (struct box *)(uintptr_t)XCHG(slot, NULL, o3);

	if (!box)
		return;
	r3 = GET(box->value);
	chk_free(box);
}

static void take_rest(void)
{
	struct box *box = (struct box *)(uintptr_t)R(slot, RLX);

	if (box)
		chk_free(box);
}

/* Two boxes in a row: the second is linked to the first. */
struct link {
	unsigned value;
	struct link *next;
};

static struct link *head;

static void link_before(void)
{
	INIT(head, NULL);
}

static void link_publish(void)
{
	struct link *first = chk_alloc(sizeof(*first)), *second = chk_alloc(sizeof(*second));

	SET(first->value, 1);
	SET(first->next, NULL);
	SET(second->value, 2);
	SET(second->next, first);
	W(head, second, REL);
}

static void link_walk(void)
{
	struct link *link = (struct link *)(uintptr_t)R(head, ACQ);

	for (; link; link = GET(link->next))
		r1 += GET(link->value);
}

static void link_free(void)
{
	struct link *link = (struct link *)(uintptr_t)R(head, RLX), *next;

	for (; link; link = next) {
		next = GET(link->next);
		chk_free(link);
	}
}

static const struct program lookers = {.thread = {publish, look}, .before = before, .after = free_slot, .shown = 2};
static const struct program takers = {.thread = {publish, take}, .before = before, .after = take_rest, .shown = 2};
static const struct program two_takers = {
	.thread = {publish, take, take_second}, .before = before, .after = take_rest, .shown = 3};
static const struct program links = {
	.thread = {link_publish, link_walk}, .before = link_before, .after = link_free, .shown = 1};

static const struct litmus tests[] = {
	ROW("Publication", "release/acquire", &lookers, ORDERS(NONE, REL, ACQ, NONE), FORBIDS("70"), "00 71", 2, 0),
	ROW("Publication", "fences", &lookers, ORDERS(REL, RLX, RLX, ACQ), FORBIDS("70"), "00 71", 2, 0),
	ROW("Publication", "seq_cst", &lookers, ORDERS(NONE, SC, SC, NONE), FORBIDS("70"), "00 71", 2, 0),
	ROW("Publication, taken", "release/acquire", &takers, ORDERS(NONE, REL, ACQ), FORBIDS("70"), "00 71", 2, 0),
	ROW("Publication, two takers", "release/acquire", &two_takers, ORDERS(NONE, REL, ACQ), FORBIDS("717"),
	    "000 007 710", 6, 0),
	ROW("Publication of a list", "release/acquire", &links, ORDERS(RLX), FORBIDS("2"), "0 3", 2, 0),
};

LITMUS_MAIN(tests)
