/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The system as the checker knows it.
 *
 * The kernel promises of a futex that the look at the word and the sleep are one step against wake. Here wakes are
 * counted, and a waiting thread reads the count before it reads the word. If the thread comes after the wake, it sees
 * the waker's writes, as with the kernel's lock. If it comes before, the count changes later. So the checker finds a
 * change of the word without a wake as a deadlock. A wake here wakes all waiting threads, and perhaps threads that wait
 * for another word. Both may happen, because wait may return for no reason.
 *
 * Edges:
 *   K1   wake: fetch_add_acq_rel → wait: fetch_add_acq_rel   the kernel's lock
 *   K2   the word, the count of wakes while asleep, and the end of time limits: they order nothing
 */
#include "os_check.h"
#include "os.h"

#include "../../check/chk.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof(struct chk_mutex) <= sizeof(struct filchi_mutex), "no room for the checker's mutex");

static struct chk_mutex *native(struct filchi_mutex *m)
{
	return (struct chk_mutex *)(void *)m->opaque;
}

int filchi_mutex_init(struct filchi_mutex *m)
{
	chk_mutex_init(native(m));
	return 0;
}

void filchi_mutex_destroy(struct filchi_mutex *m)
{
	(void)m;
}

void filchi_mutex_lock(struct filchi_mutex *m)
{
	chk_mutex_lock(native(m));
}

bool filchi_mutex_trylock(struct filchi_mutex *m)
{
	return chk_mutex_trylock(native(m));
}

void filchi_mutex_unlock(struct filchi_mutex *m)
{
	chk_mutex_unlock(native(m));
}

void *filchi_vm_reserve(size_t bytes)
{
	return chk_alloc(bytes);
}

int filchi_vm_commit(void *base, size_t old_bytes, size_t new_bytes)
{
	(void)base;
	(void)old_bytes;
	(void)new_bytes;
	return 0;
}

void filchi_vm_release(void *base, size_t bytes)
{
	(void)bytes;
	chk_free(base);
}

/* Here filchi_fence_light() is a full fence itself: the system promises no less. */
bool filchi_membarrier_ready(void)
{
	return true;
}

bool filchi_membarrier(void)
{
	return true;
}

#define QUEUES 16u
#define MAX_MAPS 32u

static FILCHI_ATOMIC(uint32_t) wakes[QUEUES];
static FILCHI_ATOMIC(uint32_t) over; /* 1: all time limits have passed, if there are any */
static bool limited;
static void *local[CHK_MAX_THREADS], *slot[CHK_MAX_THREADS];
static struct {
	void *base, *block;
} maps[MAX_MAPS];

/* Twice the size, so that an aligned part of that size is in it. */
void *filchi_vm_map(size_t bytes)
{
	char *block = chk_alloc(2 * bytes);

	for (unsigned i = 0; block && i < MAX_MAPS; i++)
		if (!maps[i].block) {
			maps[i].block = block;
			maps[i].base = block + (-(uintptr_t)block & (bytes - 1));
			return maps[i].base;
		}
	if (block)
		chk_free(block);
	return NULL;
}

void *filchi_vm_map_briefly(size_t bytes)
{
	return filchi_vm_map(bytes);
}

void filchi_vm_unmap(void *base, size_t bytes)
{
	(void)bytes;
	for (unsigned i = 0; i < MAX_MAPS; i++)
		if (maps[i].block && maps[i].base == base) {
			chk_free(maps[i].block);
			maps[i].block = NULL;
			return;
		}
	chk_free(base); /* the checker reports the error */
}

void filchi_os_check_start(void)
{
	for (unsigned i = 0; i < QUEUES; i++)
		filchi_atomic_init(&wakes[i], 0);
	filchi_atomic_init(&over, 0);
	limited = false;
	memset(local, 0, sizeof(local));
	memset(slot, 0, sizeof(slot));
	memset(maps, 0, sizeof(maps));
}

/* By the address, as the kernel does: words may share a queue. */
static FILCHI_ATOMIC(uint32_t) * queue_of(FILCHI_ATOMIC(uint32_t) * word)
{
	return &wakes[(uintptr_t)word / 64 % QUEUES];
}

void filchi_futex_wait(FILCHI_ATOMIC(uint32_t) * word, uint32_t value)
{
	uint32_t before = filchi_fetch_add_acq_rel(queue_of(word), 0, K1);

	if (filchi_load_rlx(word, K2) != value)
		return;
	while (filchi_load_rlx(queue_of(word), K2) == before)
		filchi_spin_wait();
}

/*
 * The time never passes, unless a scenario says so: the checker must find a thread that only a time limit would wake.
 */
int filchi_futex_wait_for(FILCHI_ATOMIC(uint32_t) * word, uint32_t value, uint64_t ns)
{
	uint32_t before = filchi_fetch_add_acq_rel(queue_of(word), 0, K1);

	(void)ns;
	if (filchi_load_rlx(word, K2) != value)
		return 0;
	while (filchi_load_rlx(queue_of(word), K2) == before) {
		if (limited && filchi_load_rlx(&over, K2))
			return -ETIMEDOUT;
		filchi_spin_wait();
	}
	return 0;
}

void filchi_os_check_limit(void)
{
	limited = true;
}

void filchi_os_check_time_over(void)
{
	filchi_store_rlx(&over, 1, K2);
}

void filchi_futex_wake(FILCHI_ATOMIC(uint32_t) * word, uint32_t count)
{
	(void)count;
	(void)filchi_fetch_add_acq_rel(queue_of(word), 1, K1);
}

void filchi_signals_get(struct filchi_signals *signals)
{
	(void)signals;
}

struct start {
	void *(*main)(void *);
	void *arg;
};

static void run(void *arg)
{
	struct start start = *(struct start *)arg;

	chk_free(arg);
	start.main(start.arg);
}

int filchi_thread_start(struct filchi_thread *t, const struct filchi_thread_setup *setup)
{
	struct start *start = chk_alloc(sizeof(*start));
	int thread;

	if (!start)
		return -EAGAIN;
	*start = (struct start){setup->main, setup->arg};
	thread = chk_thread(run, start);
	memcpy(t->opaque, &thread, sizeof(thread));
	return 0;
}

void filchi_thread_join(struct filchi_thread *t)
{
	int thread;

	memcpy(&thread, t->opaque, sizeof(thread));
	chk_join(thread);
}

bool filchi_thread_is_guard(const struct filchi_thread *t, uintptr_t address)
{
	(void)t;
	(void)address;
	return false;
}

/* A thread here ends by returning. */
void filchi_thread_lost(int worker)
{
	(void)worker;
	abort();
}

int filchi_thread_keep(void)
{
	return 0;
}

void filchi_thread_keep_not(int before)
{
	(void)before;
}

void filchi_thread_name(const char *name)
{
	(void)name;
}

void filchi_thread_yield(void)
{
}

void *filchi_thread_local(void)
{
	return local[chk_self()];
}

void filchi_thread_local_set(void *value)
{
	local[chk_self()] = value;
}

void **filchi_thread_slot(void)
{
	return &slot[chk_self()];
}
