/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Storage of fibers: a small array for each fiber that uses it.
 *
 * Edges:
 *   K1   create: store_rel destroy → end: load_acq destroy   the function of a key
 *   K2   keys: a count
 */
#include "worker.h"

#include <errno.h>
#include <string.h>

#define KEYS 128u

static FILCHI_ATOMIC(uint32_t) keys;
static FILCHI_ATOMIC(void (*)(void *)) destroys[KEYS];

int filch_fiber_key_create(unsigned *key, void (*destroy)(void *value))
{
	uint32_t next = filchi_load_rlx(&keys, K2);

	if (!key)
		return -EINVAL;
	do
		if (next == KEYS)
			return -EAGAIN;
	while (!filchi_cas_rlx(&keys, &next, next + 1, K2));
	filchi_store_rel(&destroys[next], destroy, K1);
	*key = next;
	return 0;
}

void *filch_fiber_key_get(unsigned key)
{
	struct filch_fiber *f = filchi_fiber_current();

	return f && key < f->block->local_count ? f->block->locals[key] : NULL;
}

int filch_fiber_key_set(unsigned key, void *value)
{
	struct filch_fiber *f = filchi_fiber_current();
	struct filchi_fiber_block *b;

	if (key >= filchi_load_rlx(&keys, K2))
		return -EINVAL;
	if (!f)
		return -EPERM;
	b = f->block;
	if (key >= b->local_count) {
		unsigned count = key + 8;
		void **locals = filchi_fiber_alloc(sizeof(void *), count * sizeof(*locals));

		if (!locals)
			return -ENOMEM;
		if (b->local_count)
			memcpy(locals, b->locals, b->local_count * sizeof(*locals));
		filchi_fiber_free(b->locals);
		b->locals = locals;
		b->local_count = (uint16_t)count;
	}
	b->locals[key] = value;
	return 0;
}

/* A function may set values again: a few rounds, and then they are forgotten. */
void filchi_key_end(struct filchi_fiber_block *b)
{
	bool any = b->local_count;

	for (unsigned round = 0; any && round < 4; round++) {
		any = false;
		for (unsigned i = 0; i < b->local_count; i++) {
			void *value = b->locals[i];
			void (*destroy)(void *) = i < KEYS ? filchi_load_acq(&destroys[i], K1) : NULL;

			b->locals[i] = NULL;
			if (value && destroy) {
				destroy(value);
				any = true;
			}
		}
	}
	filchi_fiber_free(b->locals);
	b->locals = NULL;
	b->local_count = 0;
}
