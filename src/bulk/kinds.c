/* SPDX-License-Identifier: Apache-2.0 */
#include "kinds.h"

#include "../base/error.h"
#include "../base/kinds.h"
#include "../base/sized.h"
#include "bulk.h"
#include "bulk_list.h"

#include <assert.h>
#include <errno.h>

/* All kinds, in the order of the public list: the name of the algorithm's file, and the prefix of its macros. */
#define KINDS(X)                                                                                                       \
	X(bulk, BULK)                                                                                                  \
	X(bulk_list, BULK_LIST)

/* The operations behind pointers, each with the algorithm inlined. */
#define BIND(kind, KIND)                                                                                               \
	FILCHI_KIND_BIND(bulk, kind)                                                                                   \
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
		return filchi_##kind##_size(kind##_of_const(q));                                                       \
	}
KINDS(BIND)

#define ROW(kind, KIND)                                                                                                \
	{FILCHI_##KIND##_INFO,                                                                                         \
	 {kind##_create, kind##_destroy, kind##_push, kind##_pop, kind##_steal, kind##_poll, kind##_size}},
const struct filchi_bulk_kind filchi_bulk_kinds[] = {KINDS(ROW)};
const unsigned filchi_bulk_kind_count = sizeof(filchi_bulk_kinds) / sizeof(filchi_bulk_kinds[0]);

#define INDEX(kind, KIND) FILCHI_KIND_INDEX(kind),
enum { KINDS(INDEX) };
#define CREATE(kind, KIND) FILCHI_KIND_CREATE(bulk, kind)
KINDS(CREATE)

const struct filchi_bulk_kind *filchi_bulk_find(const char *name)
{
	int kind = filchi_kind_find(name, filch_bulk_kind_name);

	return kind < 0 ? NULL : &filchi_bulk_kinds[kind];
}

int filchi_bulk_setup(struct filchi_bulk_setup *setup, const struct filch_bulk_options *opt)
{
	struct filch_bulk_options mine;

	if (filchi_sized_copy(&mine, sizeof(mine), opt))
		return filchi_fail_sized("struct filch_bulk_options", opt);
	if (mine.chunks == 1 || mine.chunks > FILCHI_BULK_MAX_CHUNKS)
		return filchi_fail(-EINVAL, "chunks is %zu; 2 to %zu is allowed, and 0 for the default", mine.chunks,
				   FILCHI_BULK_MAX_CHUNKS);
	setup->chunks = filchi_round_pow2(mine.chunks ? mine.chunks : FILCHI_BULK_CHUNKS);
	setup->first = 0;
	return 0;
}

int filch_bulk_create(struct filch_bulk **out, const char *kind, const struct filch_bulk_options *opt)
{
	const struct filchi_bulk_kind *k = kind ? filchi_bulk_find(kind) : &filchi_bulk_kinds[0];
	struct filchi_bulk_setup setup;
	int err;

	if (!out)
		return filchi_fail_null("out");
	if (!k)
		return filchi_fail_unknown(-ENOENT, "", "bulk queue", kind, filch_bulk_kind_name);
	if (filchi_bulk_setup(&setup, opt))
		return -EINVAL;
	err = k->ops.create(out, &setup);
	return err ? filchi_fail(err, "no memory for a bulk queue %s with %zu chunks", k->info.name, setup.chunks) : 0;
}

void filch_bulk_destroy(struct filch_bulk *q)
{
	if (q)
		q->ops->destroy(q);
}

int filch_bulk_push(struct filch_bulk *q, const struct filch_batch *batch)
{
	if (FILCHI_UNLIKELY(!q || !batch))
		return filchi_fail_null(q ? "batch" : "q");
	if (FILCHI_UNLIKELY(!batch->count))
		return 0;
	assert(filchi_batch_sane(batch));
	return q->ops->push(q, batch);
}

int filch_bulk_pop(struct filch_bulk *q, struct filch_node **node)
{
	if (FILCHI_UNLIKELY(!q || !node))
		return filchi_fail_null(q ? "node" : "q");
	return q->ops->pop(q, node);
}

int filch_bulk_steal(struct filch_bulk *q, double proportion, struct filch_batch *batch)
{
	if (FILCHI_UNLIKELY(!q || !batch))
		return filchi_fail_null(q ? "batch" : "q");
	/* NaN is in no range. */
	if (FILCHI_UNLIKELY(!(proportion >= 0 && proportion <= 1)))
		return filchi_fail(-EINVAL, "proportion is %g; 0 to 1 is allowed", proportion);
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
