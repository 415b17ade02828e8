/* SPDX-License-Identifier: Apache-2.0 */
#include "kinds.h"

#include "../base/mem.h"
#include "../base/sized.h"
#include "bulk.h"
#include "bulk_list.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

/* All kinds, in the order they are listed in: the name of the algorithm's file, and its macros' prefix. */
#define KINDS(X)                                                                                                       \
	X(bulk, BULK)                                                                                                  \
	X(bulk_list, BULK_LIST)

/* The operations behind pointers, each with the algorithm inlined. */
#define BIND(kind, KIND)                                                                                               \
	struct kind##_queue {                                                                                          \
		struct filch_bulk base;                                                                                \
		struct filchi_##kind q;                                                                                \
	};                                                                                                             \
	static struct filchi_##kind *kind##_of(struct filch_bulk *q)                                                   \
	{                                                                                                              \
		return &((struct kind##_queue *)(void *)q)->q;                                                         \
	}                                                                                                              \
	static int kind##_create(struct filch_bulk **out, const struct filchi_bulk_setup *setup);                      \
	static void kind##_destroy(struct filch_bulk *q)                                                               \
	{                                                                                                              \
		filchi_##kind##_fini(kind##_of(q));                                                                    \
		filchi_free(q);                                                                                        \
	}                                                                                                              \
	static int kind##_push(struct filch_bulk *q, const struct filch_batch *batch)                                  \
	{                                                                                                              \
		return filchi_##kind##_push(kind##_of(q), batch);                                                      \
	}                                                                                                              \
	static int kind##_pop(struct filch_bulk *q, struct filch_node **node)                                          \
	{                                                                                                              \
		return filchi_##kind##_pop(kind##_of(q), node);                                                        \
	}                                                                                                              \
	static int kind##_steal(struct filch_bulk *q, double proportion, struct filch_batch *batch)                    \
	{                                                                                                              \
		return filchi_##kind##_steal(kind##_of(q), proportion, batch);                                         \
	}                                                                                                              \
	static void kind##_poll(struct filch_bulk *q)                                                                  \
	{                                                                                                              \
		filchi_##kind##_poll(kind##_of(q));                                                                    \
	}                                                                                                              \
	static size_t kind##_size(const struct filch_bulk *q)                                                          \
	{                                                                                                              \
		return filchi_##kind##_size(&((const struct kind##_queue *)(const void *)q)->q);                       \
	}
KINDS(BIND)

#define ROW(kind, KIND)                                                                                                \
	{FILCHI_##KIND##_INFO,                                                                                         \
	 {kind##_create, kind##_destroy, kind##_push, kind##_pop, kind##_steal, kind##_poll, kind##_size}},
const struct filchi_bulk_kind filchi_bulk_kinds[] = {KINDS(ROW)};
const unsigned filchi_bulk_kind_count = sizeof(filchi_bulk_kinds) / sizeof(filchi_bulk_kinds[0]);

/* The place of a kind in the table, for create to find its own operations. */
#define PLACE(kind, KIND) place_##kind,
enum { KINDS(PLACE) };

#define CREATE(kind, KIND)                                                                                             \
	static int kind##_create(struct filch_bulk **out, const struct filchi_bulk_setup *setup)                       \
	{                                                                                                              \
		struct kind##_queue *q = filchi_alloc(sizeof(*q));                                                     \
		int err;                                                                                               \
                                                                                                                       \
		if (!q)                                                                                                \
			return -ENOMEM;                                                                                \
		err = filchi_##kind##_init(&q->q, setup);                                                              \
		if (err) {                                                                                             \
			filchi_free(q);                                                                                \
			return err;                                                                                    \
		}                                                                                                      \
		q->base.ops = &filchi_bulk_kinds[place_##kind].ops;                                                    \
		*out = &q->base;                                                                                       \
		return 0;                                                                                              \
	}
KINDS(CREATE)

const struct filchi_bulk_kind *filchi_bulk_find(const char *name)
{
	for (unsigned i = 0; i < filchi_bulk_kind_count; i++)
		if (!strcmp(filchi_bulk_kinds[i].info.name, name))
			return &filchi_bulk_kinds[i];
	return NULL;
}

int filchi_bulk_setup(struct filchi_bulk_setup *setup, const struct filch_bulk_options *opt)
{
	struct filch_bulk_options mine;

	if (filchi_sized_copy(&mine, sizeof(mine), opt))
		return -EINVAL;
	if (mine.chunks == 1 || mine.chunks > FILCHI_BULK_MAX_CHUNKS)
		return -EINVAL;
	setup->chunks = filchi_round_pow2(mine.chunks ? mine.chunks : FILCHI_BULK_CHUNKS);
	setup->first = 0;
	return 0;
}

int filch_bulk_create(struct filch_bulk **out, const char *kind, const struct filch_bulk_options *opt)
{
	const struct filchi_bulk_kind *k = kind ? filchi_bulk_find(kind) : &filchi_bulk_kinds[0];
	struct filchi_bulk_setup setup;

	if (!out)
		return -EINVAL;
	if (!k)
		return -ENOENT;
	if (filchi_bulk_setup(&setup, opt))
		return -EINVAL;
	return k->ops.create(out, &setup);
}

void filch_bulk_destroy(struct filch_bulk *q)
{
	if (q)
		q->ops->destroy(q);
}

int filch_bulk_push(struct filch_bulk *q, const struct filch_batch *batch)
{
	if (FILCHI_UNLIKELY(!q || !batch))
		return -EINVAL;
	if (FILCHI_UNLIKELY(!batch->count))
		return 0;
	assert(filchi_batch_sane(batch));
	return q->ops->push(q, batch);
}

int filch_bulk_pop(struct filch_bulk *q, struct filch_node **node)
{
	if (FILCHI_UNLIKELY(!q || !node))
		return -EINVAL;
	return q->ops->pop(q, node);
}

int filch_bulk_steal(struct filch_bulk *q, double proportion, struct filch_batch *batch)
{
	/* NaN is in no range. */
	if (FILCHI_UNLIKELY(!q || !batch || !(proportion >= 0 && proportion <= 1)))
		return -EINVAL;
	if (FILCHI_UNLIKELY(proportion == 0))
		return FILCH_EMPTY;
	return q->ops->steal(q, proportion, batch);
}

void filch_bulk_poll(struct filch_bulk *q)
{
	if (q)
		q->ops->poll(q);
}

size_t filch_bulk_size(const struct filch_bulk *q)
{
	return q ? q->ops->size(q) : 0;
}

unsigned filch_bulk_kind_count(void)
{
	return filchi_bulk_kind_count;
}

const char *filch_bulk_kind_name(unsigned kind)
{
	return kind < filchi_bulk_kind_count ? filchi_bulk_kinds[kind].info.name : NULL;
}

const struct filch_bulk_info *filch_bulk_kind_info(unsigned kind)
{
	return kind < filchi_bulk_kind_count ? &filchi_bulk_kinds[kind].info : NULL;
}
