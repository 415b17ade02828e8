/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Each worker has its own queue, as in the paper. A worker continues with one of the discovered nodes, as with the
 * other runtimes, and pushes the others in one operation. A worker without nodes takes half of the queue of another
 * worker, which it finds in the order of their numbers.
 *
 * With --deque the queues are deques of that kind, and nodes are pushed and stolen one by one. With chase_lev this is
 * the comparison of the paper.
 */
#include "dag.h"

#include <filch.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#define SLAB 1000

struct item {
	struct filch_node node;
	uint32_t number;
};

struct slab {
	struct slab *next;
	struct item items[SLAB];
};

struct worker {
	_Alignas(128) unsigned id;
	struct filch_bulk *bulk; /* one of the two is used */
	struct filch_deque *deque;
	struct filch_node *unused; /* items that are in no queue */
	struct slab *slabs;
	struct filchi_dag_count count;
};

/*
 * A worker is active from before a steal until it finds its own queue empty. Nodes are in queues of active workers,
 * or are being visited by them. Without active workers there are no nodes.
 */
struct search {
	const struct filchi_dag *dag;
	unsigned workers;
	unsigned started, active;
	struct worker worker[];
};

/* ---- nodes of a bulk queue: the worker that takes a node owns it ---- */

static struct item *new_item(struct worker *w)
{
	struct filch_node *node = w->unused;
	struct slab *slab;

	if (!node) {
		slab = malloc(sizeof(*slab));
		if (!slab)
			return NULL;
		slab->next = w->slabs;
		w->slabs = slab;
		for (unsigned i = 0; i < SLAB; i++) {
			slab->items[i].node.next = node;
			node = &slab->items[i].node;
		}
	}
	w->unused = node->next;
	return FILCH_CONTAINER_OF(node, struct item, node);
}

static uint32_t drop_item(struct worker *w, struct filch_node *node)
{
	node->next = w->unused;
	w->unused = node;
	return FILCH_CONTAINER_OF(node, struct item, node)->number;
}

/* ---- queues ---- */

static inline void visit(struct search *s, struct worker *w, uint32_t node, bool bulk);

/* The successors of a node are pushed, and stolen, as one piece. A node without memory is visited at once. */
static inline void push_all(struct search *s, struct worker *w, const uint32_t *found, unsigned count)
{
	struct filch_batch batch;

	filch_batch_init(&batch);
	for (unsigned i = 0; i < count; i++) {
		struct item *item = new_item(w);

		if (!item) {
			visit(s, w, found[i], true);
			continue;
		}
		item->number = found[i];
		item->node.next = batch.first;
		batch.first = &item->node;
		if (!batch.count++)
			batch.last = batch.first;
	}
	filch_bulk_push(w->bulk, &batch);
}

static inline void put(struct search *s, struct worker *w, const uint32_t *found, unsigned count, bool bulk)
{
	if (bulk) {
		push_all(s, w, found, count);
		return;
	}
	for (unsigned i = 0; i < count; i++)
		if (filch_deque_push(w->deque, found[i]))
			visit(s, w, found[i], false); /* no room */
}

static inline bool take(struct worker *w, uint32_t *number, bool bulk)
{
	struct filch_node *node;
	uintptr_t item;

	if (bulk ? filch_bulk_pop(w->bulk, &node) : filch_deque_pop(w->deque, &item))
		return false;
	*number = bulk ? drop_item(w, node) : (uint32_t)item;
	return true;
}

static bool steal(struct search *s, struct worker *w, struct worker *victim)
{
	struct filch_batch batch;
	uintptr_t item;
	uint32_t node;

	if (w->bulk)
		return filch_bulk_steal(victim->bulk, 0.5, &batch) == FILCH_OK && !filch_bulk_push(w->bulk, &batch);
	if (filch_deque_steal(victim->deque, &item) != FILCH_OK)
		return false;
	node = (uint32_t)item;
	put(s, w, &node, 1, false);
	return true;
}

static size_t size(const struct worker *w)
{
	return w->bulk ? filch_bulk_size(w->bulk) : filch_deque_size(w->deque);
}

/* ---- the search ---- */

/* Continues with one of the discovered nodes. */
static inline void visit(struct search *s, struct worker *w, uint32_t node, bool bulk)
{
	uint32_t found[FILCHI_DAG_SUCCESSORS];
	unsigned n;

	while ((n = filchi_dag_visit(s->dag, node, true, &w->count, found))) {
		if (n > 1)
			put(s, w, found, n - 1, bulk);
		node = found[n - 1];
	}
}

/* Visits nodes until the own queue is empty. No other worker pushes to it. */
static void work_off(struct search *s, struct worker *w)
{
	uint32_t node;

	if (w->bulk)
		while (take(w, &node, true))
			visit(s, w, node, true);
	else
		while (take(w, &node, false))
			visit(s, w, node, false);
	__atomic_fetch_sub(&s->active, 1, __ATOMIC_ACQ_REL);
}

/* Returns the next worker after w, in order of numbers, whose queue may have nodes; NULL: the search is complete. */
static struct worker *find_victim(struct search *s, const struct worker *w)
{
	while (__atomic_load_n(&s->active, __ATOMIC_ACQUIRE)) {
		for (unsigned i = 1; i < s->workers; i++) {
			struct worker *victim = &s->worker[(w->id + i) % s->workers];

			if (size(victim))
				return victim;
		}
		sched_yield();
	}
	return NULL;
}

/* The first worker has the root, and was active before. */
static int explore(void *argument, void **result)
{
	struct search *s = argument;
	struct worker *w = &s->worker[__atomic_fetch_add(&s->started, 1, __ATOMIC_RELAXED)], *victim;

	(void)result;
	if (!w->id)
		work_off(s, w);
	while ((victim = find_victim(s, w))) {
		__atomic_fetch_add(&s->active, 1, __ATOMIC_ACQ_REL);
		if (!steal(s, w, victim))
			sched_yield();
		work_off(s, w);
	}
	return 0;
}

static int create(struct search *s, const struct filchi_dag *dag, unsigned workers)
{
	const char *deque = filchi_runtime_deque();
	int err = 0;

	memset(s, 0, sizeof(*s) + workers * sizeof(s->worker[0]));
	s->dag = dag;
	s->workers = workers;
	s->active = 1;
	for (unsigned i = 0; i < workers && !err; i++) {
		s->worker[i].id = i;
		err = deque ? filch_deque_create(&s->worker[i].deque, deque, NULL)
			    : filch_bulk_create(&s->worker[i].bulk, NULL, NULL);
	}
	return err;
}

/* Returns the sum of all counts. */
static struct filchi_dag_count destroy(struct search *s)
{
	struct filchi_dag_count count = {0, 0};

	for (unsigned i = 0; i < s->workers; i++) {
		struct worker *w = &s->worker[i];

		filchi_dag_add(&count, w->count);
		filch_bulk_destroy(w->bulk);
		filch_deque_destroy(w->deque);
		for (struct slab *slab = w->slabs, *next; slab; slab = next) {
			next = slab->next;
			free(slab);
		}
	}
	free(s);
	return count;
}

/* Runs one job per worker in a group. If a call fails, the answer is wrong. */
struct filchi_dag_count filchi_dag(const struct filchi_dag *dag)
{
	const uint32_t root = 0;
	unsigned workers = filch_pool_workers(NULL);
	struct search *s = aligned_alloc(_Alignof(struct search), sizeof(*s) + workers * sizeof(s->worker[0]));
	struct filch_group *group = NULL;

	if (!s)
		return (struct filchi_dag_count){0, 0};
	if (!create(s, dag, workers) && !filch_group_create(&group, NULL)) {
		put(s, &s->worker[0], &root, 1, s->worker[0].bulk);
		for (unsigned i = 0; i < workers; i++)
			filch_group_submit(group, explore, s);
		filch_group_destroy(group);
	}
	return destroy(s);
}
