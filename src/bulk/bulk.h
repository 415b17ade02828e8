/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bulk: batches as chains of chunks, with an index of the chunks from which thieves take many in one step.
 *
 * Our algorithm, for the contract of Kataru, Davarnia and Jannesari, "A Lock-Free Work-Stealing Algorithm for Bulk
 * Operations". In that paper the thief walks the list, which is slow and unsafe (docs/errata.md).
 *
 *      far end                                        near end
 *      tail              tail + len - 1    |
 *      chunk  <-  chunk  <-  chunk         |  <-  top chunk         next of a node leads to the left
 *      shared: in the ring, thieves CAS the word  |  private: the owner pushes and pops, without atomics but hints
 *
 * - A chunk is a piece of the list: its first node (near), its last (far), and `top`, the height of its near end in
 *   nodes, from where the queue once began. So the number of nodes in a range of chunks is the difference of two
 *   heights, and no walk counts nodes. One fetch_add per push shares all chunks except the top chunk.
 * - Adjacent chunks are linked: next of the last node of one is the first node of the one below. So a range of chunks
 *   is one list already, and a steal of k chunks is: find k by bisection of `top`, read the two ends of the range, one
 *   CAS. The cut writes nothing: the index tells the successor of a chunk's last node, and the node's next is not used.
 *   That node belongs to another thread. Only the thief's own last node gets a NULL, afterwards.
 * - The word is (tail, len). Thieves read the slots before their CAS, so the word must not return to the same value
 *   with other chunks in the slots. When the owner takes a chunk back, it adds the size of the ring to tail, which then
 *   names the same slots by another number. To be fooled, a thief would have to sleep between its load and its CAS
 *   through a multiple of 2^42 chunks taken back.
 * - The ring has a fixed size, so it does not grow, copies no element, and needs no memory for a push. As the queue
 *   gets longer, chunks get longer: pushed nodes join the top chunk until that chunk has 1/64 of all nodes. When the
 *   ring is full, they always join it. At 1/64, a thousand chunks are enough for 10^8 nodes pushed one by one.
 * - A batch comes with at most 7 marks: places to cut it, which filch_batch_add() keeps. So a push makes up to 8 chunks
 *   of a large batch, in constant time. A thief sets marks between the chunks that it takes.
 * - A thief that finds no shared chunk raises a flag, as in src/deque/split.h. The owner looks at it at each push and
 *   pop, and then cuts the top chunk in two. It keeps half of the chunk, at most 64 nodes. This is the only walk.
 *
 * The proportion counts all nodes, also private ones. A thief gets the nearest number of nodes that a cut between
 * chunks allows: at least one chunk, and never the top chunk.
 *
 * May run together:               push, pop, poll   steal   size
 *   push, pop, poll (one owner)          -            x       x
 *   steal (any number)                   x            x       x
 *   size (any number)                    x            x       x
 *
 * Linearization:
 *   push          the store of height; for thieves nodes exist from the fetch_add that shares their chunk
 *   pop, OK       the store of height; if all was shared, the CAS of the word
 *   pop, EMPTY    the load, or failed CAS, of the word that saw no chunk
 *   steal, OK     the CAS of the word
 *   steal, EMPTY  the load of the word: nothing was shared. The owner may hold private nodes
 *   steal, LOST   changes nothing: another thief changed the word, or the owner shared or took back
 *
 * The owner does not write the slot before tail while tail stands, because len stays below the size of the ring. The
 * `top` of that slot is the height at which the chunk at tail begins.
 *
 * Edges:
 *   E1   share: fetch_add_rel word → steal: load_acq word   publishes the slots and the nodes
 *   E2   steal: cas_rel word → room, pop: load_acq, cas_acq word   the thief has read the slots before the owner writes
 *        them again; only load buffering could undo that; C11 and machines allow it, RC11 and the checker do not
 *   E3   share: fetch_add_rel word; its other end is the load_acq word of steal (E1)   a thief that then finds no chunk
 *        sees the flag lowered, and raises it
 *   R1   slots: a thief may read one while the owner writes it; then its CAS fails
 *   R2   height: the owner's own, and for others a hint
 *   R4   wanted: a hint; E1 orders the sharing that follows
 *   R5   pop: the word; the owner has written the ring's slots itself
 *   R6   size: a hint orders nothing
 */
#ifndef FILCHI_BULK_BULK_H
#define FILCHI_BULK_BULK_H

#include "../base/mem.h"
#include "kinds.h"

#include <errno.h>

#define FILCHI_BULK_INFO                                                                                               \
	{                                                                                                              \
		.name = "bulk", .summary = "an index of chunks: any proportion in one step, any number of thieves",    \
		.push_progress = FILCH_WAIT_FREE, .pop_progress = FILCH_WAIT_FREE, .steal_progress = FILCH_LOCK_FREE,  \
		.on_request = 1,                                                                                       \
	}

/* The word: tail above, len below. */
#define FILCHI_BULK_LEN_BITS 12
#define FILCHI_BULK_LEN_MAX (((uint64_t)1 << FILCHI_BULK_LEN_BITS) - 1)
_Static_assert(FILCHI_BULK_MAX_CHUNKS - 1 <= FILCHI_BULK_LEN_MAX, "len counts all chunks but one");

/* The top chunk is closed when it has this part of all nodes. */
#define FILCHI_BULK_PARTS ((uint64_t)FILCHI_TUNE(64, 2))
/* Nodes that the owner walks over, and keeps, on a request, at most. */
#define FILCHI_BULK_WALK ((uint64_t)FILCHI_TUNE(64, 2))

struct filchi_bulk_slot {
	FILCHI_ATOMIC(struct filch_node *) first;
	FILCHI_ATOMIC(struct filch_node *) last;
	FILCHI_ATOMIC(uint64_t) top;
};

/* The fields that the owner works with. */
struct filchi_bulk_own {
	struct filch_node *first; /* of the top chunk */
	struct filch_node *last;
	uint64_t count; /* nodes in the top chunk */
	uint64_t floor; /* `top` of the chunk below it */
	uint64_t head;	/* the index of the top chunk's future slot: tail + len, plus a multiple of the ring's size */
	uint64_t room;	/* free slots, at least */
	struct filchi_bulk_slot *slots;
	uint64_t mask;
};

struct filchi_bulk {
	FILCHI_OWN_LINE struct filchi_bulk_own own;
	/* Only the owner writes these. A hint for other threads. */
	FILCHI_OWN_LINE FILCHI_ATOMIC(uint64_t) height; /* own.floor + own.count */
	uint64_t base;					/* the far end when the owner last looked */
	/* Written by owner and thieves. */
	FILCHI_OWN_LINE FILCHI_ATOMIC(uint64_t) word;
	/* A request to share nodes. Thieves raise it, the owner lowers it. */
	FILCHI_OWN_LINE FILCHI_ATOMIC(uint32_t) wanted;
	/* Never written again. */
	FILCHI_OWN_LINE struct filchi_bulk_slot *slots;
	uint64_t mask;
};

#define FILCHI_BULK_SLOT(of, index) (&(of)->slots[(index) & (of)->mask])

static inline int filchi_bulk_init(struct filchi_bulk *q, const struct filchi_bulk_setup *setup)
{
	q->slots = filchi_alloc_array(0, setup->chunks, sizeof(*q->slots));
	if (!q->slots)
		return -ENOMEM;
	q->mask = setup->chunks - 1;
	q->own = (struct filchi_bulk_own){.head = setup->first, .room = q->mask, .slots = q->slots, .mask = q->mask};
	q->base = 0;
	filchi_atomic_init(&q->height, 0);
	filchi_atomic_init(&q->word, setup->first << FILCHI_BULK_LEN_BITS);
	filchi_atomic_init(&q->wanted, 0);
	/* The slot below the first chunk: its top is where the first chunk begins. */
	filchi_atomic_init(&FILCHI_BULK_SLOT(q, setup->first - 1)->first, NULL);
	filchi_atomic_init(&FILCHI_BULK_SLOT(q, setup->first - 1)->last, NULL);
	filchi_atomic_init(&FILCHI_BULK_SLOT(q, setup->first - 1)->top, 0);
	return 0;
}

static inline void filchi_bulk_fini(struct filchi_bulk *q)
{
	filchi_free(q->slots);
}

/* Owner. Counts the free slots. */
FILCHI_COLD static void filchi_bulk_look(struct filchi_bulk *q)
{
	q->own.room = q->mask - (filchi_load_acq(&q->word, E2) & FILCHI_BULK_LEN_MAX);
}

/* Owner. Puts the far part of the top chunk, from this node on, into the ring. It is not shared yet. */
static inline void filchi_bulk_close(struct filchi_bulk_own *own, struct filch_node *first, uint64_t count)
{
	struct filchi_bulk_slot *slot = FILCHI_BULK_SLOT(own, own->head);

	own->floor += count;
	own->count -= count;
	own->head++;
	own->room--;
	filchi_store_rlx(&slot->first, first, R1);
	filchi_store_rlx(&slot->last, own->last, R1);
	filchi_store_rlx(&slot->top, own->floor, R1);
}

/* Owner. Shares this number of closed chunks, and learns where the far end is. */
static inline void filchi_bulk_publish(struct filchi_bulk *q, uint64_t closed)
{
	uint64_t tail = filchi_fetch_add_rel(&q->word, closed, E1) >> FILCHI_BULK_LEN_BITS;

	q->base = filchi_load_rlx(&FILCHI_BULK_SLOT(&q->own, tail - 1)->top, R1);
}

/* A thief has asked. If no chunk is shared, cuts the top chunk and shares the far part. Answers FILCH_OK. */
FILCHI_COLD static int filchi_bulk_share(struct filchi_bulk *q)
{
	struct filchi_bulk_own *own = &q->own;
	uint64_t keep = own->count / 2 < FILCHI_BULK_WALK ? own->count / 2 : FILCHI_BULK_WALK;
	struct filch_node *node = NULL, *first = own->first;

	/* Without nodes to share, the request stands until the next push. */
	if (!own->count)
		return FILCH_OK;
	filchi_store_rlx(&q->wanted, 0, R4);
	filchi_bulk_look(q);
	if (own->room != own->mask) {
		/* The load may be stale. An RMW sees the word as it is now; a thief that takes the last chunk later
		 * sees the flag lowered. */
		if (filchi_fetch_add_rel(&q->word, 0, E3) & FILCHI_BULK_LEN_MAX)
			return FILCH_OK;
		filchi_bulk_look(q);
	}
	for (uint64_t i = 0; i < keep; i++) {
		node = first;
		first = filchi_plain_get(&node->next);
	}
	filchi_bulk_close(own, first, own->count - keep);
	own->last = node;
	filchi_bulk_publish(q, 1);
	return FILCH_OK;
}

/*
 * Owner. Puts a piece of a batch on top of the list: as a new chunk if the top chunk has target nodes already. Works on
 * a copy of the owner's fields, which the compiler can keep in registers.
 */
static inline void filchi_bulk_pile(struct filchi_bulk_own *own, struct filch_node *first, struct filch_node *last,
				    uint64_t count, uint64_t target)
{
	if (own->count >= target && own->room)
		filchi_bulk_close(own, own->first, own->count);
	if (!own->count)
		own->last = last;
	own->first = first;
	own->count += count;
}

static inline int filchi_bulk_push(struct filchi_bulk *q, const struct filch_batch *batch)
{
	uint64_t height = filchi_load_rlx(&q->height, R2) + batch->count;
	uint64_t target = 1 + (height - q->base) / FILCHI_BULK_PARTS, upto = batch->count;
	struct filch_node *last = batch->last;
	struct filchi_bulk_own own;

	if (FILCHI_UNLIKELY(q->own.room <= batch->marks))
		filchi_bulk_look(q);
	own = q->own;
	/* A thief may have taken the node below meanwhile. Then no thread will follow this pointer. */
	filchi_plain_set(&last->next,
			 own.count ? own.first : filchi_load_rlx(&FILCHI_BULK_SLOT(&own, own.head - 1)->first, R1));
	for (size_t i = batch->marks; i; i--) {
		const struct filch_mark *mark = &batch->mark[i - 1];

		filchi_bulk_pile(&own, mark->first, last, upto - mark->before, target);
		last = mark->last;
		upto = mark->before;
	}
	filchi_bulk_pile(&own, batch->first, last, upto, target);
	filchi_store_rlx(&q->height, height, R2);
	upto = own.head - q->own.head;
	q->own = own;
	if (upto)
		filchi_bulk_publish(q, upto);
	if (FILCHI_UNLIKELY(filchi_load_rlx(&q->wanted, R4)))
		return filchi_bulk_share(q);
	return 0;
}

/* Takes the first node of the top chunk, which is not empty. */
static inline int filchi_bulk_pop_top(struct filchi_bulk *q, struct filch_node **node)
{
	struct filch_node *first = q->own.first;

	q->own.first = filchi_plain_get(&first->next);
	q->own.count--;
	filchi_store_rlx(&q->height, q->own.floor + q->own.count, R2);
	*node = first;
	if (FILCHI_UNLIKELY(filchi_load_rlx(&q->wanted, R4)))
		return filchi_bulk_share(q);
	return FILCH_OK;
}

/* There is no top chunk: takes back the newest shared chunk. */
FILCHI_COLD static int filchi_bulk_pop_shared(struct filchi_bulk *q, struct filch_node **node)
{
	uint64_t word = filchi_load_rlx(&q->word, R5);
	uint64_t taken_back = ((q->mask + 1) << FILCHI_BULK_LEN_BITS) - 1;
	struct filchi_bulk_own *own = &q->own;

	/* A CAS fails only when thieves have made len smaller: at most len turns. */
	do {
		if (!(word & FILCHI_BULK_LEN_MAX))
			return FILCH_EMPTY;
	} while (!filchi_cas_acq(&q->word, &word, word + taken_back, E2));
	own->head--;
	own->room = own->mask - (word & FILCHI_BULK_LEN_MAX) + 1;
	own->first = filchi_load_rlx(&FILCHI_BULK_SLOT(own, own->head)->first, R1);
	own->last = filchi_load_rlx(&FILCHI_BULK_SLOT(own, own->head)->last, R1);
	own->floor = filchi_load_rlx(&FILCHI_BULK_SLOT(own, own->head - 1)->top, R1);
	own->count = filchi_load_rlx(&FILCHI_BULK_SLOT(own, own->head)->top, R1) - own->floor;
	return filchi_bulk_pop_top(q, node);
}

static inline int filchi_bulk_pop(struct filchi_bulk *q, struct filch_node **node)
{
	if (FILCHI_UNLIKELY(!q->own.count))
		return filchi_bulk_pop_shared(q, node);
	return filchi_bulk_pop_top(q, node);
}

/* Owner. Shares if a thief has asked. */
static inline void filchi_bulk_poll(struct filchi_bulk *q)
{
	if (FILCHI_UNLIKELY(filchi_load_rlx(&q->wanted, R4)))
		filchi_bulk_share(q);
}

/* No chunk is shared: asks. Reads the flag first, because mostly another thief has raised it. */
FILCHI_COLD static int filchi_bulk_ask(struct filchi_bulk *q)
{
	if (!filchi_load_rlx(&q->wanted, R4))
		filchi_store_rlx(&q->wanted, 1, R4);
	return FILCH_EMPTY;
}

/* Nodes in the first k chunks from tail on, where the first begins at bottom. */
static inline uint64_t filchi_bulk_upto(const struct filchi_bulk *q, uint64_t tail, uint64_t k, uint64_t bottom)
{
	return filchi_load_rlx(&FILCHI_BULK_SLOT(q, tail + k - 1)->top, R1) - bottom;
}

/* The number of chunks, of len, that comes nearest to the proportion. The values read may be nonsense; then the CAS
 * will fail. */
static inline uint64_t filchi_bulk_choose(const struct filchi_bulk *q, uint64_t tail, uint64_t len, uint64_t bottom,
					  double proportion)
{
	uint64_t low = 1, high = len, shared = filchi_bulk_upto(q, tail, len, bottom), share, here;
	int64_t all = (int64_t)(filchi_load_rlx(&q->height, R2) - bottom);

	share = filchi_bulk_share_of(proportion, all > 0 ? (uint64_t)all : shared & INT64_MAX);
	if (share >= shared)
		return len;
	/* The least number of chunks that is enough. */
	while (low < high) {
		uint64_t middle = (low + high) / 2;

		if (filchi_bulk_upto(q, tail, middle, bottom) >= share)
			high = middle;
		else
			low = middle + 1;
	}
	if (low == 1)
		return 1;
	here = filchi_bulk_upto(q, tail, low, bottom);
	return share - filchi_bulk_upto(q, tail, low - 1, bottom) < here - share ? low - 1 : low;
}

/* Makes a batch of k chunks from tail on, with marks between chunks, as even as possible. */
static inline void filchi_bulk_gather(const struct filchi_bulk *q, uint64_t tail, uint64_t k, uint64_t bottom,
				      struct filch_batch *batch)
{
	const struct filchi_bulk_slot *near = FILCHI_BULK_SLOT(q, tail + k - 1);
	uint64_t top = filchi_load_rlx(&near->top, R1);

	batch->first = filchi_load_rlx(&near->first, R1);
	batch->last = filchi_load_rlx(&FILCHI_BULK_SLOT(q, tail)->last, R1);
	batch->count = top - bottom;
	batch->step = batch->count / (FILCH_BATCH_MARKS + 1) + 1;
	batch->due = batch->count;
	batch->marks = k <= FILCH_BATCH_MARKS ? k - 1 : FILCH_BATCH_MARKS;
	for (uint64_t i = 0; i < batch->marks; i++) {
		uint64_t skip = k <= FILCH_BATCH_MARKS ? i + 1 : (i + 1) * k / (FILCH_BATCH_MARKS + 1);
		const struct filchi_bulk_slot *above = FILCHI_BULK_SLOT(q, tail + k - skip);
		const struct filchi_bulk_slot *below = FILCHI_BULK_SLOT(q, tail + k - skip - 1);

		batch->mark[i].last = filchi_load_rlx(&above->last, R1);
		batch->mark[i].first = filchi_load_rlx(&below->first, R1);
		batch->mark[i].before = top - filchi_load_rlx(&below->top, R1);
	}
}

static inline int filchi_bulk_steal(struct filchi_bulk *q, double proportion, struct filch_batch *batch)
{
	uint64_t word = filchi_load_acq(&q->word, E1);
	uint64_t tail = word >> FILCHI_BULK_LEN_BITS, len = word & FILCHI_BULK_LEN_MAX, bottom, k;
	struct filch_batch found;

	if (FILCHI_UNLIKELY(!len))
		return filchi_bulk_ask(q);
	bottom = filchi_load_rlx(&FILCHI_BULK_SLOT(q, tail - 1)->top, R1);
	k = filchi_bulk_choose(q, tail, len, bottom, proportion);
	filchi_bulk_gather(q, tail, k, bottom, &found);
	if (!filchi_cas_rel(&q->word, &word, word + (k << FILCHI_BULK_LEN_BITS) - k, E2))
		return FILCH_LOST;
	filchi_plain_set(&found.last->next, NULL);
	*batch = found;
	return FILCH_OK;
}

/* Private nodes count, because the owner shares them if a thief asks. */
static inline size_t filchi_bulk_size(const struct filchi_bulk *q)
{
	uint64_t tail = filchi_load_rlx(&q->word, R6) >> FILCHI_BULK_LEN_BITS;
	uint64_t bottom = filchi_load_rlx(&FILCHI_BULK_SLOT(q, tail - 1)->top, R6);
	int64_t size = (int64_t)(filchi_load_rlx(&q->height, R6) - bottom);

	return size > 0 ? (size_t)size : 0;
}

#endif
