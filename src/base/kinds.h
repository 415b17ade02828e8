/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Several algorithms behind one contract: the kinds of a family, such as the kinds of deques. A family has
 *
 *   struct filch_FAMILY          starts each object behind the public contract; its field ops points to the operations
 *   struct filchi_FAMILY_setup   says how to make an object
 *   filchi_FAMILY_kinds[]        the table: for each kind its info, whose field name is the kind's name, and its ops
 *
 * and each kind has struct filchi_KIND with filchi_KIND_init() and filchi_KIND_fini(). The macros make the functions
 * that are the same for each kind. The family binds its own operations.
 */
#ifndef FILCHI_BASE_KINDS_H
#define FILCHI_BASE_KINDS_H

#include "mem.h"

#include <errno.h>
#include <string.h>

/* The object, KIND_of(), KIND_of_const() and KIND_destroy(), and the declaration of KIND_create(). */
#define FILCHI_KIND_BIND(family, kind)                                                                                 \
	struct kind##_object {                                                                                         \
		struct filch_##family base;                                                                            \
		struct filchi_##kind queue;                                                                            \
	};                                                                                                             \
	static struct filchi_##kind *kind##_of(struct filch_##family *o)                                               \
	{                                                                                                              \
		return &((struct kind##_object *)(void *)o)->queue;                                                    \
	}                                                                                                              \
	static const struct filchi_##kind *kind##_of_const(const struct filch_##family *o)                             \
	{                                                                                                              \
		return &((const struct kind##_object *)(const void *)o)->queue;                                        \
	}                                                                                                              \
	static void kind##_destroy(struct filch_##family *o)                                                           \
	{                                                                                                              \
		filchi_##kind##_fini(kind##_of(o));                                                                    \
		filchi_free(o);                                                                                        \
	}                                                                                                              \
	static int kind##_create(struct filch_##family **out, const struct filchi_##family##_setup *setup);

/* Names the index of a kind in the table: for an enum that comes before FILCHI_KIND_CREATE. */
#define FILCHI_KIND_INDEX(kind) index_of_##kind

/* KIND_create(). Stands after the table, because it takes the operations from there. */
#define FILCHI_KIND_CREATE(family, kind)                                                                               \
	static int kind##_create(struct filch_##family **out, const struct filchi_##family##_setup *setup)             \
	{                                                                                                              \
		struct kind##_object *o = filchi_alloc(sizeof(*o));                                                    \
		int err;                                                                                               \
                                                                                                                       \
		if (!o)                                                                                                \
			return -ENOMEM;                                                                                \
		err = filchi_##kind##_init(&o->queue, setup);                                                          \
		if (err) {                                                                                             \
			filchi_free(o);                                                                                \
			return err;                                                                                    \
		}                                                                                                      \
		o->base.ops = &filchi_##family##_kinds[FILCHI_KIND_INDEX(kind)].ops;                                   \
		*out = &o->base;                                                                                       \
		return 0;                                                                                              \
	}

/* The number of the kind with that name, or -1. names(n) is the name of kind n, NULL after the last. */
static inline int filchi_kind_find(const char *name, const char *(*names)(unsigned))
{
	for (unsigned n = 0; names(n); n++)
		if (!strcmp(names(n), name))
			return (int)n;
	return -1;
}

#endif
