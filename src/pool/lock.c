/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A lock that a child of fork() can take although a thread of the parent held it.
 *
 * Edges:
 *   L1   unlock: exchange_rel word → lock: cas_acq word   the data that the lock guards
 *   L2   word: whether to sleep; the kernel looks again
 */
#include "lock.h"

#include "../os/process.h"
#include "../os/wait.h"

#define HELD 1u
#define WAITED 2u /* with HELD: a thread sleeps until the lock is free */
#define STATE(word) ((word)&3u)

bool filchi_fork_lock(struct filchi_fork_lock *lock)
{
	uint32_t here = (uint32_t)filchi_process_generation() << 2;
	uint32_t held = HELD;

	for (;;) {
		uint32_t word = filchi_load_rlx(&lock->word, L2);
		bool stale = (word & ~3u) != here;

		if (!STATE(word) || stale) {
			if (filchi_cas_acq(&lock->word, &word, here | held, L1))
				return !STATE(word);
			continue;
		}
		/* Other threads may sleep as well. So the next holder must wake a thread at its unlock. */
		held = HELD | WAITED;
		(void)filchi_wait_bit(&lock->word, word, WAITED, FILCHI_NO_DEADLINE);
	}
}

bool filchi_fork_trylock(struct filchi_fork_lock *lock)
{
	uint32_t here = (uint32_t)filchi_process_generation() << 2;
	uint32_t word = filchi_load_rlx(&lock->word, L2);

	return (!STATE(word) || (word & ~3u) != here) && filchi_cas_acq(&lock->word, &word, here | HELD, L1);
}

void filchi_fork_unlock(struct filchi_fork_lock *lock)
{
	uint32_t here = (uint32_t)filchi_process_generation() << 2;

	if (filchi_exchange_rel(&lock->word, here, L1) & WAITED)
		filchi_futex_wake(&lock->word, 1);
}
