/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The common scenarios have one owner. Here any number of threads push, pop and steal: every script of two operations
 * for each of three threads, and of three operations for each of two threads. The history must be the history of a FIFO
 * queue, and each pushed item must come out once.
 */
#include "../../check/chk.h"
#include "../../src/deque/deque.h"
#include "../fixtures/deque/check.h"
#include "../fixtures/items_spec.h"

#include <stdlib.h>
#include <string.h>

enum { THREADS_MAX = 3, LENGTH_MAX = 4, ITEMS = THREADS_MAX * LENGTH_MAX };
enum { OP_PUSH = ITEMS_PUSH, OP_TAKE };
enum { PUSHED = 1, TAKEN = 2 };

static struct {
	struct filch_deque *queue;
	char script[THREADS_MAX][LENGTH_MAX + 1];
	/* The data of an item: the pusher writes it before the push, and the taker reads and overwrites it. */
	FILCHI_CELL(unsigned) payload[ITEMS];
} now;

static int take(bool steal)
{
	uintptr_t item = 0;
	int answer;

	chk_begin(OP_TAKE, 0);
	answer = steal ? filch_deque_steal(now.queue, &item) : filch_deque_pop(now.queue, &item);
	chk_assert(answer == FILCH_OK || answer == FILCH_EMPTY);
	chk_end((uint64_t)answer, item);
	if (answer == FILCH_OK) {
		chk_assert(item < ITEMS && filchi_cell_get(&now.payload[item]) == PUSHED);
		filchi_cell_set(&now.payload[item], TAKEN);
	}
	return answer;
}

/*
 * Each thread numbers its own items, so that the numbers do not depend on other threads. They start with 0: states of
 * the specification then differ in hardly a bit, which tests the checker as well.
 */
static void worker(void *arg)
{
	const char *script = arg;
	uintptr_t item = (uintptr_t)(script - now.script[0]) / sizeof(now.script[0]) * LENGTH_MAX;

	for (; *script; script++) {
		if (*script != '+') {
			take(*script == 's');
			continue;
		}
		filchi_cell_set(&now.payload[item], PUSHED);
		chk_begin(OP_PUSH, item);
		chk_assert(filch_deque_push(now.queue, item++) == 0);
		chk_end(0, 0);
	}
}

static void play(void *unused)
{
	const struct filch_deque_options opt = {.struct_size = sizeof(opt), .capacity = 1};
	int threads[THREADS_MAX];
	unsigned n = 0;

	(void)unused;
	for (unsigned i = 0; i < ITEMS; i++)
		filchi_cell_set(&now.payload[i], 0);
	chk_assert(filch_deque_create(&now.queue, "global", &opt) == 0);
	for (; n < THREADS_MAX && now.script[n][0]; n++)
		threads[n] = chk_thread(worker, now.script[n]);
	while (n)
		chk_join(threads[--n]);
	while (take(false) == FILCH_OK)
		;
	for (unsigned i = 0; i < ITEMS; i++)
		chk_assert(filchi_cell_get(&now.payload[i]) != PUSHED);
	filch_deque_destroy(now.queue);
}

/* ---- the specification ---- */

static bool spec_apply(void *state, const struct chk_operation *op)
{
	struct items_state *m = state;

	if (op->kind == OP_PUSH)
		items_push(m, op->argument);
	else if (op->result[0] == FILCH_EMPTY)
		return !m->count;
	else
		return items_remove(m, op->result[1], FILCH_FIFO);
	return true;
}

/* Item 0 is an item here, so that items_print would not print it. */
static void spec_print(char *out, size_t size, const struct chk_operation *op)
{
	if (op->kind == OP_PUSH || op->result[0] == FILCH_EMPTY)
		items_print(out, size, op, "take");
	else
		snprintf(out, size, "take=%u", (unsigned)op->result[1]);
}

static const struct chk_spec spec = {sizeof(struct items_state), items_init, spec_apply, spec_print};

/* ---- running ---- */

static unsigned power(unsigned base, unsigned exponent)
{
	return exponent ? base * power(base, exponent - 1) : 1;
}

/*
 * Runs every combination of scripts of this length for this number of threads. A combination is a number, and its
 * digits are the scripts.
 */
static int run_all(unsigned threads, unsigned length)
{
	unsigned cases = power(3, threads * length);
	uint64_t executions = 0, histories = 0;
	double seconds = 0;

	memset(now.script, 0, sizeof(now.script));
	for (unsigned i = 0; i < cases; i++) {
		const struct chk_config config = {.name = "anyone", .spec = &spec};
		struct chk_result r;

		for (unsigned digit = 0, rest = i; digit < threads * length; digit++, rest /= 3)
			now.script[digit / length][digit % length] = "+-s"[rest % 3];
		r = chk_run(&config, play, NULL);
		executions += r.executions;
		histories += r.histories;
		seconds += r.seconds;
		if (r.verdict != CHK_OK || !r.executions) {
			printf("anyone %s,%s,%s\n%s\n", now.script[0], now.script[1], now.script[2],
			       r.trace ? r.trace : "no execution is complete");
			return 1;
		}
		chk_result_clear(&r);
	}
	printf("global     anyone: %u scripts of %u threads: %llu executions, %llu histories, %.2f s\n", cases, threads,
	       (unsigned long long)executions, (unsigned long long)histories, seconds);
	return 0;
}

/* The kind has no edges: the mutex orders all accesses. */
int main(int argc, char **argv)
{
	static const struct deque_check check = {.kind = "global"};
	bool deep = getenv("FILCH_DEEP") != NULL;

	if (argc == 1 && (run_all(3, 2) || run_all(2, deep ? 4 : 3)))
		return 1;
	return deque_check_main(&check, argc, argv);
}
