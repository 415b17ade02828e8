/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A lock for what a process has once. fork() may leave a child with a lock that a thread holds which the child does not
 * have; of this one the child notices that. All zero is a lock that nobody holds.
 */
#ifndef FILCHI_POOL_LOCK_H
#define FILCHI_POOL_LOCK_H

#include "../base/atomic.h"

struct filchi_fork_lock {
	FILCHI_ATOMIC(uint32_t) word; /* generation of the process above, below: free, held, held and waited for */
};

/* False: it was held when this process was forked off, so what it guards may be in any state. */
bool filchi_fork_lock(struct filchi_fork_lock *lock);
/* The same, but does not wait. False: another thread of this process holds it. */
bool filchi_fork_trylock(struct filchi_fork_lock *lock);
void filchi_fork_unlock(struct filchi_fork_lock *lock);

#endif
