/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stacks. They come in slabs: one mapping, with a guard at the low end of each stack. A worker keeps some free stacks
 * of the usual size, and the pool keeps the others. Slabs are unmapped at the end of the pool.
 *
 * MADV_GUARD_INSTALL (Linux 6.13) makes a guard that costs no mapping. Some emulators accept it and do nothing, so the
 * first one is tried out. Otherwise mprotect() needs two mappings for each stack, and the system allows about 65,000. A
 * quarter of these is left to the rest of the program. Stacks beyond that have no guard, and are counted. They have a
 * canary at their low end, which the worker looks at whenever the fiber leaves.
 *
 * Memory comes at the first touch. A fiber that waits needs one page, if the block and its first frames fit there. So
 * there must be no huge pages. The top of a stack has one of 8 offsets: else the same few lines of a processor's cache
 * would hold the tops of all stacks.
 *
 * Edges:
 *   G1   kind, left: what the system can do; each thread would find the same
 */
#define _GNU_SOURCE
#include "worker.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define GUARD_INSTALL 102 /* MADV_GUARD_INSTALL */
#define USUAL_MAPPINGS 65530
#define CANARY 0x5e
#define CANARY_BYTES 256 /* frames have gaps, which are not written */

#define SLAB_STACKS 64u
#define SLAB_BYTES ((size_t)1 << 26) /* larger stacks come one by one */
#define CACHED 64u		     /* free stacks that a worker keeps */
#define KEPT ((size_t)8192)	     /* bytes of a free stack that keep their memory */
#define COLOURS 8u
#define COLOUR ((size_t)256)

/* ---- guards ---- */

enum { UNKNOWN, ADVICE, MAPPINGS };
static struct {
	FILCHI_ATOMIC(uint32_t) kind; /* of guards */
	FILCHI_ATOMIC(int64_t) left;  /* guards that may still be mappings, of the process */
} guards;

size_t filchi_stack_guard(void)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	return page > FILCHI_FIBER_GUARD ? page : FILCHI_FIBER_GUARD;
}

/* The system call writes to the guard, and must fail. */
static bool is_guarded(char *base)
{
	return syscall(SYS_clock_getres, CLOCK_MONOTONIC, base) != 0;
}

static int64_t count_mappings(void)
{
	int fd = open("/proc/sys/vm/max_map_count", O_RDONLY | O_CLOEXEC);
	char text[32] = "";
	long count = 0;

	if (fd >= 0) {
		if (read(fd, text, sizeof(text) - 1) > 0)
			count = strtol(text, NULL, 10);
		close(fd);
	}
	return count > 0 ? count : USUAL_MAPPINGS;
}

static bool guard(char *base)
{
	size_t size = filchi_stack_guard();
	uint32_t kind = filchi_load_rlx(&guards.kind, G1);

	if (kind != MAPPINGS && !madvise(base, size, GUARD_INSTALL) && (kind == ADVICE || is_guarded(base))) {
		filchi_store_rlx(&guards.kind, ADVICE, G1);
		return true;
	}
	if (kind == UNKNOWN) {
		filchi_store_rlx(&guards.left, count_mappings() / 8 * 3, G1);
		filchi_store_rlx(&guards.kind, MAPPINGS, G1);
	}
	if (filchi_fetch_add_rlx(&guards.left, -1, G1) > 0 && !mprotect(base, size, PROT_NONE))
		return true;
	(void)filchi_fetch_add_rlx(&guards.left, 1, G1);
	return false;
}

/* A mapping with a guard by mprotect() is one again when it is unmapped. */
static void forget_guards(size_t count)
{
	if (filchi_load_rlx(&guards.kind, G1) == MAPPINGS)
		(void)filchi_fetch_add_rlx(&guards.left, (int64_t)count, G1);
}

bool filchi_stack_canary_lost(const struct filchi_fiber_block *b)
{
	for (size_t i = 0; i < CANARY_BYTES; i++)
		if (b->bottom[i] != CANARY)
			return true;
	return false;
}

/* ---- slabs ---- */

struct filchi_fiber_block *filchi_stack_block(const struct filchi_fiber_slab *slab, size_t i)
{
	char *top = slab->base + ((i + 1) << slab->size);

	return (struct filchi_fiber_block *)(void *)(top - i % COLOURS * COLOUR) - 1;
}

/* The next stack of the slab. It has no memory before. */
static struct filchi_fiber_block *make_block(struct filchi_fiber_slab *slab)
{
	size_t i = slab->made++;
	struct filchi_fiber_block *b = filchi_stack_block(slab, i);
	char *top = (char *)((uintptr_t)b & ~(uintptr_t)(FILCHI_CACHE_LINE - 1));

	memset(b, 0, sizeof(*b));
	b->size = (uint8_t)slab->size;
	b->bottom = slab->base + (i << slab->size) + filchi_stack_guard();
	if (i >= slab->guarded) {
		b->unguarded = true;
		memset(b->bottom, CANARY, CANARY_BYTES);
	}
	filchi_context_init(&b->context, b->bottom, top, filchi_fiber_main, b);
	return b;
}

/* The caller holds the lock. */
static bool make_slab(struct filchi_fiber_shared *s, unsigned size)
{
	size_t count = ((size_t)SLAB_STACKS << size) <= SLAB_BYTES ? SLAB_STACKS : 1;
	struct filchi_fiber_slab *slab = filchi_fiber_alloc(sizeof(void *), sizeof(*slab));
	void *base;

	if (!slab)
		return false;
	base = mmap(NULL, count << size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (base == MAP_FAILED) {
		filchi_fiber_free(slab);
		return false;
	}
	(void)madvise(base, count << size, MADV_NOHUGEPAGE);
	*slab = (struct filchi_fiber_slab){.next = s->slabs, .base = base, .count = count, .size = size};
	s->slabs = s->fresh[size] = slab;
	s->stack_count += count;
	while (slab->guarded < count && guard(slab->base + (slab->guarded << size)))
		slab->guarded++;
	s->unguarded += count - slab->guarded;
	return true;
}

/* The caller holds the lock. */
static struct filchi_fiber_block *take_shared(struct filchi_fiber_shared *s, unsigned size)
{
	struct filchi_fiber_block *b = s->stacks[size];

	if (b) {
		s->stacks[size] = b->next;
		return b;
	}
	if (!s->fresh[size] && !make_slab(s, size))
		return NULL;
	b = make_block(s->fresh[size]);
	if (s->fresh[size]->made == s->fresh[size]->count)
		s->fresh[size] = NULL;
	return b;
}

struct filchi_fiber_block *filchi_stack_take(struct filchi_fiber_worker *w, unsigned size)
{
	struct filchi_fiber_shared *s = w->shared;
	struct filchi_fiber_block *b = w->stacks;

	if (FILCHI_LIKELY(size == s->size && b)) {
		w->stacks = b->next;
		w->stack_count--;
		return b;
	}
	filchi_fiber_lock(&s->lock);
	b = take_shared(s, size);
	filchi_fiber_unlock(&s->lock);
	return b;
}

static void give_back(struct filchi_fiber_shared *s, struct filchi_fiber_block *b)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *kept = (char *)(((uintptr_t)b - KEPT) & ~(uintptr_t)(page - 1));
	char *from = b->bottom + (b->unguarded ? page : 0); /* the canary stays */

	/* Deep frames of an earlier fiber would keep their memory. */
	if (from < kept)
		(void)madvise(from, (size_t)(kept - from), MADV_FREE);
	filchi_fiber_lock(&s->lock);
	b->next = s->stacks[b->size];
	s->stacks[b->size] = b;
	filchi_fiber_unlock(&s->lock);
}

void filchi_stack_give(struct filchi_fiber_worker *w, struct filchi_fiber_block *b)
{
	if (b->size != w->shared->size || w->stack_count >= CACHED) {
		give_back(w->shared, b);
		return;
	}
	b->next = w->stacks;
	w->stacks = b;
	w->stack_count++;
}

void filchi_stack_flush(struct filchi_fiber_worker *w)
{
	while (w->stacks) {
		struct filchi_fiber_block *b = w->stacks;

		w->stacks = b->next;
		give_back(w->shared, b);
	}
	w->stack_count = 0;
}

void filchi_stack_free_all(struct filchi_fiber_shared *s)
{
	while (s->slabs) {
		struct filchi_fiber_slab *slab = s->slabs;

		s->slabs = slab->next;
		for (size_t i = 0; i < slab->made; i++)
			filchi_context_fini(&filchi_stack_block(slab, i)->context);
		munmap(slab->base, slab->count << slab->size);
		forget_guards(slab->guarded);
		filchi_fiber_free(slab);
	}
}

/* Memory counts as used once it was touched. */
size_t filchi_stack_used(const struct filchi_fiber_block *b)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *top = (char *)(((uintptr_t)b + sizeof(*b) + page - 1) & ~(page - 1));
	unsigned char there[256];
	char *from = b->bottom + (b->unguarded ? page : 0); /* the canary does not count */

	while (from < top) {
		size_t pages = (size_t)(top - from) / page;

		if (pages > sizeof(there))
			pages = sizeof(there);
		if (mincore(from, pages * page, there))
			return 0;
		for (size_t i = 0; i < pages; i++)
			if (there[i] & 1)
				return (size_t)(top - from) - i * page;
		from += pages * page;
	}
	return 0;
}
