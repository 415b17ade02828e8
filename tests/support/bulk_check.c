/* SPDX-License-Identifier: Apache-2.0 */
#include "bulk_check.h"

#include "../../src/bulk/kinds.h"

#include <stdio.h>
#include <string.h>

enum { MAX_NODES = 15 }; /* four bits for each in the result of a steal */
enum { OP_PUSH, OP_POP, OP_STEAL };

/* What is queued: written before it is pushed, read and freed by whoever takes it. */
struct item {
	FILCHI_CELL(unsigned) id; /* from 1 */
	struct filch_node node;
};

static struct {
	const struct filchi_bulk_kind *kind;
	const struct scenario *scenario;
	struct filch_bulk *queue;
	unsigned pushed;
	/* Of each thread: what it was told by its last steal, how often it stole, and how often it lost. */
	int last[4];
	unsigned stole[4], lost[4];
	FILCHI_CELL(unsigned) taken[MAX_NODES + 1]; /* two who take the same one race, or the second finds it taken */
} now;

/* ---- the operations, recorded ---- */

static unsigned id_of(struct filch_node *node)
{
	return filchi_cell_get(&FILCH_CONTAINER_OF(node, struct item, node)->id);
}

static void took(struct filch_node *node)
{
	unsigned id = id_of(node);

	chk_assert(!filchi_cell_get(&now.taken[id]));
	filchi_cell_set(&now.taken[id], 1);
	chk_free(FILCH_CONTAINER_OF(node, struct item, node));
}

static void push_batch(struct filch_batch *batch, uint64_t ids)
{
	chk_begin(OP_PUSH, ids);
	chk_assert(now.kind->ops.push(now.queue, batch) == 0);
	chk_end(0, 0);
}

static void push(unsigned count, bool marked)
{
	struct filch_batch batch = {0};
	uint64_t ids = 0;

	for (unsigned i = 0; i < count; i++) {
		struct item *item = chk_alloc(sizeof(*item));

		chk_assert(++now.pushed <= MAX_NODES);
		filchi_cell_set(&item->id, now.pushed);
		ids |= (uint64_t)now.pushed << 4 * i;
		filch_batch_add(&batch, &item->node);
	}
	/* The builder is no part of the checked code: tell the checker what it wrote. */
	for (struct filch_node *node = batch.first; node; node = node->next)
		filchi_plain_set(&node->next, node->next);
	if (!marked)
		batch.marks = 0;
	push_batch(&batch, ids);
}

static bool pop(void)
{
	struct filch_node *node = NULL;
	int answer;

	chk_begin(OP_POP, 0);
	answer = now.kind->ops.pop(now.queue, &node);
	chk_assert(answer == FILCH_OK || answer == FILCH_EMPTY);
	chk_end((uint64_t)answer, answer == FILCH_OK ? id_of(node) : 0);
	if (answer == FILCH_OK)
		took(node);
	return answer == FILCH_OK;
}

/* The nodes of a batch that was stolen, four bits each, the first lowest. */
static uint64_t ids_of(const struct filch_batch *batch)
{
	struct filch_node *node = batch->first;
	uint64_t ids = 0;

	chk_assert(batch->count >= 1 && batch->count <= MAX_NODES);
	for (size_t i = 0; i < batch->count; i++) {
		ids |= (uint64_t)id_of(node) << 4 * i;
		chk_assert((node == batch->last) == (i == batch->count - 1));
		node = filchi_plain_get(&node->next);
	}
	chk_assert(!node);
	chk_assert(filchi_batch_sane(batch));
	return ids;
}

static bool steal(double proportion, struct filch_batch *batch)
{
	uint64_t ids = 0;
	int answer;

	chk_begin(OP_STEAL, 0);
	answer = now.kind->ops.steal(now.queue, proportion, batch);
	chk_assert(answer == FILCH_OK || answer == FILCH_EMPTY || answer == FILCH_LOST);
	if (answer == FILCH_OK)
		ids = ids_of(batch);
	chk_end((uint64_t)answer, ids);
	now.last[chk_self()] = answer;
	now.stole[chk_self()] += answer == FILCH_OK;
	now.lost[chk_self()] += answer == FILCH_LOST;
	return answer == FILCH_OK;
}

static void free_all(const struct filch_batch *batch)
{
	struct filch_node *node = batch->first;

	for (size_t i = 0; i < batch->count; i++) {
		struct filch_node *next = filchi_plain_get(&node->next);

		took(node);
		node = next;
	}
}

static void act(const char *script)
{
	for (; *script; script++) {
		struct filch_batch batch;

		if (*script >= '1' && *script <= '9') {
			push((unsigned)(*script - '0'), true);
		} else if (*script == 'u') {
			push(3, false);
		} else if (*script == '-') {
			pop();
		} else if (*script == 'p') {
			now.kind->ops.poll(now.queue);
		} else if (steal(*script == 't' ? 0.1 : *script == 'a' ? 1 : 0.5, &batch)) {
			if (*script == 'r')
				push_batch(&batch, ids_of(&batch));
			else
				free_all(&batch);
		}
	}
}

static void thief(void *script)
{
	act(script);
}

/*
 * Was a thief told EMPTY, and what the owner has shared since, if anything, is still there? With one thief and no pops
 * it is. With several, if there were three nodes of which two were shared at first: once these are stolen, what can be
 * shared is all that there is.
 */
static bool request_stands(unsigned thieves)
{
	const struct scenario *s = now.scenario;
	bool alone = thieves == 1 && !strpbrk(s->owner, "-r"), polls = !s->owner[strspn(s->owner, "p")], told = false;

	for (unsigned i = 1; i <= thieves; i++) {
		bool all_three = !strcmp(s->before, "uhp") || (!strcmp(s->before, "uh") && now.stole[i]);

		told = told || (now.last[i] == FILCH_EMPTY && (alone || (polls && all_three)));
	}
	return told;
}

/* The owner's next call shares. */
static void check_request(unsigned thieves)
{
	struct filch_batch batch;

	if (!request_stands(thieves))
		return;
	now.kind->ops.poll(now.queue);
	if (!now.kind->ops.size(now.queue))
		return;
	chk_assert(steal(1, &batch));
	free_all(&batch);
}

/* Lock-free: one loses to another that stole, or to the owner that shared or took back, once or twice in a call. */
static void check_lost(unsigned thieves)
{
	for (unsigned i = 1; i <= thieves; i++) {
		size_t others = 2 * strlen(now.scenario->owner);

		for (unsigned j = 0; j <= thieves; j++)
			others += j == i ? 0 : now.stole[j];
		chk_assert(now.lost[i] <= others);
	}
}

void bulk_check_play(void *scenario)
{
	const struct scenario *s = now.scenario = scenario;
	struct filchi_bulk_setup setup = {s->size, s->first};
	size_t left;
	int threads[3];
	unsigned n = 0;

	now.pushed = 0;
	memset(now.stole, 0, sizeof(now.stole));
	memset(now.lost, 0, sizeof(now.lost));
	for (unsigned i = 0; i <= MAX_NODES; i++)
		filchi_cell_set(&now.taken[i], 0);
	chk_assert(now.kind->ops.create(&now.queue, &setup) == 0);
	act(s->before);
	for (; n < 3 && s->thief[n]; n++)
		threads[n] = chk_thread(thief, (void *)(uintptr_t)s->thief[n]);
	act(s->owner);
	for (unsigned i = 0; i < n; i++)
		chk_join(threads[i]);
	check_lost(n);
	check_request(n);
	for (left = now.kind->ops.size(now.queue); pop(); left--)
		;
	chk_assert(left == 0);
	for (unsigned i = 1; i <= now.pushed; i++)
		chk_assert(filchi_cell_get(&now.taken[i]));
	now.kind->ops.destroy(now.queue);
}

/* ---- the specification: a list, one operation at a time ---- */

struct model {
	unsigned count;
	unsigned char id[2 * MAX_NODES]; /* the far end first */
};

static void model_init(void *state)
{
	memset(state, 0, sizeof(struct model));
}

static unsigned ids_count(uint64_t ids)
{
	unsigned n = 0;

	while (n < 16 && ids >> 4 * n & 15)
		n++;
	return n;
}

static bool model_steal(struct model *m, uint64_t ids)
{
	unsigned n = ids_count(ids);

	if (n > m->count)
		return false;
	for (unsigned i = 0; i < n; i++)
		if (m->id[n - 1 - i] != (ids >> 4 * i & 15))
			return false;
	m->count -= n;
	memmove(m->id, m->id + n, m->count);
	memset(m->id + m->count, 0, n);
	return true;
}

static bool model_apply(void *state, const struct chk_operation *op)
{
	struct model *m = state;

	if (op->kind == OP_PUSH) {
		for (unsigned i = ids_count(op->argument); i; i--)
			m->id[m->count++] = op->argument >> 4 * (i - 1) & 15;
		return true;
	}
	/* The owner may hold back what it has, from thieves. */
	if (op->result[0] == FILCH_EMPTY)
		return !m->count || op->kind == OP_STEAL;
	if (op->result[0] == FILCH_LOST)
		return true;
	if (op->kind == OP_STEAL)
		return model_steal(m, op->result[1]);
	if (!m->count || m->id[m->count - 1] != op->result[1])
		return false;
	m->id[--m->count] = 0;
	return true;
}

static void model_print(char *out, size_t size, const struct chk_operation *op)
{
	static const char *const names[] = {"push", "pop", "steal"};
	static const char *const answers[] = {"", "EMPTY", "LOST"};
	uint64_t ids = op->kind == OP_PUSH ? op->argument : op->result[1];
	int used = snprintf(out, size, "%s=%s", names[op->kind], answers[op->result[0]]);

	for (; ids && used > 0 && (size_t)used < size; ids >>= 4)
		used += snprintf(out + used, size - (size_t)used, "%u%s", (unsigned)(ids & 15), ids >> 4 ? "," : "");
}

const struct chk_spec bulk_check_spec = {sizeof(struct model), model_init, model_apply, model_print};

/* ---- */

bool bulk_check_kind(const char *kind)
{
	now.kind = filchi_bulk_find(kind);
	return now.kind;
}
