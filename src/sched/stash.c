/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Edges:
 *   N1   count, left: the lock orders them. A read without the lock is a hint, or the worker's own
 */
#include "stash.h"

int filchi_stash_init(struct filchi_stash *s)
{
	filchi_atomic_init(&s->count, 0);
	filchi_atomic_init(&s->left, 0);
	return filchi_mutex_init(&s->lock);
}

void filchi_stash_fini(struct filchi_stash *s)
{
	filchi_mutex_destroy(&s->lock);
}

size_t filchi_stash_count(struct filchi_stash *s)
{
	return filchi_load_rlx(&s->count, N1);
}

size_t filchi_stash_size(struct filchi_stash *s)
{
	return filchi_load_rlx(&s->left, N1);
}

void filchi_stash_append(struct filchi_stash *s, const uintptr_t *items, size_t count)
{
	size_t there;

	filchi_mutex_lock(&s->lock);
	there = filchi_load_rlx(&s->count, N1);
	for (size_t i = 0; i < count; i++)
		s->items[there + i] = items[i];
	filchi_store_rlx(&s->count, (uint32_t)(there + count), N1);
	filchi_store_rlx(&s->left, filchi_load_rlx(&s->left, N1) + (uint32_t)count, N1);
	filchi_mutex_unlock(&s->lock);
}

static bool is_in(struct filchi_item_range range, uintptr_t item)
{
	return item && item >= range.first && item <= range.last;
}

/* With the lock held: leaves a hole. */
static void clear(struct filchi_stash *s, size_t index)
{
	s->items[index] = 0;
	filchi_store_rlx(&s->left, filchi_load_rlx(&s->left, N1) - 1, N1);
}

/* With the lock held. */
static void cut(struct filchi_stash *s, size_t base)
{
	size_t count = filchi_load_rlx(&s->count, N1);

	while (count > base && !s->items[count - 1])
		count--;
	filchi_store_rlx(&s->count, (uint32_t)count, N1);
}

void filchi_stash_trim(struct filchi_stash *s, size_t base)
{
	if (filchi_load_rlx(&s->count, N1) <= base)
		return;
	filchi_mutex_lock(&s->lock);
	cut(s, base);
	filchi_mutex_unlock(&s->lock);
}

bool filchi_stash_take_own(struct filchi_stash *s, size_t base, struct filchi_item_range range, uintptr_t *item)
{
	bool found = false;
	size_t i;

	if (filchi_load_rlx(&s->count, N1) <= base)
		return false;
	filchi_mutex_lock(&s->lock);
	for (i = filchi_load_rlx(&s->count, N1); i > base && !found; i--)
		found = is_in(range, s->items[i - 1]);
	if (found) {
		*item = s->items[i];
		clear(s, i);
	}
	cut(s, base);
	filchi_mutex_unlock(&s->lock);
	return found;
}

size_t filchi_stash_take(struct filchi_stash *s, struct filchi_item_range range, uintptr_t *items, size_t max)
{
	size_t count, taken = 0;

	if (!max || !filchi_stash_size(s))
		return 0;
	filchi_mutex_lock(&s->lock);
	count = filchi_load_rlx(&s->count, N1);
	for (size_t i = 0; i < count && taken < max; i++)
		if (is_in(range, s->items[i])) {
			items[taken++] = s->items[i];
			clear(s, i);
		}
	filchi_mutex_unlock(&s->lock);
	return taken;
}

bool filchi_stash_remove(struct filchi_stash *s, size_t index, uintptr_t item)
{
	bool found;

	filchi_mutex_lock(&s->lock);
	found = index < filchi_load_rlx(&s->count, N1) && s->items[index] == item;
	if (found)
		clear(s, index);
	filchi_mutex_unlock(&s->lock);
	return found;
}
