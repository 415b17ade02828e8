#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The atomics lint must reject each mistake that it is for.
set -eu
here=$(dirname "$0")
. "$here/inject.sh"
atomics() { sh "$here/atomics.sh" "$@"; }
lint=atomics

inject src/base/atomic.h <<'END'
#include <stdatomic.h>
#define FILCHI_ATOMIC(T) _Atomic(T)
#define filchi_load_acq(p, edge) atomic_load_explicit(p, memory_order_acquire)
END
inject src/deque/good.h <<'END'
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A volatile _Atomic atomic_load in a comment is nothing.
 *
 *   E1   push: store_rel bottom → steal: load_acq bottom   publishes the slot
 *   SIZE_HINT  nobody rests on it
 *   E3   push: store_rel a, which is
 *        long → load_acq a
 */
static const char *text = "volatile \" atomic_load";
static void push(struct d *d)
{
	filchi_atomic_init(&d->bottom, 0);
	filchi_store_rel(&d->bottom, f(1, 2), /* a comment, with commas */ E1);
	if (filchi_load_acq(&d->at[g(1, 2)],
			    E1) == ',' || filchi_load_rlx(&d->size, SIZE_HINT)) // filchi_load_rlx(nothing)
		filchi_fence_sc(E3);
#define MACRO(d) \
	filchi_store_rel(&d->a, \
			 1, \
			 E3)
}
END
accepts "a tree in order"

# bad WHAT PATTERN: rejects src/deque/bad.c, read from standard input after an opening comment of four lines.
bad() {
	{
		printf '/*\n *   E1  push: store_rel bottom → steal: load_acq bottom\n *   OWN the owner alone writes it\n */\n'
		cat
	} | inject src/deque/bad.c
	rejects "$1" "src/deque/bad.c:$2"
	rm "$tree/src/deque/bad.c"
}
both='filchi_load_acq(p, E1); filchi_store_rel(p, 1, E1);'

bad "<stdatomic.h>" '5: only src/base/atomic.h includes' <<END
#include <stdatomic.h>
$both
END
bad "_Atomic" '6: _Atomic is for' <<END
$both
_Atomic int x;
END
bad "volatile" '6: volatile is for' <<END
$both
static volatile int x;
END
bad "atomic_ calls" '6: atomic_load is for' <<END
$both
int x = atomic_load(&y);
END
bad "memory orders" '6: memory_order_relaxed is for' <<END
$both
int x = filchi_any(&y, memory_order_relaxed);
END
bad "__atomic builtins" '6: __atomic_load_n is for' <<END
$both
int x = __atomic_load_n(&y, 0);
END
bad "__sync builtins" '6: __sync_synchronize is for' <<END
$both
__sync_synchronize();
END
bad "an access without an edge" '6: filchi_load_acq: the last argument must be an edge' <<END
$both
int x = filchi_load_acq(&y);
END
bad "an edge in lower case" '6: filchi_cas_sc: the last argument must be an edge, not "edge"' <<END
$both
int x = filchi_cas_sc(&y, &e, f(E1, E1),
	edge);
END
bad "a fence without an edge" '6: filchi_fence_sc: the last' <<END
$both
filchi_fence_sc();
END
bad "an edge not in the table" '8: filchi_exchange_rlx: edge E9 is not in the table' <<END
$both


filchi_exchange_rlx(p, 1, E9);
END
bad "an edge only mentioned in prose" '6: filchi_fetch_add_rel: edge A is not in the table' <<END
$both
filchi_fetch_add_rel(p, 1, A); /* A is not */
END
bad "an edge with one end" '2: edge E1 has 1 of its two ends' <<END
filchi_load_acq(p, E1);
filchi_load_rlx(p, OWN);
END
bad "an edge with no end, its uses commented out" '2: edge E1 has 0 of its two ends' <<END
/* filchi_load_acq(p, E1); filchi_load_acq(p, E1); */
END
bad "an operation passed around" '6: filchi_load_acq without its arguments' <<END
$both
#define GET filchi_load_acq
END
bad "code that asks whether it is checked" '6: FILCH_CHECKED: only src/base/ may ask' <<END
$both
#ifdef FILCH_CHECKED
#endif
END

inject src/deque/bare.c <<'END'
int x = filchi_load_acq(&y, E1);
/*
 *   E1  too late: this comment does not open the file
 */
END
rejects "a table that does not open the file" "bare.c:1: .*E1 is not in the table"
rm "$tree/src/deque/bare.c"

inject include/filch/deque.h <<'END'
struct filch_deque {
	_Atomic(int) top;
};
END
rejects "an atomic in a public header" "include/filch/deque.h:2: _Atomic is for"
rm -r "$tree/include"

inject include/filch/detail/atomic.h <<'END'
#define FILCH_TASK_LOAD_(p, edge) __atomic_load_n(p, __ATOMIC_RELAXED)
END
inject include/filch/detail/task.h <<'END'
/*
 *   H1  the threshold
 */
#define CALLS(f) ((f)->head >= FILCH_TASK_LOAD_(&(f)->worker->threshold, \
		H1))
END
accepts "macros of public headers that name their edges"
inject include/filch/detail/task.h <<'END'
int x = __atomic_load_n(&y, __ATOMIC_RELAXED);
END
rejects "a relaxed load in a public header" "include/filch/detail/task.h:1: __atomic_load_n is for"
inject include/filch/detail/task.h <<'END'
void f(void) { FILCH_TASK_STORE_(&y, 1); }
END
rejects "an access in a public header without an edge" "include/filch/detail/task.h:1: FILCH_TASK_STORE_: the last argument"
inject include/filch/detail/task.h <<'END'
int x = FILCH_TASK_LOAD_(&y, J3);
END
rejects "an edge that the header does not list" "include/filch/detail/task.h:1: FILCH_TASK_LOAD_: edge J3 is not in the table"
rm -r "$tree/include"

accepts "the tree in order again"
exit $failed
