/* SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE
#include "system.h"

#include <filch/pool.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* A spare takes the place of a worker that waits here. */
void filchi_search_sleep(FILCHI_ATOMIC(uint32_t) * word, uint32_t value, uint64_t ns)
{
	struct timespec limit = {.tv_sec = (time_t)(ns / 1000000000u), .tv_nsec = (long)(ns % 1000000000u)};

	filch_blocking_begin();
	syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, &limit, NULL, 0);
	filch_blocking_end();
}

void filchi_search_wake(FILCHI_ATOMIC(uint32_t) * word)
{
	syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, INT32_MAX, NULL, NULL, 0);
}
