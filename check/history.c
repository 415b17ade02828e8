/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Linearizability. The history of an execution is its operations with "a ended before b began", read as: the last
 * event of a happens before the beginning of b. It is legal if some total order that extends this makes a run of the
 * sequential specification. Executions often share a history: those judged before are remembered by hash.
 */
#include "internal.h"

#include <stdlib.h>

enum { MAX_OPERATIONS = 31, STATE_BYTES = 512 };

struct record {
	struct chk_operation op;
	struct clock begin; /* what happens before it */
	uint16_t from, end; /* positions of its thread when it began and ended */
	unsigned sequence;
};

static struct {
	struct record records[MAX_OPERATIONS];
	unsigned count;
	uint64_t *judged;
	size_t judged_count, judged_capacity;
} h;

void chki_history_reset(void)
{
	h.count = 0;
}

void chki_history_forget(void)
{
	free(h.judged);
	h.judged = NULL;
	h.judged_count = h.judged_capacity = 0;
}

uint64_t chki_history_count(void)
{
	return h.judged_count;
}

void chk_begin(int kind, uint64_t argument)
{
	struct thread *t = chki_run.current;

	if (!t)
		chki_fail(CHK_MISUSE, "chk_begin outside a scenario");
	if (t->open_operation >= 0)
		chki_fail(CHK_MISUSE, "chk_begin inside an operation");
	if (h.count == MAX_OPERATIONS)
		chki_fail(CHK_MISUSE, "more than %d operations in a history", MAX_OPERATIONS);
	t->open_operation = (int)h.count;
	h.records[h.count] = (struct record){
		.op = {.kind = kind, .argument = argument, .thread = chk_self()},
		.begin = *chki_clock_now(t),
		.from = t->position,
		.sequence = h.count,
	};
	h.count++;
}

void chk_end(uint64_t result0, uint64_t result1)
{
	struct thread *t = chki_run.current;

	if (!t || t->open_operation < 0)
		chki_fail(CHK_MISUSE, "chk_end without chk_begin");
	struct record *r = &h.records[t->open_operation];

	r->op.result[0] = result0;
	r->op.result[1] = result1;
	r->end = t->position;
	t->open_operation = -1;
}

static bool ended_before(const struct record *a, const struct record *b)
{
	if (a->op.thread == b->op.thread)
		return a->sequence < b->sequence;
	/* One without events took place before the next event of its thread. */
	return b->begin.of[a->op.thread] >= a->end + (a->from == a->end);
}

/* Operations that must come before, as a bit set. */
static uint32_t predecessors(unsigned i)
{
	uint32_t set = 0;

	for (unsigned j = 0; j < h.count; j++)
		if (j != i && ended_before(&h.records[j], &h.records[i]))
			set |= 1u << j;
	return set;
}

#define MIX(sum, v) (sum = (sum ^ (uint64_t)(v)) * 0x9E3779B97F4A7C15u, sum ^= sum >> 31)

/*
 * Dead ends of the search, by a hash of the operations done and the state that they led to. Without them the search is
 * exponential in the number of overlapping operations.
 */
enum { VAIN_SLOTS = 1 << 14 };
static uint64_t vain[VAIN_SLOTS];

static uint64_t hash_state(const struct chk_spec *spec, uint32_t done, const unsigned char *state)
{
	uint64_t sum = 0xCBF29CE484222325u;

	/* Mixed in before the state: a bit of it must not make up for one of the state's first byte. */
	MIX(sum, done);
	for (size_t i = 0; i < spec->state_size; i++)
		MIX(sum, state[i]);
	return sum;
}

static bool search(const struct chk_spec *spec, const uint32_t *before, uint32_t done, const void *state)
{
	_Alignas(16) char next[STATE_BYTES];

	if (done == (1u << h.count) - 1)
		return true;
	uint64_t here = hash_state(spec, done, state);

	if (vain[here % VAIN_SLOTS] == here)
		return false;
	for (unsigned i = 0; i < h.count; i++) {
		if (done >> i & 1 || (before[i] & ~done))
			continue;
		memcpy(next, state, spec->state_size);
		if (spec->apply(next, &h.records[i].op) && search(spec, before, done | 1u << i, next))
			return true;
	}
	vain[here % VAIN_SLOTS] = here;
	return false;
}

/* So that equal histories look equal. */
static int by_thread(const void *a, const void *b)
{
	const struct record *x = a, *y = b;

	if (x->op.thread != y->op.thread)
		return x->op.thread < y->op.thread ? -1 : 1;
	return x->sequence < y->sequence ? -1 : x->sequence > y->sequence;
}

static uint64_t hash_history(const uint32_t *before)
{
	uint64_t sum = 0xCBF29CE484222325u;

	for (unsigned i = 0; i < h.count; i++) {
		const struct chk_operation *op = &h.records[i].op;

		MIX(sum, op->kind);
		MIX(sum, op->argument);
		MIX(sum, op->result[0]);
		MIX(sum, op->result[1]);
		MIX(sum, op->thread);
		MIX(sum, before[i]);
	}
	return sum + !sum;
}

static bool grow_judged(void)
{
	size_t capacity = h.judged_capacity ? h.judged_capacity * 2 : 256;
	uint64_t *table = calloc(capacity, sizeof *table);

	if (!table)
		return false;
	for (size_t i = 0; i < h.judged_capacity; i++) {
		size_t at = h.judged[i] & (capacity - 1);

		while (h.judged[i] && table[at])
			at = (at + 1) & (capacity - 1);
		if (h.judged[i])
			table[at] = h.judged[i];
	}
	free(h.judged);
	h.judged = table;
	h.judged_capacity = capacity;
	return true;
}

/* True if it is new. Without memory to remember it, it is judged again. */
static bool remember(uint64_t hash)
{
	if (h.judged_count * 2 >= h.judged_capacity && !grow_judged())
		return true;
	size_t at = hash & (h.judged_capacity - 1);

	for (; h.judged[at]; at = (at + 1) & (h.judged_capacity - 1))
		if (h.judged[at] == hash)
			return false;
	h.judged[at] = hash;
	h.judged_count++;
	return true;
}

static void describe(char *out, size_t size, const struct chk_spec *spec)
{
	size_t used = 0;

	out[0] = 0;
	for (unsigned i = 0; i < h.count && used + 1 < size; i++) {
		char text[64];

		if (spec->print)
			spec->print(text, sizeof text, &h.records[i].op);
		else
			snprintf(text, sizeof text, "%d(%llu)=%llu,%llu", h.records[i].op.kind,
				 (unsigned long long)h.records[i].op.argument,
				 (unsigned long long)h.records[i].op.result[0],
				 (unsigned long long)h.records[i].op.result[1]);
		int n = snprintf(out + used, size - used, "%sT%d %s", i ? "; " : "", h.records[i].op.thread, text);

		used += n > 0 ? (size_t)n : 0;
	}
}

bool chki_history_check(const struct chk_spec *spec)
{
	_Alignas(16) char state[STATE_BYTES];
	uint32_t before[MAX_OPERATIONS];
	char text[200];

	if (spec->state_size > STATE_BYTES) {
		chki_set_failure(CHK_MISUSE, "the specification's state is larger than %d bytes", STATE_BYTES);
		return false;
	}
	qsort(h.records, h.count, sizeof *h.records, by_thread);
	for (unsigned i = 0; i < h.count; i++)
		before[i] = predecessors(i);
	if (!remember(hash_history(before)))
		return true;
	memset(state, 0, sizeof state);
	memset(vain, 0, sizeof vain);
	spec->init(state);
	if (search(spec, before, 0, state))
		return true;
	describe(text, sizeof text, spec);
	chki_set_failure(CHK_HISTORY, "no legal order: %s", text);
	return false;
}
