/* SPDX-License-Identifier: Apache-2.0 */
/*
 * private: the items are in memory that only the owner reads and writes. Thieves ask, and the owner gives them the
 * oldest items at its next push, pop or poll. The owner's operations have no fence and no RMW.
 *
 * Acar, Charguéraud and Rainey, "Scheduling parallel programs by work stealing with private deques" (2013), the
 * receiver-initiated variant. The Lace paper (2014) compares itself with it. Theirs in idea, ours in detail:
 *
 *     base         split - len      split               top             limit
 *      |  given, gone   |   given     |   private        |   free         |
 *                                     ^ moves up as      ^ owner pushes and pops
 *                                       items are given
 *
 * - In the paper a thief leaves its number in a cell of the victim and waits for an answer in its own cell. A victim
 *   that does not look keeps the thief waiting, so a worker without work must go on answering. Here a steal is
 *   anonymous and never waits: it asks, looks a few times, and answers EMPTY. The request stands. The next thief, which
 *   may be another, gets the items that the owner gives in answer.
 * - Given items that no thief has fetched still belong to the deque. When no private item is left, pop takes back the
 *   upper half of them, or a single item, by a CAS: the only RMW of the owner.
 * - One word holds the shared state: (tail, len, wanted). Only thieves set wanted, and only when len is 0. After that
 *   only the owner changes the word, when it answers. So the answer is a plain store.
 * - The paper's owner gives one item. Here the owner copies half of the private items, at most a cache line, to the
 *   slots that thieves read. So the items can lie in an array that only the owner uses, and push and pop need only a
 *   pointer to its top. Given items keep their place in the array, so that the owner takes them back without a copy. At
 *   the end of the array the items move down if half of the array is free there, else to an array twice as large. So an
 *   item moves at most twice on average, as long as the array may grow.
 * - tail counts the items that have left this way. The owner writes the given slots only when len is 0, and len becomes
 *   0 only together with a step of tail. So a word with the same tail and len stands for the same items, and a thief
 *   may read them before its CAS. The word holds 59 bits of tail: to be fooled, a thief would have to sleep through
 *   2^59 items.
 *
 * May run together:        push   pop   poll   steal   size
 *   push (one owner)         -     -     -       x       x
 *   pop (one owner)          -     -     -       x       x
 *   poll (one owner)         -     -     -       x       x
 *   steal (any number)       x     x     x       x       x
 *   size (any number)        x     x     x       x       x
 *
 * Linearization:
 *   push          the store of top; for thieves an item exists from the store of the word that gives it
 *   pop, OK       the store of top; with nothing private, the CAS of the word
 *   pop, EMPTY    the load of the word, or the CAS that lost the last item
 *   steal, OK     the CAS of the word
 *   steal, EMPTY  the load of the word: nothing was given. The owner may hold items
 *   steal, LOST   changes nothing: another thief took some, or the owner took some back
 *
 * Progress: apart from growth, each call ends in a bounded number of steps, independent of other threads. Steals
 * together are lock-free: a steal is LOST only if another call took an item. But a thief gets items only from an active
 * owner. While the owner does not push, pop or poll, thieves see EMPTY.
 *
 * Edges:
 *   E1   give: store_rel word → steal: load_acq word   publishes the given slots, and the data behind their items
 *   E2   steal: cas_rel word → give: load_acq word   the thief has read its slots before the owner writes them again;
 *        only load buffering could undo that order; C11 and machines allow it, RC11 and the checker do not
 *   R1   given slots: a thief may read one while the owner writes it; then its CAS fails
 *   R2   top, split: the owner's own, and for others a hint
 *   R3   owner: the word, for a request; E1 and E2 order the answer
 *   R4   pop, make_room: the word; thieves only lower len, and the owner has written the items that it counts
 *   R5   steal: asks. An RMW, so that E2 reaches through it
 *   R6   size: a hint orders nothing
 */
#ifndef FILCHI_DEQUE_PRIVATE_H
#define FILCHI_DEQUE_PRIVATE_H

#include "../base/mem.h"
#include "deque.h"

#include <errno.h>

#define FILCHI_PRIVATE_MAX_CAPACITY FILCHI_DEQUE_MAX_CAPACITY
#define FILCHI_PRIVATE_INFO                                                                                            \
	{                                                                                                              \
		.name = "private", .summary = "the owner's alone, who gives when it is asked",                         \
		.owner_order = FILCH_LIFO, .steal_order = FILCH_FIFO, .push_progress = FILCH_WAIT_FREE,                \
		.pop_progress = FILCH_WAIT_FREE, .steal_progress = FILCH_LOCK_FREE, .owner_private = 1,                \
		.on_request = 1, .loses = 1, .steal_many = 1,                                                          \
	}

/* The most items that the owner gives at once: a cache line. */
#define FILCHI_PRIVATE_GIFT ((uint64_t)FILCHI_TUNE(8, 2))
/* Looks of a thief for the answer to its request: about as long as a cache line travels. */
#define FILCHI_PRIVATE_LOOKS FILCHI_TUNE(8, 1)

/* The word: tail above, len in the middle, wanted in the lowest bit. */
#define FILCHI_PRIVATE_WANTED ((uint64_t)1)
#define FILCHI_PRIVATE_LEN_ONE ((uint64_t)2)
#define FILCHI_PRIVATE_TAIL_SHIFT 5
#define FILCHI_PRIVATE_TAIL_ONE ((uint64_t)1 << FILCHI_PRIVATE_TAIL_SHIFT)
/* Added to the word, this takes the item at tail: one more of tail, one less of len. */
#define FILCHI_PRIVATE_TAKE (FILCHI_PRIVATE_TAIL_ONE - FILCHI_PRIVATE_LEN_ONE)

/* A slot. Only the owner touches it; the checker verifies that. */
struct filchi_private_slot {
	FILCHI_CELL(uintptr_t) item;
};

struct filchi_private {
	/* Only the owner writes these. Other threads read only top and split, for the size. */
	FILCHI_OWN_LINE FILCHI_ATOMIC(struct filchi_private_slot *) top;
	struct filchi_private_slot *limit;		   /* of the array */
	FILCHI_ATOMIC(struct filchi_private_slot *) split; /* where the private part starts */
	struct filchi_private_slot *base;
	uint64_t passed; /* tail + len, always: the items that were given and not taken back */
	size_t max_capacity;
	/* Written by owner and thieves. */
	FILCHI_OWN_LINE FILCHI_ATOMIC(uint64_t) word;
	FILCHI_OWN_LINE struct filchi_slot given[FILCHI_PRIVATE_GIFT];
};

static inline uint64_t filchi_private_len(uint64_t word)
{
	return word % FILCHI_PRIVATE_TAIL_ONE / FILCHI_PRIVATE_LEN_ONE;
}

static inline int filchi_private_init(struct filchi_private *q, const struct filchi_deque_setup *setup)
{
	q->base = filchi_alloc_array(0, setup->capacity, sizeof(*q->base));
	if (!q->base)
		return -ENOMEM;
	q->limit = q->base + setup->capacity;
	q->max_capacity = setup->max_capacity;
	q->passed = setup->first;
	filchi_atomic_init(&q->top, q->base);
	filchi_atomic_init(&q->split, q->base);
	filchi_atomic_init(&q->word, setup->first << FILCHI_PRIVATE_TAIL_SHIFT);
	for (unsigned i = 0; i < FILCHI_PRIVATE_GIFT; i++)
		filchi_atomic_init(&q->given[i].item, 0);
	return 0;
}

static inline void filchi_private_fini(struct filchi_private *q)
{
	filchi_free(q->base);
}

/* Moves the items, len of them given, to the start of an array, which may be the same array. */
static inline void filchi_private_move(struct filchi_private *q, struct filchi_private_slot *to, uint64_t len)
{
	struct filchi_private_slot *from = filchi_load_rlx(&q->split, R2) - len;
	size_t count = (size_t)(filchi_load_rlx(&q->top, R2) - from);

	for (size_t i = 0; i < count; i++) {
		uintptr_t item = filchi_cell_get(&from[i].item);

		filchi_cell_set(&to[i].item, item);
	}
	filchi_store_rlx(&q->split, to + len, R2);
	filchi_store_rlx(&q->top, to + count, R2);
}

/* push has come to the limit: makes room below, where given items have gone, or else by growing. */
FILCHI_COLD static int filchi_private_make_room(struct filchi_private *q)
{
	uint64_t len = filchi_private_len(filchi_load_rlx(&q->word, R4));
	size_t capacity = (size_t)(q->limit - q->base);
	size_t gone = (size_t)(filchi_load_rlx(&q->split, R2) - len - q->base);
	struct filchi_private_slot *array = NULL;

	if (gone < (capacity + 1) / 2 && 2 * capacity <= q->max_capacity)
		array = filchi_alloc_array(0, 2 * capacity, sizeof(*array));
	if (!array) {
		/* Without a larger array, any free room is enough. */
		if (!gone)
			return filchi_deque_cannot_grow();
		filchi_private_move(q, q->base, len);
		return 0;
	}
	filchi_private_move(q, array, len);
	filchi_free(q->base);
	q->base = array;
	q->limit = array + 2 * capacity;
	return 0;
}

/*
 * A thief has asked: gives the oldest half of the private part, rounded up, as far as there is room. Answers FILCH_OK.
 */
FILCHI_COLD static int filchi_private_give(struct filchi_private *q)
{
	struct filchi_private_slot *split = filchi_load_rlx(&q->split, R2);
	uint64_t count = (uint64_t)(filchi_load_rlx(&q->top, R2) - split);
	uint64_t more = count - count / 2;

	/* Without an item to give, the request stands until the next push. */
	if (!more)
		return FILCH_OK;
	if (more > FILCHI_PRIVATE_GIFT)
		more = FILCHI_PRIVATE_GIFT;
	/* The value is known to be (passed, 0, wanted). The load is only for the order. */
	(void)filchi_load_acq(&q->word, E2);
	for (uint64_t i = 0; i < more; i++) {
		uintptr_t item = filchi_cell_get(&split[i].item);

		filchi_store_rlx(&q->given[(q->passed + i) % FILCHI_PRIVATE_GIFT].item, item, R1);
	}
	filchi_store_rel(&q->word, q->passed * FILCHI_PRIVATE_TAIL_ONE + more * FILCHI_PRIVATE_LEN_ONE, E1);
	q->passed += more;
	filchi_store_rlx(&q->split, split + more, R2);
	return FILCH_OK;
}

static inline bool filchi_private_asked(const struct filchi_private *q)
{
	return FILCHI_UNLIKELY(filchi_load_rlx(&q->word, R3) & FILCHI_PRIVATE_WANTED);
}

static inline int filchi_private_put(struct filchi_private *q, struct filchi_private_slot *top, uintptr_t item)
{
	filchi_cell_set(&top->item, item);
	filchi_store_rlx(&q->top, top + 1, R2);
	return filchi_private_asked(q) ? filchi_private_give(q) : FILCH_OK;
}

/* The whole slow push, so that the fast push ends in a jump to it and needs no frame. */
FILCHI_COLD static int filchi_private_push_slow(struct filchi_private *q, uintptr_t item)
{
	int err = filchi_private_make_room(q);

	return err ? err : filchi_private_put(q, filchi_load_rlx(&q->top, R2), item);
}

static inline int filchi_private_push(struct filchi_private *q, uintptr_t item)
{
	struct filchi_private_slot *top = filchi_load_rlx(&q->top, R2);

	if (FILCHI_UNLIKELY(top == q->limit))
		return filchi_private_push_slow(q, item);
	return filchi_private_put(q, top, item);
}

/* No item is private. Takes back the upper half of the given items, or a single item as a thief would. */
FILCHI_COLD static int filchi_private_pop_given(struct filchi_private *q, uintptr_t *item)
{
	struct filchi_private_slot *split = filchi_load_rlx(&q->split, R2);
	uint64_t word = filchi_load_rlx(&q->word, R4);
	uint64_t len, keep;

	/* A CAS fails only when thieves have made len smaller: at most len turns. */
	for (;;) {
		len = filchi_private_len(word);
		keep = len / 2;
		if (!len) {
			/* The array is empty: it starts over. */
			filchi_store_rlx(&q->split, q->base, R2);
			filchi_store_rlx(&q->top, q->base, R2);
			return FILCH_EMPTY;
		}
		if (keep && filchi_cas_rlx(&q->word, &word, word - (len - keep) * FILCHI_PRIVATE_LEN_ONE, R4)) {
			q->passed -= len - keep;
			filchi_store_rlx(&q->split, split - (len - keep), R2);
			filchi_store_rlx(&q->top, split - 1, R2);
			break;
		}
		if (!keep && filchi_cas_rlx(&q->word, &word, word + FILCHI_PRIVATE_TAKE, R4))
			break;
	}
	*item = filchi_cell_get(&split[-1].item);
	return FILCH_OK;
}

static inline int filchi_private_pop(struct filchi_private *q, uintptr_t *item)
{
	struct filchi_private_slot *top = filchi_load_rlx(&q->top, R2);
	uintptr_t found;

	if (FILCHI_UNLIKELY(top == filchi_load_rlx(&q->split, R2)))
		return filchi_private_pop_given(q, item);
	found = filchi_cell_get(&top[-1].item);
	filchi_store_rlx(&q->top, top - 1, R2);
	if (filchi_private_asked(q))
		filchi_private_give(q);
	/* Written last, because the compiler then still has the value in a register. */
	*item = found;
	return FILCH_OK;
}

/* Owner. Gives if a thief has asked. */
static inline void filchi_private_poll(struct filchi_private *q)
{
	if (filchi_private_asked(q))
		filchi_private_give(q);
}

/* No item is given: asks, and looks for a short while. Answers the word last seen. */
FILCHI_COLD static uint64_t filchi_private_ask(struct filchi_private *q, uint64_t word)
{
	unsigned looks = FILCHI_PRIVATE_LOOKS;

	/* If this fails, another thief has asked meanwhile. */
	if (!(word & FILCHI_PRIVATE_WANTED))
		filchi_cas_rlx(&q->word, &word, word | FILCHI_PRIVATE_WANTED, R5);
	for (;;) {
		word = filchi_load_acq(&q->word, E1);
		if (filchi_private_len(word) || !--looks)
			return word;
		filchi_spin_wait();
	}
}

static inline int filchi_private_steal_many(struct filchi_private *q, uintptr_t *items, size_t max, size_t *taken)
{
	uint64_t word = filchi_load_acq(&q->word, E1);
	uint64_t tail, count;

	if (!filchi_private_len(word))
		word = filchi_private_ask(q, word);
	count = filchi_private_len(word);
	if (!count)
		return FILCH_EMPTY;
	if (count > max)
		count = max;
	tail = word >> FILCHI_PRIVATE_TAIL_SHIFT;
	for (uint64_t i = 0; i < count; i++)
		items[i] = filchi_load_rlx(&q->given[(tail + i) % FILCHI_PRIVATE_GIFT].item, R1);
	if (!filchi_cas_rel(&q->word, &word, word + count * FILCHI_PRIVATE_TAKE, E2))
		return FILCH_LOST;
	*taken = count;
	return FILCH_OK;
}

static inline int filchi_private_steal(struct filchi_private *q, uintptr_t *item)
{
	uintptr_t found = 0;
	size_t taken;
	int answer = filchi_private_steal_many(q, &found, 1, &taken);

	if (answer == FILCH_OK)
		*item = found;
	return answer;
}

/* Private items count, because a thief gets them if it asks. */
static inline size_t filchi_private_size(const struct filchi_private *q)
{
	uint64_t word = filchi_load_rlx(&q->word, R6);
	/* As numbers: for another thread the two may belong to different arrays for a moment. Then the result is any
	 * number. */
	uintptr_t split = (uintptr_t)filchi_load_rlx(&q->split, R6);
	uintptr_t top = (uintptr_t)filchi_load_rlx(&q->top, R6);
	size_t count = (top - split) / sizeof(struct filchi_private_slot);

	return filchi_private_len(word) + (count <= q->max_capacity ? count : 0);
}

#endif
