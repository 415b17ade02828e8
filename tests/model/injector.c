/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The injector under the checker: each item comes out once, the oldest first, and the taker sees the writes before the
 * push. Each segment is freed when no thread uses it any more, and not before.
 *
 * A scenario is a script for each thread: '+' push the next item, 't' take, 'm' take several. Segments have one to
 * three slots, so that a scenario reaches each state of a segment.
 */
#include "../../src/inject/injector.h"
#include "../fixtures/check_main.h"
#include "../fixtures/items_spec.h"

#include <errno.h>
#include <string.h>

enum { MAX_ITEMS = 12, MAX_THREADS = 4, MANY = 3 };
enum { OP_PUSH = ITEMS_PUSH, OP_TAKE };

struct scenario {
	const char *name;   /* NULL: a systematic scenario */
	uint32_t size;	    /* of a segment */
	const char *before; /* by one thread, alone */
	const char *thread[MAX_THREADS];
	bool no_memory; /* the first thread cannot allocate at first */
	bool deep;	/* only in a deep run */
};

static const struct scenario named[] = {
	{"publish", 2, "", {"+", "t"}, false, false},
	{"late_pusher", 2, "", {"+", "tt"}, false, false},
	{"late_pusher_many", 3, "", {"+", "+", "m"}, false, false},
	{"last_item", 2, "+", {"t", "t"}, false, false},
	{"stampede", 2, "++", {"t", "t", "t"}, false, false},
	{"empty_again", 2, "+t", {"+t", "t"}, false, false},
	{"append", 1, "", {"+", "+"}, false, false},
	{"append_2", 2, "+", {"++", "+"}, false, false},
	{"append_3", 1, "", {"+", "+", "+"}, false, false},
	{"hand_over", 1, "+", {"+", "t", "t"}, false, false},
	{"hand_over_2", 2, "++", {"+", "tt", "t"}, false, false},
	{"hand_over_many", 2, "++", {"+", "m", "m"}, false, false},
	{"take_many", 3, "++", {"+", "m", "t"}, false, false},
	{"take_many_2", 3, "+++", {"m", "m"}, false, false},
	{"recycle", 1, "+t+t", {"+t", "t"}, false, false},
	{"recycle_1", 1, "+t+t", {"+t", "+"}, false, false},
	{"recycle_2", 1, "++tt", {"++", "tt"}, false, false},
	{"recycle_both", 1, "+", {"+t", "+t"}, false, false},
	{"recycle_3", 1, "+++ttt", {"+", "+", "t"}, false, false},
	{"no_memory", 1, "", {"++", "+"}, true, false},
	{"no_memory_take", 1, "+", {"+", "tt"}, true, false},
	{"no_memory_2", 1, "+", {"++", "+", "t"}, true, false},
	{"no_memory_recycle", 1, "+", {"+", "+tt+"}, true, false},
	{"no_memory_free", 1, "++t", {"+", "+tt"}, true, false},
	{"no_loss_no_double", 1, "+", {"+t", "t+"}, false, false},
	{"no_loss_no_double_2", 2, "+", {"+t", "+t", "t"}, false, false},
	{"no_loss_no_double_3", 2, "++", {"+t+", "tt"}, false, false},
	{"no_loss_no_double_4", 2, "++", {"++t", "mm"}, false, false},
	{"two_and_two", 2, "", {"+", "+", "t", "t"}, false, false},
	{"two_and_two_1", 1, "", {"+", "+", "t", "t"}, false, true},
	{"two_and_two_many", 2, "", {"+", "+", "m", "m"}, false, true},
	{"recycle_deep", 1, "+t+t", {"+t", "+t"}, false, true},
	{0},
};

/* Too large to exhaust. */
static const struct scenario large[] = {
	{"random_walks", 2, "+", {"++t", "+t+", "tmt", "ttt"}, false, false},
	{"random_walks_1", 1, "+", {"+t+", "+m+", "tt", "tt"}, false, false},
};

static const char *const befores[] = {"", "+", "++", "+t"};
static const char *const scripts[][3] = {
	{"+", "t"},	 {"+", "m"},	  {"++", "t"},	   /**/
	{"+", "tt"},	 {"++", "m"},	  {"+t", "t"},	   /**/
	{"+t", "+"},	 {"t+", "+"},	  {"+t", "+t"},	   /**/
	{"t+", "t"},	 {"+", "+", "t"}, {"+", "t", "t"}, /* and in a deep run: */
	{"+", "+", "m"}, {"+", "m", "m"}, {"++", "tt"},	   {"++", "+t"}, {"+t", "+", "t"}, {"++t", "t"}, {"m+", "m+"},
};

/* The state of the running scenario. */
static struct {
	const struct scenario *scenario;
	struct filchi_injector queue;
	unsigned pushed[MAX_THREADS + 1];
	/* The data of an item: the pusher writes it before the push, and the taker reads and overwrites it. */
	FILCHI_CELL(unsigned) payload[MAX_ITEMS + 1];
} now;

enum { PUSHED = 1, TAKEN = 2 };

/* ---- the operations, recorded ---- */

/* Items are numbered from 1. The items of each thread begin at its start number. */
static void push(unsigned thread)
{
	uintptr_t item = ++now.pushed[thread];
	int err;

	filchi_cell_set(&now.payload[item], PUSHED);
	chk_begin(OP_PUSH, item);
	err = filchi_injector_push(&now.queue, item);
	chk_assert(err == 0 || (err == -ENOMEM && now.scenario->no_memory));
	chk_end(err != 0, 0);
	if (err)
		filchi_cell_set(&now.payload[item], TAKEN);
}

static int take(bool many)
{
	uintptr_t items[MANY] = {0};
	size_t taken = 1;
	uint64_t packed = 0;
	int answer;

	chk_begin(OP_TAKE, 0);
	if (many)
		answer = filchi_injector_take_many(&now.queue, items, MANY, &taken);
	else
		answer = filchi_injector_take(&now.queue, items);
	chk_assert(answer == FILCH_OK || answer == FILCH_EMPTY || answer == FILCH_LOST);
	if (answer != FILCH_OK)
		taken = 0;
	chk_assert(taken <= MANY);
	for (size_t i = 0; i < taken; i++) {
		chk_assert(items[i] >= 1 && items[i] <= MAX_ITEMS);
		packed |= (uint64_t)items[i] << i * 8;
	}
	chk_end((uint64_t)answer, packed);
	for (size_t i = 0; i < taken; i++) {
		chk_assert(filchi_cell_get(&now.payload[items[i]]) == PUSHED);
		filchi_cell_set(&now.payload[items[i]], TAKEN);
	}
	return answer;
}

static void act(unsigned thread, const char *script)
{
	for (; *script; script++) {
		if (*script == '+')
			push(thread);
		else
			take(*script == 'm');
	}
}

static void worker(void *number)
{
	unsigned thread = (unsigned)(uintptr_t)number;

	/* The third allocation of a thread fails. */
	for (unsigned i = 0; i < 2 && thread == 1 && now.scenario->no_memory; i++)
		chk_free(chk_alloc(1));
	act(thread, now.scenario->thread[thread - 1]);
}

static unsigned pushes_of(const char *script)
{
	unsigned n = 0;

	for (; *script; script++)
		n += *script == '+';
	return n;
}

static void play(void *scenario)
{
	const struct scenario *s = now.scenario = scenario;
	unsigned items = pushes_of(s->before), threads = 0;
	int id[MAX_THREADS];

	for (unsigned i = 0; i <= MAX_ITEMS; i++)
		filchi_cell_set(&now.payload[i], 0);
	chk_assert(filchi_injector_init(&now.queue, s->size) == 0);
	now.pushed[0] = 0;
	act(0, s->before);
	for (; threads < MAX_THREADS && s->thread[threads]; threads++) {
		now.pushed[threads + 1] = items;
		items += pushes_of(s->thread[threads]);
	}
	for (unsigned i = 0; i < threads; i++)
		id[i] = chk_thread(worker, (void *)(uintptr_t)(i + 1));
	for (unsigned i = 0; i < threads; i++)
		chk_join(id[i]);
	for (size_t left = filchi_injector_size(&now.queue); left; left--)
		chk_assert(take(false) == FILCH_OK);
	chk_assert(take(false) == FILCH_EMPTY);
	for (unsigned i = 1; i <= items; i++)
		chk_assert(filchi_cell_get(&now.payload[i]) == TAKEN);
	filchi_injector_fini(&now.queue);
}

/* ---- the specification: a queue, one operation at a time ---- */

static bool spec_apply(void *state, const struct chk_operation *op)
{
	struct items_state *m = state;

	if (op->kind == OP_PUSH) {
		if (!op->result[0])
			items_push(m, op->argument);
		return true;
	}
	if (op->result[0] == FILCH_LOST)
		return true;
	if (op->result[0] == FILCH_EMPTY)
		return !m->count;
	return items_remove_all(m, op->result[1], FILCH_FIFO);
}

static void spec_print(char *out, size_t size, const struct chk_operation *op)
{
	items_print(out, size, op, "take");
}

static const struct chk_spec spec = {sizeof(struct items_state), items_init, spec_apply, spec_print};

/* ---- running ---- */

static bool call_for(const struct scenario *s, const char *name, check_call *call, void *context)
{
	const struct check_scenario scenario = {.name = name,
						.play = play,
						.arg = s,
						.deep = s->deep,
						.systematic = !s->name,
						.walks = s >= large && s < large + 2,
						.fail_alloc = s->no_memory ? 4 : 0};

	return call(&scenario, context);
}

/* Runs the named scenarios, then each start with each set of scripts, at each size. */
static bool each(const void *unused, bool deep, check_call *call, void *context)
{
	unsigned sets = deep ? sizeof(scripts) / sizeof(scripts[0]) : 12;

	(void)unused;
	for (const struct scenario *s = named; s->name; s++)
		if (!call_for(s, s->name, call, context))
			return false;
	for (unsigned i = 0; i < 3 * 4 * sets; i++) {
		const char *const *set = scripts[i / 12];
		struct scenario s = {.size = 1 + i % 3, .before = befores[i / 3 % 4]};
		char name[64];

		memcpy(s.thread, set, sizeof(scripts[0]));
		snprintf(name, sizeof(name), "%u:%s|%s,%s%s%s", s.size, s.before, set[0], set[1], set[2] ? "," : "",
			 set[2] ? set[2] : "");
		if (!call_for(&s, name, call, context))
			return false;
	}
	return call_for(&large[0], large[0].name, call, context) && call_for(&large[1], large[1].name, call, context);
}

int main(int argc, char **argv)
{
	static const struct check_program program = {
		.mutants = {.name = "injector", .file = "/injector.c", .prefix = "filchi_injector_"},
		.each = each,
		.spec = &spec,
		.walks = 20000,
		.walks_deep = 1000000,
	};

	return check_main(&program, argc, argv);
}
