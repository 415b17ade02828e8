/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A worker, as far as the scheduler knows it. The layers above embed this struct in theirs: src/task/worker.h in struct
 * filchi_task_worker, src/pool/worker.h in struct filchi_pool_worker. Each layer names its own fields only.
 *
 * Terms:
 *   item      a word in a deque, in the injector or in a stash. The lowest bit says which worker may run it.
 *             0: bound, the worker that made it may have to take it back (a task)
 *             1: free, any worker may run it (a job). With the next bit set, too, it is a foreign item, of hooks
 *   request   a thief that finds nothing in a deque stores FILCHI_REQUESTED into a word of its victim. The layer above
 *             owns that word, and all of its other values
 *
 * Edges:
 *   COUNTER   orders nothing
 */
#ifndef FILCHI_SCHED_WORKER_H
#define FILCHI_SCHED_WORKER_H

#include "../base/rng.h"
#include "../deque/deque.h"
#include "../os/os.h"
#include "sleep.h"
#include "stash.h"

#include <filch/hooks.h>

#define FILCHI_REQUESTED UINTPTR_MAX

struct filchi_sched;
struct filch_stats;

/* Events that the worker counts itself and others may read. Only slow paths count. */
struct filchi_sched_counters {
	FILCHI_ATOMIC(uint64_t) steals; /* by this worker when idle */
	FILCHI_ATOMIC(uint64_t) parks;
	FILCHI_ATOMIC(uint64_t) wakes; /* of other workers */
};

/* How a thief chooses its victim, and how often it may look: steal.c and victim.c. */
struct filchi_thief {
	uint64_t stole_at;  /* time of the last steal */
	uint64_t asked_at;  /* time of the last request */
	uint64_t pause_ns;  /* time that must pass before the next attempt */
	uint64_t looked_at; /* time of the first look after the last steal */
	uint64_t dry_at;    /* end of the last task of a streak, or 0 */
	uint64_t waited_ns; /* time from there to the next steal, if it is part of a flow */
	uint64_t busy_ns;   /* time that the stolen items took since the last steal */
	uint32_t poor;	    /* steals in a row that were not worth it */
	bool stole_last;    /* the last attempt was a steal, and the worker has not looked since */
	uint32_t last_victim;
	uint32_t streak; /* so many more items may come from the last victim at once */
	struct filchi_rng rng;
};

struct filchi_worker {
	/* Set before the thread starts; then all threads read them. */
	FILCHI_OWN_LINE struct filchi_sched *sched;
	struct filch_deque *deque;
	FILCHI_ATOMIC(uintptr_t) * request; /* NULL: this worker takes no requests */
	uint32_t *nearest;		    /* ids of the other workers, the nearest first; NULL: by id */
	uint32_t id;

	/* Only the worker itself uses them. */
	FILCHI_OWN_LINE struct filchi_thief thief;
	const struct filch_hooks *hooks; /* NULL: none, or not adopted yet */
	void *hook_context;
	uint32_t ticks;	   /* looks for an item */
	uint32_t blocking; /* filchi_spare_begin without its end */
	bool started;
	struct filchi_thread thread;
	struct filchi_sched_counters counters;

	/* Other threads write them, too. */
	FILCHI_OWN_LINE FILCHI_ATOMIC(uint32_t) lease; /* borrow.c */
	struct filchi_parker parker;		       /* in use from the time that hooks is set */
	FILCHI_OWN_LINE struct filchi_stash stash;
};

/*
 * Initializes and frees the part of a worker that belongs to this layer. request: the word for requests, or NULL. 0 or
 * -errno; after an error there is nothing to free.
 */
int filchi_worker_init(struct filchi_worker *w, struct filchi_sched *s, uint32_t id,
		       FILCHI_ATOMIC(uintptr_t) * request);
void filchi_worker_fini(struct filchi_worker *w);

/* The worker that the calling thread is, or NULL. */
struct filchi_worker *filchi_worker_self(void);

/* Starts the thread of a worker, which calls main. The errors are those of filchi_thread_start. */
int filchi_worker_start(struct filchi_worker *w, void *(*main)(void *worker));
void *filchi_worker_main(void *worker);
/* The first and the last thing that the thread of a worker does. */
void filchi_worker_begin(struct filchi_worker *w);
void filchi_worker_end(struct filchi_worker *w);

/* Finds an item to run, and sleeps until there is one. False: the scheduler has ended. */
bool filchi_worker_next(struct filchi_worker *w, uintptr_t *item);

/* Looks once for an item, in all places. */
bool filchi_worker_find(struct filchi_worker *w, uintptr_t *item);
/*
 * An idle worker tries to steal from that worker. If it gets a bound item, it takes more of them to its stash. False:
 * there was nothing.
 */
bool filchi_worker_steal(struct filchi_worker *w, uint32_t victim, uintptr_t *item, bool last_look);
/*
 * After filchi_worker_steal: takes the next item of the same victim's deque, if the own deque is empty. False: there
 * was none, or it is time to look elsewhere.
 */
bool filchi_worker_steal_again(struct filchi_worker *w, uintptr_t *item);
/* Looks only into the worker's own deque and stash. */
bool filchi_worker_find_own(struct filchi_worker *w, uintptr_t *item);

/*
 * Counts the worker as sleeping. It must then look everywhere once more. Returns the value of `stopping` from before
 * that look.
 */
uint32_t filchi_worker_enter(struct filchi_worker *w, bool searching);

/*
 * After enter and a look that found nothing: sleeps. stopping: the value that enter returned. True: the worker searches
 * again. False: the scheduler has ended.
 */
bool filchi_worker_park(struct filchi_worker *w, uint32_t stopping);

/*
 * Put items where other workers find them, and wake a worker if none searches. Neither fails: without memory they yield
 * until there is some.
 *
 *   requeue   items that the worker has taken go to its own deque, the first one first; without room to the injector
 *   pass_on   a free item goes to the injector
 */
void filchi_worker_requeue(struct filchi_worker *w, const uintptr_t *items, size_t count);
void filchi_worker_pass_on(struct filchi_worker *w, uintptr_t item);

/* Adopts the hooks of the scheduler. The thread of the worker calls it, outside of items and before foreign items. */
void filchi_worker_adopt(struct filchi_worker *w);
/* True while the hooks keep the scheduler from ending because of this worker. */
bool filchi_worker_is_busy(struct filchi_worker *w);

/* Wakes a worker, if none searches, after this worker has published an item. */
void filchi_worker_notify(struct filchi_worker *w);

/* Adds the counters of the worker and of its deque to the statistics. */
void filchi_worker_stats(const struct filchi_worker *w, struct filch_stats *stats);

/* The victim of attempt n of a round. Attempts go from 0 to victims - 2. */
uint32_t filchi_victim_pick(struct filchi_worker *w, uint32_t attempt);

static inline bool filchi_item_is_free(uintptr_t item)
{
	return item & 1;
}

static inline bool filchi_item_is_foreign(uintptr_t item)
{
	return (item & 3) == 3;
}

static inline uintptr_t filchi_item_foreign(struct filch_item *item)
{
	return (uintptr_t)item | 3;
}

static inline void filchi_item_run_foreign(uintptr_t item)
{
	struct filch_item *foreign = (struct filch_item *)(item & ~(uintptr_t)3);

	foreign->run(foreign);
}

static inline void filchi_count(FILCHI_ATOMIC(uint64_t) * counter)
{
	filchi_store_rlx(counter, filchi_load_rlx(counter, COUNTER) + 1, COUNTER);
}

static inline uint64_t filchi_count_read(const FILCHI_ATOMIC(uint64_t) * counter)
{
	return filchi_load_rlx((FILCHI_ATOMIC(uint64_t) *)(uintptr_t)counter, COUNTER);
}

static inline struct filchi_sched *filchi_worker_sched(const struct filchi_worker *w)
{
	return w->sched;
}

static inline const struct filchi_thread *filchi_worker_thread(const struct filchi_worker *w)
{
	return &w->thread;
}

static inline uint32_t filchi_worker_id(const struct filchi_worker *w)
{
	return w->id;
}

static inline struct filch_deque *filchi_worker_deque(const struct filchi_worker *w)
{
	return w->deque;
}

static inline struct filchi_parker *filchi_worker_parker(struct filchi_worker *w)
{
	return &w->parker;
}

/* The hooks that the worker has adopted, or NULL. */
static inline const struct filch_hooks *filchi_worker_hooks(const struct filchi_worker *w, void **context)
{
	*context = w->hook_context;
	return w->hooks;
}

static inline struct filchi_stash *filchi_worker_stash(struct filchi_worker *w)
{
	return &w->stash;
}

/* Items in the worker's deque. For others a hint. */
static inline size_t filchi_worker_size(const struct filchi_worker *w)
{
	return w->deque->ops->size(w->deque);
}

/* The owner publishes a part of its deque if a thief has asked for it. */
static inline void filchi_worker_poll(struct filchi_worker *w)
{
	if (w->deque->ops->poll)
		w->deque->ops->poll(w->deque);
}

static inline int filchi_worker_push(struct filchi_worker *w, uintptr_t item)
{
	return w->deque->ops->push(w->deque, item);
}

static inline bool filchi_worker_pop(struct filchi_worker *w, uintptr_t *item)
{
	return w->deque->ops->pop(w->deque, item) == FILCH_OK;
}

#endif
