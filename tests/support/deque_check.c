/* SPDX-License-Identifier: Apache-2.0 */
#include "deque_check.h"

#include "../../src/deque/deque.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { MAX_ITEMS = 12 };
enum { OP_PUSH, OP_POP, OP_STEAL, OP_STEAL_MANY };
enum { MANY = 3 }; /* at most so many in one step */

/* What the running scenario works on. */
static struct {
	const struct filchi_deque_kind *kind;
	const struct scenario *scenario;
	struct filch_deque *deque;
	unsigned pushed;
	size_t block_size; /* if it is made of blocks */
	bool found_empty;  /* by the owner's last pop */
	/* Of each thread: what it was told last (a thief, by its steal), how often it stole, and how often it lost. */
	int last[4];
	unsigned stole[4], lost[4];
	/* What an item stands for: written before it is pushed, read and written again by whoever takes it. */
	FILCHI_CELL(unsigned) payload[MAX_ITEMS + 1];
} now;

enum { PUSHED = 1, TAKEN = 2 };

/* Over all executions: a deque that never lets anyone steal would pass everything else. */
static uint64_t stolen_by_thieves;

/* ---- the operations, recorded ---- */

/* Items are numbered from 1. Two who take the same one race, or the second finds it taken. */
static void check_item(uintptr_t item)
{
	chk_assert(filchi_cell_get(&now.payload[item]) == PUSHED);
	filchi_cell_set(&now.payload[item], TAKEN);
}

static void push(void)
{
	uintptr_t item = ++now.pushed;
	int err;

	filchi_cell_set(&now.payload[item], PUSHED);
	chk_begin(OP_PUSH, item);
	err = now.kind->ops.push(now.deque, item);
	/* A queue is not empty and full at once. */
	chk_assert(err == 0 || (err == -ENOBUFS && now.kind->info.bounded && !now.found_empty));
	chk_end(err != 0, 0);
	if (err)
		filchi_cell_set(&now.payload[item], TAKEN);
	now.found_empty = false;
}

static int take(int kind)
{
	uintptr_t items[MANY] = {0};
	size_t taken = 1;
	uint64_t packed = 0;
	int answer;

	chk_begin(kind, 0);
	if (kind == OP_STEAL_MANY)
		answer = filch_deque_steal_many(now.deque, items, MANY, &taken);
	else
		answer = (kind == OP_POP ? now.kind->ops.pop : now.kind->ops.steal)(now.deque, items);
	chk_assert(answer == FILCH_OK || answer == FILCH_EMPTY || (answer == FILCH_LOST && kind != OP_POP));
	chk_assert(taken >= 1 && taken <= MANY);
	for (size_t i = 0; i < taken && answer == FILCH_OK; i++) {
		chk_assert(items[i] >= 1 && items[i] <= MAX_ITEMS);
		packed |= (uint64_t)items[i] << i * 8;
	}
	chk_end((uint64_t)answer, packed);
	now.last[chk_self()] = answer;
	now.stole[chk_self()] += kind != OP_POP && answer == FILCH_OK;
	now.lost[chk_self()] += answer == FILCH_LOST;
	stolen_by_thieves += kind != OP_POP && answer == FILCH_OK && chk_self() != 0;
	if (kind == OP_POP)
		now.found_empty = answer == FILCH_EMPTY;
	for (size_t i = 0; i < taken && answer == FILCH_OK; i++)
		check_item(items[i]);
	return answer;
}

static void act(const char *script)
{
	for (; *script; script++) {
		if (*script == '+')
			push();
		else if (*script == 'p')
			filch_deque_poll(now.deque);
		else
			take(*script == '-' ? OP_POP : *script == 's' ? OP_STEAL : OP_STEAL_MANY);
	}
}

static void thief(void *script)
{
	act(script);
}

/* A thief was told EMPTY last, and what the owner has shared since is still there: the owner's next call shares. */
static void check_request(unsigned thieves)
{
	bool told_empty = false, still_there = thieves == 1 && !strchr(now.scenario->owner, '-');

	for (unsigned i = 1; i <= thieves; i++)
		told_empty = told_empty || now.last[i] == FILCH_EMPTY;
	if (!now.kind->info.on_request || !told_empty || !(still_there || !now.scenario->owner[0]))
		return;
	filch_deque_poll(now.deque);
	chk_assert(!now.kind->ops.size(now.deque) || take(OP_STEAL) == FILCH_OK);
}

/*
 * Lock-free: who loses does so because something was stolen, or the owner did something. Either costs it two attempts
 * at most: in bwos_lifo a steal has a block to move on, and then the tail.
 */
static void check_lost(unsigned thieves)
{
	size_t done = strlen(now.scenario->owner);

	for (unsigned i = 1; i <= thieves; i++)
		done += now.stole[i];
	for (unsigned i = 1; i <= thieves; i++)
		chk_assert(now.lost[i] <= 2 * done);
}

void deque_check_play(void *scenario)
{
	const struct scenario *s = now.scenario = scenario;
	size_t block_size = s->before[0] > '0' && s->before[0] <= '9' ? (size_t)(s->before[0] - '0') : 0;
	struct filchi_deque_setup setup = {s->size, now.kind->info.bounded ? s->size : 8, s->first, block_size};
	size_t left;
	int threads[3];
	unsigned n = 0;

	now.pushed = 0;
	now.found_empty = false;
	now.block_size = block_size ? block_size : 1;
	memset(now.stole, 0, sizeof(now.stole));
	memset(now.lost, 0, sizeof(now.lost));
	for (unsigned i = 0; i <= MAX_ITEMS; i++)
		filchi_cell_set(&now.payload[i], 0);
	chk_assert(now.kind->ops.create(&now.deque, &setup) == 0);
	act(s->before + (block_size != 0));
	for (; n < 3 && s->thief[n]; n++)
		threads[n] = chk_thread(thief, (void *)(uintptr_t)s->thief[n]);
	act(s->owner);
	for (unsigned i = 0; i < n; i++)
		chk_join(threads[i]);
	check_lost(n);
	check_request(n);
	for (left = now.kind->ops.size(now.deque); take(OP_POP) == FILCH_OK; left--)
		;
	chk_assert(left == 0);
	for (unsigned i = 1; i <= now.pushed; i++)
		chk_assert(filchi_cell_get(&now.payload[i]) == TAKEN);
	now.kind->ops.destroy(now.deque);
}

/* ---- the specification: a deque, one operation at a time ---- */

struct model {
	unsigned count, pushes;
	unsigned item[MAX_ITEMS]; /* oldest first */
};

static void model_init(void *state)
{
	memset(state, 0, sizeof(struct model));
}

static bool model_remove(struct model *m, unsigned item, enum filch_order order)
{
	unsigned at = order == FILCH_LIFO ? m->count - 1 : 0;

	if (!m->count)
		return false;
	while (order == FILCH_UNORDERED && at < m->count && m->item[at] != item)
		at++;
	if (at == m->count || m->item[at] != item)
		return false;
	m->count--;
	memmove(&m->item[at], &m->item[at + 1], (m->count - at) * sizeof(m->item[0]));
	m->item[m->count] = 0;
	return true;
}

/* A full deque may refuse, but not before it has been filled once. */
static bool model_push(struct model *m, const struct chk_operation *op)
{
	if (op->result[0])
		return m->pushes >= now.scenario->size;
	m->item[m->count++] = (unsigned)op->argument;
	m->pushes++;
	return true;
}

static bool model_apply(void *state, const struct chk_operation *op)
{
	const struct filch_deque_info *info = &now.kind->info;
	struct model *m = state;

	if (op->kind == OP_PUSH)
		return model_push(m, op);
	if (op->result[0] == FILCH_LOST)
		return info->loses;
	/* What is held back is the owner's: of a kind made of blocks, no more than one of them. */
	if (op->result[0] == FILCH_EMPTY)
		return !m->count ||
		       (op->kind != OP_POP && info->holds_back && (!info->blocks || m->count <= now.block_size));
	for (uint64_t items = op->result[1]; items; items >>= 8)
		if (!model_remove(m, items & 0xFF, op->kind == OP_POP ? info->owner_order : info->steal_order))
			return false;
	return true;
}

static void model_print(char *out, size_t size, const struct chk_operation *op)
{
	static const char *const names[] = {"push", "pop", "steal", "steal_many"};
	static const char *const answers[] = {"", "EMPTY", "LOST"};
	int used;

	if (op->kind == OP_PUSH) {
		snprintf(out, size, "push(%u)%s", (unsigned)op->argument, op->result[0] ? "=refused" : "");
		return;
	}
	used = snprintf(out, size, "%s=%s", names[op->kind], answers[op->result[0]]);
	for (uint64_t items = op->result[1]; items && used > 0 && (size_t)used < size; items >>= 8)
		used += snprintf(out + used, size - (size_t)used, "%s%u", items == op->result[1] ? "" : ",",
				 (unsigned)(items & 0xFF));
}

const struct chk_spec deque_check_spec = {sizeof(struct model), model_init, model_apply, model_print};

/* ---- */

bool deque_check_kind(const char *kind)
{
	now.kind = filchi_deque_find(kind);
	return now.kind;
}

const char *deque_check_fault(void)
{
	return stolen_by_thieves ? NULL : "no thief ever got anything";
}
