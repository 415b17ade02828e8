/* SPDX-License-Identifier: Apache-2.0 */
/* Small lock-free containers over tracked memory, compared with a sequential container. */
#include "../litmus.h"

enum { PUSH, POP };

/* The specification: a stack or a queue of up to eight small numbers; 0 means nothing. */
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
	if (list->count == 8)
		return false;
	list->item[list->count++] = item;
	return true;
}

static bool stack_apply(void *state, const struct chk_operation *op)
{
	struct list *list = state;

	if (op->kind == PUSH)
		return list_push(list, op->argument);
	if (!list->count)
		return !op->result[0];
	return op->result[0] == list->item[--list->count];
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

static void list_print(char *out, size_t size, const struct chk_operation *op)
{
	if (op->kind == PUSH)
		snprintf(out, size, "push %llu", (unsigned long long)op->argument);
	else
		snprintf(out, size, "pop: %llu", (unsigned long long)op->result[0]);
}

static const struct chk_spec stack_spec = {sizeof(struct list), list_init, stack_apply, list_print};
static const struct chk_spec queue_spec = {sizeof(struct list), list_init, queue_apply, list_print};

/* Treiber's stack. Nodes are released only at the end, so that a late reader does no harm. */
struct node {
	unsigned value;
	struct node *next; /* plain: written only before the node is published */
};

static struct node *top, *popped[4];

static void stack_before(void)
{
	memset(popped, 0, sizeof(popped));
	INIT(top, NULL);
}

static void stack_push(unsigned value)
{
	struct node *node = chk_alloc(sizeof(*node));
	uint64_t seen;

	chk_begin(PUSH, value);
	SET(node->value, value);
	seen = R(top, RLX);
	do {
		SET(node->next, (struct node *)(uintptr_t)seen);
	} while (!CAS_SEEN(top, seen, node, &seen, o1, RLX));
	chk_end(0, 0);
}

static unsigned stack_pop(unsigned keep)
{
	uint64_t seen;
	unsigned value = 0;

	chk_begin(POP, 0);
	seen = R(top, o2);
	while (seen && !CAS_SEEN(top, seen, GET(((struct node *)(uintptr_t)seen)->next), &seen, o2, o2))
		;
	if (seen) {
		popped[keep] = (struct node *)(uintptr_t)seen;
		value = GET(popped[keep]->value);
	}
	chk_end(value, 0);
	return value;
}

static void stack_after(void)
{
	struct node *node = (struct node *)(uintptr_t)R(top, RLX), *next;
	unsigned i;

	for (; node; node = next) {
		next = GET(node->next);
		chk_free(node);
	}
	for (i = 0; i < ARRAY_SIZE(popped); i++)
		if (popped[i])
			chk_free(popped[i]);
}

static void push_1(void)
{
	stack_push(1);
}

static void push_2(void)
{
	stack_push(2);
}

static void pop_0(void)
{
	r1 = stack_pop(0);
}

static void pop_1(void)
{
	r2 = stack_pop(1);
}

static void push_push(void)
{
	stack_push(1);
	stack_push(2);
}

static void push_pop(void)
{
	stack_push(1);
	r1 = stack_pop(0);
}

static void push_pop_2(void)
{
	stack_push(2);
	r2 = stack_pop(1);
}

/* A ring of two for one producer and one consumer. */
static unsigned ring[2], head, tail;

static void ring_before(void)
{
	INIT(head, 0);
	INIT(tail, 0);
}

static bool ring_put(unsigned value)
{
	uint64_t at = R(tail, RLX);

	if (at - R(head, o1) == 2)
		return false;
	chk_begin(PUSH, value);
	SET(ring[at % 2], value);
	W(tail, at + 1, o2);
	chk_end(0, 0);
	return true;
}

static unsigned ring_get(void)
{
	uint64_t at = R(head, RLX);
	unsigned value = 0;

	chk_begin(POP, 0);
	if (R(tail, o1) != at) {
		value = GET(ring[at % 2]);
		W(head, at + 1, o2);
	}
	chk_end(value, 0);
	return value;
}

static void produce(void)
{
	r3 = ring_put(1);
	r3 += ring_put(2);
	r3 += ring_put(3);
}

static void consume(void)
{
	r1 = ring_get();
	r2 = ring_get();
}

/* A counter. */
static bool counter_apply(void *state, const struct chk_operation *op)
{
	return op->result[0] == (*(uint64_t *)state)++;
}

static void counter_init(void *state)
{
	*(uint64_t *)state = 0;
}

static void counter_print(char *out, size_t size, const struct chk_operation *op)
{
	snprintf(out, size, "next: %llu", (unsigned long long)op->result[0]);
}

static const struct chk_spec counter_spec = {sizeof(uint64_t), counter_init, counter_apply, counter_print};

static unsigned next(void)
{
	uint64_t value;

	chk_begin(0, 0);
	value = ADD(X, 1, o1);
	chk_end(value, 0);
	return (unsigned)value;
}

static void next_twice_0(void)
{
	r1 = next();
	r2 = next();
}

static void next_twice_1(void)
{
	r3 = next();
	r4 = next();
}

static const struct program pushes_pop = {.thread = {push_1, push_2, pop_0},
					  .before = stack_before,
					  .after = stack_after,
					  .shown = 1,
					  .spec = &stack_spec};
static const struct program pops = {.thread = {push_push, pop_0, pop_1},
				    .before = stack_before,
				    .after = stack_after,
				    .shown = 2,
				    .spec = &stack_spec};
static const struct program push_pops = {.thread = {push_pop, push_pop_2},
					 .before = stack_before,
					 .after = stack_after,
					 .shown = 2,
					 .spec = &stack_spec};
static const struct program rings = {
	.thread = {produce, consume}, .before = ring_before, .shown = 3, .spec = &queue_spec};
static const struct program counter = {.thread = {next_twice_0, next_twice_1}, .shown = 4, .spec = &counter_spec};

static const struct litmus tests[] = {
	ROW("Stack, 2 pushes and a pop", "release, acquire", &pushes_pop, ORDERS(REL, ACQ), FORBIDS("3"), "0 1 2", 20,
	    0),
	ROW("Stack, 2 pushes in a row and 2 pops", "release, acquire", &pops, ORDERS(REL, ACQ), FORBIDS("11"),
	    "00 01 02 10 12 20 21", 41, NO_NAIVE),
	ROW("Stack, 2 push and pop", "release, acquire", &push_pops, ORDERS(REL, ACQ), FORBIDS("11"), "12 21", 40, 0),
	ROW("Ring of two", "release, acquire", &rings, ORDERS(ACQ, REL), FORBIDS("023"), "002 012 013 102 103 122 123",
	    20, NO_NAIVE),
	ROW("Counter", "relaxed", &counter, ORDERS(RLX), FORBIDS("1023"), "0123 0213 0312 1203 1302 2301", 6, 0),
};

LITMUS_MAIN(tests)
