/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The thresholds that workers share: (depth, state) -> theta.
 *
 * The cache has shards, each with a lock and a table of buckets. A bucket has WIDTH tags, which are apart from the slots
 * with the states: most states are not found, and then the tags tell. A table grows while memory lasts; then a new state
 * takes the place of an old one. A lost threshold only costs time.
 *
 * Edges:
 *   HINT  where the tags of a state may be, for a prefetch: any value will do
 */
#include "dd.h"

#include <stdlib.h>

#define SHARDS 64u
#define WIDTH 8u
#define FIRST_BUCKETS 8u

struct slot {
	int64_t theta;
	uint32_t depth; /* and in the first bit: explored */
	uint32_t unused;
	unsigned char state[];
};

struct bucket {
	uint32_t tag[WIDTH]; /* of the hash; 0: the slot is empty */
};

struct shard {
	FILCHI_OWN_LINE pthread_mutex_t lock;
	struct bucket *buckets; /* then the slots */
	size_t count;		/* buckets */
	size_t used;		/* slots */
	bool full;		/* it cannot grow */
	FILCHI_ATOMIC(struct bucket *) hint; /* buckets and count, for prefetches without the lock */
	FILCHI_ATOMIC(size_t) hint_count;
};

struct filchi_dd_cache {
	struct shard shard[SHARDS];
	const struct filchi_dd_model *model;
	struct filchi_dd_memory *memory;
	size_t size; /* of a slot */
	size_t most; /* buckets of a shard */
};

static inline struct slot *slot_at(const struct filchi_dd_cache *c, struct bucket *buckets, size_t count, size_t i)
{
	return (struct slot *)(void *)((unsigned char *)(buckets + count) + i * c->size);
}

static inline bool same(const struct filchi_dd_cache *c, const struct slot *s, uint32_t depth, const void *state)
{
	if (s->depth >> 1 != depth)
		return false;
	if (c->model->p.equal)
		return c->model->p.equal(s->state, state, c->model->p.arg);
	return filchi_dd_same_bytes(s->state, state, c->model->stride);
}

static size_t bytes_of(const struct filchi_dd_cache *c, size_t count)
{
	return count * (sizeof(struct bucket) + WIDTH * c->size);
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
	c->most = bytes / SHARDS / bytes_of(c, 1);
	for (unsigned i = 0; i < SHARDS; i++)
		pthread_mutex_init(&c->shard[i].lock, NULL);
	for (unsigned i = 0; i < SHARDS; i++) {
		filchi_atomic_init(&c->shard[i].hint, NULL);
		filchi_atomic_init(&c->shard[i].hint_count, 0);
	}
	return c;
}

void filchi_dd_cache_clear(struct filchi_dd_cache *c)
{
	for (unsigned i = 0; c && i < SHARDS; i++) {
		struct shard *shard = &c->shard[i];

		filchi_dd_free(c->memory, shard->buckets, bytes_of(c, shard->count));
		shard->buckets = NULL;
		shard->count = shard->used = 0;
		shard->full = false;
		filchi_store_rlx(&shard->hint_count, 0, HINT);
		filchi_store_rlx(&shard->hint, NULL, HINT);
	}
}

void filchi_dd_cache_free(struct filchi_dd_cache *c)
{
	if (!c)
		return;
	filchi_dd_cache_clear(c);
	for (unsigned i = 0; i < SHARDS; i++)
		pthread_mutex_destroy(&c->shard[i].lock);
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
	uint32_t tag = (uint32_t)(hash >> 32);

	return tag ? tag : 1;
}

/* The slot of the state; or NULL, and then *empty is an empty slot of its bucket, or WIDTH. */
static inline struct slot *find(const struct filchi_dd_cache *c, struct bucket *buckets, size_t count, uint64_t hash,
				uint32_t depth, const void *state, unsigned *empty)
{
	size_t bucket = (hash >> 6) & (count - 1);
	const uint32_t *tags = buckets[bucket].tag;
	uint32_t tag = tag_of(hash);

	for (unsigned i = 0; i < WIDTH; i++) {
		if (tags[i] == tag) {
			struct slot *s = slot_at(c, buckets, count, bucket * WIDTH + i);

			if (same(c, s, depth, state))
				return s;
		}
		if (!tags[i]) { /* slots of a bucket fill up from the first on */
			*empty = i;
			return NULL;
		}
	}
	*empty = WIDTH;
	return NULL;
}

void filchi_dd_cache_prefetch(struct filchi_dd_cache *c, int depth, uint64_t hash)
{
	struct shard *shard;
	uintptr_t hint;
	size_t count;

	hash = key_hash(c, &depth, hash);
	shard = &c->shard[hash % SHARDS];
	hint = (uintptr_t)filchi_load_rlx(&shard->hint, HINT);
	count = filchi_load_rlx(&shard->hint_count, HINT);
	/* The address may be stale: a prefetch of any address is harmless. */
	if (count)
		__builtin_prefetch((const void *)(hint + ((hash >> 6) & (count - 1)) * sizeof(struct bucket)));
}

bool filchi_dd_cache_get(struct filchi_dd_cache *c, int depth, const void *state, uint64_t hash, int64_t *theta,
			 bool *explored)
{
	struct slot *s = NULL;
	struct shard *shard;
	unsigned empty = WIDTH;

	hash = key_hash(c, &depth, hash);
	shard = &c->shard[hash % SHARDS];
	pthread_mutex_lock(&shard->lock);
	if (shard->count)
		s = find(c, shard->buckets, shard->count, hash, (uint32_t)depth, state, &empty);
	if (s) {
		*theta = s->theta;
		*explored = s->depth & 1;
	}
	pthread_mutex_unlock(&shard->lock);
	return s;
}

/* Writes the tag of slot i of the bucket of a hash, and returns the slot. */
static struct slot *take(const struct filchi_dd_cache *c, struct bucket *buckets, size_t count, uint64_t hash, unsigned i)
{
	size_t bucket = (hash >> 6) & (count - 1);

	buckets[bucket].tag[i] = tag_of(hash);
	return slot_at(c, buckets, count, bucket * WIDTH + i);
}

/* Twice as many buckets. A state that finds no place is lost. */
static void grow(struct filchi_dd_cache *c, struct shard *shard)
{
	size_t count = shard->count ? 2 * shard->count : FIRST_BUCKETS;
	struct bucket *buckets = count > c->most ? NULL : filchi_dd_alloc(c->memory, bytes_of(c, count));

	if (!buckets) {
		shard->full = true;
		return;
	}
	memset(buckets, 0, count * sizeof(*buckets));
	shard->used = 0;
	for (size_t i = 0; i < shard->count * WIDTH; i++) {
		struct slot *old = slot_at(c, shard->buckets, shard->count, i);
		unsigned empty = WIDTH;
		int depth;
		uint64_t hash;

		if (!shard->buckets[i / WIDTH].tag[i % WIDTH])
			continue;
		depth = (int)(old->depth >> 1);
		hash = key_hash(c, &depth, filchi_dd_hash(c->model, old->state));
		(void)find(c, buckets, count, hash, (uint32_t)depth, old->state, &empty);
		if (empty == WIDTH)
			continue;
		memcpy(take(c, buckets, count, hash, empty), old, c->size);
		shard->used++;
	}
	filchi_dd_free(c->memory, shard->buckets, bytes_of(c, shard->count));
	shard->buckets = buckets;
	shard->count = count;
	filchi_store_rlx(&shard->hint, buckets, HINT);
	filchi_store_rlx(&shard->hint_count, count, HINT);
}

static void put(struct filchi_dd_cache *c, struct shard *shard, int depth, const void *state, uint64_t hash,
		int64_t theta, bool explored)
{
	struct slot *s;
	unsigned empty = WIDTH;

	if (2 * shard->used >= shard->count * WIDTH && !shard->full)
		grow(c, shard);
	if (!shard->count)
		return;
	s = find(c, shard->buckets, shard->count, hash, (uint32_t)depth, state, &empty);
	if (s) {
		if (theta > s->theta || (theta == s->theta && explored)) {
			s->theta = theta;
			s->depth = (uint32_t)depth << 1 | explored;
		}
		return;
	}
	shard->used += empty < WIDTH;
	if (empty == WIDTH) /* any slot of the bucket will do */
		empty = (hash >> 40) % WIDTH;
	s = take(c, shard->buckets, shard->count, hash, empty);
	s->theta = theta;
	s->depth = (uint32_t)depth << 1 | explored;
	memcpy(s->state, state, c->model->stride);
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
