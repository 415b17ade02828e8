/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Not a program: see codegen.sh. The hot paths of chase_lev written by hand with <stdatomic.h>, on the same structs.
 * The slow path of push is a call of the library.
 */
#include "codegen.h"

#include <stdatomic.h>

/* C11 alone is slower in this one place: src/base/atomic.h. */
static inline void fence(void)
{
#if defined(__clang__) && defined(__x86_64__)
	__asm__ volatile("lock orq $0, (%%rsp)" : : : "memory", "cc");
#else
	atomic_thread_fence(memory_order_seq_cst);
#endif
}

static inline int put(struct filchi_chase_lev *q, uint64_t bottom, uintptr_t item)
{
	atomic_store_explicit(&q->own_slots[bottom & q->own_mask].item, item, memory_order_relaxed);
	q->own_bottom = bottom + 1;
	atomic_store_explicit(&q->bottom, bottom + 1, memory_order_release);
	return 0;
}

/* Inline functions, as in the library. Without inlining gcc orders operands differently. */
static inline int push(struct filchi_chase_lev *q, uintptr_t item)
{
	uint64_t bottom = q->own_bottom;

	if (__builtin_expect(bottom == q->limit, 0))
		return filchi_chase_lev_push_slow(q, item);
	return put(q, bottom, item);
}

int codegen_push(struct filchi_chase_lev *q, uintptr_t item)
{
	return push(q, item);
}

static inline int pop_last(struct filchi_chase_lev *q, uintptr_t *item, uint64_t top)
{
	uint64_t bottom = q->own_bottom - 1;
	_Bool won = top == bottom && atomic_compare_exchange_strong_explicit(
					     &q->top, &top, bottom + 1, memory_order_relaxed, memory_order_relaxed);

	atomic_store_explicit(&q->bottom, bottom + 1, memory_order_relaxed);
	if (!won)
		return FILCH_EMPTY;
	*item = atomic_load_explicit(&q->own_slots[bottom & q->own_mask].item, memory_order_relaxed);
	return FILCH_OK;
}

int codegen_pop(struct filchi_chase_lev *q, uintptr_t *item)
{
	uint64_t bottom = q->own_bottom - 1;
	uint64_t top = atomic_load_explicit(&q->top, memory_order_relaxed);

	if (top == bottom + 1)
		return FILCH_EMPTY;
	atomic_store_explicit(&q->bottom, bottom, memory_order_release);
	fence();
	top = atomic_load_explicit(&q->top, memory_order_relaxed);
	if (__builtin_expect((int64_t)(bottom - top) <= 0, 0))
		return pop_last(q, item, top);
	q->own_bottom = bottom;
	*item = atomic_load_explicit(&q->own_slots[bottom & q->own_mask].item, memory_order_relaxed);
	return FILCH_OK;
}

int codegen_steal(struct filchi_chase_lev *q, uintptr_t *item)
{
	uint64_t top = atomic_load_explicit(&q->top, memory_order_relaxed);
	struct filchi_chase_lev_buffer *buffer;
	uint64_t bottom;
	uintptr_t found;

	fence();
	bottom = atomic_load_explicit(&q->bottom, memory_order_acquire);
	if ((int64_t)(bottom - top) <= 0)
		return FILCH_EMPTY;
	buffer = atomic_load_explicit(&q->buffer, memory_order_acquire);
	found = atomic_load_explicit(&buffer->slots[top & buffer->mask.v_].item, memory_order_relaxed);
	if (!atomic_compare_exchange_strong_explicit(&q->top, &top, top + 1, memory_order_release,
						     memory_order_relaxed))
		return FILCH_LOST;
	*item = found;
	return FILCH_OK;
}

size_t codegen_size(const struct filchi_chase_lev *q)
{
	uint64_t bottom = atomic_load_explicit(&q->bottom, memory_order_relaxed);
	uint64_t top = atomic_load_explicit(&q->top, memory_order_relaxed);

	return (int64_t)(bottom - top) > 0 ? (size_t)(bottom - top) : 0;
}
