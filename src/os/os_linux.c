/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE

#include "os.h"

#include "../base/compiler.h"

#include <errno.h>
#include <linux/futex.h>
#include <linux/membarrier.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

_Static_assert(sizeof(pthread_mutex_t) <= sizeof(struct filchi_mutex), "no room for the system's mutex");
_Static_assert(alignof(pthread_mutex_t) <= alignof(struct filchi_mutex), "the system's mutex wants more alignment");

static pthread_mutex_t *native(struct filchi_mutex *m)
{
	return (pthread_mutex_t *)(void *)m->opaque;
}

int filchi_mutex_init(struct filchi_mutex *m)
{
	return -pthread_mutex_init(native(m), NULL);
}

void filchi_mutex_destroy(struct filchi_mutex *m)
{
	pthread_mutex_destroy(native(m));
}

void filchi_mutex_lock(struct filchi_mutex *m)
{
	pthread_mutex_lock(native(m));
}

bool filchi_mutex_trylock(struct filchi_mutex *m)
{
	return !pthread_mutex_trylock(native(m));
}

void filchi_mutex_unlock(struct filchi_mutex *m)
{
	pthread_mutex_unlock(native(m));
}

void *filchi_vm_reserve(size_t bytes)
{
	void *base = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	return base == MAP_FAILED ? NULL : base;
}

static size_t round_to_page(size_t bytes)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	return (bytes + page - 1) & ~(page - 1);
}

int filchi_vm_commit(void *base, size_t old_bytes, size_t new_bytes)
{
	size_t from = round_to_page(old_bytes);
	size_t to = round_to_page(new_bytes);

	if (from >= to)
		return 0;
	return mprotect((char *)base + from, to - from, PROT_READ | PROT_WRITE) ? -ENOMEM : 0;
}

void filchi_vm_release(void *base, size_t bytes)
{
	munmap(base, bytes);
}

static long membarrier(int command)
{
	int saved = errno;
	long failed = syscall(SYS_membarrier, command, 0, 0);

	errno = saved;
	return failed;
}

bool filchi_membarrier_ready(void)
{
#ifdef __x86_64__
	return !membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED);
#else
	/* Elsewhere a light fence is an instruction as dear as a full one. */
	return false;
#endif
}

bool filchi_membarrier(void)
{
	return !membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED);
}

void *filchi_vm_map(size_t bytes)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *all = mmap(NULL, 2 * bytes + page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	char *base;

	if (all == MAP_FAILED)
		return NULL;
	base = (char *)(((uintptr_t)all + bytes - 1) & ~(uintptr_t)(bytes - 1));
	if (mprotect(base, bytes, PROT_READ | PROT_WRITE)) {
		munmap(all, 2 * bytes + page);
		return NULL;
	}
	if (base > all)
		munmap(all, (size_t)(base - all));
	munmap(base + bytes + page, (size_t)(all + bytes - base));
	return base;
}

void filchi_vm_unmap(void *base, size_t bytes)
{
	munmap(base, bytes + (size_t)sysconf(_SC_PAGESIZE));
}

static long futex(FILCHI_ATOMIC(uint32_t) * word, int op, uint32_t value, const struct timespec *timeout)
{
	return syscall(SYS_futex, word, op | FUTEX_PRIVATE_FLAG, value, timeout, NULL, 0);
}

void filchi_futex_wait(FILCHI_ATOMIC(uint32_t) * word, uint32_t value)
{
	int saved = errno;

	futex(word, FUTEX_WAIT, value, NULL);
	errno = saved;
}

int filchi_futex_wait_for(FILCHI_ATOMIC(uint32_t) * word, uint32_t value, uint64_t ns)
{
	const struct timespec timeout = {.tv_sec = (time_t)(ns / 1000000000), .tv_nsec = (long)(ns % 1000000000)};
	int saved = errno;
	int err = futex(word, FUTEX_WAIT, value, &timeout) && errno == ETIMEDOUT ? -ETIMEDOUT : 0;

	errno = saved;
	return err;
}

void filchi_futex_wake(FILCHI_ATOMIC(uint32_t) * word, uint32_t count)
{
	int saved = errno;

	/* Fails only if the word is no longer mapped: then nobody waits for it. */
	futex(word, FUTEX_WAKE, count, NULL);
	errno = saved;
}

_Static_assert(sizeof(pthread_t) <= sizeof(struct filchi_thread), "no room for the system's thread");

int filchi_thread_start(struct filchi_thread *t, void *(*main)(void *), void *arg, size_t stack_bytes)
{
	/* Of what the thread itself does. */
	static const int own[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGPROF};
	pthread_attr_t attr;
	sigset_t all, before;
	int err = pthread_attr_init(&attr);

	if (err)
		return -err;
	if (stack_bytes)
		err = pthread_attr_setstacksize(&attr, stack_bytes);
	if (!err) {
		/* A thread inherits the mask of who starts it. */
		sigfillset(&all);
		for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++)
			sigdelset(&all, own[i]);
		pthread_sigmask(SIG_SETMASK, &all, &before);
		err = pthread_create((pthread_t *)(void *)t->opaque, &attr, main, arg);
		pthread_sigmask(SIG_SETMASK, &before, NULL);
	}
	pthread_attr_destroy(&attr);
	return -err;
}

void filchi_thread_join(struct filchi_thread *t)
{
	pthread_join(*(pthread_t *)(void *)t->opaque, NULL);
}

int filchi_thread_keep(void)
{
	int before = PTHREAD_CANCEL_ENABLE;

	(void)pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
	return before;
}

void filchi_thread_keep_not(int before)
{
	(void)pthread_setcancelstate(before, NULL);
}

void filchi_thread_yield(void)
{
	sched_yield();
}

static _Thread_local FILCHI_TLS_NEAR void *local;

void *filchi_thread_local(void)
{
	return local;
}

void filchi_thread_local_set(void *value)
{
	local = value;
}
