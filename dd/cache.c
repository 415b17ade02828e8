/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The thresholds that workers share: (depth, state) -> theta.
 *
 * The cache has shards, each with a lock and a table. A state may be in one of WINDOW slots after its place. A table
 * grows while memory lasts; then a new state takes the place of an old one. A lost threshold only costs time.
 */
#include "dd.h"

#include <stdlib.h>

#define SHARDS 64u
#define WINDOW 8u
#define FIRST_SLOTS 64u

struct slot {
	int64_t theta;
	uint32_t tag;	/* of the hash; 0: empty */
	uint32_t depth; /* and in the first bit: explored */
	unsigned char state[];
};

struct shard {
	FILCHI_OWN_LINE pthread_mutex_t lock;
	unsigned char *slots;
	size_t count, used; /* slots */
	bool full;	    /* it cannot grow */
};

struct filchi_dd_cache {
	struct shard shard[SHARDS];
	const struct filchi_dd_model *model;
	struct filchi_dd_memory *memory;
	size_t size; /* of a slot */
	size_t most; /* slots of a shard */
};

static inline struct slot *slot_at(const struct filchi_dd_cache *c, unsigned char *slots, size_t i)
{
	return (struct slot *)(void *)(slots + i * c->size);
}

static inline bool same(const struct filchi_dd_cache *c, const struct slot *s, uint32_t depth, uint32_t tag,
			const void *state)
{
	if (s->tag != tag || s->depth >> 1 != depth)
		return false;
	if (c->model->p.equal)
		return c->model->p.equal(s->state, state, c->model->p.arg);
	return filchi_dd_same_bytes(s->state, state, c->model->stride);
}

struct filchi_dd_cache *filchi_dd_cache_new(const struct filchi_dd_model *model, struct filchi_dd_memory *memory,
					    size_t bytes)
{
	struct filchi_dd_cache *c = aligned_alloc(FILCHI_CACHE_LINE, sizeof(*c));

	if (!c)
		return NULL;
	memset(c, 0, sizeof(*c));
	c->model = model;
	c->memory = memory;
	c->size = sizeof(struct slot) + model->stride;
	c->most = bytes / SHARDS / c->size;
	for (unsigned i = 0; i < SHARDS; i++)
		pthread_mutex_init(&c->shard[i].lock, NULL);
	return c;
}

void filchi_dd_cache_free(struct filchi_dd_cache *c)
{
	if (!c)
		return;
	for (unsigned i = 0; i < SHARDS; i++) {
		filchi_dd_free(c->memory, c->shard[i].slots, c->shard[i].count * c->size);
		pthread_mutex_destroy(&c->shard[i].lock);
	}
	free(c);
}

/* The depth is part of the key, except where the state alone says what is below it. */
static inline uint64_t key_hash(const struct filchi_dd_cache *c, int *depth, uint64_t hash)
{
	if (c->model->p.flags & FILCH_DD_STATE_ONLY)
		*depth = 0;
	hash = (hash + (uint64_t)*depth) * UINT64_C(0xd6e8feb86659fd93);
	return hash ^ hash >> 32;
}

static inline uint32_t tag_of(uint64_t hash)
{
	uint32_t tag = (uint32_t)(hash >> 24);

	return tag ? tag : 1;
}

/* The slot of the state; or NULL, and then *free is an empty slot of its window, or NULL. */
static struct slot *find(const struct filchi_dd_cache *c, unsigned char *slots, size_t count, uint64_t hash,
			 uint32_t depth, const void *state, struct slot **empty)
{
	*empty = NULL;
	for (size_t i = 0; i < WINDOW; i++) {
		struct slot *s = slot_at(c, slots, ((hash >> 6) + i) & (count - 1));

		if (!s->tag) {
			*empty = s;
			return NULL;
		}
		if (same(c, s, depth, tag_of(hash), state))
			return s;
	}
	return NULL;
}

bool filchi_dd_cache_get(struct filchi_dd_cache *c, int depth, const void *state, uint64_t hash, int64_t *theta,
			 bool *explored)
{
	struct slot *s = NULL, *empty;
	struct shard *shard;

	hash = key_hash(c, &depth, hash);
	shard = &c->shard[hash % SHARDS];
	pthread_mutex_lock(&shard->lock);
	if (shard->count)
		s = find(c, shard->slots, shard->count, hash, (uint32_t)depth, state, &empty);
	if (s) {
		*theta = s->theta;
		*explored = s->depth & 1;
	}
	pthread_mutex_unlock(&shard->lock);
	return s;
}

/* Twice as many slots. A state that finds no place in its window is lost. */
static void grow(struct filchi_dd_cache *c, struct shard *shard)
{
	size_t count = shard->count ? 2 * shard->count : FIRST_SLOTS;
	unsigned char *slots = count > c->most ? NULL : filchi_dd_alloc(c->memory, count * c->size);

	if (!slots) {
		shard->full = true;
		return;
	}
	for (size_t i = 0; i < count; i++)
		slot_at(c, slots, i)->tag = 0;
	shard->used = 0;
	for (size_t i = 0; i < shard->count; i++) {
		struct slot *old = slot_at(c, shard->slots, i), *empty;
		int depth = (int)(old->depth >> 1);
		uint64_t hash;

		if (!old->tag)
			continue;
		hash = key_hash(c, &depth, filchi_dd_hash(c->model, old->state));
		(void)find(c, slots, count, hash, (uint32_t)depth, old->state, &empty);
		if (!empty)
			continue;
		memcpy(empty, old, c->size);
		shard->used++;
	}
	filchi_dd_free(c->memory, shard->slots, shard->count * c->size);
	shard->slots = slots;
	shard->count = count;
}

static void put(struct filchi_dd_cache *c, struct shard *shard, int depth, const void *state, uint64_t hash,
		int64_t theta, bool explored)
{
	struct slot *s, *empty;

	if (2 * shard->used >= shard->count && !shard->full)
		grow(c, shard);
	if (!shard->count)
		return;
	s = find(c, shard->slots, shard->count, hash, (uint32_t)depth, state, &empty);
	if (s) {
		if (theta > s->theta || (theta == s->theta && explored)) {
			s->theta = theta;
			s->depth = (uint32_t)depth << 1 | explored;
		}
		return;
	}
	shard->used += empty != NULL;
	if (!empty) /* any slot of the window will do */
		empty = slot_at(c, shard->slots, ((hash >> 6) + (hash >> 48) % WINDOW) & (shard->count - 1));
	empty->theta = theta;
	empty->tag = tag_of(hash);
	empty->depth = (uint32_t)depth << 1 | explored;
	memcpy(empty->state, state, c->model->stride);
}

void filchi_dd_cache_put(struct filchi_dd_cache *c, int depth, const void *state, uint64_t hash, int64_t theta,
			 bool explored)
{
	struct shard *shard;

	hash = key_hash(c, &depth, hash);
	shard = &c->shard[hash % SHARDS];
	pthread_mutex_lock(&shard->lock);
	put(c, shard, depth, state, hash, theta, explored);
	pthread_mutex_unlock(&shard->lock);
}
