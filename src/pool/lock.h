/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A lock for data of the whole process. After fork() a child may have a lock whose holder does not exist there. The
 * child notices this, and takes the lock. All zero is a free lock.
 */
#ifndef FILCHI_POOL_LOCK_H
#define FILCHI_POOL_LOCK_H

#include "../base/atomic.h"

struct filchi_fork_lock {
	FILCHI_ATOMIC(uint32_t) word; /* the generation of the process, and two bits: held, and a thread waits */
};

/* False: a thread of the parent held the lock during fork(), and the data may be in any state. */
bool filchi_fork_lock(struct filchi_fork_lock *lock);
/* Does not wait. False: another thread of this process holds the lock. */
bool filchi_fork_trylock(struct filchi_fork_lock *lock);
void filchi_fork_unlock(struct filchi_fork_lock *lock);

#endif
