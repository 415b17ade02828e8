/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The Chase-Lev deque of "Work-Stealing from First Principles" (Ilzam, "Engineering" notes, April 2026), as printed
 * there in Rust under "The Rust implementation". Each line of C has its printed line beside it. Code under a fix is
 * ours. Unsafe code reaches the elements of self.buffer by .get(). So an element is an UnsafeCell<Option<T>>: plain
 * data, None at the start.
 *
 * Option::take() moves the value out and leaves None. Rust destroys an item that is taken but not returned.
 */
#include "../printed.h"

enum {
	ATOMIC_SLOTS = 1,  /* relaxed; take() is one exchange, the most favourable reading */
	COPY_IN_STEAL = 2, /* copies the slot without emptying it, and keeps the copy only if the CAS wins */
	COPY_IN_POP = 4,
	FULL_CHECK = 8,	     /* push refuses an item when there is no slot for it */
	FENCE_IN_POP = 16,   /* seq_cst, between storing bottom and loading top */
	FENCE_IN_STEAL = 32, /* seq_cst, between loading top and bottom */
	ALL_SEQ_CST = 64,    /* instead of each printed order */
	COPY = COPY_IN_STEAL | COPY_IN_POP,
	FIXED = ATOMIC_SLOTS | COPY | FULL_CHECK | FENCE_IN_POP | FENCE_IN_STEAL
};

static uint64_t buffer[SLOTS_MAX];

static enum chk_order order(enum chk_order printed)
{
	return fixed & ALL_SEQ_CST ? CHK_SC : printed;
}

static void set_up(void)
{
	static const char *const names[] = {"buffer[0]", "buffer[1]"};

	INIT(deque.bottom, 0);
	INIT(deque.top, 0);
	deque.slots = buffer;
	for (uint64_t i = 0; i < deque.capacity; i++) {
		if (fixed & ATOMIC_SLOTS)
			INIT(deque.slots[i], 0);
		else
			PLAIN_WRITE(deque.slots[i], 0, "");
		chk_name(&deque.slots[i], names[i]);
	}
}

/* take() as printed returns the value of the slot and empties it. With the fix it returns a copy. */
#define TAKE(slot, copies, printed)                                                                                    \
	((copies)		  ? SLOT_READ(slot, fixed & ATOMIC_SLOTS, printed)                                     \
	 : (fixed & ATOMIC_SLOTS) ? EXCHANGE(slot, 0, CHK_RLX, printed)                                                \
				  : (__extension__({                                                                   \
					    uint64_t item_ = PLAIN_READ(slot, printed);                                \
					    PLAIN_WRITE(slot, 0, printed);                                             \
					    item_;                                                                     \
				    })))

/* pub fn push(&self, item: T) { */
static bool push(uint64_t item)
{
	/* let bottom = self.bottom.load(Ordering::Relaxed); */
	uint64_t bottom = LOAD(deque.bottom, order(CHK_RLX), "push: let bottom");
	/* let index = bottom % self.buffer.len(); */
	uint64_t index = bottom % deque.capacity;

	if (fixed & FULL_CHECK && bottom - LOAD(deque.top, order(CHK_ACQ), "push: fix: full?") >= deque.capacity)
		return false;

	/* unsafe { *self.buffer[index].get() = Some(item); } */
	SLOT_WRITE(deque.slots[index], item, fixed & ATOMIC_SLOTS, "push: buffer[index] = Some(item)");

	/* self.bottom.store(bottom + 1, Ordering::Release); */
	STORE(deque.bottom, bottom + 1, order(CHK_REL), "push: bottom.store");
	return true;
}

/* pub fn steal(&self) -> Option<T> { */
static uint64_t steal(void)
{
	uint64_t top, bottom, index, item;

	/* let top = self.top.load(Ordering::Acquire); */
	top = LOAD(deque.top, order(CHK_ACQ), "steal: let top");
	if (fixed & FENCE_IN_STEAL)
		FENCE(CHK_SC, "steal: fix");
	/* let bottom = self.bottom.load(Ordering::Acquire); */
	bottom = LOAD(deque.bottom, order(CHK_ACQ), "steal: let bottom");

	/* if top >= bottom { */
	if (top >= bottom)
		/* return None; } */
		return 0;

	/* let index = top % self.buffer.len(); */
	index = top % deque.capacity;
	/* let item = unsafe { (*self.buffer[index].get()).take() }; */
	item = TAKE(deque.slots[index], fixed & COPY_IN_STEAL, "steal: let item = buffer[index].take()");

	/* match self.top.compare_exchange(top, top + 1, Ordering::SeqCst, Ordering::SeqCst) { */
	if (COMPARE_EXCHANGE(deque.top, top, top + 1, CHK_SC, CHK_SC, "steal: top.compare_exchange"))
		/* Ok(_) => item, */
		return item;
	/* Err(_) => None, } } */
	return 0;
}

/* pub fn pop(&self) -> Option<T> { */
static uint64_t pop(void)
{
	uint64_t bottom, top, new_bottom, item, result;

	/* let bottom = self.bottom.load(Ordering::Relaxed); */
	bottom = LOAD(deque.bottom, order(CHK_RLX), "pop: let bottom");

	/* if bottom == 0 { */
	if (bottom == 0)
		/* return None; } */
		return 0;

	/* self.bottom.store(bottom - 1, Ordering::SeqCst); */
	STORE(deque.bottom, bottom - 1, CHK_SC, "pop: bottom.store(bottom - 1)");
	if (fixed & FENCE_IN_POP)
		FENCE(CHK_SC, "pop: fix");
	/* let top = self.top.load(Ordering::Acquire); */
	top = LOAD(deque.top, order(CHK_ACQ), "pop: let top");
	/* let new_bottom = bottom - 1; */
	new_bottom = bottom - 1;

	/* if new_bottom > top { */
	if (new_bottom > top) {
		/* unsafe { (*self.buffer[new_bottom % self.buffer.len()].get()).take() } */
		return TAKE(deque.slots[new_bottom % deque.capacity], fixed & COPY_IN_POP,
			    "pop: buffer[].take(), many");
		/* } else if new_bottom == top { */
	} else if (new_bottom == top) {
		/* let item = unsafe { (*self.buffer[new_bottom % self.buffer.len()].get()).take() }; */
		item = TAKE(deque.slots[new_bottom % deque.capacity], fixed & COPY_IN_POP,
			    "pop: let item = buffer[].take()");
		/* let result = match self.top.compare_exchange(top, top + 1, Ordering::SeqCst, Ordering::SeqCst) { */
		if (COMPARE_EXCHANGE(deque.top, top, top + 1, CHK_SC, CHK_SC, "pop: top.compare_exchange"))
			/* Ok(_) => item, */
			result = item;
		else
			/* Err(_) => None, }; */
			result = 0;
		/* self.bottom.store(top + 1, Ordering::Relaxed); */
		STORE(deque.bottom, top + 1, order(CHK_RLX), "pop: bottom.store(top + 1)");
		/* result */
		return result;
		/* } else { */
	} else {
		/* self.bottom.store(top, Ordering::Relaxed); */
		STORE(deque.bottom, top, order(CHK_RLX), "pop: bottom.store(top)");
		/* None } } */
		return 0;
	}
}

static const struct algorithm algorithm = {
	.set_up = set_up,
	.push = push,
	.pop = pop,
	.steal = steal,
};

static const struct scenario last_item = {.capacity = 2, .before = "+", .owner = "-", .thief = {"s"}};
static const struct scenario two_thieves = {.capacity = 2, .before = "+", .thief = {"s", "s"}};
static const struct scenario overfull = {.capacity = 2, .before = "+++"};
static const struct scenario two_steals = {.capacity = 2, .before = "++", .owner = "-", .thief = {"ss"}};
static const struct scenario mixed = {.capacity = 2, .before = "++", .owner = "-+-+", .thief = {"ss", "s"}};

static const struct printed rows[] = {
	{"slot_race", 0, &last_item, CHK_RACE, "data race on buffer[0]", 12},
	{"slot_race_thieves", 0, &two_thieves, CHK_RACE, "data race on buffer[0]", 13},

	{"take_loses", ATOMIC_SLOTS, &last_item, CHK_ASSERT, "item 1 is lost", 29},
	{"take_loses_thieves", ATOMIC_SLOTS, &two_thieves, CHK_ASSERT, "item 1 is lost", 31},
	{"take_loses_seq_cst", ATOMIC_SLOTS | ALL_SEQ_CST, &last_item, CHK_ASSERT, "item 1 is lost", 29},
	{"take_in_pop_loses", ATOMIC_SLOTS | COPY_IN_STEAL, &last_item, CHK_ASSERT, "item 1 is lost", 28},
	{"take_in_steal_loses", ATOMIC_SLOTS | COPY_IN_POP, &last_item, CHK_ASSERT, "item 1 is lost", 28},

	{"overfull_loses", 0, &overfull, CHK_ASSERT, "item 1 is lost", 21},
	{"overfull_doubles", ATOMIC_SLOTS | COPY, &overfull, CHK_ASSERT, "item 3 came out twice", 29},

	{"stale_index", ATOMIC_SLOTS | COPY | FULL_CHECK, &two_steals, CHK_ASSERT, "item 2 came out twice", 29},
	{"fence_in_pop_only", FIXED & ~FENCE_IN_STEAL, &two_steals, CHK_ASSERT, "item 2 came out twice", 30},
	{"fence_in_steal_only", FIXED & ~FENCE_IN_POP, &two_steals, CHK_ASSERT, "item 2 came out twice", 31},

	{"fixed_last_item", FIXED, &last_item, CHK_OK, NULL, 7},
	{"fixed_two_thieves", FIXED, &two_thieves, CHK_OK, NULL, 4},
	{"fixed_overfull", FIXED, &overfull, CHK_OK, NULL, 1},
	{"fixed_two_steals", FIXED, &two_steals, CHK_OK, NULL, 13},
	{"fixed_mixed", FIXED, &mixed, CHK_OK, NULL, 7463},
	{"fixed_by_seq_cst", ATOMIC_SLOTS | COPY | FULL_CHECK | ALL_SEQ_CST, &mixed, CHK_OK, NULL, 6661},
};

int main(int argc, char **argv)
{
	return printed_main(rows, ARRAY_SIZE(rows), argc, argv);
}
