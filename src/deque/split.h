/* SPDX-License-Identifier: Apache-2.0 */
/*
 * split: the owner keeps a private part, in which it works with plain stores, and shares items on request.
 *
 * Van Dijk and van de Pol, "Lace: non-blocking split deque for work-stealing" (2014). Theirs in idea, ours in detail:
 *
 *     tail             split                head
 *      |  shared, len   |   private          |         indices run on and wrap
 *      ^ thieves CAS    ^ owner moves it     ^ owner pushes and pops
 *
 *     slots   floor                top                limit        the owner's view of one lap of the ring
 *
 * - tail and the length of the shared part are in one word, changed by RMW only: (tail, len). A thief's CAS moves it to
 *   (tail + 1, len - 1). The owner shares by adding to len, and takes back by a CAS that lowers len. The paper stores
 *   half of the word, and needs a fence for that.
 * - Rule: an item that is shared at tail leaves only by a move of tail. The owner takes back at most the upper half of
 *   two or more items, and takes a single item as a thief would. So while tail stands, the owner does not write the
 *   slot at tail, and a thief may read it before its CAS. This needs no tag against ABA, and items are words, where the
 *   paper copies tasks afterwards. The rule covers one slot, so there is no steal_many in one step here.
 * - The slots are a ring in reserved address space that grows in place: the owner copies the lower half to the upper,
 *   then publishes the new mask. A thief that read a slot under an old mask finds out (E4) and answers LOST.
 * - The owner uses pointers instead of indices: top, and the limits of top in this lap of the ring. So push and pop are
 *   the operations of a stack in an array, and a look at the flag. top meets limit or floor at the ends of the ring, of
 *   its room and of the private part. A slow path then finds out which end it is.
 * - A thief that finds no shared item raises a flag. The owner looks at it at each push and pop, and then shares half
 *   of the private part, rounded up. Only poll shares without a request. Even the first item stays private, so without
 *   thieves there is no RMW.
 * - The word holds 40 bits of tail. To be fooled, a thief would have to sleep between its load and its CAS through a
 *   multiple of 2^40 steals from this deque.
 *
 * May run together:        push   pop   steal   size
 *   push (one owner)         -     -      x       x
 *   pop (one owner)          -     -      x       x
 *   steal (any number)       x     x      x       x
 *   size (any number)        x     x      x       x
 *
 * Linearization:
 *   push          the store of top; for thieves an item exists from the fetch_add that shares it
 *   pop, OK       the store of top; if all was shared, the CAS of the word
 *   pop, EMPTY    the load of the word, or the CAS that lost the last item
 *   steal, OK     the CAS of the word
 *   steal, EMPTY  the load of the word: nothing was shared. The owner may hold private items
 *   steal, LOST   changes nothing: another thread has changed the word or the mask
 *
 * No request is lost: the owner lowers the flag before it shares the items. So a thief that sees (through E1) the
 * shared part used up sees the flag lowered, or raised again.
 *
 * Edges:
 *   E1   share: fetch_add_rel word → steal: load_acq word   publishes the slots shared, and the mask to read them by
 *   E2   steal: cas_rel word → make_room: load_acq word   the thief has read its slot before the owner writes it again;
 *        only load buffering could undo that order; C11 and machines allow it, RC11 and the checker do not
 *   E3   grow: store_rel mask → steal: load_acq mask   publishes the copies in the upper half
 *   E4   grow: fence_rel → steal: fence_acq   a thief that reads a slot as overwritten after growth reads the new mask
 *        after it
 *   R1   slots: a thief may read one while the owner writes it; then the mask has changed or its CAS fails
 *   R2   top, lap: the owner's own, and for others a hint
 *   R3   steal: mask again; the fence of E4 is before it
 *   R4   wanted: a hint; E1 orders the sharing that follows
 *   R5   pop, share: the word; thieves only lower len, and the owner has written the items that it takes back
 *   R6   size: a hint orders nothing
 *   R7   mask, read by the only thread that writes it
 *   R8   grows, shrinks: counted by the owner, looked at by others
 */
#ifndef FILCHI_DEQUE_SPLIT_H
#define FILCHI_DEQUE_SPLIT_H

#include "../os/os.h"
#include "deque.h"

#include <errno.h>

/* The default of the reserved address space: half a gigabyte. */
#define FILCHI_SPLIT_MAX_CAPACITY ((size_t)FILCHI_TUNE(1 << 26, 8))
#define FILCHI_SPLIT_INFO                                                                                              \
	{                                                                                                              \
		.name = "split", .summary = "a private part without fences, shared on request",                        \
		.owner_order = FILCH_LIFO, .steal_order = FILCH_FIFO, .push_progress = FILCH_WAIT_FREE,                \
		.pop_progress = FILCH_WAIT_FREE, .steal_progress = FILCH_LOCK_FREE, .owner_private = 1,                \
		.on_request = 1, .loses = 1,                                                                           \
	}

/* The word: tail above, len below. */
#define FILCHI_SPLIT_LEN_BITS FILCHI_TUNE(24, 2)
#define FILCHI_SPLIT_LEN_MAX (((uint64_t)1 << FILCHI_SPLIT_LEN_BITS) - 1)
/* Added to the word, this takes the item at tail: one more of tail, one less of len. */
#define FILCHI_SPLIT_TAKE FILCHI_SPLIT_LEN_MAX

struct filchi_split {
	/* Only the owner writes these. Other threads read only top and lap, for the size. */
	FILCHI_OWN_LINE FILCHI_ATOMIC(struct filchi_slot *) top; /* head is lap + (top - slots) */
	struct filchi_slot *limit;		/* push up to here: the end of the ring or of the room */
	struct filchi_slot *floor;		/* pop down to here: the start of the ring, or split */
	FILCHI_ATOMIC(uint64_t) lap;		/* the index of the first slot in this lap */
	uint64_t split;				/* where the private part starts; tail is always split - len */
	uint64_t room;				/* the greatest head: the tail last seen plus the capacity */
	FILCHI_ATOMIC(uint64_t) grows, shrinks; /* of the shared part, so far */
	/* Written by owner and thieves. */
	FILCHI_OWN_LINE FILCHI_ATOMIC(uint64_t) word;
	/* A request to share items. Thieves raise it, the owner lowers it. */
	FILCHI_OWN_LINE FILCHI_ATOMIC(uint32_t) wanted;
	/* Thieves read these at each steal. Growth writes mask; the others never change. */
	FILCHI_OWN_LINE FILCHI_ATOMIC(uint64_t) mask;
	struct filchi_slot *slots;
	size_t max_capacity;
};

static inline int filchi_split_init(struct filchi_split *q, const struct filchi_deque_setup *setup)
{
	uint64_t mask = setup->capacity - 1;
	size_t reserve = setup->max_capacity * sizeof(*q->slots);
	void *base = filchi_vm_reserve(reserve);

	if (!base)
		return -ENOMEM;
	if (filchi_vm_commit(base, 0, setup->capacity * sizeof(*q->slots))) {
		filchi_vm_release(base, reserve);
		return -ENOMEM;
	}
	q->slots = base;
	q->max_capacity = setup->max_capacity;
	q->split = setup->first;
	q->room = setup->first + setup->capacity;
	q->limit = q->slots + setup->capacity;
	q->floor = q->slots + (setup->first & mask);
	filchi_atomic_init(&q->top, q->floor);
	filchi_atomic_init(&q->lap, setup->first & ~mask);
	filchi_atomic_init(&q->word, setup->first << FILCHI_SPLIT_LEN_BITS);
	filchi_atomic_init(&q->wanted, 0);
	filchi_atomic_init(&q->grows, 0);
	filchi_atomic_init(&q->shrinks, 0);
	filchi_atomic_init(&q->mask, mask);
	return 0;
}

static inline void filchi_split_fini(struct filchi_split *q)
{
	filchi_vm_release(q->slots, q->max_capacity * sizeof(*q->slots));
}

/* Owner. */
static inline uint64_t filchi_split_head(const struct filchi_split *q)
{
	return filchi_load_rlx(&q->lap, R2) + (uint64_t)(filchi_load_rlx(&q->top, R2) - q->slots);
}

/* Sets the owner's pointers for that head, in a lap that contains it or ends there. */
static inline void filchi_split_place(struct filchi_split *q, uint64_t head, uint64_t lap)
{
	uint64_t capacity = filchi_load_rlx(&q->mask, R7) + 1;
	uint64_t down = q->split - lap;
	uint64_t up = q->room - lap;

	q->floor = q->slots + ((int64_t)down > 0 ? down : 0);
	q->limit = q->slots + (up < capacity ? up : capacity);
	filchi_store_rlx(&q->lap, lap, R2);
	filchi_store_rlx(&q->top, q->slots + (head - lap), R2);
}

/*
 * The ring is full: each slot holds an item. Items whose index has the new bit of the mask belong in the upper half.
 * The owner copies all items there, so that each slot has a value when a late thief, whose CAS will fail, reads it.
 */
FILCHI_COLD static int filchi_split_grow(struct filchi_split *q)
{
	size_t capacity = filchi_load_rlx(&q->mask, R7) + 1;
	size_t bytes = capacity * sizeof(*q->slots);

	if (2 * capacity > q->max_capacity || filchi_vm_commit(q->slots, bytes, 2 * bytes))
		return filchi_deque_cannot_grow();
	for (size_t i = 0; i < capacity; i++) {
		uintptr_t item = filchi_load_rlx(&q->slots[i].item, R1);

		filchi_atomic_init(&q->slots[i + capacity].item, item);
	}
	q->room += capacity;
	filchi_store_rel(&q->mask, 2 * capacity - 1, E3);
	/* From here on the owner may write over the lower copies of items that moved up. */
	filchi_fence_rel(E4);
	return 0;
}

/* There is no room: moves its end by the number of items that thieves have taken since it was set, or else grows. */
FILCHI_COLD static int filchi_split_make_room(struct filchi_split *q, uint64_t head)
{
	uint64_t word = filchi_load_acq(&q->word, E2);
	uint64_t tail = q->split - (word & FILCHI_SPLIT_LEN_MAX);

	q->room = tail + filchi_load_rlx(&q->mask, R7) + 1;
	return head == q->room ? filchi_split_grow(q) : 0;
}

/* A thief has asked: shares half of the private part, rounded up, as far as len can count. Answers FILCH_OK. */
FILCHI_COLD static int filchi_split_share(struct filchi_split *q)
{
	uint64_t head = filchi_split_head(q);
	uint64_t count = head - q->split;
	uint64_t more = count - count / 2;
	uint64_t free = FILCHI_SPLIT_LEN_MAX - (filchi_load_rlx(&q->word, R5) & FILCHI_SPLIT_LEN_MAX);

	if (more > free)
		more = free;
	/*
	 * The request stands if there is no item to share, or if len is full. The load may be stale, and len seem full.
	 */
	if (!more)
		return FILCH_OK;
	filchi_store_rlx(&q->wanted, 0, R4);
	q->split += more;
	filchi_split_place(q, head, filchi_load_rlx(&q->lap, R2));
	filchi_fetch_add_rel(&q->word, more, E1);
	filchi_store_rlx(&q->grows, filchi_load_rlx(&q->grows, R8) + 1, R8);
	return FILCH_OK;
}

static inline int filchi_split_put(struct filchi_split *q, struct filchi_slot *top, uintptr_t item)
{
	filchi_store_rlx(&top->item, item, R1);
	filchi_store_rlx(&q->top, top + 1, R2);
	if (FILCHI_UNLIKELY(filchi_load_rlx(&q->wanted, R4)))
		return filchi_split_share(q);
	return FILCH_OK;
}

/* The whole slow push, so that the fast push ends in a jump to it and needs no frame. */
FILCHI_COLD static int filchi_split_push_slow(struct filchi_split *q, uintptr_t item)
{
	uint64_t head = filchi_split_head(q);
	int err = head == q->room ? filchi_split_make_room(q, head) : 0;

	if (err)
		return err;
	filchi_split_place(q, head, head & ~filchi_load_rlx(&q->mask, R7));
	return filchi_split_put(q, filchi_load_rlx(&q->top, R2), item);
}

static inline int filchi_split_push(struct filchi_split *q, uintptr_t item)
{
	struct filchi_slot *top = filchi_load_rlx(&q->top, R2);

	if (FILCHI_UNLIKELY(top == q->limit))
		return filchi_split_push_slow(q, item);
	return filchi_split_put(q, top, item);
}

/*
 * Push and pop for callers that have another way when the fast path is not enough: false, and the deque is unchanged.
 * They share no item, so that other threads see no change. The pop takes this item.
 */
static inline bool filchi_split_push_plain(struct filchi_split *q, uintptr_t item)
{
	struct filchi_slot *top = filchi_load_rlx(&q->top, R2);

	if (FILCHI_UNLIKELY(top == q->limit || filchi_load_rlx(&q->wanted, R4)))
		return false;
	filchi_store_rlx(&top->item, item, R1);
	filchi_store_rlx(&q->top, top + 1, R2);
	return true;
}

static inline bool filchi_split_pop_plain(struct filchi_split *q, uintptr_t item)
{
	struct filchi_slot *top = filchi_load_rlx(&q->top, R2);

	if (FILCHI_UNLIKELY(top == q->floor || filchi_load_rlx(&top[-1].item, R1) != item ||
			    filchi_load_rlx(&q->wanted, R4)))
		return false;
	filchi_store_rlx(&q->top, top - 1, R2);
	return true;
}

/* No item is private. Takes back the upper half of the shared items, or a single item as a thief would. */
FILCHI_COLD static int filchi_split_pop_shared(struct filchi_split *q, uintptr_t *item)
{
	uint64_t mask = filchi_load_rlx(&q->mask, R7);
	uint64_t last = q->split - 1;
	uint64_t word = filchi_load_rlx(&q->word, R5);
	uint64_t len, keep;

	/* A CAS fails only when thieves have made len smaller: at most len turns. */
	for (;;) {
		len = word & FILCHI_SPLIT_LEN_MAX;
		keep = len / 2;
		if (!len)
			return FILCH_EMPTY;
		if (keep && filchi_cas_rlx(&q->word, &word, word - (len - keep), R5)) {
			q->split -= len - keep;
			filchi_split_place(q, last, last & ~mask);
			filchi_store_rlx(&q->shrinks, filchi_load_rlx(&q->shrinks, R8) + 1, R8);
			break;
		}
		if (!keep && filchi_cas_rlx(&q->word, &word, word + FILCHI_SPLIT_TAKE, R5))
			break;
	}
	*item = filchi_load_rlx(&q->slots[last & mask].item, R1);
	return FILCH_OK;
}

static inline int filchi_split_take(struct filchi_split *q, struct filchi_slot *top, uintptr_t *item)
{
	uintptr_t found = filchi_load_rlx(&top[-1].item, R1);

	filchi_store_rlx(&q->top, top - 1, R2);
	/* Written last, because the compiler then still has the value in a register. */
	if (FILCHI_UNLIKELY(filchi_load_rlx(&q->wanted, R4)))
		filchi_split_share(q);
	*item = found;
	return FILCH_OK;
}

/* The end of the private part, or only the start of the ring. In that case the lap before has more items. */
FILCHI_COLD static int filchi_split_pop_slow(struct filchi_split *q, uintptr_t *item)
{
	uint64_t head = filchi_split_head(q);

	if (head == q->split)
		return filchi_split_pop_shared(q, item);
	filchi_split_place(q, head, (head - 1) & ~filchi_load_rlx(&q->mask, R7));
	return filchi_split_take(q, filchi_load_rlx(&q->top, R2), item);
}

static inline int filchi_split_pop(struct filchi_split *q, uintptr_t *item)
{
	struct filchi_slot *top = filchi_load_rlx(&q->top, R2);

	if (FILCHI_UNLIKELY(top == q->floor))
		return filchi_split_pop_slow(q, item);
	return filchi_split_take(q, top, item);
}

/* Owner. Shares even without a request: a caller that polls expects that thieves need items. */
static inline void filchi_split_poll(struct filchi_split *q)
{
	filchi_split_share(q);
}

/* No item is shared: asks. Reads the flag first, because mostly another thief has raised it. */
FILCHI_COLD static int filchi_split_ask(struct filchi_split *q)
{
	if (!filchi_load_rlx(&q->wanted, R4))
		filchi_store_rlx(&q->wanted, 1, R4);
	return FILCH_EMPTY;
}

/* The next items are tasks of the same owner: brings their lines here while the thief runs the first one. A hint. */
static inline void filchi_split_prefetch(struct filchi_split *q, uint64_t tail, uint64_t len, uint64_t mask)
{
	for (uint64_t i = 1; i <= FILCHI_TUNE(2, 0) && i < len; i++)
		__builtin_prefetch((const void *)filchi_load_rlx(&q->slots[(tail + i) & mask].item, R1), 1);
}

static inline int filchi_split_steal(struct filchi_split *q, uintptr_t *item)
{
	uint64_t mask = filchi_load_acq(&q->mask, E3);
	uint64_t word = filchi_load_acq(&q->word, E1);
	uintptr_t found;

	if (FILCHI_UNLIKELY(!(word & FILCHI_SPLIT_LEN_MAX)))
		return filchi_split_ask(q);
	found = filchi_load_rlx(&q->slots[(word >> FILCHI_SPLIT_LEN_BITS) & mask].item, R1);
	filchi_fence_acq(E4);
	if (FILCHI_UNLIKELY(filchi_load_rlx(&q->mask, R3) != mask))
		return FILCH_LOST;
	if (!filchi_cas_rel(&q->word, &word, word + FILCHI_SPLIT_TAKE, E2))
		return FILCH_LOST;
	filchi_split_prefetch(q, word >> FILCHI_SPLIT_LEN_BITS, word & FILCHI_SPLIT_LEN_MAX, mask);
	*item = found;
	return FILCH_OK;
}

static inline void filchi_split_moves(const struct filchi_split *q, uint64_t *grows, uint64_t *shrinks)
{
	*grows = filchi_load_rlx(&q->grows, R8);
	*shrinks = filchi_load_rlx(&q->shrinks, R8);
}

/* Private items count, because the owner shares them if a thief asks. */
static inline size_t filchi_split_size(const struct filchi_split *q)
{
	uint64_t word = filchi_load_rlx(&q->word, R6);
	uint64_t lap = filchi_load_rlx(&q->lap, R6);
	uint64_t head = lap + (uint64_t)(filchi_load_rlx(&q->top, R6) - q->slots);
	uint64_t len = word & FILCHI_SPLIT_LEN_MAX;
	/* Both as in the word, so that they wrap alike. */
	uint64_t size = ((head << FILCHI_SPLIT_LEN_BITS) - (word - len)) >> FILCHI_SPLIT_LEN_BITS;

	/* For another thread the three may be of different moments. Then the result is any number. */
	return size >= len && size <= filchi_load_rlx(&q->mask, R6) + 1 ? (size_t)size : (size_t)len;
}

#endif
