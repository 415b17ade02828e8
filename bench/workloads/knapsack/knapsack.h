/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The most valuable things that fit into a knapsack, by branch and bound. Things with the most value for their
 * weight come first, and each is taken or left. All workers share the best value found so far, and give up branches
 * that cannot be better. A good value that is found early saves work, so times vary more than elsewhere.
 */
#ifndef FILCHI_BENCH_KNAPSACK_H
#define FILCHI_BENCH_KNAPSACK_H

#include "../common/workload.h"

FILCH_BEGIN_DECLS

struct filchi_thing {
	int weight, value;
};

/* The remaining things, the remaining room and the value so far. */
struct filchi_knapsack {
	const struct filchi_thing *things;
	int count, room, value;
	int *best; /* of all */
};

static inline void filchi_knapsack_found(const struct filchi_knapsack *k)
{
	int best = __atomic_load_n(k->best, __ATOMIC_RELAXED);

	while (k->value > best &&
	       !__atomic_compare_exchange_n(k->best, &best, k->value, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
		;
}

/* True if the branch ends: nothing is left to take, or it cannot be better even if things could be cut. */
static inline bool filchi_knapsack_ends(const struct filchi_knapsack *k)
{
	filchi_knapsack_found(k);
	if (!k->count)
		return true;
	return k->value + (int64_t)k->room * k->things->value / k->things->weight <=
	       __atomic_load_n(k->best, __ATOMIC_RELAXED);
}

static inline bool filchi_knapsack_fits(const struct filchi_knapsack *k)
{
	return k->things->weight <= k->room;
}

/* Leaves the first thing. */
static inline struct filchi_knapsack filchi_knapsack_leave(struct filchi_knapsack k)
{
	k.things++;
	k.count--;
	return k;
}

static inline struct filchi_knapsack filchi_knapsack_take(struct filchi_knapsack k)
{
	k.room -= k.things->weight;
	k.value += k.things->value;
	return filchi_knapsack_leave(k);
}

void filchi_knapsack(struct filchi_knapsack k);

FILCH_END_DECLS

#endif
