/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE

#include "os.h"

#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/mman.h>
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
