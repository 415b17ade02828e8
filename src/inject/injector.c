/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Segments of slots in a list. Pushers claim slots at the tail by fetch_add, takers at the head by CAS.
 *
 * Two ideas are from the array queues of Ramalhete and Correia (FAAArrayQueue) and of Morrison and Afek (LCRQ, 2013):
 * pushers claim slots by fetch_add, and a taker marks a slot dead if its pusher is late. Our own part is that a claim
 * is also a reference, and how segments are freed:
 *
 *     head ---> segment ---> segment ---> segment <--- tail        each word: (segment, version, count)
 *                ..iiii       iiiiii       iii...
 *
 * - A word names a segment and the number of claims that it has handed out there. A claim below the size is a slot. A
 *   claim beyond it only holds the segment. Each claim is a reference: a segment is freed when both words have moved on
 *   and all their references have come back. So one RMW finds the segment, holds it and claims a slot.
 * - A pusher fills its slot and so passes its reference to the taker of the slot, which gives back two. A late pusher,
 *   which finds its slot marked dead, gives its reference back itself and tries another slot. A taker waits a short
 *   time for a late pusher before it marks the slot, because the slot is then lost.
 * - A pusher that finds the last segment full appends the next, with its own item in it. So pushers and takers that
 *   keep overtaking each other come to an end, with a push, at the end of the segment at the latest. The pusher moves
 *   tail on before it returns, and other pushers help. head moves on when its segment is used up, and only after tail:
 *   it never passes tail.
 * - A few segments are kept for use again. In a steady state push allocates none.
 * - A word has 42 bits for a segment (48 bits of address, blocks start at 64 bytes), 12 for the count (so at most 2048
 *   threads can be at the end of a segment at once), 10 for the version, which goes up with each segment. A taker may
 *   sleep between its loads and its CAS while a multiple of 1,024 segments goes by, and then find the same block in use
 *   with the same count. It can then claim slots that are not pushed yet, or wrongly report EMPTY, once. Even then no
 *   item is lost or doubled and no memory misused, because the CAS that claims the slots also holds the segment.
 *
 * May run together: push, take and size, all with all. Not init and fini.
 *
 * Linearization:
 *   push         the CAS that fills the slot, or the CAS that appends the segment. If a take has claimed the slot
 *                before and has not looked yet, the push is just before that take
 *   take, OK     the CAS of head, or later, when the last of its slots is filled
 *   take, EMPTY  the load of tail: takers had claimed all slots that tail had handed out
 *
 * Progress: push and take are lock-free, except that push may ask the system for memory.
 *
 * Edges:
 *   E1   move: cas_acq_rel head, tail → push: fetch_add_acq tail; and for head, the load of E7   publishes the segment
 *        moved to, and that tail is not behind head
 *   E2   push: cas_rel state → take: load_acq, exchange_acq state   publishes the item; and ends the pusher's use
 *   E3   append: cas_rel next → append, pass: load_acq next   publishes the new segment and its first item
 *   E4   release: fetch_add_acq_rel refs, each with the next: all uses of a segment are before its end
 *   E5   unpin: cas_rel head, tail, which the acquire of E1's CAS meets: the same, for a thread that gave back to the
 *        word itself
 *   E6   retire: cas_rel spare → fresh: exchange_acq spare   all uses of a segment before it is used again
 *   E7   take: cas_rel head → take: load_acq head   a taker that sees items claimed sees as much of tail as the claimer
 *        did. Otherwise it could report EMPTY although tail is beyond these items
 *   R1   pass: holds on to the segment. The acquire load of head went before; an RMW: E1 and E7 reach through it
 *   R2   move, unpin: a first look at the word, which the CAS then verifies
 *   R3   fresh: is there a spare? The exchange decides
 *   R4   moves: for size
 *   R5   size, is_empty: hints; the caller's fences order them where that matters
 *   R6   fini: no other thread uses the queue
 *   R7   take: tail. How far it must be at least comes with head, by E1 and E7; the way to it, by E3
 */
#include "injector.h"

#include "../base/mem.h"

#include <errno.h>

/* Looks of a taker for a late pusher: some hundred nanoseconds. */
#define SPINS FILCHI_TUNE(32, 1)

/* Part of refs for each of the two words until the word has moved on: more than it can hand out. */
#define WORD_REFS ((uint64_t)1 << 32)

enum { VACANT, FULL, DEAD };

struct slot {
	FILCHI_ATOMIC(uint32_t) state;
	FILCHI_CELL(uintptr_t) item;
};

struct filchi_injector_segment {
	FILCHI_OWN_LINE FILCHI_ATOMIC(struct filchi_injector_segment *) next;
	FILCHI_ATOMIC(uint64_t) refs; /* what was handed out, once that is known, minus what was given back */
	FILCHI_OWN_LINE struct slot slot[];
};

typedef FILCHI_ATOMIC(uint64_t) word;

/* ---- the words ---- */

#define COUNT_BITS 12
#define VERSION_BITS 10
#define SEGMENT_SHIFT (COUNT_BITS + VERSION_BITS)
#define LINE_BITS 6
_Static_assert(FILCHI_CACHE_LINE == 1 << LINE_BITS, "blocks start on a cache line");
_Static_assert(FILCHI_INJECTOR_MAX_SEGMENT <= 1 << (COUNT_BITS - 1), "no room in the count for threads");

static struct filchi_injector_segment *segment_of(uint64_t w)
{
	return (struct filchi_injector_segment *)(uintptr_t)(w >> SEGMENT_SHIFT << LINE_BITS);
}

static uint64_t count_of(uint64_t w)
{
	return w & (((uint64_t)1 << COUNT_BITS) - 1);
}

static bool same_segment(uint64_t a, uint64_t b)
{
	return a >> COUNT_BITS == b >> COUNT_BITS;
}

static bool fits(const struct filchi_injector_segment *s)
{
	return !((uint64_t)(uintptr_t)s >> (64 - SEGMENT_SHIFT + LINE_BITS));
}

static uint64_t pack(const struct filchi_injector_segment *s, uint64_t version, uint64_t count)
{
	version &= ((uint64_t)1 << VERSION_BITS) - 1;
	return (uint64_t)(uintptr_t)s >> LINE_BITS << SEGMENT_SHIFT | version << COUNT_BITS | count;
}

/* ---- segments ---- */

/* One to use: all vacant, or NULL. */
static struct filchi_injector_segment *fresh(struct filchi_injector *q)
{
	struct filchi_injector_segment *s = NULL;

	for (unsigned i = 0; i < FILCHI_INJECTOR_SPARES && !s; i++)
		if (filchi_load_rlx(&q->spare[i], R3))
			s = filchi_exchange_acq(&q->spare[i], NULL, E6);
	if (!s)
		s = filchi_alloc_array(sizeof(*s), q->segment_size, sizeof(s->slot[0]));
	if (!s)
		return NULL;
	if (!fits(s)) {
		filchi_free(s);
		return NULL;
	}
	filchi_atomic_init(&s->next, NULL);
	filchi_atomic_init(&s->refs, 2 * WORD_REFS);
	for (uint32_t i = 0; i < q->segment_size; i++)
		filchi_atomic_init(&s->slot[i].state, VACANT);
	return s;
}

/* Nobody has it any more. */
static void retire(struct filchi_injector *q, struct filchi_injector_segment *s)
{
	for (unsigned i = 0; i < FILCHI_INJECTOR_SPARES; i++) {
		struct filchi_injector_segment *none = NULL;

		if (filchi_cas_rel(&q->spare[i], &none, s, E6))
			return;
	}
	filchi_free(s);
}

static void release(struct filchi_injector *q, struct filchi_injector_segment *s, uint64_t refs)
{
	if (filchi_fetch_add_acq_rel(&s->refs, -refs, E4) == refs)
		retire(q, s);
}

/*
 * With a reference to the segment that the word had in seen: moves the word on, unless another has, and gives it back.
 */
static void move(struct filchi_injector *q, word *w, uint64_t seen, uint64_t to)
{
	struct filchi_injector_segment *s = segment_of(seen);
	uint64_t now = filchi_load_rlx(w, R2);
	uint64_t refs = 1;

	while (same_segment(now, seen)) {
		if (filchi_cas_acq_rel(w, &now, to, E1)) {
			/* From here on it is known how many were handed out. */
			refs += WORD_REFS - count_of(now);
			filchi_fetch_add_rlx(w == &q->head ? &q->head_moves : &q->tail_moves, 1, R4);
			break;
		}
	}
	release(q, s, refs);
}

/* Gives a reference back to the word that handed it out, whose count would otherwise grow with each failure. */
static void unpin(struct filchi_injector *q, word *w, uint64_t seen)
{
	uint64_t now = filchi_load_rlx(w, R2);

	while (same_segment(now, seen))
		if (filchi_cas_rel(w, &now, now - 1, E5))
			return;
	release(q, segment_of(seen), 1);
}

int filchi_injector_init(struct filchi_injector *q, uint32_t segment_size)
{
	struct filchi_injector_segment *s;

	if (segment_size > FILCHI_INJECTOR_MAX_SEGMENT)
		return -EINVAL;
	q->segment_size = segment_size ? segment_size : FILCHI_INJECTOR_SEGMENT;
	for (unsigned i = 0; i < FILCHI_INJECTOR_SPARES; i++)
		filchi_atomic_init(&q->spare[i], NULL);
	s = fresh(q);
	if (!s)
		return -ENOMEM;
	filchi_atomic_init(&q->head, pack(s, 0, 0));
	filchi_atomic_init(&q->tail, pack(s, 0, 0));
	filchi_atomic_init(&q->head_moves, 0);
	filchi_atomic_init(&q->tail_moves, 0);
	return 0;
}

void filchi_injector_fini(struct filchi_injector *q)
{
	struct filchi_injector_segment *s = segment_of(filchi_load_rlx(&q->head, R6));

	while (s) {
		struct filchi_injector_segment *next = filchi_load_rlx(&s->next, R6);

		filchi_free(s);
		s = next;
	}
	for (unsigned i = 0; i < FILCHI_INJECTOR_SPARES; i++)
		filchi_free(filchi_load_rlx(&q->spare[i], R6));
}

/* ---- pushing ---- */

/* False: too late. */
static bool fill(struct filchi_injector *q, struct filchi_injector_segment *s, uint64_t i, uintptr_t item)
{
	uint32_t state = VACANT;

	filchi_cell_set(&s->slot[i].item, item);
	if (filchi_cas_rel(&s->slot[i].state, &state, FULL, E2))
		return true;
	release(q, s, 1);
	return false;
}

/*
 * The segment is full, and tail has handed out a reference to it. Appends a new segment with the item in its first
 * slot, unless another pusher has appended one. *spare is a segment that was made before. 0: done; -EAGAIN; -ENOMEM.
 */
FILCHI_COLD static int append(struct filchi_injector *q, uint64_t tail, uintptr_t item,
			      struct filchi_injector_segment **spare)
{
	struct filchi_injector_segment *s = segment_of(tail), *next = filchi_load_acq(&s->next, E3), *none = NULL;
	int answer = -EAGAIN;

	if (!next) {
		if (!*spare) {
			*spare = fresh(q);
			if (!*spare) {
				unpin(q, &q->tail, tail);
				return -ENOMEM;
			}
			filchi_cell_set(&(*spare)->slot[0].item, item);
			filchi_atomic_init(&(*spare)->slot[0].state, FULL);
		}
		if (filchi_cas_rel(&s->next, &none, *spare, E3)) {
			next = *spare;
			*spare = NULL;
			answer = 0;
		} else {
			next = filchi_load_acq(&s->next, E3);
		}
	}
	move(q, &q->tail, tail, pack(next, (tail >> COUNT_BITS) + 1, 1));
	return answer;
}

int filchi_injector_push(struct filchi_injector *q, uintptr_t item)
{
	struct filchi_injector_segment *spare = NULL;
	int err;

	do {
		uint64_t tail = filchi_fetch_add_acq(&q->tail, 1, E1);

		if (FILCHI_LIKELY(count_of(tail) < q->segment_size))
			err = fill(q, segment_of(tail), count_of(tail), item) ? 0 : -EAGAIN;
		else
			err = append(q, tail, item, &spare);
	} while (FILCHI_UNLIKELY(err == -EAGAIN));
	if (FILCHI_UNLIKELY(spare != NULL))
		retire(q, spare);
	return err;
}

/* ---- taking ---- */

/* True if the slot, which the caller has claimed, is filled. If not, it is now marked dead. */
static bool arrived(struct slot *slot)
{
	for (unsigned looks = SPINS;;) {
		if (FILCHI_LIKELY(filchi_load_acq(&slot->state, E2) == FULL))
			return true;
		if (!--looks)
			break;
		filchi_spin_wait();
	}
	return filchi_exchange_acq(&slot->state, DEAD, E2) == FULL;
}

/* Takes the items of the claimed slots, and gives back the references to the slots. Answers the number of items. */
static size_t collect(struct filchi_injector *q, uint64_t head, uint64_t count, uintptr_t *items)
{
	struct filchi_injector_segment *s = segment_of(head);
	struct slot *slot = &s->slot[count_of(head)];
	size_t got = 0;

	for (uint64_t i = 0; i < count; i++)
		if (arrived(&slot[i]))
			items[got++] = filchi_cell_get(&slot[i].item);
	release(q, s, count + got);
	return got;
}

/* head's segment is used up and tail is beyond it: moves head on. False: not possible now. */
FILCHI_COLD static bool pass(struct filchi_injector *q, uint64_t head)
{
	struct filchi_injector_segment *next;

	if (!filchi_cas_rlx(&q->head, &head, head + 1, R1))
		return true;
	next = filchi_load_acq(&segment_of(head)->next, E3);
	if (FILCHI_LIKELY(next != NULL))
		move(q, &q->head, head, pack(next, (head >> COUNT_BITS) + 1, 0));
	else
		unpin(q, &q->head, head);
	return next != NULL;
}

int filchi_injector_take_many(struct filchi_injector *q, uintptr_t *items, size_t max, size_t *taken)
{
	for (;;) {
		uint64_t head = filchi_load_acq(&q->head, E7);
		uint64_t tail = filchi_load_rlx(&q->tail, R7);
		uint64_t limit = q->segment_size, count;
		size_t got;

		if (same_segment(head, tail) && count_of(tail) < limit)
			limit = count_of(tail);
		if (count_of(head) >= limit) {
			if (same_segment(head, tail))
				return FILCH_EMPTY;
			/* A thread can see tail beyond the segment before it sees the way there, because these are
			 * different words. */
			if (!pass(q, head))
				return FILCH_LOST;
			continue;
		}
		count = limit - count_of(head);
		if (count > max)
			count = max;
		if (!filchi_cas_rel(&q->head, &head, head + count, E7))
			return FILCH_LOST;
		got = collect(q, head, count, items);
		if (FILCHI_UNLIKELY(!got))
			return FILCH_LOST;
		*taken = got;
		return FILCH_OK;
	}
}

int filchi_injector_take(struct filchi_injector *q, uintptr_t *item)
{
	size_t taken;

	return filchi_injector_take_many(q, item, 1, &taken);
}

/* Reads head first: with an old head, items that were claimed since seem to be there still. */
bool filchi_injector_is_empty(const struct filchi_injector *q)
{
	uint64_t head = filchi_load_rlx(&q->head, R5), tail = filchi_load_rlx(&q->tail, R5);
	uint64_t to = count_of(tail);

	return same_segment(head, tail) && count_of(head) >= (to > q->segment_size ? q->segment_size : to);
}

size_t filchi_injector_size(const struct filchi_injector *q)
{
	uint64_t head = filchi_load_rlx(&q->head, R5), tail = filchi_load_rlx(&q->tail, R5);
	uint64_t moves = filchi_load_rlx(&q->tail_moves, R5) - filchi_load_rlx(&q->head_moves, R5);
	uint64_t from = count_of(head), to = count_of(tail);
	int64_t size;

	if (from > q->segment_size)
		from = q->segment_size;
	if (to > q->segment_size)
		to = q->segment_size;
	size = (int64_t)(moves * q->segment_size + to - from);
	return size > 0 ? (size_t)size : 0;
}
