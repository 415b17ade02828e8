/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A coordinator: the books of its children. The root and the coordinators of groups balance by the same code. A group
 * is a child of the root, and does for the root what a rank does for its coordinator.
 */
#include "ranks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { FAN = 4, LOOKS = 256, CHANGE = 4, SKIPS = 16 };

struct filchi_ranks_hub *filchi_ranks_hub_create(struct filchi_ranks *r, uint32_t level)
{
	struct filchi_ranks_hub *h = calloc(1, sizeof(*h));
	int group = r->config.group;

	if (!h)
		return NULL;
	h->ranks = r;
	h->level = level;
	h->first = level == FILCHI_RANKS_GROUP ? r->rank : 0;
	h->stride = group && level == FILCHI_RANKS_ROOT ? group : 1;
	h->count = h->stride > 1 ? (r->ranks + group - 1) / group : group ? group : r->ranks;
	if (h->first + h->count > r->ranks && h->stride == 1)
		h->count = r->ranks - h->first;
	h->ask_room = h->stride > 1 ? r->ranks : h->count;
	h->child = calloc((size_t)h->count, sizeof(*h->child));
	h->ask = calloc((size_t)h->ask_room, sizeof(*h->ask));
	if (!h->child || !h->ask) {
		filchi_ranks_hub_destroy(h);
		return NULL;
	}
	for (int i = 0; i < h->count; i++)
		h->child[i].rank = h->first + i * h->stride;
	h->active = h->count;
	h->up_load = UINT64_MAX;
	filchi_ranks_victim_init(h);
	return h;
}

void filchi_ranks_hub_destroy(struct filchi_ranks_hub *h)
{
	if (!h)
		return;
	free(h->child);
	free(h->ask);
	free(h);
}

uint64_t filchi_ranks_hub_bound(const struct filchi_ranks_hub *h)
{
	uint64_t bound = FILCHI_RANKS_NO_KEY;

	for (int i = 0; i < h->count; i++)
		bound = h->child[i].bound < bound ? h->child[i].bound : bound;
	return bound;
}

/* ---- a group tells the root ---- */

static bool is_idle(const struct filchi_ranks_hub *h)
{
	return !h->active && !h->under_way;
}

static struct filchi_ranks_message state(struct filchi_ranks_hub *h, uint32_t kind, int who)
{
	struct filchi_ranks_message m = {.kind = kind, .level = FILCHI_RANKS_ROOT, .who = who, .idle = is_idle(h)};

	uint64_t most = 0;

	for (int i = 0; i < h->count; i++) {
		const struct filchi_ranks_child *c = &h->child[i];

		m.load += c->bucket >= 0 ? c->load : 0; /* what can be given */
		m.explored += c->explored;
		m.pruned += c->pruned;
		if (c->load > most) {
			most = c->load;
			m.affinity = c->affinity;
		}
	}
	m.bound = filchi_ranks_hub_bound(h);
	return m;
}

static void to_root(struct filchi_ranks_hub *h, const struct filchi_ranks_message *m)
{
	h->up_idle = m->idle;
	h->up_load = m->load;
	h->up_ns = h->ranks->now;
	filchi_ranks_post(h->ranks, 0, m, NULL, 0);
}

static void report(struct filchi_ranks_hub *h)
{
	const struct filchi_ranks_config *c = &h->ranks->config;
	struct filchi_ranks_message m;
	uint64_t change;

	if (is_idle(h) == h->up_idle && h->ranks->now - h->up_ns < c->report_ns)
		return;
	m = state(h, FILCHI_RANKS_REPORT, h->first);
	change = m.load > h->up_load ? m.load - h->up_load : h->up_load - m.load;
	if ((bool)m.idle != h->up_idle || change > h->up_load / CHANGE || (m.load < 2) != (h->up_load < 2) ||
	    h->ranks->now - h->up_ns >= c->heartbeat_ns)
		to_root(h, &m);
}

/* ---- orders ---- */

static void order(struct filchi_ranks_hub *h, int victim, int asker, double proportion)
{
	struct filchi_ranks_child *v = &h->child[victim], *a = &h->child[(asker - h->first) / h->stride];
	struct filchi_ranks_message m = {.kind = FILCHI_RANKS_GIVE,
					 .level = h->stride > 1 ? FILCHI_RANKS_GROUP : FILCHI_RANKS_MEMBER,
					 .who = asker,
					 .orderer = h->level,
					 .victim = v->rank,
					 .proportion = proportion};

	h->under_way++;
	v->giving++;
	a->getting++;
	a->giver = victim;
	a->bound = v->bound < a->bound ? v->bound : a->bound;
	filchi_ranks_victim_set(h, victim, v->load - (uint64_t)((double)v->load * proportion));
	filchi_ranks_post(h->ranks, v->rank, &m, NULL, 0);
}

static void enqueue(struct filchi_ranks_hub *h, int asker)
{
	if (h->asks == h->ask_room) {
		h->ranks->broken = -EPROTO; /* a rank asks twice */
		return;
	}
	h->ask[(h->ask_first + h->asks++) % h->ask_room] = asker;
}

/*
 * A rank asks before it has run dry. If it has made nodes of its own since, the ask goes to the end of the queue: nodes
 * would only go to and fro. A group that asks for one of its ranks has this ask no more, so the root must serve it.
 */
static bool has_enough(const struct filchi_ranks_hub *h, int asker, int victim)
{
	return h->stride == 1 && h->child[asker - h->first].load >= h->child[victim].load / 2;
}

/* No child has nodes to give. A group passes the ask on to the root, if the asker itself has none. */
static bool cannot_ask(const struct filchi_ranks_hub *h, int asker)
{
	return h->level == FILCHI_RANKS_ROOT || h->child[asker - h->first].bucket >= 0;
}

void filchi_ranks_hub_serve(struct filchi_ranks_hub *h)
{
	int skips = h->asks < SKIPS ? h->asks : SKIPS;

	if (h->ending)
		return;
	while (h->asks && !h->paused) {
		int asker = h->ask[h->ask_first], victim;
		double proportion;

		victim = filchi_ranks_victim_choose(h, asker, &proportion);
		h->ask_first = (h->ask_first + 1) % h->ask_room;
		h->asks--;
		if (victim >= 0 ? has_enough(h, asker, victim) : cannot_ask(h, asker)) {
			enqueue(h, asker);
			if (--skips <= 0)
				break;
		} else if (victim >= 0) {
			order(h, victim, asker, proportion);
		} else {
			struct filchi_ranks_message m = state(h, FILCHI_RANKS_ASK, asker);

			to_root(h, &m);
		}
	}
	if (h->level == FILCHI_RANKS_GROUP)
		report(h);
	if (h->paused && !h->under_way && !h->told_paused && h->level == FILCHI_RANKS_GROUP) {
		struct filchi_ranks_message m = {.kind = FILCHI_RANKS_PAUSED, .level = FILCHI_RANKS_ROOT};

		h->told_paused = true;
		filchi_ranks_post(h->ranks, 0, &m, NULL, 0);
	}
}

/* The root orders a group to give: one of its ranks does. If none can, the group answers for them. */
static void pass_on(struct filchi_ranks_hub *h, const struct filchi_ranks_message *m)
{
	struct filchi_ranks_message to = *m;
	double unused;
	int victim = h->ending ? -1 : filchi_ranks_victim_choose(h, m->who, &unused);

	to.level = FILCHI_RANKS_MEMBER;
	if (victim < 0) {
		to.kind = FILCHI_RANKS_BATCH;
		to.count = 0;
		h->up_load = UINT64_MAX;
		filchi_ranks_post(h->ranks, m->who, &to, NULL, 0);
		return;
	}
	to.proportion = m->proportion < 0.5 ? 0.5 : m->proportion; /* of one rank, not of the group */
	filchi_ranks_victim_set(h, victim, h->child[victim].load / 2);
	filchi_ranks_post(h->ranks, h->child[victim].rank, &to, NULL, 0);
}

/* ---- messages ---- */

static int child_of(struct filchi_ranks_hub *h, int rank)
{
	int i = rank - h->first;

	if (i < 0 || i % h->stride || i / h->stride >= h->count) {
		h->ranks->broken = -EBADMSG;
		return -1;
	}
	return i / h->stride;
}

/* A child has got better nodes, and may give them on for an order that is older. So the bounds of the askers change. */
static void lower_bounds(struct filchi_ranks_hub *h, int victim, uint64_t bound)
{
	for (int i = 0; i < h->count; i++) {
		struct filchi_ranks_child *c = &h->child[i];

		if (c->getting && (c->giver == victim || h->stride > 1) && bound < c->bound)
			c->bound = bound;
	}
}

static void update(struct filchi_ranks_hub *h, int child, const struct filchi_ranks_message *m)
{
	struct filchi_ranks_child *c = &h->child[child];

	if (c->giving && m->bound < c->bound_told)
		lower_bounds(h, child, m->bound);
	c->bound_told = m->bound;
	h->active += (int)c->idle - (int)(m->idle != 0);
	c->idle = m->idle != 0;
	/* While nodes are on their way to it, the old bound counts as well. */
	c->bound = c->getting && c->bound < m->bound ? c->bound : m->bound;
	c->affinity = m->affinity;
	c->explored = m->explored;
	c->pruned = m->pruned;
	filchi_ranks_victim_set(h, child, m->load);
}

static void receipt(struct filchi_ranks_hub *h, int child, const struct filchi_ranks_message *m)
{
	int victim;

	if (m->orderer != h->level) { /* the order was the root's */
		struct filchi_ranks_message up;

		update(h, child, m);
		up = state(h, FILCHI_RANKS_RECEIPT, m->who);
		up.orderer = m->orderer;
		up.victim = m->victim;
		up.count = m->count;
		to_root(h, &up);
		return;
	}
	h->under_way--;
	h->child[child].getting--;
	update(h, child, m);
	victim = child_of(h, m->victim);
	if (victim < 0)
		return;
	h->child[victim].giving--;
	if (m->count)
		return;
	filchi_ranks_victim_set(h, victim, 0); /* until its next report */
	enqueue(h, m->who);
}

/* To the few children whose subspaces are closest. Of many children it looks at some. */
static void share_records(struct filchi_ranks_hub *h, int from, const struct filchi_ranks_message *m,
			  const void *payload, size_t size)
{
	struct filchi_ranks_message to = {
		.kind = FILCHI_RANKS_RECORDS, .level = FILCHI_RANKS_MEMBER, .affinity = m->affinity};
	int chosen[FAN], n = 0, start = h->count > LOOKS ? (int)(h->handled % (uint64_t)h->count) : 0;

	for (int k = 0; k < h->count && k < LOOKS; k++) {
		int i = (start + k) % h->count, j;
		uint64_t d = h->child[i].affinity ^ m->affinity;

		if (h->child[i].rank == from)
			continue;
		for (j = n < FAN ? n++ : FAN; j && d < (h->child[chosen[j - 1]].affinity ^ m->affinity); j--)
			if (j < FAN)
				chosen[j] = chosen[j - 1];
		if (j < FAN)
			chosen[j] = i;
	}
	for (int k = 0; k < n; k++)
		filchi_ranks_post(h->ranks, h->child[chosen[k]].rank, &to, payload, size);
}

void filchi_ranks_hub_handle(struct filchi_ranks_hub *h, int from, const struct filchi_ranks_message *m,
			     const void *payload, size_t size)
{
	struct filchi_ranks_message copy = *m;
	int child;

	h->handled++;
	switch (m->kind) {
	case FILCHI_RANKS_REPORT:
	case FILCHI_RANKS_ASK:
	case FILCHI_RANKS_RECEIPT:
	case FILCHI_RANKS_RECORDS:
		child = child_of(h, from);
		if (child < 0)
			return;
		if (m->kind == FILCHI_RANKS_RECEIPT)
			receipt(h, child, m);
		else if (m->kind == FILCHI_RANKS_RECORDS)
			share_records(h, from, m, payload, size);
		else
			update(h, child, m);
		if (m->kind == FILCHI_RANKS_ASK)
			enqueue(h, m->who);
		break;
	case FILCHI_RANKS_GIVE:
		pass_on(h, m);
		break;
	case FILCHI_RANKS_PAUSE:
		h->paused = true;
		h->told_paused = false;
		break;
	case FILCHI_RANKS_RESUME:
		h->paused = false;
		break;
	default: /* of the root, for all members */
		h->ending = h->ending || m->kind == FILCHI_RANKS_END;
		filchi_ranks_spread(h->ranks, &copy, payload, size);
	}
}
