/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Dominance: the exact states that are known, by depth and key. Workers share them.
 *
 * Each key has a list of points: coordinates and value. No point of a list dominates another point. With one coordinate,
 * the list is sorted (points.h). When memory is used up, no more points are added.
 *
 * Edges:
 *   USE  bytes in use: a count
 */
#include "points.h"

#include <stdlib.h>

#define SHARDS 64u
#define FIRST_LISTS 64u

struct list {
	uint64_t hash;
	int depth;
	uint32_t count, room; /* points */
	int64_t *points;
	struct filchi_dd_points sorted; /* of one coordinate */
	unsigned char key[];
};

struct shard {
	FILCHI_OWN_LINE pthread_mutex_t lock;
	struct list **lists;
	size_t count, used;
};

struct filchi_dd_front {
	struct shard shard[SHARDS];
	const struct filchi_dd_model *model;
	struct filchi_dd_memory *memory;
	size_t most;  /* bytes */
	size_t width; /* numbers of a point */
	FILCHI_ATOMIC(size_t) bytes;
};

struct filchi_dd_front *filchi_dd_front_new(const struct filchi_dd_model *model, struct filchi_dd_memory *memory,
					    size_t bytes)
{
	struct filchi_dd_front *f = aligned_alloc(FILCHI_CACHE_LINE, sizeof(*f));

	if (!f)
		return NULL;
	memset(f, 0, sizeof(*f));
	filchi_atomic_init(&f->bytes, 0);
	f->model = model;
	f->memory = memory;
	f->most = bytes;
	f->width = model->p.coordinates + 1;
	for (unsigned i = 0; i < SHARDS; i++)
		pthread_mutex_init(&f->shard[i].lock, NULL);
	return f;
}

void *filchi_dd_front_take(struct filchi_dd_front *f, size_t bytes)
{
	void *block;

	if (filchi_load_rlx(&f->bytes, USE) + bytes > f->most)
		return NULL;
	block = filchi_dd_alloc(f->memory, bytes);
	if (block)
		(void)filchi_fetch_add_rlx(&f->bytes, bytes, USE);
	return block;
}

void filchi_dd_front_give(struct filchi_dd_front *f, void *block, size_t bytes)
{
	if (!block)
		return;
	(void)filchi_fetch_add_rlx(&f->bytes, (size_t)0 - bytes, USE);
	filchi_dd_free(f->memory, block, bytes);
}

static void free_list(struct filchi_dd_front *f, struct list *l)
{
	filchi_dd_points_free(f, &l->sorted);
	filchi_dd_front_give(f, l->points, l->room * f->width * sizeof(int64_t));
	filchi_dd_front_give(f, l, sizeof(*l) + f->model->p.key_size);
}

void filchi_dd_front_clear(struct filchi_dd_front *f)
{
	for (unsigned i = 0; f && i < SHARDS; i++) {
		struct shard *shard = &f->shard[i];

		for (size_t j = 0; j < shard->count; j++)
			if (shard->lists[j])
				free_list(f, shard->lists[j]);
		filchi_dd_front_give(f, shard->lists, shard->count * sizeof(*shard->lists));
		shard->lists = NULL;
		shard->count = shard->used = 0;
	}
}

void filchi_dd_front_free(struct filchi_dd_front *f)
{
	if (!f)
		return;
	filchi_dd_front_clear(f);
	for (unsigned i = 0; i < SHARDS; i++)
		pthread_mutex_destroy(&f->shard[i].lock);
	free(f);
}

/* False: there is no memory. */
static bool grow_shard(struct filchi_dd_front *f, struct shard *shard)
{
	size_t count = shard->count ? 2 * shard->count : FIRST_LISTS;
	struct list **lists = filchi_dd_front_take(f, count * sizeof(*lists));

	if (!lists)
		return false;
	memset(lists, 0, count * sizeof(*lists));
	for (size_t i = 0; i < shard->count; i++) {
		struct list *l = shard->lists[i];
		size_t j;

		if (!l)
			continue;
		for (j = (l->hash >> 6) & (count - 1); lists[j]; j = (j + 1) & (count - 1))
			;
		lists[j] = l;
	}
	filchi_dd_front_give(f, shard->lists, shard->count * sizeof(*lists));
	shard->lists = lists;
	shard->count = count;
	return true;
}

/* The list of a key, which is made if need be; or NULL if there is no memory. */
static struct list *find_list(struct filchi_dd_front *f, struct shard *shard, uint64_t hash, int depth, const void *key)
{
	size_t size = f->model->p.key_size, i;
	struct list *l;

	if (2 * shard->used >= shard->count && !grow_shard(f, shard) && shard->used == shard->count)
		return NULL;
	for (i = (hash >> 6) & (shard->count - 1); (l = shard->lists[i]); i = (i + 1) & (shard->count - 1))
		if (l->hash == hash && l->depth == depth && (!size || !memcmp(l->key, key, size)))
			return l;
	l = shard->used + 1 < shard->count ? filchi_dd_front_take(f, sizeof(*l) + size) : NULL;
	if (!l)
		return NULL;
	*l = (struct list){.hash = hash, .depth = depth};
	if (size)
		memcpy(l->key, key, size);
	shard->lists[i] = l;
	shard->used++;
	return l;
}

/* Room for one more point. */
static bool room(struct filchi_dd_front *f, struct list *l)
{
	uint32_t more = l->room ? 2 * l->room : 4;
	int64_t *points;

	if (l->count < l->room)
		return true;
	if (more <= l->room)
		return false;
	points = filchi_dd_front_take(f, more * f->width * sizeof(*points));
	if (!points)
		return false;
	if (l->count)
		memcpy(points, l->points, l->count * f->width * sizeof(*points));
	filchi_dd_front_give(f, l->points, l->room * f->width * sizeof(*points));
	l->points = points;
	l->room = more;
	return true;
}

enum relation { NEITHER, SAME, LESS, LESS_BY_VALUE, GREATER };

/* Whether the new point is dominated by the known one, or dominates it. */
static enum relation compare(const int64_t *known, const int64_t *point, size_t coordinates)
{
	bool less = false, greater = false;

	for (size_t i = 0; i < coordinates; i++) {
		less = less || point[i] < known[i];
		greater = greater || point[i] > known[i];
	}
	if (!less && !greater && point[coordinates] < known[coordinates])
		return LESS_BY_VALUE;
	less = less || point[coordinates] < known[coordinates];
	greater = greater || point[coordinates] > known[coordinates];
	return less ? (greater ? NEITHER : LESS) : (greater ? GREATER : SAME);
}

static bool dominated_any(struct filchi_dd_front *f, struct list *l, const int64_t *point, int64_t *theta)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < l->count; i++) {
		int64_t *known = l->points + i * f->width;
		enum relation relation = compare(known, point, f->width - 1);

		if (relation == LESS || relation == LESS_BY_VALUE) {
			/* No point was dropped before: it would be dominated by this one. */
			*theta = known[f->width - 1] - (relation == LESS_BY_VALUE);
			return true;
		}
		if (relation == SAME)
			return false;
		if (relation == NEITHER && kept++ != i)
			memcpy(l->points + (kept - 1) * f->width, known, f->width * sizeof(int64_t));
	}
	l->count = kept;
	if (room(f, l)) {
		memcpy(l->points + kept * f->width, point, f->width * sizeof(int64_t));
		l->count++;
	}
	return false;
}

static uint64_t hash_key(const unsigned char *key, size_t size, int depth)
{
	uint64_t hash = (uint64_t)depth;

	for (size_t i = 0; i < size; i++)
		hash = (hash ^ key[i]) * UINT64_C(0x100000001b3);
	hash *= UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ hash >> 32;
}

bool filchi_dd_front_dominated(struct filchi_dd_front *f, const struct filch_dd_layer *layer, const void *state,
			       int64_t top, void *key, int64_t *theta, uint64_t *compared)
{
	int64_t point[9] = {0};
	struct shard *shard;
	struct list *l;
	uint64_t hash;
	bool dominated = false;

	if (!f->model->p.dominance(layer, state, key, point))
		return false;
	point[f->width - 1] = top;
	hash = hash_key(key, f->model->p.key_size, layer->depth);
	shard = &f->shard[hash % SHARDS];
	pthread_mutex_lock(&shard->lock);
	l = find_list(f, shard, hash, layer->depth, key);
	*compared += l && f->width != 2 ? l->count : 1;
	if (l)
		dominated = f->width == 2 ? filchi_dd_points_dominate(
						    f, &l->sorted, (struct filchi_dd_point){point[0], point[1]}, theta)
					  : dominated_any(f, l, point, theta);
	pthread_mutex_unlock(&shard->lock);
	return dominated;
}
