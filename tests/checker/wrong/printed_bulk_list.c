/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The bulk queue of Kataru, Davarnia and Jannesari, "A Lock-Free Work-Stealing Algorithm for Bulk Operations", listings
 * 1 to 4, in C++. Each line of C has its printed line beside it, with its number in the listing. Code under a fix is
 * ours.
 *
 * One owner and one thief, as in the paper. A push is a batch of one node; a steal takes half. The paper does not give
 * _queue_limit_: the scenario's capacity stands for it. The fetch_sub of line 38 of steal names no order: seq_cst. The
 * taker of a node owns it. The paper does not say when a node may be freed. We free it at once, unless that is switched
 * off.
 */
#include "../printed.h"

enum {
	SEQ_CST = 1,	 /* every order, and next is an atomic: errors that remain need no weak memory */
	KEEP_NODES = 2,	 /* nodes are freed at the end only */
	USE_AGAIN = 4,	 /* and popped nodes are pushed again, the last one first */
	EXPECT_HALF = 8, /* no fix: a thief alone must get the number of nodes that line 8 computes */
	LOCK = 16,	 /* a mutex around each operation */
	ONE_LESS = 32	 /* skip one node less */
};

/* Listing 1. Pointers are numbers of nodes, in the order of their allocation, so that traces are readable. */
struct node {
	uint64_t item;
	uint64_t next; /* 4: lf_node *next; plain */
};

static struct {
	uint64_t size; /* 11: std::atomic<size_t> size = 0; */
	uint64_t head; /* 12: std::atomic<lf_node *> head = nullptr; */
	struct chk_mutex lock;
	struct node *node[ITEMS_MAX + 1]; /* by its number */
	uint64_t spare[ITEMS_MAX];	  /* popped, for the next pushes */
	unsigned nodes, spares;
} queue;

#define ORDER(printed) (fixed & SEQ_CST ? CHK_SC : (printed))
#define NEXT(number, printed) SLOT_SC_READ(queue.node[number]->next, printed)
#define SET_NEXT(number, value, printed) SLOT_SC_WRITE(queue.node[number]->next, value, printed)
#define SLOT_SC_READ(x, printed) (fixed & SEQ_CST ? LOAD(x, CHK_SC, printed) : PLAIN_READ(x, printed))
#define SLOT_SC_WRITE(x, value, printed)                                                                               \
	(fixed & SEQ_CST ? STORE(x, value, CHK_SC, printed) : PLAIN_WRITE(x, value, printed))

static void set_up(void)
{
	INIT(queue.size, 0);
	INIT(queue.head, 0);
	chk_mutex_init(&queue.lock);
	queue.nodes = queue.spares = 0;
}

static void tear_down(void)
{
	for (unsigned i = 1; i <= queue.nodes && fixed & (KEEP_NODES | USE_AGAIN); i++)
		chk_free(queue.node[i]);
}

static void enter(void)
{
	if (fixed & LOCK)
		chk_mutex_lock(&queue.lock);
}

static void leave(void)
{
	if (fixed & LOCK)
		chk_mutex_unlock(&queue.lock);
}

static uint64_t make(uint64_t item)
{
	static const char *const names[] = {"1->next", "2->next", "3->next", "4->next",
					    "5->next", "6->next", "7->next", "8->next"};
	uint64_t node;

	if (fixed & USE_AGAIN && queue.spares) {
		node = queue.spare[--queue.spares];
	} else {
		node = ++queue.nodes;
		queue.node[node] = chk_alloc(sizeof(struct node));
		chk_name(&queue.node[node]->next, names[node - 1]);
		if (fixed & SEQ_CST)
			INIT(queue.node[node]->next, 0);
	}
	PLAIN_WRITE(queue.node[node]->item, item, "the caller's");
	return node;
}

static void took(uint64_t node)
{
	came_out(PLAIN_READ(queue.node[node]->item, "the caller's"));
	if (!(fixed & (KEEP_NODES | USE_AGAIN)))
		chk_free(queue.node[node]);
}

/* Listing 2, with start == end and n == 1 */
static bool push(uint64_t item)
{
	uint64_t node = make(item);

	enter();
	/* 4: end->next = head.load(RELAXED); */
	SET_NEXT(node, LOAD(queue.head, ORDER(CHK_RLX), "push 4: head.load"), "push 4: end->next");
	/* 5: head.store(start, RELEASE); */
	STORE(queue.head, node, ORDER(CHK_REL), "push 5: head.store");
	/* 6: size.fetch_add(n, ACQUIRE_RELEASE); */
	FETCH_ADD(queue.size, 1, ORDER(CHK_ACQ_REL), "push 6: size.fetch_add");
	leave();
	return true;
}

/* Listing 3 */
static uint64_t pop_node(void)
{
	/* 2: lf_node *rv = head.load(RELAXED); */
	uint64_t rv = LOAD(queue.head, ORDER(CHK_RLX), "pop 2: rv = head.load");

	/* 3: if(!rv) return NULL; */
	if (!rv)
		return 0;
	/* 4: head.store(rv->next, RELAXED); */
	STORE(queue.head, NEXT(rv, "pop 4: rv->next"), ORDER(CHK_RLX), "pop 4: head.store");
	/* 5: size.fetch_sub(1, ACQUIRE_RELEASE); */
	FETCH_ADD(queue.size, (uint64_t)-1, ORDER(CHK_ACQ_REL), "pop 5: size.fetch_sub");
	/* 6: rv->next = NULL; */
	SET_NEXT(rv, 0, "pop 6: rv->next = NULL");
	/* 7: return rv; */
	return rv;
}

static uint64_t pop(void)
{
	uint64_t node;

	enter();
	node = pop_node();
	leave();
	if (node) {
		queue.spare[queue.spares++] = node;
		took(node);
	}
	return 0;
}

/* Listing 4: returns begin, and the number of nodes. */
static uint64_t steal_half(uint64_t *taken, uint64_t *computed)
{
	uint64_t start, begin, end, sz, n_skip, k, ssz, count = 0;

	/* 3, 4: proportion = 1 - proportion; size_t sz = size.load(ACQUIRE); */
	sz = LOAD(queue.size, ORDER(CHK_ACQ), "steal 4: sz = size.load");
	/* 5: if (sz < _queue_limit_) return {NULL, NULL, 0}; */
	if (sz < deque.capacity)
		return 0;
	/* 7, 8, 10: n_skip = sz * proportion; rem = sz - n_skip; k = n_skip; */
	n_skip = sz / 2;
	*computed = sz - n_skip;
	k = n_skip;
	if (fixed & ONE_LESS)
		n_skip--;
	/* 12: lf_node *start = head.load(ACQUIRE); */
	start = LOAD(queue.head, ORDER(CHK_ACQ), "steal 12: start = head.load");
	/* 13 to 16: while (n_skip && start) { start = start->next; n_skip--; } */
	for (; n_skip && start; n_skip--)
		start = NEXT(start, "steal 14: start = start->next");
	/* 18: if (n_skip || !start) return {NULL, NULL, 0}; */
	if (n_skip || !start)
		return 0;
	/* 21: size_t ssz = size.load(ACQUIRE); */
	ssz = LOAD(queue.size, ORDER(CHK_ACQ), "steal 21: ssz = size.load");
	/* 22: if (ssz <= (sz - (k>>1))) return {NULL, NULL, 0}; */
	if (ssz <= sz - (k >> 1))
		return 0;
	/* 26: lf_node *begin = start->next; */
	begin = NEXT(start, "steal 26: begin = start->next");
	/* 27: start->next = nullptr; */
	SET_NEXT(start, 0, "steal 27: start->next = nullptr");
	/* 28: size.fetch_add(0, RELEASE); */
	FETCH_ADD(queue.size, 0, ORDER(CHK_REL), "steal 28: size.fetch_add");
	/* 31 to 37: the nodes from begin on are counted */
	for (end = begin; end; end = NEXT(end, "steal 35: end->next"))
		count++;
	/* 38: size.fetch_sub(count); */
	FETCH_ADD(queue.size, 0 - count, CHK_SC, "steal 38: size.fetch_sub");
	/* 39: return {begin, end, count}; */
	*taken = count;
	return begin;
}

static uint64_t steal(void)
{
	uint64_t count = 0, computed = 0, node, next;

	enter();
	node = steal_half(&count, &computed);
	leave();
	if (fixed & EXPECT_HALF && count != computed)
		wrong("steal computed that it would take %llu nodes, and took %llu", (unsigned long long)computed,
		      (unsigned long long)count);
	for (uint64_t i = 0; i < count; i++, node = next) {
		next = NEXT(node, "the thief's");
		took(node);
	}
	return 0;
}

static const struct algorithm algorithm = {
	.set_up = set_up,
	.tear_down = tear_down,
	.push = push,
	.pop = pop,
	.steal = steal,
};

static const struct scenario alone = {.capacity = 4, .before = "++++", .thief = {"s"}};
static const struct scenario one_pop = {.capacity = 4, .before = "++++", .owner = "-", .thief = {"s"}};
static const struct scenario three_pops = {.capacity = 4, .before = "++++", .owner = "---", .thief = {"s"}};
static const struct scenario pushed_again = {.capacity = 4, .before = "++++", .owner = "---+", .thief = {"s"}};

static const struct printed rows[] = {
	{"next_race", KEEP_NODES, &one_pop, CHK_RACE, "data race on 4->next", 28},
	{"freed", 0, &one_pop, CHK_USE_AFTER_FREE, "4->next is released by T0", 28},
	{"freed_seq_cst", SEQ_CST, &one_pop, CHK_USE_AFTER_FREE, "4->next is released by T0", 39},
	{"doubles", SEQ_CST | KEEP_NODES, &three_pops, CHK_ASSERT, "item 1 came out twice", 69},
	{"loses", SEQ_CST | USE_AGAIN, &pushed_again, CHK_ASSERT, "item 1 is lost", 73},
	{"takes_fewer", EXPECT_HALF, &alone, CHK_ASSERT, "it would take 2 nodes, and took 1", 29},

	{"locked_one_pop", LOCK, &one_pop, CHK_OK, NULL, 2},
	{"locked_three_pops", LOCK, &three_pops, CHK_OK, NULL, 4},
	{"locked_pushed_again", LOCK | USE_AGAIN, &pushed_again, CHK_OK, NULL, 5},
	{"locked_one_less", LOCK | ONE_LESS | EXPECT_HALF, &alone, CHK_OK, NULL, 1},
};

int main(int argc, char **argv)
{
	return printed_main(rows, ARRAY_SIZE(rows), argc, argv);
}
