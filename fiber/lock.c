/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A lock for a few instructions.
 *
 * Edges:
 *   L1   unlock: store_rel word → lock: exchange_acq word   the data behind the lock
 *   L2   word: whether to try again
 */
#include "system.h"

#define SPINS 100

void filchi_fiber_lock(struct filchi_fiber_lock *lock)
{
	unsigned spins = 0;

	while (filchi_exchange_acq(&lock->word, 1, L1))
		while (filchi_load_rlx(&lock->word, L2)) {
			filchi_spin_wait();
			if (++spins % SPINS == 0)
				filchi_fiber_thread_yield();
		}
}

void filchi_fiber_unlock(struct filchi_fiber_lock *lock)
{
	filchi_store_rel(&lock->word, 0, L1);
}
