/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which child gives nodes: by load, bound and affinity.
 *
 * Children are in buckets by the logarithm of their load. The victim comes from the fullest bucket, so its load is at
 * least half of the largest. Of the first few there, the child with the best bound wins, because its nodes are the
 * least likely to be pruned. Among equals the child whose subspace is closest wins. So a choice takes the same time
 * for any number of children.
 */
#include "ranks.h"

enum { LOOKS = 8, ORDERS = 4, LEAST = 2, SHARES = 16 };

void filchi_ranks_victim_init(struct filchi_ranks_hub *h)
{
	for (int i = 0; i < FILCHI_RANKS_BUCKETS; i++)
		h->bucket[i] = -1;
	for (int i = 0; i < h->count; i++)
		h->child[i].bucket = -1;
}

static void take_out(struct filchi_ranks_hub *h, int child)
{
	struct filchi_ranks_child *c = &h->child[child];

	if (c->bucket < 0)
		return;
	if (c->before >= 0)
		h->child[c->before].next = c->next;
	else
		h->bucket[c->bucket] = c->next;
	if (c->next >= 0)
		h->child[c->next].before = c->before;
	if (h->bucket[c->bucket] < 0)
		h->nonempty &= ~((uint64_t)1 << c->bucket);
	c->bucket = -1;
}

void filchi_ranks_victim_set(struct filchi_ranks_hub *h, int child, uint64_t load)
{
	struct filchi_ranks_child *c = &h->child[child];
	int bucket = load < LEAST ? -1 : 63 - __builtin_clzll(load);

	c->load = load;
	if (bucket == c->bucket)
		return;
	take_out(h, child);
	if (bucket < 0)
		return;
	c->bucket = bucket;
	c->before = -1;
	c->next = h->bucket[bucket];
	if (c->next >= 0)
		h->child[c->next].before = child;
	h->bucket[bucket] = child;
	h->nonempty |= (uint64_t)1 << bucket;
}

static bool is_better(const struct filchi_ranks_child *a, const struct filchi_ranks_child *b, uint64_t affinity)
{
	if (a->bound != b->bound)
		return a->bound < b->bound;
	return (a->affinity ^ affinity) < (b->affinity ^ affinity);
}

static uint64_t affinity_of(const struct filchi_ranks_hub *h, int rank)
{
	int i = (rank - h->first) / h->stride;

	return i >= 0 && i < h->count ? h->child[i].affinity : 0;
}

int filchi_ranks_victim_choose(struct filchi_ranks_hub *h, int asker, double *proportion)
{
	uint64_t affinity = affinity_of(h, asker), left = h->nonempty;
	int best = -1, looks = LOOKS, loaded = 0;

	while (left && best < 0) {
		int bucket = 63 - __builtin_clzll(left);

		left &= ~((uint64_t)1 << bucket);
		for (int i = h->bucket[bucket]; i >= 0 && looks; i = h->child[i].next) {
			struct filchi_ranks_child *c = &h->child[i];

			looks--;
			if (c->giving >= ORDERS * h->stride || (h->stride == 1 && c->rank == asker))
				continue;
			loaded++;
			if (best < 0 || is_better(c, &h->child[best], affinity))
				best = i;
		}
		looks = looks ? looks : 1;
	}
	if (best < 0)
		return -1;
	/* If many ask and few have nodes, the askers share: each gets as much as the victim keeps. */
	*proportion = 1.0 / (2 + (h->asks > 1 ? (h->asks - 1) / loaded : 0));
	if (*proportion < 1.0 / SHARES)
		*proportion = 1.0 / SHARES;
	return best;
}
