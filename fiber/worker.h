/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The data of fibers in one pool (shared), in one worker of it, and on one stack (block).
 *
 *   waiter.c  waiting and waking              timer.c     deadlines of fibers that wait
 *   inbox.c   pinned fibers that become ready from outside
 *   worker.c  hooks: the lists of a worker    wait.c      suspend, yield, sleep; the same for threads
 *   stack.c   stacks                          start.c     start, join, detach, cancel
 *   pool.c    one pool: settings, statistics  mutex.c     mutex and condition
 *   key.c     storage of fibers               channel.c   channels; select.c
 */
#ifndef FILCHI_FIBER_WORKER_H
#define FILCHI_FIBER_WORKER_H

#include "inbox.h"
#include "state.h"
#include "switch.h"

struct filchi_fiber_worker;
struct filchi_fiber_shared;

#define FILCHI_FIBER_GUARD ((size_t)16384) /* or one page, if that is larger */

/* A deadline of a fiber that waits. The lock of the worker whose heap it is in protects it. */
struct filchi_timer {
	uint64_t deadline;
	struct filch_fiber *fiber;
	filchi_ticket ticket;
	size_t index;
	bool listed; /* in the heap */
};

/* On top of each stack. Only the fiber, and the worker that runs or has run it, use it. */
struct filchi_fiber_block {
	struct filchi_context context;
	FILCHI_ATOMIC(struct filch_fiber *) fiber; /* NULL: none uses the stack */
	struct filchi_fiber_block *next;	   /* in a cache */
	char *bottom;				   /* of the stack, without the guard */
	filch_job_fn *fn;
	void *arg;
	void **locals;
	struct filchi_timer timer;
	FILCHI_ATOMIC(const char *) waits_for; /* NULL: nothing */
	FILCHI_ATOMIC(uint64_t) since;
	uint32_t shields;
	uint16_t local_count;
	uint8_t size;	/* its bytes with the guard are 1 << size */
	bool unguarded; /* it has a canary */
	bool has_fenv;	/* the fiber has a floating-point environment of its own */
	struct filchi_fenv fenv, thread_fenv;
};

struct filchi_fiber_list {
	struct filch_fiber *first, *last;
};

/*
 * A source of events beside timers, such as a ring of I/O. Each worker that uses one sets it in its own thread. The
 * thread of the worker calls all functions, except wake.
 */
struct filchi_fiber_source {
	void (*poll)(struct filchi_fiber_worker *w);  /* before each look: must be quick. Wakes fibers */
	void (*flush)(struct filchi_fiber_worker *w); /* the deque is empty: submits and collects */
	bool (*pending)(struct filchi_fiber_worker *w);
	/* Sleeps until an event, a wake, or the deadline. Only if pending. */
	void (*sleep)(struct filchi_fiber_worker *w, uint64_t deadline);
	void (*wake)(struct filchi_fiber_worker *w);
	void (*end)(struct filchi_fiber_worker *w); /* the worker ends */
};

struct filchi_fiber_worker {
	/* Only the worker itself uses these. */
	FILCHI_OWN_LINE struct filchi_fiber_shared *shared;
	struct filch_fiber *current;	  /* the fiber that runs, or NULL */
	struct filchi_fiber_block *block; /* its stack */
	struct filchi_context thread;	  /* where its switch goes: the scheduler */
	struct filchi_fiber_list ready, yielded;
	uint32_t ticks, runs; /* looks; fibers since the last look at the clock */
	uint16_t id;
	uint8_t after;			   /* what the last fiber did: enum filchi_fiber_after */
	uint64_t now;			   /* the time, now and then */
	uint64_t live;			   /* pinned fibers that have begun here and not ended */
	struct filchi_fiber_block *stacks; /* free ones of the usual size */
	struct filch_fiber *records;	   /* free ones */
	uint32_t stack_count, record_count;
	const struct filchi_fiber_source *source;		 /* or NULL */
	FILCHI_ATOMIC(const struct filchi_fiber_source *) waker; /* the same, for other threads */
	void *source_data;
	/* Statistics: written by the worker, read by others. */
	FILCHI_OWN_LINE FILCHI_ATOMIC(uint64_t) started;
	FILCHI_ATOMIC(uint64_t) ended, stolen, stolen_io, switches;
	/* Others use these, too. */
	FILCHI_OWN_LINE struct filchi_inbox inbox;
	struct filchi_fiber_lock timer_lock;
	struct filchi_timer **timers; /* a heap, the earliest first */
	size_t timer_count, timer_room;
	FILCHI_ATOMIC(uint64_t) earliest; /* deadline of the first timer: a hint */
};

enum filchi_fiber_after { FILCHI_FIBER_SUSPENDED, FILCHI_FIBER_YIELDED, FILCHI_FIBER_ENDED };

struct filchi_fiber_slab {
	struct filchi_fiber_slab *next;
	char *base;
	size_t count, made;
	size_t guarded; /* the first ones, up to here, have a guard */
	unsigned size;	/* as of a block */
};

/* Records are in chunks of a page, which begin with this. */
#define FILCHI_FIBER_CHUNK ((size_t)4096)
struct filchi_fiber_chunk {
	FILCHI_OWN_LINE struct filchi_fiber_shared *shared;
	struct filchi_fiber_chunk *next;
};

#define FILCHI_FIBER_SIZES 40
struct filchi_fiber_shared {
	struct filch_pool *pool;
	struct filch_fiber_settings settings;				      /* complete */
	FILCHI_ATOMIC(void (*)(struct filch_pool *, uint64_t, void *)) stuck; /* of the settings, when they are set */
	uint8_t size;							      /* of the usual stack */
	unsigned worker_count;
	FILCHI_ATOMIC(uint64_t) free_live;    /* free fibers that have begun and not ended */
	FILCHI_ATOMIC(uint32_t) reported;     /* that fibers are stuck */
	FILCHI_ATOMIC(uint32_t) waiting_jobs; /* jobs that wait in a worker, and run its fibers meanwhile */
	struct filchi_fiber_lock lock;	      /* of the rest */
	struct filchi_fiber_slab *slabs;
	struct filchi_fiber_slab *fresh[FILCHI_FIBER_SIZES];   /* with stacks that were never used; or NULL */
	struct filchi_fiber_block *stacks[FILCHI_FIBER_SIZES]; /* free ones */
	struct filchi_fiber_chunk *chunks;
	struct filch_fiber *records;	     /* free ones */
	uint64_t record_count, free_records; /* all; on the list here */
	bool ended;			     /* the pool has ended: the last record frees the rest */
	uint64_t stack_count, unguarded;
	struct filchi_fiber_worker workers[];
};

static inline struct filchi_fiber_shared *filchi_fiber_shared_of(const struct filch_fiber *f)
{
	return ((struct filchi_fiber_chunk *)((uintptr_t)f & ~(FILCHI_FIBER_CHUNK - 1)))->shared;
}

/* ---- worker.c ---- */

/* The calling worker, or NULL. After a switch it may be another one: never keep it over a wait. */
struct filchi_fiber_worker *filchi_fiber_worker(void);
/* The calling fiber, or NULL if the caller cannot be suspended. */
struct filch_fiber *filchi_fiber_current(void);
extern const struct filch_hooks filchi_fiber_hooks;
/* Leaves the calling fiber. after says what becomes of it. Returns when it goes on. */
void filchi_fiber_leave(struct filchi_fiber_worker *w, enum filchi_fiber_after after);
/* Runs a fiber in the thread of a job that waits. False: there was none. */
bool filchi_fiber_run_ready(struct filchi_fiber_worker *w);
void filchi_fiber_run(struct filch_item *item);
/*
 * Gives a fiber that has not begun, or is free, to the workers. The caller is a worker, or has entered. 0 or -ENOMEM.
 */
int filchi_fiber_push(struct filchi_fiber_shared *s, struct filch_fiber *f);

/* For a thread that has given this worker something to find: wakes the worker if it sleeps. */
void filchi_fiber_wake(struct filchi_fiber_worker *w);

/* ---- wait.c ---- */

/* The waiter of the caller: the fiber, or *thread, which is made to stand for the thread. */
struct filchi_thread_waiter {
	struct filch_fiber waiter; /* next: its worker, if it waits inside of a job; or NULL */
	FILCHI_ATOMIC(uint32_t) woken;
};
struct filch_fiber *filchi_waiter_self(struct filchi_thread_waiter *thread);
/*
 * Waits until the ticket is claimed and the waiter is woken, at most until the deadline. Returns the reason. With a
 * deadline that has passed it does not wait. waits_for: for reports.
 */
int filchi_fiber_wait(struct filch_fiber *self, filchi_ticket ticket, uint64_t deadline, const char *waits_for);
/* The last part of it, for a fiber: leaves until it is woken. The ticket may be claimed already. */
int filchi_fiber_suspend(struct filch_fiber *self, const char *waits_for);
/* True if no cancellation may end a wait of this waiter. */
bool filchi_fiber_is_shielded(const struct filch_fiber *self);

/* ---- timer.c ---- */

/* 0 or -ENOMEM. */
int filchi_timer_add(struct filchi_fiber_worker *w, struct filchi_timer *t);
void filchi_timer_remove(struct filchi_fiber_worker *w, struct filchi_timer *t);
/* Ends the waits whose deadline has passed. */
void filchi_timer_expire(struct filchi_fiber_worker *w);

/* ---- stack.c ---- */

/* NULL: no memory. The stack has been entered before, or will be at the next switch. */
struct filchi_fiber_block *filchi_stack_take(struct filchi_fiber_worker *w, unsigned size);
void filchi_stack_give(struct filchi_fiber_worker *w, struct filchi_fiber_block *block);
/* Gives the free stacks of a worker to the others. */
void filchi_stack_flush(struct filchi_fiber_worker *w);
void filchi_stack_free_all(struct filchi_fiber_shared *shared);
/* The bytes of the guard of each stack. */
size_t filchi_stack_guard(void);
/* True if the canary of a stack without a guard was overwritten. */
bool filchi_stack_canary_lost(const struct filchi_fiber_block *block);
size_t filchi_stack_used(const struct filchi_fiber_block *block);
/* Stack number i of a slab. */
struct filchi_fiber_block *filchi_stack_block(const struct filchi_fiber_slab *slab, size_t i);
/* The power of two for a stack of so many bytes. 0: not allowed. start.c */
unsigned filchi_stack_size(size_t bytes);
/* The entry of each stack: worker.c. */
void filchi_fiber_main(void *block);

/* ---- overflow_linux.c ---- */

/* Reports a fiber that has overwritten the end of its stack, and ends the program. */
void filchi_overflow_found(const struct filch_fiber *f, const struct filchi_fiber_block *block);
/* From watch to unwatch a fiber that has no stack left is reported. Calls nest. */
void filchi_overflow_watch(void);
void filchi_overflow_unwatch(void);

/* ---- pool.c ---- */

void *filchi_fiber_hook_attach(struct filch_pool *pool, unsigned ids);
void filchi_fiber_hook_detach(void *shared);

/* The data of fibers in a pool; made at the first call. pool NULL is as in filch/pool.h. 0 or -errno. */
int filchi_fiber_attach(struct filchi_fiber_shared **out, struct filch_pool *pool);
struct filch_fiber *filchi_record_take(struct filchi_fiber_shared *shared, struct filchi_fiber_worker *w);
void filchi_record_give(struct filch_fiber *f);
void filchi_record_flush(struct filchi_fiber_worker *w);

/* ---- key.c ---- */

void filchi_key_end(struct filchi_fiber_block *block);

static inline void filchi_fiber_append(struct filchi_fiber_list *list, struct filch_fiber *f)
{
	f->next = NULL;
	if (list->first)
		list->last->next = f;
	else
		list->first = f;
	list->last = f;
}

static inline struct filch_fiber *filchi_fiber_take(struct filchi_fiber_list *list)
{
	struct filch_fiber *f = list->first;

	if (f)
		list->first = f->next;
	return f;
}

#endif
