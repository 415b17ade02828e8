/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The scheduler: workers that run items. Each worker takes items from its own deque, then from the injector, then from
 * its stash, then from other workers by the victim policy, and then sleeps. The layers above say how an item is run.
 *
 *   worker.h   a worker and its loop              steal.h    stealing; victim.c chooses the victim
 *   sleep.h    how workers sleep                  stash.h    stolen items that have not run yet
 *   spare.h    spares for workers that block      borrow.h   external threads that run as a sleeping worker
 *
 * Edges:
 *   V1   spare.c: store_rel victims, filchi_sched_victims: load_acq victims   a spare's deque
 *   K1   sched.c: store_rel hooks, filchi_sched_hooks: load_acq hooks   the table and its argument
 */
#ifndef FILCHI_SCHED_SCHED_H
#define FILCHI_SCHED_SCHED_H

#include "../inject/injector.h"
#include "sleep.h"
#include "spare.h"
#include "worker.h"

/* Tasks have 12 bits for an id. More threads than this would be a mistake anyway. */
#define FILCHI_MAX_WORKERS 1024u

enum filchi_victim_policy {
	FILCHI_VICTIM_RANDOM,
	FILCHI_VICTIM_SEQUENTIAL,
	FILCHI_VICTIM_LAST,
	FILCHI_VICTIM_TWO,
	FILCHI_VICTIM_NEAREST,
	FILCHI_VICTIM_SIZE,
	FILCHI_VICTIM_COUNT
};

enum filchi_wait_policy { FILCHI_WAIT_BALANCED, FILCHI_WAIT_LATENCY, FILCHI_WAIT_POWER, FILCHI_WAIT_COUNT };

struct filchi_sched_setup {
	uint32_t workers;
	uint32_t spares; /* the largest number of spares */
	const struct filchi_deque_kind *kind;
	struct filchi_deque_setup deque;
	enum filchi_victim_policy victim;
	enum filchi_wait_policy wait;
	uint32_t searchers; /* the largest number of workers that search at once */
	bool one_processor; /* all workers share one: a waiting thread yields instead of spinning */
	size_t stack_bytes;
	void *owner; /* the pool, for the functions below */

	/* Allocates the struct of the layer above and initializes all of it. NULL: a plain worker. */
	int (*worker_create)(struct filchi_worker **out, struct filchi_sched *s, uint32_t id);
	void (*worker_destroy)(struct filchi_worker *w);
	/* How far two workers are from each other. NULL: all are equally near. */
	unsigned (*distance)(const void *owner, uint32_t a, uint32_t b);

	/* Called in the worker's thread. begin and end may be NULL. */
	void (*run)(struct filchi_worker *w, uintptr_t item);
	void (*begin)(struct filchi_worker *w);
	void (*end)(struct filchi_worker *w);
	/* An item has ended the thread. Does not return. */
	void (*died)(struct filchi_worker *w);
	/* Items are about to go to the stash of their worker, the first at this index. NULL: nothing to do. */
	void (*stashed)(struct filchi_worker *w, const uintptr_t *items, size_t index, size_t count);
	/* All workers and spares sleep inside of items: filchi_sched_stall. NULL: they are not counted. */
	void (*stalled)(struct filchi_sched *s);
};

enum filchi_stopping {
	FILCHI_STOPPING_NOT,
	FILCHI_STOPPING_DRAIN, /* no more items come from outside */
	FILCHI_STOPPING_END    /* all items have been run */
};

struct filchi_sched {
	struct filchi_sched_setup setup;
	struct filchi_injector injector;
	struct filchi_sleep sleep;
	/* External threads that put items in: two each. One more when the scheduler is closed for them. */
	FILCHI_OWN_LINE FILCHI_ATOMIC(uint32_t) submitters;
	FILCHI_OWN_LINE FILCHI_ATOMIC(uint32_t) stopping; /* enum filchi_stopping */
	FILCHI_ATOMIC(uint32_t) parked;			  /* workers, not spares, that found nothing and sleep */
	uint32_t started;				  /* workers; set before stopping */
	FILCHI_ATOMIC(uint32_t) keep_awake;		  /* callers that let no worker sleep */
	FILCHI_ATOMIC(uint32_t) borrowers;		  /* external threads that wait for a worker to borrow */
	FILCHI_ATOMIC(uint32_t) stalled;		  /* workers and spares that sleep inside of an item */
	uint32_t worker_count;				  /* without spares */
	FILCHI_ATOMIC(uint32_t) victims;		  /* workers, and the spares that exist */
	unsigned generation;				  /* of the process that made it */
	struct filchi_worker **workers;			  /* and spares behind them */
	FILCHI_ATOMIC(const struct filch_hooks *) hooks;  /* NULL: none; set once */
	void *hooks_arg;
	struct filchi_spares spares;
	struct filchi_signals signals; /* the signal mask of the thread that started the workers, for all of them */
};

/* Allocates memory for all workers and starts none. 0 or -errno. */
int filchi_sched_init(struct filchi_sched *s, const struct filchi_sched_setup *setup);
/* Starts the threads. -EAGAIN, -ENOMEM: no thread runs. */
int filchi_sched_start(struct filchi_sched *s);
/* Lets no more items in, waits until all items have been run, and joins the threads. */
void filchi_sched_stop(struct filchi_sched *s);
/* Frees the memory, after stop or without start. */
void filchi_sched_fini(struct filchi_sched *s);

/*
 * Gives an item to any worker. 0, -ENOMEM.
 *
 *   inject   the caller is a worker, or a thread that keeps the scheduler from being stopped
 *   offer    the caller is this worker. Its own deque gets the item if there is room and thieves will see it
 */
int filchi_sched_inject(struct filchi_sched *s, uintptr_t item);
int filchi_sched_offer(struct filchi_worker *w, uintptr_t item);
/* Takes an injected item. FILCH_OK, FILCH_EMPTY, FILCH_LOST. */
int filchi_sched_take(struct filchi_sched *s, uintptr_t *item);

/*
 * An external thread keeps the scheduler from being stopped until it leaves. False: the scheduler is being stopped
 * already, and the thread must not leave.
 */
bool filchi_sched_enter(struct filchi_sched *s);
void filchi_sched_leave(struct filchi_sched *s);
/*
 * The same while the scheduler may be being stopped, for a thread that knows that it has not ended yet. Such a thread
 * puts no item in. wait_outside waits for these threads, between stop and fini.
 */
void filchi_sched_stay(struct filchi_sched *s);
void filchi_sched_wait_outside(struct filchi_sched *s);

/*
 * A worker or spare sleeps inside of an item, from stall to unstall. stall returns true if all of them do: then no
 * thread looks for items. stall_and_report calls setup.stalled in that case.
 */
bool filchi_sched_is_stalled(struct filchi_sched *s);
bool filchi_sched_stall(struct filchi_sched *s);
void filchi_sched_stall_and_report(struct filchi_sched *s);
void filchi_sched_unstall(struct filchi_sched *s);

/* No worker sleeps from begin to end. Calls nest; an end without its begin does nothing. */
void filchi_sched_keep_awake_begin(struct filchi_sched *s);
void filchi_sched_keep_awake_end(struct filchi_sched *s);
/* True while no worker may sleep. */
bool filchi_sched_stays_awake(struct filchi_sched *s);

/* Makes and frees the worker of that id. 0 or -errno. */
int filchi_sched_create_worker(struct filchi_sched *s, uint32_t id);
void filchi_sched_destroy_worker(struct filchi_sched *s, uint32_t id);

/* Makes the order of the victim policy `nearest`. 0 or -ENOMEM. */
int filchi_victim_init(struct filchi_sched *s);

/* Sets the hooks. One thread calls it, once. */
void filchi_sched_attach(struct filchi_sched *s, const struct filch_hooks *hooks, void *arg);
/* Wakes all workers if the scheduler is being stopped: a hook busy has become false. */
void filchi_sched_wake_stopping(struct filchi_sched *s);

/* ---- questions ---- */

/* The hooks, or NULL. *arg is set if they are not NULL. */
static inline const struct filch_hooks *filchi_sched_hooks(struct filchi_sched *s, void **arg)
{
	const struct filch_hooks *hooks = filchi_load_acq(&s->hooks, K1);

	if (hooks)
		*arg = filchi_plain_get(&s->hooks_arg);
	return hooks;
}

static inline uint32_t filchi_sched_workers(const struct filchi_sched *s)
{
	return s->worker_count;
}

/* All ids of workers and spares are less than this. */
static inline uint32_t filchi_sched_ids(const struct filchi_sched *s)
{
	return s->worker_count + s->setup.spares;
}

/* Workers and the spares that exist: all that have a deque. */
static inline uint32_t filchi_sched_victims(struct filchi_sched *s)
{
	return filchi_load_acq(&s->victims, V1);
}

static inline struct filchi_worker *filchi_sched_worker(const struct filchi_sched *s, uint32_t id)
{
	return s->workers[id];
}

static inline void *filchi_sched_owner(const struct filchi_sched *s)
{
	return s->setup.owner;
}

static inline const struct filchi_sched_setup *filchi_sched_setup(const struct filchi_sched *s)
{
	return &s->setup;
}

/* Sleeping and searching workers: a hint. */
static inline uint32_t filchi_sched_idle(struct filchi_sched *s)
{
	uint32_t counts = filchi_sleep_counts(&s->sleep);

	return FILCHI_SLEEPING(counts) + FILCHI_SEARCHING(counts);
}

static inline uint32_t filchi_sched_searching(struct filchi_sched *s)
{
	return FILCHI_SEARCHING(filchi_sleep_counts(&s->sleep));
}

/* A spare has an id behind those of the workers. */
static inline bool filchi_worker_is_spare(const struct filchi_worker *w)
{
	return w->id >= w->sched->worker_count;
}

/*
 * True if a thief may not see an item in its victim's deque until the victim next looks there, which can take long. The
 * owner makes tasks on request, so tasks may go there. Jobs must not, if there are other workers.
 */
static inline bool filchi_sched_owner_private(const struct filchi_sched *s)
{
	return s->setup.kind->info.owner_private && s->worker_count > 1;
}

#endif
