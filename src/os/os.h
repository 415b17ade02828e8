/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions that the library needs of a system. os_linux.c has them for Linux, os_check.c for the checker.
 */
#ifndef FILCHI_OS_OS_H
#define FILCHI_OS_OS_H

#include "../base/atomic.h"

#include <stdalign.h>
#include <stdbool.h>
#include <stddef.h>

/* Room for the system's mutex: 40 bytes with glibc on x86-64, 48 on AArch64. Not recursive. */
struct filchi_mutex {
	alignas(8) unsigned char opaque[48];
};

int filchi_mutex_init(struct filchi_mutex *m);
void filchi_mutex_destroy(struct filchi_mutex *m);
void filchi_mutex_lock(struct filchi_mutex *m);
bool filchi_mutex_trylock(struct filchi_mutex *m);
void filchi_mutex_unlock(struct filchi_mutex *m);

/*
 * Waiting for a word to change. wait returns when another thread wakes it, at once if the word does not have the given
 * value, or for no reason: the caller must look again. wake wakes at most count waiting threads. A wake orders no
 * memory: the accesses to the word must make the waker's writes visible.
 */
void filchi_futex_wait(FILCHI_ATOMIC(uint32_t) * word, uint32_t value);
/* As wait, for at most ns. -ETIMEDOUT after that time, else 0. */
int filchi_futex_wait_for(FILCHI_ATOMIC(uint32_t) * word, uint32_t value, uint64_t ns);
void filchi_futex_wake(FILCHI_ATOMIC(uint32_t) * word, uint32_t count);

/* A set of blocked signals. get: the signals that the calling thread blocks. */
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
/* True if the address is in the guard below the thread's stack. A signal handler may call it. */
bool filchi_thread_is_guard(const struct filchi_thread *t, uintptr_t address);
/* Reports that the thread of that worker, or another thread (-1), has ended before its work was done. Aborts the
 * program. */
_Noreturn void filchi_thread_lost(int worker);
/* Names the calling thread, for debuggers and top. The system keeps at most 15 bytes of the name. */
void filchi_thread_name(const char *name);
/* Lets other threads run. */
void filchi_thread_yield(void);
/*
 * The calling thread must stay until keep_not: it cannot be cancelled. If it ends by pthread_exit(), the program aborts
 * as in filchi_thread_lost(). The result is the argument of keep_not.
 */
int filchi_thread_keep(void);
void filchi_thread_keep_not(int before);
/* A pointer that belongs to the calling thread; NULL at first. */
void *filchi_thread_local(void);
void filchi_thread_local_set(void *value);
/* A second pointer of the calling thread. Its address names the thread as long as the thread lives. */
void **filchi_thread_slot(void);

/*
 * Address space that gets memory when the caller commits it, from the start upwards: an array that grows there never
 * moves. Sizes need not be multiples of a page. In a shipped build committed memory reads as zero. In a checked build
 * it counts as uninitialized, and all of it is there from the start.
 */
void *filchi_vm_reserve(size_t bytes);				      /* NULL when there is none */
int filchi_vm_commit(void *base, size_t old_bytes, size_t new_bytes); /* 0; -ENOMEM: nothing has changed */
void filchi_vm_release(void *base, size_t bytes);
/*
 * Address space that gets memory at the first touch. It is aligned to its size, a power of two. A page follows that
 * must not be touched. NULL if the system has no such space. An earlier mlockall(MCL_FUTURE) locks neither this memory
 * nor reserved address space.
 */
void *filchi_vm_map(size_t bytes);
void *filchi_vm_map_briefly(size_t bytes); /* for a short time: faster, but not aligned to its size */
void filchi_vm_unmap(void *base, size_t bytes);

/*
 * A fence for all threads of the process. When the call returns, each thread has had a full fence between two of its
 * instructions, at some point since the call. With it on the other side, filchi_fence_light() is as good as a full
 * fence. The call takes microseconds, and interrupts the threads that run. The process gets ready once, before the
 * first light fence.
 */
bool filchi_membarrier_ready(void); /* false: the system does not have it, or it would gain nothing */
bool filchi_membarrier(void);	    /* false: the system, once ready, now refuses, and there was no fence */

#endif
