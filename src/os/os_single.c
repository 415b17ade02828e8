/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A system without threads, such as WebAssembly without workers: all of src/os in place of the files *_linux.c.
 *
 * A pool has no workers here. Its jobs run when a thread waits for them, and the tasks of FILCH_RUN run one after the
 * other. So no thread ever waits for another one. If it did, it would wait for ever, and in a browser the page would
 * hang. Therefore a wait without a time limit ends the program.
 *
 * There is no address space without memory behind it, and no page that faults. A mark follows each task stack instead.
 * If the mark has changed when the task is done, memory behind the stack has been overwritten, and the program ends.
 *
 * Edges:
 *   ONE  there is one thread, and nothing to order
 */
#define _POSIX_C_SOURCE 200809L

#include "../base/compiler.h"
#include "../base/mem.h"
#include "limits.h"
#include "os.h"
#include "process.h"
#include "stack.h"
#include "topology.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* The largest task stack: room for 262,144 spawns before their syncs. Memory of WebAssembly grows and never shrinks. */
#define MAX_STACK ((size_t)16 << 20)

_Noreturn static void end_program(const char *why)
{
	ssize_t written = write(STDERR_FILENO, why, strlen(why));

	(void)written;
	abort();
}

/* ---- locks and waits ---- */

int filchi_mutex_init(struct filchi_mutex *m)
{
	memset(m, 0, sizeof(*m));
	return 0;
}

void filchi_mutex_destroy(struct filchi_mutex *m)
{
	(void)m;
}

bool filchi_mutex_trylock(struct filchi_mutex *m)
{
	bool locked = m->opaque[0];

	m->opaque[0] = 1;
	return !locked;
}

void filchi_mutex_lock(struct filchi_mutex *m)
{
	if (!filchi_mutex_trylock(m))
		end_program(
			"filch: waits for a lock that only its holder can unlock, and there are no other threads\n");
}

void filchi_mutex_unlock(struct filchi_mutex *m)
{
	m->opaque[0] = 0;
}

void filchi_futex_wait(FILCHI_ATOMIC(uint32_t) * word, uint32_t value)
{
	if (filchi_load_rlx(word, ONE) == value)
		end_program("filch: waits for an event that cannot come, because there are no other threads\n");
}

int filchi_futex_wait_for(FILCHI_ATOMIC(uint32_t) * word, uint32_t value, uint64_t ns)
{
	const struct timespec time = {.tv_sec = (time_t)(ns / 1000000000), .tv_nsec = (long)(ns % 1000000000)};

	if (filchi_load_rlx(word, ONE) != value)
		return 0;
	nanosleep(&time, NULL);
	return -ETIMEDOUT;
}

void filchi_futex_wake(FILCHI_ATOMIC(uint32_t) * word, uint32_t count)
{
	(void)word;
	(void)count;
}

bool filchi_membarrier_ready(void)
{
	return false;
}

bool filchi_membarrier(void)
{
	return false;
}

/* ---- the only thread ---- */

static void *local, *slot;

void *filchi_thread_local(void)
{
	return local;
}

void filchi_thread_local_set(void *value)
{
	local = value;
}

void **filchi_thread_slot(void)
{
	return &slot;
}

int filchi_thread_start(struct filchi_thread *t, const struct filchi_thread_setup *setup)
{
	(void)t;
	(void)setup;
	return -ENOSYS;
}

void filchi_thread_join(struct filchi_thread *t)
{
	(void)t;
}

void filchi_thread_lost(int worker)
{
	(void)worker;
	abort();
}

bool filchi_thread_is_guard(const struct filchi_thread *t, uintptr_t address)
{
	(void)t;
	(void)address;
	return false;
}

void filchi_thread_name(const char *name)
{
	(void)name;
}

void filchi_thread_yield(void)
{
}

int filchi_thread_keep(void)
{
	return 0;
}

void filchi_thread_keep_not(int before)
{
	(void)before;
}

void filchi_signals_get(struct filchi_signals *signals)
{
	memset(signals, 0, sizeof(*signals));
}

/* ---- memory ---- */

void *filchi_vm_reserve(size_t bytes)
{
	return filchi_alloc(bytes);
}

int filchi_vm_commit(void *base, size_t old_bytes, size_t new_bytes)
{
	memset((char *)base + old_bytes, 0, new_bytes - old_bytes);
	return 0;
}

void filchi_vm_release(void *base, size_t bytes)
{
	(void)bytes;
	filchi_free(base);
}

/* Only workers need it, which this system does not have. */
void *filchi_vm_map(size_t bytes)
{
	(void)bytes;
	return NULL;
}

static const char mark[FILCHI_CACHE_LINE] = "filch: the end of a task stack";

void *filchi_vm_map_briefly(size_t bytes)
{
	char *base = bytes <= MAX_STACK ? filchi_alloc(bytes + sizeof(mark)) : NULL;

	if (base)
		memcpy(base + bytes, mark, sizeof(mark));
	return base;
}

void filchi_vm_unmap(void *base, size_t bytes)
{
	if (memcmp((char *)base + bytes, mark, sizeof(mark)) != 0)
		end_program(
			"filch: too many spawns that are not synced: memory behind the task stack was overwritten\n");
	filchi_free(base);
}

/* ---- the machine ---- */

int filchi_topology_read(struct filchi_topology *p, const char *root)
{
	(void)root;
	memset(p, 0, sizeof(*p));
	p->cpus = filchi_alloc(sizeof(*p->cpus));
	if (!p->cpus)
		return -ENOMEM;
	memset(p->cpus, 0, sizeof(*p->cpus));
	p->cpu_count = 1;
	return 0;
}

int filchi_topology_map(struct filchi_topology *p, const char *root, enum filchi_topology_source source)
{
	(void)p;
	(void)root;
	return source == FILCHI_TOPOLOGY_BEST ? 0 : -ENOENT;
}

void filchi_topology_free(struct filchi_topology *p)
{
	filchi_free(p->cpus);
	memset(p, 0, sizeof(*p));
}

int filchi_topology_pin(int cpu)
{
	(void)cpu;
	return -ENOSYS;
}

size_t filchi_limits_stack(unsigned threads, const char *root)
{
	(void)threads;
	(void)root;
	return FILCHI_LIMITS_STACK;
}

void filchi_limits_text(char text[FILCHI_LIMITS_TEXT], int err)
{
	(void)err;
	text[0] = '\0';
}

void filchi_stack_watch(void)
{
}

void filchi_stack_unwatch(void)
{
}

void filchi_stack_begin(const struct filchi_stack_owner *owner)
{
	(void)owner;
}

void filchi_stack_end(void)
{
}

int filchi_process_watch(void)
{
	return 0;
}

unsigned filchi_process_generation(void)
{
	return 0;
}
