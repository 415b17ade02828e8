/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The worker's deque of "Work-Stealing Scheduler" (axeberg), the Rust under "Memory Ordering": eight lines. Each line
 * of C has its printed line beside it. Code under a fix is ours.
 *
 * buffer is Box<[AtomicCell<Option<T>>]>. Here a slot is an atomic, and take() is an exchange with None (0). Both are
 * relaxed, like the printed store. An Option<T> that goes to another thread was written before. payload stands for it:
 * plain data that the pusher writes before the push, and the taker reads.
 *
 * bottom in "buffer[bottom]" is the value that the fetch_add found and the fetch_sub left. The lines leave two
 * questions open. Here a steal fails if it loses its compare_exchange (KEEP: it returns the item that it took). We use
 * an index modulo the capacity (LITERAL: as printed, with Rust's check that it is in bounds).
 */
#include "../printed.h"

enum {
	LITERAL = 1,	  /* no fix, but another reading */
	KEEP = 2,	  /* no fix, but another reading */
	PUBLISHED = 4,	  /* the slot is stored with release and taken with acquire */
	FULL_CHECK = 8,	  /* push refuses when bottom - top is the capacity */
	POP_LOOKS = 16,	  /* pop looks at top, and takes the last item by a CAS, after a seq_cst fence */
	STEAL_LOOKS = 32, /* steal looks at bottom, after a seq_cst fence */
	COPY = 64,	  /* the slot is read and stays full; the CAS decides */
	FIXED = PUBLISHED | FULL_CHECK | POP_LOOKS | STEAL_LOOKS | COPY
};

static uint64_t payload[ITEMS_MAX + 1];

static void set_up(void)
{
	static const char *const names[] = {"buffer[0]", "buffer[1]"};
	static uint64_t slots[SLOTS_MAX];

	INIT(deque.bottom, 0);
	INIT(deque.top, 0);
	deque.slots = slots;
	for (uint64_t i = 0; i < deque.capacity; i++) {
		INIT(deque.slots[i], 0);
		chk_name(&deque.slots[i], names[i]);
	}
}

static uint64_t *slot(uint64_t index)
{
	if (fixed & LITERAL && index >= deque.capacity)
		wrong("index %lld of %llu slots: panic", (long long)index, (unsigned long long)deque.capacity);
	return &deque.slots[index % deque.capacity];
}

#define TAKE_ORDER (fixed & PUBLISHED ? CHK_ACQ : CHK_RLX)
#define TAKE(index, printed)                                                                                           \
	(fixed & COPY ? LOAD(*slot(index), TAKE_ORDER, printed) : EXCHANGE(*slot(index), 0, TAKE_ORDER, printed))

static uint64_t received(uint64_t item)
{
	if (item)
		(void)PLAIN_READ(payload[item], "");
	return item;
}

/* Push (owner only) */
static bool push(uint64_t item)
{
	uint64_t bottom = LOAD(deque.bottom, CHK_RLX, "push: buffer[bottom]");

	if (fixed & FULL_CHECK && bottom - LOAD(deque.top, CHK_ACQ, "fix of push") >= deque.capacity)
		return false;
	PLAIN_WRITE(payload[item], item, "");
	/* buffer[bottom].store(task, Ordering::Relaxed); */
	STORE(*slot(bottom), item, fixed & PUBLISHED ? CHK_REL : CHK_RLX, "push: buffer[bottom].store");
	/* bottom.fetch_add(1, Ordering::Release); // Publish to thieves */
	FETCH_ADD(deque.bottom, 1, CHK_REL, "push: bottom.fetch_add");
	return true;
}

/* The last item, or none; pop has set bottom. */
static uint64_t pop_last(uint64_t bottom, uint64_t top)
{
	uint64_t item = 0;

	if (bottom == top) {
		item = TAKE(bottom, "pop: buffer[bottom].take()");
		if (!COMPARE_EXCHANGE(deque.top, top, top + 1, CHK_SC, CHK_RLX, "fix of pop"))
			item = 0;
	}
	STORE(deque.bottom, bottom + 1, CHK_REL, "fix of pop");
	return item;
}

/* Pop (owner only) */
static uint64_t pop(void)
{
	/* bottom.fetch_sub(1, Ordering::SeqCst);   // Sync with steal */
	uint64_t bottom = FETCH_ADD(deque.bottom, (uint64_t)-1, CHK_SC, "pop: bottom.fetch_sub") - 1;

	if (fixed & POP_LOOKS) {
		uint64_t top;

		FENCE(CHK_SC, "fix of pop");
		top = LOAD(deque.top, CHK_RLX, "fix of pop");
		if ((int64_t)(bottom - top) <= 0)
			return received(pop_last(bottom, top));
	}
	/* let task = buffer[bottom].take(); */
	return received(TAKE(bottom, "pop: buffer[bottom].take()"));
}

/* Steal (any thread) */
static uint64_t steal(void)
{
	/* let t = top.load(Ordering::Acquire);     // Read before buffer */
	uint64_t t = LOAD(deque.top, CHK_ACQ, "steal: top.load"), task;

	if (fixed & STEAL_LOOKS) {
		FENCE(CHK_SC, "fix of steal");
		if ((int64_t)(LOAD(deque.bottom, CHK_ACQ, "fix of steal") - t) <= 0)
			return 0;
	}
	/* let task = buffer[t].take(); */
	task = TAKE(t, "steal: buffer[t].take()");
	/* top.compare_exchange(t, t+1, Ordering::SeqCst); */
	if (!COMPARE_EXCHANGE(deque.top, t, t + 1, CHK_SC, CHK_RLX, "steal: top.compare_exchange") && !(fixed & KEEP))
		task = 0;
	return received(task);
}

static const struct algorithm algorithm = {.set_up = set_up, .push = push, .pop = pop, .steal = steal};

static const struct scenario fresh_pop = {.capacity = 2, .before = "-"};
static const struct scenario overfull = {.capacity = 2, .before = "+++"};
static const struct scenario pushed = {.capacity = 2, .owner = "+", .thief = {"s"}};
static const struct scenario two_thieves = {.capacity = 2, .before = "+", .thief = {"s", "s"}};
static const struct scenario stolen_empty = {.capacity = 2, .owner = "++", .thief = {"ss"}};
static const struct scenario last_item = {.capacity = 2, .before = "+", .owner = "-+", .thief = {"s"}, .after = "+"};
static const struct scenario mixed = {.capacity = 2, .before = "++", .owner = "-+-+", .thief = {"ss", "s"}};

static const struct printed rows[] = {
	{"fresh_pop", LITERAL, &fresh_pop, CHK_ASSERT, "index -1 of 2 slots: panic", 7},
	{"overfull", LITERAL, &overfull, CHK_ASSERT, "index 2 of 2 slots: panic", 14},
	{"overfull_modulo", 0, &overfull, CHK_ASSERT, "item 1 is lost", 29},
	{"payload_race", 0, &pushed, CHK_RACE, "data race on payload", 14},
	{"take_loses", PUBLISHED, &two_thieves, CHK_ASSERT, "item 1 is lost", 30},
	{"stolen_empty", PUBLISHED | KEEP, &stolen_empty, CHK_ASSERT, "item 1 is lost", 31},

	{"fixed_fresh_pop", FIXED, &fresh_pop, CHK_OK, NULL, 1},
	{"fixed_overfull", FIXED, &overfull, CHK_OK, NULL, 1},
	{"fixed_pushed", FIXED, &pushed, CHK_OK, NULL, 2},
	{"fixed_two_thieves", FIXED, &two_thieves, CHK_OK, NULL, 4},
	{"fixed_stolen_empty", FIXED, &stolen_empty, CHK_OK, NULL, 9},
	{"fixed_last_item", FIXED, &last_item, CHK_OK, NULL, 9},
	{"fixed_mixed", FIXED, &mixed, CHK_OK, NULL, 5396},
};

int main(int argc, char **argv)
{
	return printed_main(rows, ARRAY_SIZE(rows), argc, argv);
}
