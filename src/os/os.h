/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is needed of a system. os_linux.c does it on Linux, os_check.c under the checker.
 */
#ifndef FILCHI_OS_OS_H
#define FILCHI_OS_OS_H

#include "../base/atomic.h"

#include <stdalign.h>
#include <stdbool.h>
#include <stddef.h>

/* Room for the system's own: 40 bytes with glibc on x86-64, 48 on AArch64. Not recursive. */
struct filchi_mutex {
	alignas(8) unsigned char opaque[48];
};

int filchi_mutex_init(struct filchi_mutex *m);
void filchi_mutex_destroy(struct filchi_mutex *m);
void filchi_mutex_lock(struct filchi_mutex *m);
bool filchi_mutex_trylock(struct filchi_mutex *m);
void filchi_mutex_unlock(struct filchi_mutex *m);

/*
 * Waiting for a word to change. wait returns when it is woken, at once if the word has another value than the one
 * given, or for no reason: the caller looks again. wake wakes up to count of those who wait. What a thread wrote before
 * it woke another is not thereby visible to it: that is up to the accesses to the word.
 */
void filchi_futex_wait(FILCHI_ATOMIC(uint32_t) * word, uint32_t value);
/* The same for at most so long. -ETIMEDOUT when that is over, else 0. */
int filchi_futex_wait_for(FILCHI_ATOMIC(uint32_t) * word, uint32_t value, uint64_t ns);
void filchi_futex_wake(FILCHI_ATOMIC(uint32_t) * word, uint32_t count);

/* The signals that a thread blocks: those of the calling thread. */
struct filchi_signals {
	alignas(8) unsigned char opaque[128];
};
void filchi_signals_get(struct filchi_signals *signals);

/* A thread. It cannot be cancelled, and has a stack with a guard below it. */
struct filchi_thread {
	alignas(8) unsigned char opaque[64];
};
struct filchi_thread_setup {
	void *(*main)(void *arg);
	void (*died)(void *arg); /* called in the thread if it ends and main has not returned */
	void *arg;
	size_t stack_bytes;
	const struct filchi_signals *signals; /* that the thread blocks; valid until it has been joined */
};
/* 0; -EAGAIN: the system has no more threads; -ENOMEM; -EINVAL: the stack has no room for thread-local variables. */
int filchi_thread_start(struct filchi_thread *t, const struct filchi_thread_setup *setup);
void filchi_thread_join(struct filchi_thread *t);
/* Is the address in the guard below the thread's stack? May be called in a signal handler. */
bool filchi_thread_is_guard(const struct filchi_thread *t, uintptr_t address);
/* The thread of that worker, or another one (-1), has ended with its work undone: says so, and aborts the program. */
_Noreturn void filchi_thread_lost(int worker);
/* Names the calling thread, for debuggers and top: at most 15 bytes of it are kept. */
void filchi_thread_name(const char *name);
/* Lets others run. */
void filchi_thread_yield(void);
/*
 * The calling thread must stay until keep_not: it cannot be cancelled, and if it ends by pthread_exit() the program is
 * aborted as by filchi_thread_lost(). The result is for keep_not.
 */
int filchi_thread_keep(void);
void filchi_thread_keep_not(int before);
/* One pointer of the calling thread's own; NULL at first. */
void *filchi_thread_local(void);
void filchi_thread_local_set(void *value);
/* A second pointer of the calling thread. Its address names the thread as long as the thread lives. */
void **filchi_thread_slot(void);

/*
 * Address space that gets memory behind it only as it is committed, from its start and upwards: what grows in it
 * never moves. Page sizes are not the caller's concern. Committed memory reads as zero in a shipped build and counts
 * as uninitialized in a checked one, which has it from the start.
 */
void *filchi_vm_reserve(size_t bytes);				      /* NULL when there is none */
int filchi_vm_commit(void *base, size_t old_bytes, size_t new_bytes); /* 0 or -ENOMEM, and then nothing changed */
void filchi_vm_release(void *base, size_t bytes);
/*
 * Address space with memory behind all of it, which comes as it is touched; aligned to its size, a power of two, and
 * followed by a page that must not be touched. NULL when there is none. Neither this nor what is reserved is locked by
 * an earlier mlockall(MCL_FUTURE).
 */
void *filchi_vm_map(size_t bytes);
void *filchi_vm_map_briefly(size_t bytes); /* the same for a short time: faster, but not aligned to its size */
void filchi_vm_unmap(void *base, size_t bytes);

/*
 * A fence for all threads of the process: on return each has, at some point since the call, had a full fence between
 * two of its instructions. Opposite it filchi_fence_light() is as good as a full one. It takes microseconds, and
 * interrupts the threads that run. The process gets ready once, before the first light fence.
 */
bool filchi_membarrier_ready(void); /* false: it cannot be had, or would gain nothing */
bool filchi_membarrier(void);	    /* false: the system, ready once, now refuses, and there was no fence */

#endif
