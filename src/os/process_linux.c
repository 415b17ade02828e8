/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A counter that fork() raises in the child. Not the process id, because that costs a system call and may come again.
 *
 * There is no lock: another thread could hold it at the fork, and the child would wait for ever. So two threads may
 * both register. Then a fork counts twice, which does no harm. When the library is unloaded, the system forgets the
 * handler.
 *
 *   WATCH  watch: store_rel watched → watch: load_acq watched   a thread that finds it registered forks after that
 *   FORK  the child that counts has only one thread, and starts others later
 */
#define _GNU_SOURCE

#include "process.h"

#include "../base/atomic.h"

#include <pthread.h>

static FILCHI_ATOMIC(bool) watched;
static FILCHI_ATOMIC(unsigned) generation;

static void count_fork(void)
{
	filchi_store_rlx(&generation, filchi_load_rlx(&generation, FORK) + 1, FORK);
}

int filchi_process_watch(void)
{
	int error;

	if (filchi_load_acq(&watched, WATCH))
		return 0;
	error = pthread_atfork(NULL, NULL, count_fork);
	if (!error)
		filchi_store_rel(&watched, true, WATCH);
	return -error;
}

unsigned filchi_process_generation(void)
{
	return filchi_load_rlx(&generation, FORK);
}
