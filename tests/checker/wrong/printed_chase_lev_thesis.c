/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The Chase-Lev deque of Shibesh Duwadi's "Analysis of Novel Approaches for Work-Stealing Scheduling" (Master's thesis,
 * University of Bamberg, May 2025), Figure 2.8, in C++-like pseudocode. Each line of C has its printed line beside it,
 * with its number in the figure. Code under a fix is ours.
 *
 * bottom and top are atomic<uint64_t> and used through its operators: seq_cst. queue is an array of E: plain data, with
 * no values at the start. Line 19 is empty in our text. We read it as "return true;". Otherwise line 18 would guard the
 * CAS of line 20: pop would take the bottom item but advance top.
 */
#include "../printed.h"

enum {
	SIGNED_POP = 1, /* compares the difference of indices, as signed */
	SIGNED_STEAL = 2,
	SIGNED_PUSH = 4,
	FULL_AT_CAPACITY = 8, /* >= instead of > */
	RESTORE_BOTTOM = 16,  /* also when pop loses its CAS */
	ATOMIC_SLOTS = 32,    /* relaxed */
	SIGNED = SIGNED_POP | SIGNED_STEAL | SIGNED_PUSH,
	FIXED = SIGNED | FULL_AT_CAPACITY | RESTORE_BOTTOM | ATOMIC_SLOTS
};

static void set_up(void)
{
	static const char *const names[] = {"queue[0]", "queue[1]"};

	INIT(deque.bottom, 0);
	INIT(deque.top, 0);
	/* The checker knows that this memory has no values yet. */
	deque.slots = chk_alloc(deque.capacity * sizeof(deque.slots[0]));
	for (uint64_t i = 0; i < deque.capacity; i++)
		chk_name(&deque.slots[i], names[i]);
}

static void tear_down(void)
{
	chk_free(deque.slots);
}

static bool greater(uint64_t a, uint64_t b, bool difference)
{
	return difference ? (int64_t)(a - b) > 0 : a > b;
}

static bool is_full(uint64_t used)
{
	int64_t capacity = (int64_t)deque.capacity;

	if (fixed & SIGNED_PUSH)
		return fixed & FULL_AT_CAPACITY ? (int64_t)used >= capacity : (int64_t)used > capacity;
	return fixed & FULL_AT_CAPACITY ? used >= deque.capacity : used > deque.capacity;
}

/*  4: CL<E, CAPACITY>::pushBottom(E item) -> */
static bool push_bottom(uint64_t item)
{
	uint64_t bottom = LOAD(deque.bottom, CHK_SC, "5: bottom - top > CAPACITY");

	/*  5: if(bottom - top > CAPACITY) */
	if (is_full(bottom - LOAD(deque.top, CHK_SC, "5: bottom - top > CAPACITY")))
		/*  6: return false; */
		return false;
	/*  7: queue[bottom % CAPACITY] = item; */
	bottom = LOAD(deque.bottom, CHK_SC, "7: queue[bottom % CAPACITY]");
	SLOT_WRITE(deque.slots[bottom % deque.capacity], item, fixed & ATOMIC_SLOTS, "7: queue[] = item");
	/*  8: bottom++; */
	FETCH_ADD(deque.bottom, 1, CHK_SC, "8: bottom++");
	/*  9: return true; */
	return true;
}

/* 11: CL<E, CAPACITY>::popBottom(E *item) -> */
static bool pop_bottom(uint64_t *item)
{
	/* 12: localBottom = --bottom; */
	uint64_t local_bottom = FETCH_ADD(deque.bottom, (uint64_t)-1, CHK_SC, "12: localBottom = --bottom") - 1;
	/* 13: localTop = top; */
	uint64_t local_top = LOAD(deque.top, CHK_SC, "13: localTop = top");

	/* 14: if(localTop > localBottom) */
	if (greater(local_top, local_bottom, fixed & SIGNED_POP)) {
		/* 15: bottom = localTop; */
		STORE(deque.bottom, local_top, CHK_SC, "15: bottom = localTop");
		/* 16: return false; */
		return false;
	}
	/* 17: *item = queue[localBottom % CAPACITY]; */
	*item = SLOT_READ(deque.slots[local_bottom % deque.capacity], fixed & ATOMIC_SLOTS, "17: *item = queue[]");
	/* 18: if (localBottom > localTop) */
	if (greater(local_bottom, local_top, fixed & SIGNED_POP))
		/* 19: return true; (see above) */
		return true;
	/* 20: if(top.CAS(localTop, localTop + 1)) */
	if (COMPARE_EXCHANGE(deque.top, local_top, local_top + 1, CHK_SC, CHK_SC, "20: top.CAS")) {
		/* 21: bottom = localBottom + 1; */
		STORE(deque.bottom, local_bottom + 1, CHK_SC, "21: bottom = localBottom + 1");
		/* 22: return true; */
		return true;
	}
	if (fixed & RESTORE_BOTTOM)
		STORE(deque.bottom, local_bottom + 1, CHK_SC, "fix of 23");
	/* 23: return false; */
	return false;
}

/* 25: CL<E, CAPACITY>::popTop(E *item) -> */
static bool pop_top(uint64_t *item)
{
	uint64_t old_top, new_top;

	/* 26: oldTop = top; */
	old_top = LOAD(deque.top, CHK_SC, "26: oldTop = top");
	/* 27: if(bottom <= oldTop) */
	if (!greater(LOAD(deque.bottom, CHK_SC, "27: bottom <= oldTop"), old_top, fixed & SIGNED_STEAL))
		/* 28: return Empty; */
		return false;
	/* 29: *item = queue[oldTop % CAPACITY]; */
	*item = SLOT_READ(deque.slots[old_top % deque.capacity], fixed & ATOMIC_SLOTS, "29: *item = queue[]");
	/* 30: newTop = oldTop + 1; */
	new_top = old_top + 1;
	/* 31: if(top.CAS(oldTop, newTop)) */
	if (COMPARE_EXCHANGE(deque.top, old_top, new_top, CHK_SC, CHK_SC, "31: top.CAS"))
		/* 32: return Stolen; */
		return true;
	/* 33: return LostRace; */
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

static const struct scenario fresh_pop = {.capacity = 2, .before = "-"};
static const struct scenario fresh_steal = {.capacity = 2, .owner = "-", .thief = {"s"}};
static const struct scenario overfull = {.capacity = 2, .before = "+++"};
static const struct scenario lost_then_push = {
	.capacity = 2, .before = "+", .owner = "-", .thief = {"s"}, .after = "+"};
static const struct scenario lost_then_pop = {.capacity = 1, .before = "+", .owner = "-", .thief = {"s"}, .after = "-"};
static const struct scenario reused_slot = {.capacity = 1, .before = "+", .owner = "-+", .thief = {"s"}};
static const struct scenario two_steals = {.capacity = 2, .before = "++", .owner = "-", .thief = {"ss"}};
static const struct scenario mixed = {.capacity = 2, .before = "++", .owner = "-+-+", .thief = {"ss", "s"}};

static const struct printed rows[] = {
	{"fresh_pop", 0, &fresh_pop, CHK_UNINIT, "queue[1] is read before it is written", 6},
	{"fresh_steal", SIGNED_POP, &fresh_steal, CHK_UNINIT, "queue[0] is read before it is written", 9},

	{"overfull", 0, &overfull, CHK_ASSERT, "item 3 came out twice", 30},

	{"lost_cas_refuses", 0, &lost_then_push, CHK_ASSERT, "push was refused, with 0 of 2 slots in use", 22},
	{"lost_cas_doubles", 0, &lost_then_pop, CHK_ASSERT, "item 1 came out twice", 23},
	{"lost_cas_loses", SIGNED | FULL_AT_CAPACITY, &lost_then_push, CHK_ASSERT, "item 2 is lost", 29},

	{"slot_race", 0, &reused_slot, CHK_RACE, "data race on queue[0]", 21},

	{"fixed_fresh_pop", FIXED, &fresh_pop, CHK_OK, NULL, 1},
	{"fixed_fresh_steal", FIXED, &fresh_steal, CHK_OK, NULL, 3},
	{"fixed_overfull", FIXED, &overfull, CHK_OK, NULL, 1},
	{"fixed_lost_then_push", FIXED, &lost_then_push, CHK_OK, NULL, 7},
	{"fixed_lost_then_pop", FIXED, &lost_then_pop, CHK_OK, NULL, 7},
	{"fixed_reused_slot", FIXED, &reused_slot, CHK_OK, NULL, 11},
	{"fixed_two_steals", FIXED, &two_steals, CHK_OK, NULL, 13},
	{"fixed_mixed", FIXED, &mixed, CHK_OK, NULL, 6661},
};

int main(int argc, char **argv)
{
	return printed_main(rows, ARRAY_SIZE(rows), argc, argv);
}
