/* SPDX-License-Identifier: Apache-2.0 */
/* Containers that lose, double or misorder their items, or touch them too late. */
#include "../wrong.h"

enum { PUSH, POP };

/* The specification of a stack and of a queue of small numbers; 0 means nothing. */
struct list {
	unsigned count;
	uint64_t item[8];
};

static void list_init(void *state)
{
	memset(state, 0, sizeof(struct list));
}

static bool list_push(struct list *list, uint64_t item)
{
	list->item[list->count++] = item;
	return true;
}

static bool stack_apply(void *state, const struct chk_operation *op)
{
	struct list *list = state;

	if (op->kind == PUSH)
		return list_push(list, op->argument);
	return op->result[0] == (list->count ? list->item[--list->count] : 0);
}

static bool queue_apply(void *state, const struct chk_operation *op)
{
	struct list *list = state;

	if (op->kind == PUSH)
		return list_push(list, op->argument);
	if (!list->count)
		return !op->result[0];
	if (op->result[0] != list->item[0])
		return false;
	memmove(list->item, list->item + 1, --list->count * sizeof(list->item[0]));
	list->item[list->count] = 0;
	return true;
}

static bool counter_apply(void *state, const struct chk_operation *op)
{
	return op->result[0] == ((struct list *)state)->count++;
}

static void list_print(char *out, size_t size, const struct chk_operation *op)
{
	if (op->kind == PUSH)
		snprintf(out, size, "push %llu", (unsigned long long)op->argument);
	else
		snprintf(out, size, "pop: %llu", (unsigned long long)op->result[0]);
}

static const struct chk_spec stack_spec = {sizeof(struct list), list_init, stack_apply, list_print};
static const struct chk_spec queue_spec = {sizeof(struct list), list_init, queue_apply, list_print};
static const struct chk_spec counter_spec = {sizeof(struct list), list_init, counter_apply, list_print};

/* A counter in two steps. */
static void count(void)
{
	uint64_t seen;

	chk_begin(POP, 0);
	seen = R(X, SC);
	W(X, seen + 1, SC);
	chk_end(seen, 0);
}

static void count_right(void)
{
	uint64_t seen;

	chk_begin(POP, 0);
	seen = ADD(X, 1, RLX);
	chk_end(seen, 0);
}

/* A queue in an array: X is the next item to leave, Y the next free slot. */
static unsigned place[4];

static void place_init(void)
{
	int i;

	for (i = 0; i < 4; i++)
		INIT(place[i], 0);
}

static void put(unsigned value)
{
	chk_begin(PUSH, value);
	W(place[ADD(Y, 1, AR)], value, REL);
	chk_end(0, 0);
}

/* Takes an item without a test that no other thread takes it. */
static void take_in_two_steps(void)
{
	uint64_t at, value = 0;

	chk_begin(POP, 0);
	at = R(X, SC);
	if (at < R(Y, SC)) {
		value = R(place[at], SC);
		W(X, at + 1, SC);
	}
	chk_end(value, 0);
}

static void put_1(void)
{
	put(1);
}

static void put_1_2(void)
{
	put(1);
	put(2);
}

/* Takes the newest item: a stack, not a queue. */
static void take_newest(void)
{
	uint64_t at, value = 0;

	chk_begin(POP, 0);
	at = R(Y, ACQ);
	if (at)
		value = R(place[at - 1], ACQ);
	chk_end(value, 0);
}

/* A thread takes a slot before it fills it: the queue seems empty, although another put has ended. */
static void put_2(void)
{
	put(2);
}

static void take_filled(void)
{
	uint64_t at, value = 0;

	chk_begin(POP, 0);
	at = R(X, ACQ);
	if (at < R(Y, ACQ)) {
		value = R(place[at], ACQ);
		if (value)
			W(X, at + 1, RLX);
	}
	chk_end(value, 0);
}

static void put_2_take(void)
{
	put(2);
	take_filled();
}

/* Treiber's stack over four nodes that are used again. Index 0 means none; X is the top. */
static unsigned next[4];

static void aba_before(void)
{
	int i;

	for (i = 0; i < 4; i++)
		INIT(next[i], 0);
	/* 1 on 2 on 3 */
	W(next[1], 2, RLX);
	W(next[2], 3, RLX);
	W(X, 1, RLX);
}

static uint64_t aba_pop(void)
{
	uint64_t top = R(X, ACQ);

	while (top && !CAS_SEEN(X, top, R(next[top], ACQ), &top, AR, ACQ))
		;
	return top;
}

static void aba_push(uint64_t node)
{
	uint64_t top = R(X, RLX);

	do {
		W(next[node], top, REL);
	} while (!CAS_SEEN(X, top, node, &top, AR, RLX));
}

static void aba_0(void)
{
	r1 = aba_pop();
}

static void aba_1(void)
{
	uint64_t a = aba_pop(), b = aba_pop();

	if (a)
		aba_push(a);
	r2 = b;
}

/* No node may be both on the stack and in the hands of a thread. */
static void aba_after(void)
{
	uint64_t node = R(X, RLX), steps = 0;

	for (; node; node = R(next[node], RLX)) {
		chk_assert(node != r1 && node != r2);
		chk_assert(++steps <= 3);
	}
}

/* The same stack over tracked nodes that are released at once: a late reader touches a released node. */
struct node {
	unsigned value;
	struct node *next;
};

static struct node *top;

static void stack_before(void)
{
	struct node *first = chk_alloc(sizeof(*first)), *second = chk_alloc(sizeof(*second));

	SET(first->value, 1);
	INIT(first->next, NULL);
	SET(second->value, 2);
	INIT(second->next, first);
	INIT(top, second);
}

static void stack_pop(void)
{
	uint64_t seen;
	struct node *node;

	chk_begin(POP, 0);
	seen = R(top, ACQ);
	while (seen && !CAS_SEEN(top, seen, R(((struct node *)(uintptr_t)seen)->next, RLX), &seen, AR, ACQ))
		;
	node = (struct node *)(uintptr_t)seen;
	chk_end(node ? GET(node->value) : 0, 0);
	if (node)
		chk_free(node);
}

/* A pop without compare-and-swap. */
static void stack_pop_blind(void)
{
	struct node *node;

	chk_begin(POP, 0);
	node = (struct node *)(uintptr_t)R(top, SC);
	if (node)
		W(top, R(node->next, SC), SC);
	chk_end(node ? GET(node->value) : 0, 0);
}

static void stack_fill(void)
{
	/* The pushes of stack_before, for the specification. */
	stack_before();
	chk_begin(PUSH, 1);
	chk_end(0, 0);
	chk_begin(PUSH, 2);
	chk_end(0, 0);
}

/* A ring of two for one producer and one consumer. */
static unsigned ring[2];

static void produce(void)
{
	unsigned i;

	for (i = 0; i < 3; i++) {
		if (i - R(X, o1) == 2)
			return;
		SET(ring[i % 2], i + 1);
		W(Y, i + 1, o2);
	}
}

static void consume(void)
{
	unsigned i;

	for (i = 0; i < 2; i++) {
		if (R(Y, o3) == i)
			return;
		chk_assert(GET(ring[i % 2]) == i + 1);
		W(X, i + 1, o4);
	}
}

static const struct program p_count = {.thread = {count, count}, .spec = &counter_spec};
static const struct program p_count_right = {.thread = {count_right, count_right}, .spec = &counter_spec};
static const struct program p_double = {
	.thread = {put_1, take_in_two_steps, take_in_two_steps}, .before = place_init, .spec = &queue_spec};
static const struct program p_newest = {.thread = {put_1_2, take_newest}, .before = place_init, .spec = &queue_spec};
static const struct program p_unfilled = {.thread = {put_1, put_2_take}, .before = place_init, .spec = &queue_spec};
static const struct program p_filled = {.thread = {put_2, take_filled}, .before = place_init, .spec = &queue_spec};
static const struct program p_aba = {.thread = {aba_0, aba_1}, .before = aba_before, .after = aba_after};
static const struct program p_late = {.thread = {stack_pop, stack_pop}, .before = stack_fill, .spec = &stack_spec};
static const struct program p_blind = {
	.thread = {stack_pop_blind, stack_pop_blind}, .before = stack_fill, .spec = &stack_spec};
static const struct program p_ring = {.thread = {produce, consume}};

static const struct wrong tests[] = {
	WRONG("Counter in two steps", "seq_cst", &p_count, ORDERS(RLX), IS_HISTORY, 0),
	RIGHT("Counter", "relaxed", &p_count_right, ORDERS(RLX)),
	WRONG("Queue, taken in two steps", "seq_cst", &p_double, ORDERS(RLX), IS_HISTORY, 0),
	WRONG("Queue, newest first", "release/acquire", &p_newest, ORDERS(RLX), IS_HISTORY, 0),
	WRONG("Queue, place not filled yet", "release/acquire", &p_unfilled, ORDERS(RLX), IS_HISTORY, 0),
	RIGHT("Queue, one put and one take", "release/acquire", &p_filled, ORDERS(RLX)),
	WRONG("ABA", "acq_rel", &p_aba, ORDERS(RLX), IS_ASSERT, 0),
	WRONG("Stack, freed at once", "acq_rel", &p_late, ORDERS(RLX), IS_USE_AFTER_FREE, NO_LEAKS),
	WRONG("Stack, blind pop", "seq_cst", &p_blind, ORDERS(RLX), IS_HISTORY, NO_LEAKS),
	WRONG("Ring", "relaxed tail", &p_ring, ORDERS(ACQ, RLX, ACQ, REL), IS_RACE, 0),
	WRONG("Ring", "relaxed tail read", &p_ring, ORDERS(ACQ, REL, RLX, REL), IS_RACE, 0),
	WRONG("Ring", "relaxed head", &p_ring, ORDERS(ACQ, REL, ACQ, RLX), IS_RACE, 0),
	WRONG("Ring", "relaxed head read", &p_ring, ORDERS(RLX, REL, ACQ, REL), IS_RACE, 0),
	RIGHT("Ring", "release/acquire", &p_ring, ORDERS(ACQ, REL, ACQ, REL)),
};

WRONG_MAIN(tests)
