/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The deque of Arora, Blumofe and Plaxton, as printed in Shibesh Duwadi's "Analysis of Novel Approaches for
 * Work-Stealing Scheduling" (Master's thesis, University of Bamberg, May 2025), Figure 2.6, in C++-like pseudocode.
 * Each line of C has its printed line beside it, with its number in the figure. Code under a fix is ours.
 *
 * bottom is an atomic<uintptr_t>, top an atomic<Age>, and both are used through their operators: seq_cst. queue is an
 * array of E: plain data. We read the "=" of line 16 as "==". We read the "newTop" of line 29 as "newAge", because the
 * figure has no newTop.
 */
#include "../printed.h"

enum {
	KEEP_OTHERS = 1,  /* line 21: > oldAge.top, not oldAge.top + 1 */
	CAS_IF_LAST = 2,  /* line 27: only if bottom was equal to oldAge.top */
	ATOMIC_SLOTS = 4, /* relaxed */
	UNTAGGED = 8,	  /* no fix: shows the purpose of the tag */
	FIXED = KEEP_OTHERS | CAS_IF_LAST | ATOMIC_SLOTS
};

/*  1: Struct Age { int top; int tag; } atomic<Age> top; */
#define TOP(age) ((age)&UINT32_MAX)
#define AGE(top, tag) ((top) | (uint64_t)(tag) << 32)
#define TAG(age) ((age) >> 32)

static void set_up(void)
{
	static const char *const names[] = {"queue[0]", "queue[1]"};

	INIT(deque.bottom, 0);
	INIT(deque.top, AGE(0, 0));
	/* The checker knows that this memory has no values yet. */
	deque.slots = chk_alloc(deque.capacity * sizeof(deque.slots[0]));
	for (uint64_t i = 0; i < deque.capacity; i++)
		chk_name(&deque.slots[i], names[i]);
}

static void tear_down(void)
{
	chk_free(deque.slots);
}

/*  8: ABP<E, CAPACITY>::pushBottom(E item) -> */
static bool push_bottom(uint64_t item)
{
	uint64_t bottom;

	/*  9: if(bottom >= CAPACITY) */
	if (LOAD(deque.bottom, CHK_SC, "9: bottom >= CAPACITY") >= deque.capacity)
		/* 10: return false; */
		return false;
	/* 11: queue[bottom] = item; */
	bottom = LOAD(deque.bottom, CHK_SC, "11: queue[bottom]");
	SLOT_WRITE(deque.slots[bottom], item, fixed & ATOMIC_SLOTS, "11: queue[bottom] = item");
	/* 12: bottom++; */
	FETCH_ADD(deque.bottom, 1, CHK_SC, "12: bottom++");
	/* 13: return true; */
	return true;
}

/* 15: ABP<E, CAPACITY>::popBottom(E *item) -> */
static bool pop_bottom(uint64_t *item)
{
	uint64_t bottom, old_age, new_age;

	/* 16: if(bottom == 0) */
	if (LOAD(deque.bottom, CHK_SC, "16: bottom == 0") == 0)
		/* 17: return false; */
		return false;
	/* 18: --bottom; */
	FETCH_ADD(deque.bottom, (uint64_t)-1, CHK_SC, "18: --bottom");
	/* 19: *item = queue[bottom]; */
	bottom = LOAD(deque.bottom, CHK_SC, "19: queue[bottom]");
	*item = SLOT_READ(deque.slots[bottom], fixed & ATOMIC_SLOTS, "19: *item = queue[bottom]");
	/* 20: Age oldAge = top; */
	old_age = LOAD(deque.top, CHK_SC, "20: oldAge = top");
	/* 21: if(bottom > oldAge.top + 1) */
	if (LOAD(deque.bottom, CHK_SC, "21: bottom > oldAge.top + 1") > TOP(old_age) + !(fixed & KEEP_OTHERS))
		/* 22: return true; */
		return true;
	/* 23: bottom = 0; */
	STORE(deque.bottom, 0, CHK_SC, "23: bottom = 0");
	/* 24: Age newAge; 25: newAge.top = 0; 26: newAge.tag = oldAge.tag + 1; */
	new_age = AGE(0, TAG(old_age) + !(fixed & UNTAGGED));
	/* 27: if(top.CAS(oldAge, newAge)) */
	if ((!(fixed & CAS_IF_LAST) || bottom == TOP(old_age)) &&
	    COMPARE_EXCHANGE(deque.top, old_age, new_age, CHK_SC, CHK_SC, "27: top.CAS"))
		/* 28: return true; */
		return true;
	/* 29: top = newAge; */
	STORE(deque.top, new_age, CHK_SC, "29: top = newAge");
	/* 30: return false; */
	return false;
}

/* 32: ABP<E, CAPACITY>::popTop(E *item) -> */
static bool pop_top(uint64_t *item)
{
	uint64_t old_age, new_age;

	/* 33: Age oldAge = top; */
	old_age = LOAD(deque.top, CHK_SC, "33: oldAge = top");
	/* 34: if(bottom <= oldAge.top) */
	if (LOAD(deque.bottom, CHK_SC, "34: bottom <= oldAge.top") <= TOP(old_age))
		/* 35: return Empty; */
		return false;
	/* 36: *item = queue[oldAge.top]; */
	*item = SLOT_READ(deque.slots[TOP(old_age)], fixed & ATOMIC_SLOTS, "36: *item = queue[oldAge.top]");
	/* 37: Age newAge = oldAge; 38: ++newAge.top; */
	new_age = AGE(TOP(old_age) + 1, TAG(old_age));
	/* 39: if(top.CAS(oldAge, newAge)) */
	if (COMPARE_EXCHANGE(deque.top, old_age, new_age, CHK_SC, CHK_SC, "39: top.CAS"))
		/* 40: return Stolen; */
		return true;
	/* 41: return LostRace; */
	return false;
}

static uint64_t pop(void)
{
	uint64_t item;

	return pop_bottom(&item) ? item : 0;
}

static uint64_t steal(void)
{
	uint64_t item;

	return pop_top(&item) ? item : 0;
}

static const struct algorithm algorithm = {
	.set_up = set_up,
	.tear_down = tear_down,
	.push = push_bottom,
	.pop = pop,
	.steal = steal,
};

static const struct scenario two_pushed = {.capacity = 2, .before = "++-"};
static const struct scenario stolen = {.capacity = 2, .before = "+", .thief = {"s"}, .after = "-"};
static const struct scenario last_item = {.capacity = 2, .before = "+", .owner = "-", .thief = {"s"}};
static const struct scenario over_again = {.capacity = 1, .before = "+", .owner = "-+", .thief = {"s"}};
static const struct scenario half_stolen = {.capacity = 2, .before = "++", .thief = {"s"}, .after = "+"};
static const struct scenario all_stolen = {.capacity = 2, .before = "++", .thief = {"ss"}, .after = "+"};
static const struct scenario found_empty = {.capacity = 2, .before = "++", .thief = {"ss"}, .after = "-++"};
static const struct scenario two_steals = {.capacity = 2, .before = "++", .owner = "-", .thief = {"ss"}};
static const struct scenario mixed = {.capacity = 2, .before = "++", .owner = "-+-+", .thief = {"ss", "s"}};

static const struct printed rows[] = {
	{"one_forgotten", 0, &two_pushed, CHK_ASSERT, "item 1 is lost", 21},
	{"both_forgotten", CAS_IF_LAST, &two_pushed, CHK_ASSERT, "item 1 is lost", 21},

	{"stolen_again", 0, &stolen, CHK_ASSERT, "item 1 came out twice", 24},
	{"stolen_again_2", KEEP_OTHERS, &last_item, CHK_ASSERT, "item 1 came out twice", 22},

	{"slot_race", KEEP_OTHERS | CAS_IF_LAST, &over_again, CHK_RACE, "data race on queue[0]", 22},

	{"untagged", FIXED | UNTAGGED, &over_again, CHK_ASSERT, "item 1 came out twice", 25},
	{"shrunk", FIXED, &half_stolen, CHK_ASSERT, "push was refused, with 1 of 2 slots in use", 23},
	{"empty_refuses", FIXED, &all_stolen, CHK_ASSERT, "push was refused, with 0 of 2 slots in use", 28},

	{"fixed_two_pushed", FIXED, &two_pushed, CHK_OK, NULL, 1},
	{"fixed_stolen", FIXED, &stolen, CHK_OK, NULL, 1},
	{"fixed_last_item", FIXED, &last_item, CHK_OK, NULL, 6},
	{"fixed_over_again", FIXED, &over_again, CHK_OK, NULL, 9},
	{"fixed_found_empty", FIXED, &found_empty, CHK_OK, NULL, 1},
	{"fixed_two_steals", FIXED, &two_steals, CHK_OK, NULL, 11},
	{"fixed_mixed", FIXED, &mixed, CHK_OK, NULL, 3875},
};

int main(int argc, char **argv)
{
	return printed_main(rows, ARRAY_SIZE(rows), argc, argv);
}
