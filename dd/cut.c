/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Removes nodes from a new row: by thresholds and dominance, then by the width.
 *
 * The nodes to keep are selected by quickselect over keys of 64 bits, which hold the rank and the number of the node.
 */
#include "table.h"

#define AHEAD 8u /* nodes */
#define POLL_COMPARED 8192u

static inline uint64_t *keys_of(const struct filchi_dd_work *w)
{
	return (uint64_t *)(void *)w->keys.data;
}

/* A map of the row in which each node has its own number. */
static int make_map(struct filchi_dd_work *w, struct filchi_dd_row *r)
{
	uint32_t *map;

	if (filchi_dd_need(w->memory, &w->maps, w->map_count + r->count, sizeof(uint32_t)))
		return -ENOMEM;
	if (w->model->p.merge_cost &&
	    filchi_dd_need(w->memory, &w->costs, w->map_count + r->count, sizeof(int64_t)))
		return -ENOMEM;
	r->map = w->map_count;
	w->map_count += r->count;
	map = filchi_dd_map(w, r->map);
	for (uint32_t i = 0; i < r->count; i++)
		map[i] = i;
	if (w->model->p.merge_cost)
		memset(filchi_dd_words(&w->costs) + r->map, 0, r->count * sizeof(int64_t));
	return 0;
}

/* Node i of the row goes away because its value is at most theta. */
static int forget(struct filchi_dd_work *w, struct filchi_dd_row *r, uint32_t i, int64_t theta)
{
	if (r->map == SIZE_MAX) {
		int err = make_map(w, r);

		if (err)
			return err;
	}
	if (w->theta_count >= FILCHI_DD_GONE - 1 ||
	    filchi_dd_need(w->memory, &w->thetas, w->theta_count + 1, sizeof(int64_t)))
		return -ENOMEM;
	filchi_dd_words(&w->thetas)[w->theta_count] = theta;
	filchi_dd_map(w, r->map)[i] = FILCHI_DD_GONE | (uint32_t)w->theta_count++;
	return 0;
}

/* Nodes that the map keeps move together. The map gets their new numbers. */
static void compact(struct filchi_dd_work *w, struct filchi_dd_row *r, uint32_t *map)
{
	struct filchi_dd_node *nodes = filchi_dd_nodes(w, r->node);
	size_t stride = w->model->stride;
	uint32_t to = 0;

	for (uint32_t i = 0; i < r->count; i++) {
		if (map[i] & FILCHI_DD_GONE)
			continue;
		if (to != map[i]) {
			nodes[to] = nodes[map[i]];
			memcpy(filchi_dd_state(w, r->node + to), filchi_dd_state(w, r->node + map[i]), stride);
		}
		map[i] = to++;
	}
	r->count = to;
	w->node_count = r->node + to;
}

static inline bool prune_by_cache(struct filchi_dd_work *w, const struct filchi_dd_node *node, const unsigned char *state,
				  int64_t *theta)
{
	bool explored;

	if (!w->cache || node->flags & FILCHI_DD_NODE_COPY)
		return false;
	w->asked++;
	if (!filchi_dd_cache_get(w->cache, w->layer.depth, state, node->hash, theta, &explored) || node->top > *theta)
		return false;
	w->found++;
	return true;
}

/* Whether a known state dominates the node: 1, 0, or an error of poll, since a layer may need very many comparisons. */
static int prune_by_front(struct filchi_dd_work *w, const struct filchi_dd_node *node, const unsigned char *state,
			  int64_t *theta)
{
	int err = 0;

	if (!w->fronts)
		return 0;
	if (w->compared >= POLL_COMPARED) {
		w->compared = 0;
		err = w->poll ? w->poll(w->poll_arg, &w->best) : 0;
	}
	return err ? err
		   : filchi_dd_front_dominated(w->fronts, &w->layer, state, node->top, w->key.data, theta, &w->compared);
}

/* The numbers of the nodes in the order of dominance; *order is NULL: any order will do. */
static int make_order(struct filchi_dd_work *w, const struct filchi_dd_row *r, const uint32_t **order)
{
	*order = NULL;
	if (!w->fronts)
		return 0;
	if (filchi_dd_need(w->memory, &w->key, w->model->p.key_size + 1, 1))
		return -ENOMEM;
	if (w->model->p.key_size || w->model->p.coordinates != 1)
		return 0;
	if (filchi_dd_need(w->memory, &w->where, r->count, sizeof(uint32_t)))
		return -ENOMEM;
	*order = (const uint32_t *)(void *)w->where.data;
	return filchi_dd_order(w, r, (uint32_t *)(void *)w->where.data);
}

int filchi_dd_filter(struct filchi_dd_work *w, int row)
{
	struct filchi_dd_row *r = filchi_dd_row(w, row);
	const uint32_t *order;
	int err = make_order(w, r, &order);

	if (err || (!w->cache && !w->fronts))
		return err;
	for (uint32_t k = 0; k < r->count; k++) {
		uint32_t i = order ? order[k] : k;
		const struct filchi_dd_node *node = filchi_dd_nodes(w, r->node) + i;
		const unsigned char *state = filchi_dd_state(w, r->node + i);
		int64_t theta;
		int pruned;

		if (w->cache && k + AHEAD < r->count) {
			const struct filchi_dd_node *next =
				filchi_dd_nodes(w, r->node) + (order ? order[k + AHEAD] : k + AHEAD);

			if (!(next->flags & FILCHI_DD_NODE_COPY))
				filchi_dd_cache_prefetch(w->cache, w->layer.depth, next->hash);
		}
		if (!(node->flags & FILCHI_DD_NODE_EXACT))
			continue;
		pruned = prune_by_cache(w, node, state, &theta) ? 1 : prune_by_front(w, node, state, &theta);
		err = pruned > 0 ? forget(w, r, i, theta) : pruned;
		if (err)
			return err;
	}
	if (r->map != SIZE_MAX)
		compact(w, r, filchi_dd_map(w, r->map));
	return 0;
}

/* Moves the `keep` largest of n distinct keys to the front (Hoare's FIND). */
static void select_keys(uint64_t *keys, size_t n, size_t keep)
{
	ptrdiff_t low = 0, high = (ptrdiff_t)n - 1, last = (ptrdiff_t)keep - 1;

	while (low < high) {
		uint64_t a = keys[low], b = keys[low + (high - low) / 2], c = keys[high];
		uint64_t pivot = a > b ? (b > c ? b : (a > c ? c : a)) : (a > c ? a : (b > c ? c : b));
		ptrdiff_t i = low, j = high;

		while (i <= j) {
			while (keys[i] > pivot)
				i++;
			while (keys[j] < pivot)
				j--;
			if (i <= j) {
				a = keys[i];
				keys[i++] = keys[j];
				keys[j--] = a;
			}
		}
		if (last <= j)
			high = j;
		else if (last >= i)
			low = i;
		else
			return;
	}
}

/* Keys that are distinct and in the order of the ranks: the rank above, the number of the node below. */
static void make_keys(struct filchi_dd_work *w, const struct filchi_dd_row *r)
{
	const struct filchi_dd_node *nodes = filchi_dd_nodes(w, r->node);
	const struct filch_dd_problem *p = &w->model->p;
	int64_t *rank = filchi_dd_words(&w->keys), low = INT64_MAX, high = INT64_MIN;
	unsigned bits = 32 - (unsigned)__builtin_clz(r->count), shift = 0;
	uint64_t range;

	for (uint32_t i = 0; i < r->count; i++) {
		rank[i] = p->rank ? p->rank(&w->layer, filchi_dd_state(w, r->node + i), w->model->sign * nodes[i].top)
				  : nodes[i].top;
		low = rank[i] < low ? rank[i] : low;
		high = rank[i] > high ? rank[i] : high;
	}
	/* A range that is too large loses its lowest bits. */
	for (range = (uint64_t)high - (uint64_t)low; range >> shift >> (64 - bits);)
		shift++;
	for (uint32_t i = 0; i < r->count; i++)
		keys_of(w)[i] = ((uint64_t)rank[i] - (uint64_t)low) >> shift << bits | (r->count - 1 - i);
}

/* where[i]: i if node i of the row stays, else DROPPED. */
static int choose_kept(struct filchi_dd_work *w, const struct filchi_dd_row *r, size_t keep, uint32_t **where)
{
	uint32_t bits = 32 - (unsigned)__builtin_clz(r->count), mask = (uint32_t)(((uint64_t)1 << bits) - 1);

	if (filchi_dd_need(w->memory, &w->keys, r->count, sizeof(uint64_t)) ||
	    filchi_dd_need(w->memory, &w->where, 2 * (size_t)r->count, sizeof(uint32_t)))
		return -ENOMEM;
	*where = (uint32_t *)(void *)w->where.data;
	memset(*where, 0xff, r->count * sizeof(**where));
	if (!keep)
		return 0;
	make_keys(w, r);
	select_keys(keys_of(w), r->count, keep);
	for (size_t i = 0; i < keep; i++) {
		uint32_t n = r->count - 1 - ((uint32_t)keys_of(w)[i] & mask);

		(*where)[n] = n;
	}
	return 0;
}

/*
 * The group of each node that does not stay, from 0, in where[r->count + i]. Returns the number of groups, at most most;
 * 1 if there are more, or if the problem has no groups.
 */
static size_t find_groups(struct filchi_dd_work *w, const struct filchi_dd_row *r, uint32_t *where, size_t most)
{
	const struct filch_dd_problem *p = &w->model->p;
	uint64_t *keys = keys_of(w);
	size_t count = 0;

	memset(where + r->count, 0, r->count * sizeof(*where));
	for (uint32_t i = 0; p->group && most > 1 && i < r->count; i++) {
		uint64_t key;
		size_t g = 0;

		if (where[i] != FILCHI_DD_DROPPED)
			continue;
		key = p->group(&w->layer, filchi_dd_state(w, r->node + i));
		while (g < count && keys[g] != key)
			g++;
		if (g == most) {
			memset(where + r->count, 0, r->count * sizeof(*where));
			return 1;
		}
		if (g == count)
			keys[count++] = key;
		where[r->count + i] = (uint32_t)g;
	}
	return count ? count : 1;
}

/*
 * The states and the nodes that stand for the nodes that do not stay, one per group. The cost of node i is in cost[i].
 */
static void merge_all(struct filchi_dd_work *w, const struct filchi_dd_row *r, const uint32_t *where, size_t groups,
		      struct filchi_dd_node *into, int64_t *cost)
{
	const struct filchi_dd_node *nodes = filchi_dd_nodes(w, r->node);
	const struct filch_dd_problem *p = &w->model->p;
	size_t stride = w->model->stride;

	for (size_t g = 0; g < groups; g++)
		into[g] = (struct filchi_dd_node){.top = FILCHI_DD_NONE, .parent = UINT32_MAX, .flags = FILCHI_DD_NODE_MERGED};
	for (uint32_t i = 0; i < r->count; i++) {
		uint32_t g = where[r->count + i];

		if (where[i] != FILCHI_DD_DROPPED)
			continue;
		if (into[g].parent == UINT32_MAX)
			memcpy(w->merged.data + g * stride, filchi_dd_state(w, r->node + i), stride);
		else
			p->merge(&w->layer, w->merged.data + g * stride, filchi_dd_state(w, r->node + i));
		/* A node that is alone in its group stays as it is. */
		into[g].flags = into[g].parent == UINT32_MAX ? nodes[i].flags : FILCHI_DD_NODE_MERGED;
		into[g].parent = nodes[i].parent;
	}
	for (uint32_t i = 0; i < r->count; i++) {
		uint32_t g = where[r->count + i];

		if (where[i] != FILCHI_DD_DROPPED)
			continue;
		cost[i] = 0;
		if (p->merge_cost)
			cost[i] = w->model->sign * p->merge_cost(&w->layer, filchi_dd_state(w, r->node + i),
								 w->merged.data + g * stride);
		if (nodes[i].top + cost[i] > into[g].top) {
			into[g].top = nodes[i].top + cost[i];
			into[g].parent = nodes[i].parent;
			into[g].label = nodes[i].label;
		}
	}
	for (size_t g = 0; g < groups; g++)
		into[g].hash = filchi_dd_hash(w->model, w->merged.data + g * stride);
}

/* Adds the merged node to the compact row. If a kept node has the same state, the two become one. Returns its number. */
static uint32_t add_merged(struct filchi_dd_work *w, struct filchi_dd_row *r, const struct filchi_dd_node *merged,
			   const unsigned char *state)
{
	struct filchi_dd_node *nodes = filchi_dd_nodes(w, r->node);

	for (uint32_t i = 0; i < r->count; i++) {
		if (nodes[i].hash != merged->hash || !filchi_dd_equal(w, filchi_dd_state(w, r->node + i), state))
			continue;
		if (merged->top > nodes[i].top) {
			nodes[i].top = merged->top;
			nodes[i].parent = merged->parent;
			nodes[i].label = merged->label;
		}
		nodes[i].flags = (nodes[i].flags & FILCHI_DD_NODE_OPEN) | FILCHI_DD_NODE_MERGED;
		return i;
	}
	nodes[r->count] = *merged;
	memcpy(filchi_dd_state(w, r->node + r->count), state, w->model->stride);
	w->node_count++;
	return r->count++;
}

/*
 * The map of the row leads to the final numbers: the new numbers in where, or the merged node of the group, whose number
 * is in merged; NULL: restricted.
 */
static void compose(struct filchi_dd_work *w, struct filchi_dd_row *r, const uint32_t *where, uint32_t before,
		    const uint32_t *merged, const int64_t *cost)
{
	uint32_t *map = filchi_dd_map(w, r->map);

	for (uint32_t i = 0; i < r->entries; i++) {
		uint32_t n = map[i];

		if (n & FILCHI_DD_GONE)
			continue;
		map[i] = where[n];
		if (where[n] != FILCHI_DD_DROPPED || !merged)
			continue;
		map[i] = merged[where[before + n]];
		if (w->model->p.merge_cost)
			filchi_dd_words(&w->costs)[r->map + i] = cost[n];
	}
}

/* Merges the nodes that do not stay. There is room for `groups` more nodes in the row. */
static int relax(struct filchi_dd_work *w, struct filchi_dd_row *r, uint32_t *where, size_t groups)
{
	uint32_t before = r->count, *numbers;
	struct filchi_dd_node *nodes;

	if (filchi_dd_need(w->memory, &w->merged, groups, w->model->stride) ||
	    filchi_dd_need(w->memory, &w->merges, groups, sizeof(*nodes) + sizeof(*numbers)))
		return -ENOMEM;
	nodes = (struct filchi_dd_node *)(void *)w->merges.data;
	numbers = (uint32_t *)(void *)(nodes + groups);
	merge_all(w, r, where, groups, nodes, filchi_dd_words(&w->keys));
	compact(w, r, where);
	for (size_t g = 0; g < groups; g++)
		numbers[g] = add_merged(w, r, &nodes[g], w->merged.data + g * w->model->stride);
	compose(w, r, where, before, numbers, filchi_dd_words(&w->keys));
	return 0;
}

int filchi_dd_cut(struct filchi_dd_work *w, int row)
{
	struct filchi_dd_row *r = filchi_dd_row(w, row);
	bool relaxed = w->kind == FILCH_DD_RELAXED;
	size_t groups = 1;
	uint32_t *where;
	int err;

	if (w->kind == FILCH_DD_EXACT || r->count <= w->width || ((relaxed || w->keep_first) && row < 2))
		return 0;
	if (r->map == SIZE_MAX && make_map(w, r))
		return -ENOMEM;
	err = choose_kept(w, r, relaxed ? w->width - 1 : w->width, &where);
	if (!err && relaxed && w->model->p.group) { /* the nodes that stay make room for one node per group */
		memset(where, 0xff, r->count * sizeof(*where));
		groups = find_groups(w, r, where, w->width);
		err = choose_kept(w, r, w->width - groups, &where);
	}
	if (!err && relaxed)
		groups = find_groups(w, r, where, groups);
	if (err)
		return err;
	w->complete = false;
	if (!w->cut_row)
		w->cut_row = row;
	if (relaxed)
		return relax(w, r, where, groups);
	compact(w, r, where);
	compose(w, r, where, 0, NULL, NULL);
	return 0;
}
