/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A deque that never has anything, for checks: its steps are not in the way of those of what is checked, so that more
 * of that can be explored in full. All items go through the injector then.
 */
#ifndef TEST_SUPPORT_EMPTY_DEQUE_H
#define TEST_SUPPORT_EMPTY_DEQUE_H

#include "../../src/deque/deque.h"

#include <errno.h>

static inline void empty_deque_destroy(struct filch_deque *d)
{
	(void)d;
}

static inline int empty_deque_push(struct filch_deque *d, uintptr_t item)
{
	(void)d;
	(void)item;
	return -ENOMEM;
}

static inline int empty_deque_take(struct filch_deque *d, uintptr_t *item)
{
	(void)d;
	(void)item;
	return FILCH_EMPTY;
}

static inline size_t empty_deque_size(const struct filch_deque *d)
{
	(void)d;
	return 0;
}

static inline int empty_deque_create(struct filch_deque **out, const struct filchi_deque_setup *setup);

/* To be the .ops of a kind. */
#define EMPTY_DEQUE_OPS                                                                                                \
	{                                                                                                              \
		.create = empty_deque_create, .destroy = empty_deque_destroy, .push = empty_deque_push,                \
		.pop = empty_deque_take, .steal = empty_deque_take, .size = empty_deque_size                           \
	}

static inline int empty_deque_create(struct filch_deque **out, const struct filchi_deque_setup *setup)
{
	static const struct filchi_deque_ops ops = EMPTY_DEQUE_OPS;
	static struct filch_deque empty = {.ops = &ops};

	(void)setup;
	*out = &empty;
	return 0;
}

#endif
