/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The atomics layer: the only includer of <stdatomic.h>, and the one switch between the machine and the checker.
 *
 * The memory order is in the name. The last argument is the edge that the access is one end of; the algorithm's file
 * lists its edges at the top. In a shipped build the edge vanishes, and the access is an access of C11. In a checked
 * build (FILCH_CHECKED) every access becomes a call of the model checker, which can weaken one edge at a time.
 *
 *   FILCHI_ATOMIC(T)   an atomic object; T an integer, bool or pointer of 1, 2, 4 or 8 bytes
 *   FILCHI_CELL(T)     plain shared data, ordered by an edge: the checker reports races on it
 *
 *   filchi_load_{rlx,acq,sc}(p, edge)
 *   filchi_store_{rlx,rel,sc}(p, v, edge)
 *   filchi_exchange_{rlx,acq,rel,acq_rel,sc}(p, v, edge)                   the old value
 *   filchi_cas_{rlx,acq,rel,acq_rel,sc}(p, &expected, v, edge)             strong; on failure loads, relaxed
 *   filchi_fetch_add_{rlx,acq,rel,acq_rel,sc}(p, v, edge)                  the old value
 *   filchi_fence_{acq,rel,acq_rel,sc}(edge)
 *   filchi_fence_light(asymmetric, edge)   as _sc; if asymmetric, only opposite a filchi_membarrier() of src/os/os.h
 *   filchi_atomic_init(p, v)   filchi_cell_get(c)   filchi_cell_set(c, v)
 *   filchi_plain_get(p)   filchi_plain_set(p, v)    as of a cell, for plain data in a struct of the caller's
 *   filchi_spin_wait()         in a waiting loop: a turn without a result ends here
 *   filchi_pause()             in a loop that ends by itself: lets the processor's other thread run
 */
#ifndef FILCHI_BASE_ATOMIC_H
#define FILCHI_BASE_ATOMIC_H

#include <stdbool.h>
#include <stdint.h>

#define FILCHI_CELL(T)                                                                                                 \
	struct {                                                                                                       \
		T v_;                                                                                                  \
	}

#ifndef FILCH_CHECKED

#include <stdatomic.h>

#define FILCHI_ATOMIC(T) _Atomic(T)
#define FILCHI_TUNE(shipped, checked) (shipped)

#define filchi_atomic_init(p, v) atomic_init(p, v)
#define filchi_load_rlx(p, edge) atomic_load_explicit(p, memory_order_relaxed)
#define filchi_load_acq(p, edge) atomic_load_explicit(p, memory_order_acquire)
#define filchi_load_sc(p, edge) atomic_load_explicit(p, memory_order_seq_cst)
#define filchi_store_rlx(p, v, edge) atomic_store_explicit(p, v, memory_order_relaxed)
#define filchi_store_rel(p, v, edge) atomic_store_explicit(p, v, memory_order_release)
#define filchi_store_sc(p, v, edge) atomic_store_explicit(p, v, memory_order_seq_cst)
#define filchi_exchange_rlx(p, v, edge) atomic_exchange_explicit(p, v, memory_order_relaxed)
#define filchi_exchange_acq(p, v, edge) atomic_exchange_explicit(p, v, memory_order_acquire)
#define filchi_exchange_rel(p, v, edge) atomic_exchange_explicit(p, v, memory_order_release)
#define filchi_exchange_acq_rel(p, v, edge) atomic_exchange_explicit(p, v, memory_order_acq_rel)
#define filchi_exchange_sc(p, v, edge) atomic_exchange_explicit(p, v, memory_order_seq_cst)
#define filchi_fetch_add_rlx(p, v, edge) atomic_fetch_add_explicit(p, v, memory_order_relaxed)
#define filchi_fetch_add_acq(p, v, edge) atomic_fetch_add_explicit(p, v, memory_order_acquire)
#define filchi_fetch_add_rel(p, v, edge) atomic_fetch_add_explicit(p, v, memory_order_release)
#define filchi_fetch_add_acq_rel(p, v, edge) atomic_fetch_add_explicit(p, v, memory_order_acq_rel)
#define filchi_fetch_add_sc(p, v, edge) atomic_fetch_add_explicit(p, v, memory_order_seq_cst)
#define FILCHI_CAS_(p, e, v, order) atomic_compare_exchange_strong_explicit(p, e, v, order, memory_order_relaxed)
#define filchi_cas_rlx(p, e, v, edge) FILCHI_CAS_(p, e, v, memory_order_relaxed)
#define filchi_cas_acq(p, e, v, edge) FILCHI_CAS_(p, e, v, memory_order_acquire)
#define filchi_cas_rel(p, e, v, edge) FILCHI_CAS_(p, e, v, memory_order_release)
#define filchi_cas_acq_rel(p, e, v, edge) FILCHI_CAS_(p, e, v, memory_order_acq_rel)
#define filchi_cas_sc(p, e, v, edge) FILCHI_CAS_(p, e, v, memory_order_seq_cst)
#define filchi_fence_acq(edge) atomic_thread_fence(memory_order_acquire)
#define filchi_fence_rel(edge) atomic_thread_fence(memory_order_release)
#define filchi_fence_acq_rel(edge) atomic_thread_fence(memory_order_acq_rel)
#define filchi_fence_sc(edge) filchi_full_fence()
#define filchi_fence_light(asymmetric, edge) ((asymmetric) ? filchi_half_fence() : filchi_full_fence())

/*
 * clang makes an mfence of the C11 fence. gcc makes a locked instruction, which orders as much as C11 demands in a
 * tenth of the time. TSan does not understand the instruction.
 */
#if defined(__clang__) && defined(__x86_64__)
#if !__has_feature(thread_sanitizer)
#define FILCHI_LOCKED_FENCE_
#endif
#endif

static inline void filchi_full_fence(void)
{
#ifdef FILCHI_LOCKED_FENCE_
	__asm__ volatile("lock orq $0, (%%rsp)" : : : "memory", "cc");
#else
	atomic_thread_fence(memory_order_seq_cst);
#endif
}

/*
 * Orders as a full fence does, except earlier stores against later loads: only the compiler may not swap these. On
 * x86-64 this fence is no instruction.
 */
static inline void filchi_half_fence(void)
{
	atomic_thread_fence(memory_order_acq_rel);
	atomic_signal_fence(memory_order_seq_cst);
}

#define filchi_cell_get(c) ((c)->v_)
#define filchi_cell_set(c, v) ((void)((c)->v_ = (v)))
#define filchi_plain_get(p) (*(p))
#define filchi_plain_set(p, v) ((void)(*(p) = (v)))

static inline void filchi_pause(void)
{
#if defined(__x86_64__) || defined(__i386__)
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	__asm__ volatile("yield");
#endif
}
#define filchi_spin_wait() filchi_pause()

#else /* FILCH_CHECKED */

#include "../../check/shim.h"

#define FILCHI_ATOMIC(T) T
#define FILCHI_TUNE(shipped, checked) (checked)

#define FILCHI_VALUE_(v) ((uint64_t)(uintptr_t)(v))
#define FILCHI_AS_(p, v) ((__typeof__(*(p)))(uintptr_t)(v))

#define filchi_atomic_init(p, v)                                                                                       \
	chk_init((void *)(p), sizeof *(p), FILCHI_VALUE_((__typeof__(*(p)))(v)),                                       \
		 CHK_SITE(CHK_STORE, #p, "", CHK_RLX, CHK_RLX))

#define FILCHI_LOAD_(p, edge, order)                                                                                   \
	FILCHI_AS_(p, chk_load((const void *)(p), sizeof *(p), CHK_SITE(CHK_LOAD, #p, #edge, order, CHK_RLX)))
#define filchi_load_rlx(p, edge) FILCHI_LOAD_(p, edge, CHK_RLX)
#define filchi_load_acq(p, edge) FILCHI_LOAD_(p, edge, CHK_ACQ)
#define filchi_load_sc(p, edge) FILCHI_LOAD_(p, edge, CHK_SC)

#define FILCHI_STORE_(p, v, edge, order)                                                                               \
	chk_store((void *)(p), sizeof *(p), FILCHI_VALUE_((__typeof__(*(p)))(v)),                                      \
		  CHK_SITE(CHK_STORE, #p, #edge, order, CHK_RLX))
#define filchi_store_rlx(p, v, edge) FILCHI_STORE_(p, v, edge, CHK_RLX)
#define filchi_store_rel(p, v, edge) FILCHI_STORE_(p, v, edge, CHK_REL)
#define filchi_store_sc(p, v, edge) FILCHI_STORE_(p, v, edge, CHK_SC)

#define FILCHI_EXCHANGE_(p, v, edge, order)                                                                            \
	FILCHI_AS_(p, chk_exchange((void *)(p), sizeof *(p), FILCHI_VALUE_((__typeof__(*(p)))(v)),                     \
				   CHK_SITE(CHK_EXCHANGE, #p, #edge, order, CHK_RLX)))
#define filchi_exchange_rlx(p, v, edge) FILCHI_EXCHANGE_(p, v, edge, CHK_RLX)
#define filchi_exchange_acq(p, v, edge) FILCHI_EXCHANGE_(p, v, edge, CHK_ACQ)
#define filchi_exchange_rel(p, v, edge) FILCHI_EXCHANGE_(p, v, edge, CHK_REL)
#define filchi_exchange_acq_rel(p, v, edge) FILCHI_EXCHANGE_(p, v, edge, CHK_ACQ_REL)
#define filchi_exchange_sc(p, v, edge) FILCHI_EXCHANGE_(p, v, edge, CHK_SC)

#define FILCHI_FETCH_ADD_(p, v, edge, order)                                                                           \
	FILCHI_AS_(p, chk_fetch_add((void *)(p), sizeof *(p), FILCHI_VALUE_((__typeof__(*(p)))(v)),                    \
				    CHK_SITE(CHK_FETCH_ADD, #p, #edge, order, CHK_RLX)))
#define filchi_fetch_add_rlx(p, v, edge) FILCHI_FETCH_ADD_(p, v, edge, CHK_RLX)
#define filchi_fetch_add_acq(p, v, edge) FILCHI_FETCH_ADD_(p, v, edge, CHK_ACQ)
#define filchi_fetch_add_rel(p, v, edge) FILCHI_FETCH_ADD_(p, v, edge, CHK_REL)
#define filchi_fetch_add_acq_rel(p, v, edge) FILCHI_FETCH_ADD_(p, v, edge, CHK_ACQ_REL)
#define filchi_fetch_add_sc(p, v, edge) FILCHI_FETCH_ADD_(p, v, edge, CHK_SC)

#define FILCHI_CAS_(p, e, v, edge, order)                                                                              \
	(__extension__({                                                                                               \
		uint64_t filchi_seen_;                                                                                 \
		bool filchi_won_ =                                                                                     \
			chk_cas((void *)(p), sizeof *(p), FILCHI_VALUE_(*(e)), FILCHI_VALUE_((__typeof__(*(p)))(v)),   \
				&filchi_seen_, CHK_SITE(CHK_CAS, #p, #edge, order, CHK_RLX));                          \
		if (!filchi_won_)                                                                                      \
			*(e) = FILCHI_AS_(e, filchi_seen_);                                                            \
		filchi_won_;                                                                                           \
	}))
#define filchi_cas_rlx(p, e, v, edge) FILCHI_CAS_(p, e, v, edge, CHK_RLX)
#define filchi_cas_acq(p, e, v, edge) FILCHI_CAS_(p, e, v, edge, CHK_ACQ)
#define filchi_cas_rel(p, e, v, edge) FILCHI_CAS_(p, e, v, edge, CHK_REL)
#define filchi_cas_acq_rel(p, e, v, edge) FILCHI_CAS_(p, e, v, edge, CHK_ACQ_REL)
#define filchi_cas_sc(p, e, v, edge) FILCHI_CAS_(p, e, v, edge, CHK_SC)

#define FILCHI_FENCE_(edge, order) chk_fence(CHK_SITE(CHK_FENCE, "", #edge, order, CHK_RLX))
#define filchi_fence_acq(edge) FILCHI_FENCE_(edge, CHK_ACQ)
#define filchi_fence_rel(edge) FILCHI_FENCE_(edge, CHK_REL)
#define filchi_fence_acq_rel(edge) FILCHI_FENCE_(edge, CHK_ACQ_REL)
#define filchi_fence_sc(edge) FILCHI_FENCE_(edge, CHK_SC)
/* The system makes a full fence of each side of the pair, and so does the checker. */
#define filchi_fence_light(asymmetric, edge) ((void)(asymmetric), FILCHI_FENCE_(edge, CHK_SC))

#define filchi_cell_get(c)                                                                                             \
	(*(chk_cell_read(&(c)->v_, sizeof((c)->v_), CHK_SITE(CHK_CELL_READ, #c, "", CHK_NONE, CHK_NONE)), &(c)->v_))
#define filchi_cell_set(c, v)                                                                                          \
	(chk_cell_write(&(c)->v_, sizeof((c)->v_), CHK_SITE(CHK_CELL_WRITE, #c, "", CHK_NONE, CHK_NONE)),              \
	 (void)((c)->v_ = (v)))

#define filchi_plain_get(p)                                                                                            \
	(*(chk_cell_read((p), sizeof(*(p)), CHK_SITE(CHK_CELL_READ, #p, "", CHK_NONE, CHK_NONE)), (p)))
#define filchi_plain_set(p, v)                                                                                         \
	(chk_cell_write((p), sizeof(*(p)), CHK_SITE(CHK_CELL_WRITE, #p, "", CHK_NONE, CHK_NONE)), (void)(*(p) = (v)))

/* The accesses of the macros of filch/task.h, which this file must precede. */
#ifdef FILCH_TASK_LOAD_
#error "include src/base/atomic.h before filch/task.h"
#endif
#define FILCH_TASK_LOAD_(p, edge) filchi_load_rlx(p, edge)
#define FILCH_TASK_STORE_(p, v, edge) filchi_store_rlx(p, v, edge)

#define filchi_spin_wait() chk_spin()
#define filchi_pause() ((void)0)

#endif
#endif
