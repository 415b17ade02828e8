/* SPDX-License-Identifier: Apache-2.0 */
#include "deque.h"

#include "../base/error.h"
#include "../base/kinds.h"
#include "../base/sized.h"
#include "abp.h"
#include "bwos_fifo.h"
#include "bwos_lifo.h"
#include "chase_lev.h"
#include "chase_lev_asym.h"
#include "global.h"
#include "locked.h"
#include "private.h"
#include "split.h"

#include <errno.h>

/*
 * All kinds, in the order of the public list: the name of the algorithm's file, the prefix of its macros, and whether
 * it has steal_many, poll and moves (BIND_) or not (NO_).
 */
#define KINDS(X)                                                                                                       \
	X(locked, LOCKED, NO_MANY, NO_POLL, NO_MOVES)                                                                  \
	X(global, GLOBAL, NO_MANY, NO_POLL, NO_MOVES)                                                                  \
	X(abp, ABP, NO_MANY, NO_POLL, NO_MOVES)                                                                        \
	X(chase_lev, CHASE_LEV, NO_MANY, NO_POLL, NO_MOVES)                                                            \
	X(chase_lev_asym, CHASE_LEV_ASYM, NO_MANY, NO_POLL, NO_MOVES)                                                  \
	X(split, SPLIT, NO_MANY, BIND_POLL, BIND_MOVES)                                                                \
	X(private, PRIVATE, BIND_MANY, BIND_POLL, NO_MOVES)                                                            \
	X(bwos_lifo, BWOS_LIFO, BIND_MANY, NO_POLL, NO_MOVES)                                                          \
	X(bwos_fifo, BWOS_FIFO, BIND_MANY, NO_POLL, NO_MOVES)

#define NO_MANY(kind) enum { kind##_has_no_steal_many };
#define NO_POLL(kind) enum { kind##_has_no_poll };
#define NO_MOVES(kind) enum { kind##_has_no_moves };
#define BIND_MANY(kind)                                                                                                \
	static int kind##_steal_many(struct filch_deque *d, uintptr_t *items, size_t max, size_t *taken)               \
	{                                                                                                              \
		return filchi_##kind##_steal_many(kind##_of(d), items, max, taken);                                    \
	}
#define BIND_POLL(kind)                                                                                                \
	static void kind##_poll(struct filch_deque *d)                                                                 \
	{                                                                                                              \
		filchi_##kind##_poll(kind##_of(d));                                                                    \
	}
#define BIND_MOVES(kind)                                                                                               \
	static void kind##_moves(const struct filch_deque *d, uint64_t *grows, uint64_t *shrinks)                      \
	{                                                                                                              \
		filchi_##kind##_moves(kind##_of_const(d), grows, shrinks);                                             \
	}

/* The operations behind pointers, each with the algorithm inlined. */
#define BIND(kind, KIND, MANY, POLL, MOVES)                                                                            \
	FILCHI_KIND_BIND(deque, kind)                                                                                  \
	static int kind##_push(struct filch_deque *d, uintptr_t item)                                                  \
	{                                                                                                              \
		return filchi_##kind##_push(kind##_of(d), item);                                                       \
	}                                                                                                              \
	static int kind##_pop(struct filch_deque *d, uintptr_t *item)                                                  \
	{                                                                                                              \
		return filchi_##kind##_pop(kind##_of(d), item);                                                        \
	}                                                                                                              \
	static int kind##_steal(struct filch_deque *d, uintptr_t *item)                                                \
	{                                                                                                              \
		return filchi_##kind##_steal(kind##_of(d), item);                                                      \
	}                                                                                                              \
	static size_t kind##_size(const struct filch_deque *d)                                                         \
	{                                                                                                              \
		return filchi_##kind##_size(kind##_of_const(d));                                                       \
	}                                                                                                              \
	MANY(kind)                                                                                                     \
	POLL(kind)                                                                                                     \
	MOVES(kind)
KINDS(BIND)

/* The entries of the table for each of the words above. */
#define NAME_NO_MANY(kind) NULL
#define NAME_NO_POLL(kind) NULL
#define NAME_NO_MOVES(kind) NULL
#define NAME_BIND_MANY(kind) kind##_steal_many
#define NAME_BIND_POLL(kind) kind##_poll
#define NAME_BIND_MOVES(kind) kind##_moves

#define ROW(kind, KIND, MANY, POLL, MOVES)                                                                             \
	{FILCHI_##KIND##_INFO,                                                                                         \
	 FILCHI_##KIND##_MAX_CAPACITY,                                                                                 \
	 {kind##_create, kind##_destroy, kind##_push, kind##_pop, kind##_steal, kind##_size, NAME_##MANY(kind),        \
	  NAME_##POLL(kind), NAME_##MOVES(kind)}},
const struct filchi_deque_kind filchi_deque_kinds[] = {KINDS(ROW)};
const unsigned filchi_deque_kind_count = sizeof(filchi_deque_kinds) / sizeof(filchi_deque_kinds[0]);

#define INDEX(kind, KIND, MANY, POLL, MOVES) FILCHI_KIND_INDEX(kind),
enum { KINDS(INDEX) };
#define CREATE(kind, KIND, MANY, POLL, MOVES) FILCHI_KIND_CREATE(deque, kind)
KINDS(CREATE)

const struct filchi_deque_kind *filchi_deque_find(const char *name)
{
	int kind = filchi_kind_find(name, filch_deque_kind_name);

	return kind < 0 ? NULL : &filchi_deque_kinds[kind];
}

struct filchi_split *filchi_deque_split(struct filch_deque *d)
{
	return d->ops == &filchi_deque_kinds[FILCHI_KIND_INDEX(split)].ops ? split_of(d) : NULL;
}

/* A bounded kind has one capacity; blocks divide it. */
static int blocks_setup(struct filchi_deque_setup *setup, const struct filchi_deque_kind *kind,
			const struct filch_deque_options *o)
{
	if (kind->info.bounded) {
		if (o->capacity)
			setup->max_capacity = setup->capacity;
		setup->capacity = setup->max_capacity;
	}
	setup->block_size = o->block_size;
	if (o->block_size & (o->block_size - 1))
		return filchi_fail(-EINVAL, "block_size is %zu; it must be a power of two", o->block_size);
	if (o->block_size > setup->capacity)
		return filchi_fail(-EINVAL, "block_size is %zu, but the capacity is %zu", o->block_size,
				   setup->capacity);
	if (kind->info.blocks && o->block_size > FILCHI_BWOS_MAX_BLOCK_SIZE)
		return filchi_fail(-EINVAL, "block_size is %zu; %s allows at most %zu", o->block_size, kind->info.name,
				   FILCHI_BWOS_MAX_BLOCK_SIZE);
	return 0;
}

static int check_capacity(const char *option, size_t capacity)
{
	if (capacity <= FILCHI_DEQUE_MAX_CAPACITY)
		return 0;
	return filchi_fail(-EINVAL, "%s is %zu; at most %zu is allowed", option, capacity, FILCHI_DEQUE_MAX_CAPACITY);
}

int filchi_deque_setup(struct filchi_deque_setup *setup, const struct filchi_deque_kind *kind,
		       const struct filch_deque_options *opt)
{
	struct filch_deque_options o;

	if (filchi_sized_copy(&o, sizeof(o), opt))
		return filchi_fail_sized("struct filch_deque_options", opt);
	if (check_capacity("capacity", o.capacity) || check_capacity("max_capacity", o.max_capacity))
		return -EINVAL;
	if (o.max_capacity && o.capacity > o.max_capacity)
		return filchi_fail(-EINVAL, "capacity is %zu, but max_capacity is %zu", o.capacity, o.max_capacity);
	setup->capacity = filchi_round_pow2(o.capacity ? o.capacity : FILCHI_DEQUE_CAPACITY);
	setup->max_capacity = filchi_round_pow2(o.max_capacity ? o.max_capacity : kind->max_capacity);
	/* A default gives way to the capacity that the caller has set. */
	if (setup->capacity > setup->max_capacity) {
		if (o.max_capacity)
			setup->capacity = setup->max_capacity;
		else
			setup->max_capacity = setup->capacity;
	}
	setup->first = 0;
	return blocks_setup(setup, kind, &o);
}

int filch_deque_create(struct filch_deque **out, const char *kind, const struct filch_deque_options *opt)
{
	const struct filchi_deque_kind *k =
		kind ? filchi_deque_find(kind) : &filchi_deque_kinds[FILCHI_KIND_INDEX(split)];
	struct filchi_deque_setup setup;
	int err;

	if (!out)
		return filchi_fail_null("out");
	if (!k)
		return filchi_fail_unknown(-ENOENT, "", "deque", kind, filch_deque_kind_name);
	if (filchi_deque_setup(&setup, k, opt))
		return -EINVAL;
	err = k->ops.create(out, &setup);
	return err ? filchi_fail(err, "no memory for a deque %s with room for %zu items", k->info.name, setup.capacity)
		   : 0;
}

void filch_deque_destroy(struct filch_deque *d)
{
	if (d)
		d->ops->destroy(d);
}

int filch_deque_push(struct filch_deque *d, uintptr_t item)
{
	if (FILCHI_UNLIKELY(!d))
		return filchi_fail_null("d");
	return d->ops->push(d, item);
}

int filch_deque_pop(struct filch_deque *d, uintptr_t *item)
{
	if (FILCHI_UNLIKELY(!d || !item))
		return filchi_fail_null(d ? "item" : "d");
	return d->ops->pop(d, item);
}

int filch_deque_steal(struct filch_deque *d, uintptr_t *item)
{
	if (FILCHI_UNLIKELY(!d || !item))
		return filchi_fail_null(d ? "item" : "d");
	return d->ops->steal(d, item);
}

int filch_deque_steal_many(struct filch_deque *d, uintptr_t *items, size_t max, size_t *taken)
{
	int result;

	if (FILCHI_UNLIKELY(!d || !items || !taken))
		return filchi_fail_null(!d ? "d" : items ? "taken" : "items");
	if (FILCHI_UNLIKELY(!max))
		return filchi_fail(-EINVAL, "max is 0");
	if (d->ops->steal_many)
		return d->ops->steal_many(d, items, max, taken);
	result = d->ops->steal(d, items);
	if (result == FILCH_OK)
		*taken = 1;
	return result;
}

void filch_deque_poll(struct filch_deque *d)
{
	if (d && d->ops->poll)
		d->ops->poll(d);
}

size_t filch_deque_size(const struct filch_deque *d)
{
	return d ? d->ops->size(d) : 0;
}

unsigned filch_deque_kind_count(void)
{
	return filchi_deque_kind_count;
}

const char *filch_deque_kind_name(unsigned kind)
{
	return kind < filchi_deque_kind_count ? filchi_deque_kinds[kind].info.name : NULL;
}

const struct filch_deque_info *filch_deque_kind_info(unsigned kind)
{
	return kind < filchi_deque_kind_count ? &filchi_deque_kinds[kind].info : NULL;
}
