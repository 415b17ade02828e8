/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Segments of slots in a list. Pushers claim slots at the tail by fetch_add, takers at the head by CAS.
 *
 * The claim of slots by fetch_add, and that a taker marks a slot dead whose pusher is late, are as in the queues of
 * arrays by Ramalhete and Correia (FAAArrayQueue) and by Morrison and Afek (LCRQ, 2013). That a claim is a reference as
 * well, and how segments go, is ours:
 *
 *     head ---> segment ---> segment ---> segment <--- tail        each word: (segment, version, count)
 *                ..iiii       iiiiii       iii...
 *
 * - A word names a segment and how many claims it has handed out there. A claim below the size is a slot; one beyond
 *   it only holds on to the segment. Each is a reference: a segment is freed when both words have moved on and all
 *   that they handed out has been given back. So there is one RMW to find the segment, to hold it and to claim a slot.
 * - A slot's pusher gives its reference back by filling the slot, to the slot's taker, who gives back two. Only one
 *   that comes late, to a slot marked dead, does it itself, and tries again elsewhere. A taker waits a moment for a
 *   late pusher before that, as the slot is then lost; but no longer.
 * - Whoever finds the last segment full appends the next, its own item already in it: so pushers and takers that keep
 *   overtaking each other end, with a push, at the end of the segment at the latest. It moves tail on before it is
 *   done, and others help. head moves on when its segment is used up, and only if tail has: it never passes tail.
 * - A few segments are kept for use again; in a steady state none is allocated.
 * - A word has 42 bits for a segment (48 bits of address, blocks start at 64 bytes), 12 for the count (so at most 2048
 *   threads can be at the end of a segment at once), 10 for the version, which goes up with each segment. A taker that
 *   sleeps between its loads and its CAS while a multiple of 1,024 segments goes by, and then finds the same block in
 *   use again with the same count, can claim slots that are not pushed yet, or report EMPTY wrongly, that once. Even
 *   then no item is lost or doubled and no memory misused, as the CAS that claims is what holds the segment.
 *
 * May run together: push, take and size, all with all. Not init and fini.
 *
 * Linearization:
 *   push         the CAS that fills the slot, or the one that appends the segment; but before a take that claimed the
 *                slot and has yet to look: then where that take is
 *   take, OK     the CAS of head, or later, when the last of its slots is filled
 *   take, EMPTY  the load of tail: all that tail had handed out were claimed
 *
 * Progress: push and take are lock-free, but for the memory that push asks the system for.
 *
 * Edges:
 *   E1   move: cas_acq_rel head, tail → push: fetch_add_acq tail; and for head, the load of E7   publishes the segment
 *        moved to, and that tail is not behind head
 *   E2   push: cas_rel state → take: load_acq, exchange_acq state   publishes the item; and ends the pusher's use
 *   E3   append: cas_rel next → append, pass: load_acq next   publishes the new segment and its first item
 *   E4   release: fetch_add_acq_rel refs, each with the next: all uses of a segment are before its end
 *   E5   unpin: cas_rel head, tail, which the acquire of E1's CAS meets: likewise, of who gave back to the word itself
 *   E6   retire: cas_rel spare → fresh: exchange_acq spare   all uses of a segment before it is used again
 *   E7   take: cas_rel head → take: load_acq head   who sees items claimed sees as much of tail as the claimer did:
 *        otherwise it could report EMPTY although that tail was beyond them
 *   R1   pass: holds on to the segment. The acquire load of head went before; an RMW: E1 and E7 reach through it
 *   R2   move, unpin: a first look at the word, which the CAS then verifies
 *   R3   fresh: is there a spare? The exchange decides
 *   R4   moves: for size
 *   R5   size, is_empty: hints; the fences around them order what is to be
 *   R6   fini: nobody else is there
 *   R7   take: tail. How far it must be at least comes with head, by E1 and E7; the way to it, by E3
 */
#include "injector.h"

#include "../base/mem.h"

#include <errno.h>

/* A taker looks so often for a pusher that is late: some hundred nanoseconds. */
#define SPINS FILCHI_TUNE(32, 1)

/* In refs for each of the two words until it has moved on: more than it can have handed out. */
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
	return !((uintptr_t)s >> (64 - SEGMENT_SHIFT + LINE_BITS));
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

/* With a reference to the segment that the word had in seen: moves the word on, unless another has, and gives it back.
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
 * The segment is full, and tail, as it was, handed out a reference to it. Appends another with the item in its first
 * slot, or sees that another has; *spare is one that was made for it. 0: done; -EAGAIN; -ENOMEM.
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

/* Is the slot, which is the caller's, filled? If not by now, never. */
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

/* Takes what comes in the slots claimed, and gives back the references to them. Answers how many came. */
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

/* head's segment is used up and tail is beyond it: moves head on. False: not now. */
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
			/* That tail is beyond can be seen before the way there: loads of different places. */
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

/* head first: with one that is behind, what has been claimed since seems to be there yet. */
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
