/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The accesses of the macros to memory that workers share. edge names the edge, for the checker (src/base/atomic.h): a
 * checked build of the library defines both macros before it includes this file, so that the checker sees the same
 * macros that programs use. Both accesses are relaxed. C++ has no <stdatomic.h>, so these are builtins.
 *
 * The store is a plain one. No other thread knows the task, or none knows it any more, and a plain store lets the
 * compiler merge it with its neighbours.
 */
#ifndef FILCH_DETAIL_ATOMIC_H
#define FILCH_DETAIL_ATOMIC_H

#ifndef FILCH_TASK_LOAD_
#define FILCH_TASK_LOAD_(p, edge) __atomic_load_n(p, __ATOMIC_RELAXED)
#define FILCH_TASK_STORE_(p, v, edge) ((void)(*(p) = (v)))
#endif

#endif
