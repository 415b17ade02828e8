/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE

#include "os.h"

#include "os_parts.h"

#include <errno.h>
#include <linux/futex.h>
#include <linux/membarrier.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

_Static_assert(sizeof(pthread_mutex_t) <= sizeof(struct filchi_mutex), "no room for the system's mutex");
_Static_assert(alignof(pthread_mutex_t) <= alignof(struct filchi_mutex), "the system's mutex wants more alignment");

/* Bytes of a mapping of filchi_vm_map() that core dumps contain. */
#define DUMPED ((size_t)1 << 20)

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

/*
 * After mlockall(MCL_FUTURE) each new mapping is locked. A locked mapping is populated as soon as it is accessible, and
 * all of it counts against RLIMIT_MEMLOCK. So one page is mapped and unlocked, and the rest grows from that page:
 * memory that grows from an unlocked page is unlocked. The other way, to make a large mapping accessible later, takes
 * valgrind seconds.
 */
void *filchi_vm_grow(size_t bytes, int protection)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	void *first = mmap(NULL, page, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	void *base;

	if (first == MAP_FAILED)
		return NULL;
	(void)munlock(first, page);
	base = mremap(first, page, bytes, MREMAP_MAYMOVE);
	if (base != MAP_FAILED)
		return base;
	munmap(first, page);
	return NULL;
}

void *filchi_vm_reserve(size_t bytes)
{
	return filchi_vm_grow(bytes, PROT_NONE);
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
	/* On other processors a light fence is an instruction that costs as much as a full fence. */
	return false;
#endif
}

bool filchi_membarrier(void)
{
	return !membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED);
}

/* Gives back the parts before base and behind the page that follows the mapping. With a huge page the first touch would
 * take 2 MB. */
static void *trim(char *all, size_t all_bytes, char *base, size_t bytes)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *end = base + bytes + page;

	if (mprotect(base + bytes, page, PROT_NONE)) {
		munmap(all, all_bytes);
		return NULL;
	}
	if (base > all)
		munmap(all, (size_t)(base - all));
	if (all + all_bytes > end)
		munmap(end, (size_t)(all + all_bytes - end));
	(void)madvise(base, bytes, MADV_NOHUGEPAGE);
	return base;
}

void *filchi_vm_map(size_t bytes)
{
	size_t all_bytes = 2 * bytes + (size_t)sysconf(_SC_PAGESIZE);
	char *all = filchi_vm_grow(all_bytes, PROT_READ | PROT_WRITE);
	char *base = all;

	if (base)
		base = trim(all, all_bytes, all + (-(uintptr_t)all & (bytes - 1)), bytes);
	/* Of a deep stack a core dump need not have all. */
	if (base && bytes > DUMPED)
		(void)madvise(base + DUMPED, bytes - DUMPED, MADV_DONTDUMP);
	return base;
}

void *filchi_vm_map_briefly(size_t bytes)
{
	size_t all_bytes = bytes + (size_t)sysconf(_SC_PAGESIZE);
	char *all = filchi_vm_grow(all_bytes, PROT_READ | PROT_WRITE);

	return all ? trim(all, all_bytes, all, bytes) : NULL;
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

	/* Fails only if the word is no longer mapped: then no thread waits for it. */
	futex(word, FUTEX_WAKE, count, NULL);
	errno = saved;
}
