/* SPDX-License-Identifier: Apache-2.0 */
/* State of a run that all steps use: problems, totals, memory, and fibers that share the work. */
#define _GNU_SOURCE
#include "dupes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define BLOCK 65536u	   /* bytes that an arena gets at a time */
#define BUFFERS (2u << 20) /* bytes of buffers at a time, for each worker */

bool filchi_dupes_grow(void **array, size_t *room, size_t count, size_t size)
{
	size_t more = *room ? *room + *room / 2 : 64;
	void *p;

	if (count < *room)
		return true;
	while (more <= count)
		more += more / 2;
	p = more > SIZE_MAX / size ? NULL : realloc(*array, more * size);
	if (!p)
		return false;
	*array = p;
	*room = more;
	return true;
}

void filchi_dupes_fail(struct filchi_dupes_run *run, int err)
{
	pthread_mutex_lock(&run->lock);
	if (!run->error)
		run->error = err;
	run->stop = true;
	pthread_mutex_unlock(&run->lock);
}

void filchi_dupes_problem(struct filchi_dupes_run *run, struct filchi_dupes_dir *dir, const char *name, int why)
{
	bool stored;

	pthread_mutex_lock(&run->lock);
	stored = filchi_dupes_grow((void **)&run->problems, &run->problem_room, run->problem_count,
				   sizeof(*run->problems));
	if (stored)
		run->problems[run->problem_count++] = (struct filchi_dupes_problem){dir, name, why};
	pthread_mutex_unlock(&run->lock);
	if (!stored)
		filchi_dupes_fail(run, -ENOMEM);
}

void filchi_dupes_stop(struct filchi_dupes_run *run)
{
	pthread_mutex_lock(&run->lock);
	run->stop = true;
	pthread_mutex_unlock(&run->lock);
}

bool filchi_dupes_interrupted(struct filchi_dupes_run *run)
{
	static const struct timespec no_time;
	int signal = run->signal ? 0 : sigtimedwait(&run->signals, NULL, &no_time);

	if (signal > 0) {
		run->signal = signal;
		filchi_dupes_stop(run);
		pthread_sigmask(SIG_UNBLOCK, &run->signals, NULL); /* a second one ends the process */
	}
	return run->signal;
}

bool filchi_dupes_stopped(struct filchi_dupes_run *run)
{
	return filchi_dupes_advance(run, 0, 0);
}

bool filchi_dupes_advance(struct filchi_dupes_run *run, uint64_t compared, uint64_t needless)
{
	bool stop;

	pthread_mutex_lock(&run->lock);
	run->totals.compared += compared;
	run->totals.to_compare -= needless < run->totals.to_compare ? needless : run->totals.to_compare;
	stop = run->stop;
	pthread_mutex_unlock(&run->lock);
	return stop;
}

bool filchi_dupes_found(struct filchi_dupes_run *run, struct filchi_dupes_file **files, size_t count)
{
	struct filchi_dupes_file **copy = malloc(count * sizeof(*copy));
	struct filchi_dupes_groups *f = &run->found;
	bool stored;

	if (copy)
		memcpy(copy, files, count * sizeof(*copy));
	pthread_mutex_lock(&run->lock);
	stored = copy && filchi_dupes_grow((void **)&f->groups, &f->room, f->count, sizeof(*f->groups));
	if (stored)
		f->groups[f->count++] = (struct filchi_dupes_group){copy, count};
	pthread_mutex_unlock(&run->lock);
	if (!stored) {
		free(copy);
		filchi_dupes_fail(run, -ENOMEM);
	}
	return stored;
}

/* ---- fibers that share items ---- */

struct crew {
	struct filchi_dupes_run *run;
	filchi_dupes_item_fn *fn;
	filchi_dupes_need_fn *need;
	void *arg;
	/* Under the lock of the run: the next item, and bytes of buffers. */
	size_t next, count, waiting;
	uint64_t in_use, in_use_most;
	/* For those who wait. Taken before the lock of the run. */
	struct filch_fiber_mutex mutex;
	struct filch_fiber_cond given;
};

/* Whether the fiber may have a buffer. One may have it always. waits: otherwise it will wait. */
static bool reserve(struct crew *c, uint64_t bytes, bool waits)
{
	bool may;

	pthread_mutex_lock(&c->run->lock);
	may = !c->in_use || c->in_use + bytes <= c->in_use_most;
	if (may)
		c->in_use += bytes;
	else
		c->waiting += waits;
	pthread_mutex_unlock(&c->run->lock);
	return may;
}

/* Waits until others have given back enough. A fiber that gets a buffer wakes the next one: two may fit. */
static void wait_for_bytes(struct crew *c, uint64_t bytes)
{
	if (reserve(c, bytes, false))
		return;
	filch_fiber_mutex_lock(&c->mutex);
	while (!reserve(c, bytes, true)) {
		filch_fiber_cond_wait(&c->given, &c->mutex);
		pthread_mutex_lock(&c->run->lock);
		c->waiting--;
		pthread_mutex_unlock(&c->run->lock);
	}
	filch_fiber_cond_signal(&c->given);
	filch_fiber_mutex_unlock(&c->mutex);
}

static void give_bytes(struct crew *c, uint64_t bytes)
{
	bool wake;

	pthread_mutex_lock(&c->run->lock);
	c->in_use -= bytes;
	wake = c->waiting;
	pthread_mutex_unlock(&c->run->lock);
	if (wake) {
		filch_fiber_mutex_lock(&c->mutex);
		filch_fiber_cond_signal(&c->given);
		filch_fiber_mutex_unlock(&c->mutex);
	}
}

static int member(void *arg, void **result)
{
	struct crew *c = arg;
	unsigned char *buffer;
	uint64_t bytes;
	size_t item;

	(void)result;
	for (;;) {
		pthread_mutex_lock(&c->run->lock);
		item = c->run->stop ? c->count : c->next;
		c->next += item < c->count;
		pthread_mutex_unlock(&c->run->lock);
		if (item == c->count)
			return 0;
		bytes = c->need(c->arg, item);
		if (bytes > FILCHI_DUPES_BUFFER)
			bytes = FILCHI_DUPES_BUFFER;
		wait_for_bytes(c, bytes);
		buffer = malloc((size_t)bytes);
		if (buffer)
			c->fn(c->run, c->arg, item, buffer);
		else
			filchi_dupes_fail(c->run, -ENOMEM);
		free(buffer);
		give_bytes(c, bytes);
	}
}

/* If the system has no room for all fibers, fewer do the work. */
int filchi_dupes_each(struct filchi_dupes_run *run, size_t count, filchi_dupes_item_fn *fn, filchi_dupes_need_fn *need,
		      void *arg)
{
	struct crew c = {.run = run,
			 .fn = fn,
			 .need = need,
			 .arg = arg,
			 .count = count,
			 .in_use_most = (uint64_t)BUFFERS * filch_pool_workers(run->pool)};
	size_t wanted = count < run->crew ? count : run->crew, started;
	struct filch_fiber **fibers = calloc(wanted ? wanted : 1, sizeof(struct filch_fiber *));
	int err = 0;

	if (!fibers)
		return -ENOMEM;
	for (started = 0; started < wanted; started++) {
		err = filch_fiber_start(&fibers[started], run->pool, member, &c, NULL);
		if (err)
			break;
	}
	for (size_t i = 0; i < started; i++)
		(void)filch_fiber_join(fibers[i], NULL);
	free(fibers);
	return started || !wanted ? 0 : err;
}

/* ---- memory ---- */

struct filchi_dupes_arena {
	struct filchi_dupes_arena *next;
	struct filchi_dupes_run *run;
	char *at, *end;
	char entries[FILCHI_DUPES_ENTRIES] __attribute__((aligned(16)));
};

struct block {
	struct block *next;
	char bytes[] __attribute__((aligned(16)));
};

struct filchi_dupes_arena *filchi_dupes_arena_take(struct filchi_dupes_run *run)
{
	struct filchi_dupes_arena *a;

	pthread_mutex_lock(&run->lock);
	a = run->arenas;
	if (a)
		run->arenas = a->next;
	pthread_mutex_unlock(&run->lock);
	if (a)
		return a;
	a = malloc(sizeof(*a));
	if (a) {
		a->run = run;
		a->at = a->end = NULL;
	}
	return a;
}

void filchi_dupes_arena_give(struct filchi_dupes_run *run, struct filchi_dupes_arena *a)
{
	pthread_mutex_lock(&run->lock);
	a->next = run->arenas;
	run->arenas = a;
	pthread_mutex_unlock(&run->lock);
}

void *filchi_dupes_arena_entries(struct filchi_dupes_arena *a)
{
	return a->entries;
}

/* A name has at most 255 bytes, but a DIR may be longer than a block. */
void *filchi_dupes_alloc(struct filchi_dupes_arena *a, size_t size)
{
	size_t bytes;
	struct block *b;
	char *p;

	size = (size + 7) & ~(size_t)7;
	if ((size_t)(a->end - a->at) < size) {
		bytes = size > BLOCK ? size : BLOCK;
		b = malloc(sizeof(*b) + bytes);
		if (!b)
			return NULL;
		pthread_mutex_lock(&a->run->lock);
		b->next = a->run->memory;
		a->run->memory = b;
		pthread_mutex_unlock(&a->run->lock);
		a->at = b->bytes;
		a->end = b->bytes + bytes;
	}
	p = a->at;
	a->at += size;
	return p;
}

void filchi_dupes_free(struct filchi_dupes_run *run)
{
	for (struct block *b = run->memory, *next; b; b = next) {
		next = b->next;
		free(b);
	}
	for (struct filchi_dupes_arena *a = run->arenas, *next; a; a = next) {
		next = a->next;
		free(a);
	}
	for (size_t i = 0; i < run->found.count; i++)
		free(run->found.groups[i].files);
	free(run->found.groups);
	free(run->problems);
	free(run->walk);
	free(run->files);
	free(run->roots);
	pthread_mutex_destroy(&run->lock);
}
