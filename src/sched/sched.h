/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The scheduler: workers that run items, which are words. What an item is and how it is run is up to the layers above;
 * here it only matters who has it. Each worker takes from its own deque, then from the injector, then from others by
 * the victim policy, and then sleeps.
 *
 * Edges:
 *   V1   spare.c: store_rel victims, filchi_sched_victims: load_acq victims   a spare's deque
 *   COUNTER   orders nothing
 */
#ifndef FILCHI_SCHED_SCHED_H
#define FILCHI_SCHED_SCHED_H

#include "../base/rng.h"
#include "../deque/deque.h"
#include "../inject/injector.h"
#include "../os/os.h"
#include "sleep.h"

#include <filch/task.h>

/* Ids are 16 bits in tasks; so many threads would be a mistake anyway. */
#define FILCHI_MAX_WORKERS 1024u

/* Thresholds: no spawn is a call; the same, and someone has asked. At 0 all are calls. */
#define FILCHI_THRESHOLD_OPEN (UINTPTR_MAX - 1)
#define FILCHI_THRESHOLD_REQUESTED UINTPTR_MAX

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

enum filchi_join_policy { FILCHI_JOIN_TRANSITIVE, FILCHI_JOIN_LEAPFROG, FILCHI_JOIN_RANDOM, FILCHI_JOIN_COUNT };

/* What happened, counted by the worker itself; others may look. Only in slow paths, so that it costs nothing else. */
struct filchi_counters {
	FILCHI_ATOMIC(uint64_t) tasks;	   /* made to be stolen, not called */
	FILCHI_ATOMIC(uint64_t) jobs;	   /* of the pool, run */
	FILCHI_ATOMIC(uint64_t) steals;	   /* by this worker when idle */
	FILCHI_ATOMIC(uint64_t) leapfrogs; /* while waiting for a stolen task */
	FILCHI_ATOMIC(uint64_t) rejected;  /* stolen while waiting, and given back */
	FILCHI_ATOMIC(uint64_t) parks;
	FILCHI_ATOMIC(uint64_t) wakes;	   /* of others */
	FILCHI_ATOMIC(uint64_t) overflows; /* tasks for which there was no room, run at once */
	FILCHI_ATOMIC(uint64_t) misuses;   /* syncs without spawns, and the other way around: FILCH_DEBUG */
};

#define FILCHI_STASH_MAX FILCHI_TUNE(1024u, 4u)
#define FILCHI_MAX_TASK_STACKS 64u

struct filchi_sched;

struct filchi_worker {
	struct filch_worker_ public; /* its threshold, on a line that the owner reads and thieves seldom write */

	/* The worker's own. */
	FILCHI_OWN_LINE struct filchi_sched *sched;
	struct filch_deque *deque;
	struct filchi_split *split; /* the same, if it is of that kind */
	uint32_t id;
	uint32_t last_victim;
	uint32_t ticks;
	uint32_t run_id;
	/* When to make tasks: spawn.c. */
	uint32_t budget;
	uint32_t credit;  /* so many more without a look at how many there are */
	uint64_t made_at; /* the last one without a budget */
	bool on_request;  /* the budget is that of a request */
	uint64_t gave_at; /* spawn_n.c: when tasks were made the last time, how many, and how many it could have been */
	uint32_t gave, at_once;
	uint64_t joined, joined_ns; /* tasks that were stolen, or taken back, and how long they took elsewhere */
	size_t suspended;	    /* items in the deque that are not of what runs now */
	size_t mark;		    /* places of what it has in hand that were taken when it last began to wait */
	bool started;
	uint32_t nested; /* task stacks in use: one, and one more for each FILCH_RUN inside of tasks */
	uint64_t stole_at, asked_at, pause_ns; /* steal.c */
	uint32_t shorts;		       /* tasks that it has stolen and that were shorts, in a row */
	bool away;			       /* since it stole_at */
	/* The worker that had what it runs next, or has in hand. NULL: it did not steal what it runs next. */
	struct filchi_worker *stolen_from;
	uint64_t loops_at, loops_ns; /* algo/splitter.h */
	struct filchi_rng rng;
	uint32_t *order;					/* the others, the nearest first; NULL: as they come */
	struct filch_task *task_stacks[FILCHI_MAX_TASK_STACKS]; /* task stacks */
	void *job;						/* of the pool that runs here, or NULL */
	void *job_cache;					/* of the pool: jobs to be used again, and how many */
	uint32_t job_cached;
	uint32_t blocking; /* filchi_spare_begin, and not yet end */
	struct filchi_thread thread;
	struct filchi_counters counters;

	/* For those who wait for a task that is run here: join.c. */
	FILCHI_OWN_LINE FILCHI_ATOMIC(uintptr_t) base;
	FILCHI_ATOMIC(uint32_t) current;
	FILCHI_ATOMIC(uint32_t) waiting;
	FILCHI_ATOMIC(uint32_t) place; /* borrow.c */
	/* Stolen, and not run yet: steal.c. 0: taken by another. */
	struct filchi_mutex stash_lock;
	FILCHI_ATOMIC(uint32_t) stash_count; /* holes included */
	FILCHI_ATOMIC(uint32_t) stash_left;  /* without them */
	uintptr_t held[FILCHI_STASH_MAX];
};

struct filchi_sched_setup {
	uint32_t workers;
	uint32_t spares; /* more of them, at most, in the place of those that block */
	const struct filchi_deque_kind *kind;
	struct filchi_deque_setup deque;
	enum filchi_victim_policy victim;
	enum filchi_wait_policy wait;
	enum filchi_join_policy join;
	uint32_t searchers; /* at most so many search at once */
	bool one_processor; /* for all: who waits outside had better let them run */
	size_t stack_bytes;
	size_t task_stack_bytes; /* of a task stack: address space, a power of two */
	/* In the worker's thread. */
	void (*run)(struct filchi_worker *w, uintptr_t item);
	void (*begin)(struct filchi_worker *w); /* NULL: nothing to do */
	void (*end)(struct filchi_worker *w);
	void (*died)(struct filchi_worker *w); /* what was run has ended the thread; does not return */
	/* All workers and spares sleep inside of what they run: filchi_sched_stall. NULL: nobody counts them. */
	void (*stalled)(struct filchi_sched *s);
};

/* Who takes the place of a worker that blocks: spare.c. Ids of spares follow those of the workers. */
struct filchi_spares {
	struct filchi_mutex lock;
	FILCHI_ATOMIC(uint32_t) lent;	 /* workers, and spares, that block */
	FILCHI_ATOMIC(uint32_t) running; /* spares that have a place */
	FILCHI_ATOMIC(uint32_t) permits; /* to get up and take one, or to end */
	uint32_t made;
	uint32_t lends;	 /* how often places were lent */
	uint32_t parked; /* without a place, and without a permit */
	uint32_t ended;	 /* workers, whose places are lent for good */
	bool closing;
};

enum filchi_stopping {
	FILCHI_STOPPING_NOT,
	FILCHI_STOPPING_DRAIN, /* nothing more comes from outside */
	FILCHI_STOPPING_END    /* all has been run */
};

struct filchi_sched {
	struct filchi_sched_setup setup;
	struct filchi_injector injector;
	struct filchi_sleep sleep;
	/* Those who put items in from outside: two each, and one when that is over. */
	FILCHI_OWN_LINE FILCHI_ATOMIC(uint32_t) submitters;
	FILCHI_OWN_LINE FILCHI_ATOMIC(uint32_t) stopping; /* enum filchi_stopping */
	FILCHI_ATOMIC(uint32_t) parked;			  /* workers, not spares, that have looked in vain and sleep */
	uint32_t started;				  /* workers; set before stopping */
	FILCHI_ATOMIC(uint32_t) keep_awake;		  /* phases that are on: nobody sleeps */
	FILCHI_ATOMIC(uint32_t) wanted;			  /* guests that wait for a place */
	FILCHI_ATOMIC(uint32_t) stalled;		  /* workers and spares that sleep inside of what they run */
	uint32_t worker_count;				  /* without spares */
	FILCHI_ATOMIC(uint32_t) victims; /* workers and those spares that there are: all that may have something */
	unsigned generation;		 /* of the process that made it */
	bool makes_tasks; /* tasks are made: there are others to steal them, and the deque is a stack to its owner */
	struct filchi_worker *workers; /* and room for all spares */
	struct filchi_spares spares;
	struct filchi_signals signals; /* that all workers block: those of the thread that started them */
	void *context;		       /* of the layer above */
};

/* Memory for all, and nothing started. 0 or -errno. */
int filchi_sched_init(struct filchi_sched *s, const struct filchi_sched_setup *setup);
/* Starts the threads. -EAGAIN, -ENOMEM: all is as before. */
int filchi_sched_start(struct filchi_sched *s);
/* Lets nothing more in, waits until all that was put in has been run, and joins the threads. */
void filchi_sched_stop(struct filchi_sched *s);
/* After stop, or without start. */
void filchi_sched_fini(struct filchi_sched *s);

/*
 * An item from a worker for any worker, or from a thread that keeps the scheduler from being stopped. 0, -ENOMEM.
 * filchi_sched_offer is for a worker: its own deque if that has room and hides nothing, else the injector.
 */
int filchi_sched_inject(struct filchi_sched *s, uintptr_t item);
int filchi_sched_offer(struct filchi_worker *w, uintptr_t item);

/*
 * A thread from outside keeps the scheduler from being stopped until it leaves. False: it is being stopped already, and
 * the thread must not leave.
 */
bool filchi_sched_enter(struct filchi_sched *s);
void filchi_sched_leave(struct filchi_sched *s);
/*
 * The same although it may be being stopped, by a thread that knows that it has not ended yet. Such threads put nothing
 * in. After stop, a thread that is ordered after those that stay waits for them, before fini.
 */
void filchi_sched_stay(struct filchi_sched *s);
void filchi_sched_wait_outside(struct filchi_sched *s);

/*
 * A worker or spare sleeps inside of what it runs, until it unstalls. True: all of them do, and nobody is left to look
 * for something to run.
 */
bool filchi_sched_is_stalled(struct filchi_sched *s);
bool filchi_sched_stall(struct filchi_sched *s);
void filchi_sched_unstall(struct filchi_sched *s);

/* The worker that the calling thread is, or NULL. */
struct filchi_worker *filchi_worker_self(void);

/* Starts the thread of a worker, with that function. The errors are those of filchi_thread_start. */
int filchi_worker_start(struct filchi_worker *w, void *(*main)(void *worker));
void *filchi_worker_main(void *worker);

/* What to run next; sleeps until there is something. False: it is the end. */
bool filchi_worker_next(struct filchi_worker *w, uintptr_t *item);

/* Is nobody to sleep? */
bool filchi_stays_awake(struct filchi_sched *s);

/*
 * The calling thread, which is no worker, takes the place of a worker that sleeps. NULL: there is none to be had. While
 * it is there the scheduler must not be stopped. guest_wait is how a worker waits for a permit, with its place free.
 */
struct filchi_worker *filchi_borrow(struct filchi_sched *s);
void filchi_give_back(struct filchi_worker *w);
void filchi_worker_sleep(struct filchi_worker *w);

/*
 * Around what blocks in the thread of a worker: its place is lent to a spare, if there is one to be had. What it holds
 * back in its deque goes where others find it, but for tasks. They count.
 */
void filchi_spare_begin(struct filchi_worker *w);
void filchi_spare_end(struct filchi_worker *w);
/* A body that has run may have forgotten some ends: makes up for them. depth: of blocking, before it ran. */
void filchi_spare_unwind(struct filchi_worker *w, uint32_t depth);
/* Spares end when nobody is left to make something for them: after the workers have been joined. */
void filchi_spare_close(struct filchi_sched *s);

/* Of sched.c, for spare.c. */
int filchi_worker_init(struct filchi_worker *w, struct filchi_sched *s, uint32_t id);
void filchi_worker_fini(struct filchi_worker *w);

/* So many have deques: all that are to be looked at. */
static inline uint32_t filchi_sched_victims(struct filchi_sched *s)
{
	return filchi_load_acq(&s->victims, V1);
}

/* A worker says that it sleeps, and must look everywhere once more. What it sees of stopping before that look. */
uint32_t filchi_worker_enter(struct filchi_worker *w, bool searching);

/*
 * Of a worker that has said that it sleeps, and then found nothing: sleeps. What it saw of stopping before it looked.
 * True: it searches again. False: it is the end.
 */
bool filchi_worker_park(struct filchi_worker *w, uint32_t stopping);

/* One look around for an item: all has been looked at when it says no. */
bool filchi_worker_find(struct filchi_worker *w, uintptr_t *item);

/*
 * Steals from that worker, with what to do when it has nothing to give: its next spawn will make something. Unless the
 * thief insists it may not be the time yet to look: then FILCH_EMPTY, too. What it has in hand comes first; within:
 * from first to last. What comes from its deque may be anything.
 */
int filchi_worker_steal_within(struct filchi_worker *thief, struct filchi_worker *victim, uintptr_t first,
			       uintptr_t last, uintptr_t *item, bool insist);

static inline int filchi_worker_steal(struct filchi_worker *thief, struct filchi_worker *victim, uintptr_t *item,
				      bool insist)
{
	return filchi_worker_steal_within(thief, victim, 1, UINTPTR_MAX, item, insist);
}

/*
 * Items in hand: stolen, and not run yet. How many places there are in use, holes included; the worker itself puts more
 * there, up to FILCHI_STASH_MAX in all.
 */
size_t filchi_stash_count(struct filchi_worker *w);
void filchi_stash_put(struct filchi_worker *w, const uintptr_t *items, size_t count);
/* The worker itself: the last one from first to last that is not in the first mark places. */
bool filchi_stash_take_own(struct filchi_worker *w, size_t mark, uintptr_t first, uintptr_t last, uintptr_t *item);
/* Cuts off the holes at the end, down to mark. */
void filchi_stash_trim(struct filchi_worker *w, size_t mark);
/* How many there are, for others: a hint. */
size_t filchi_stash_size(struct filchi_worker *w);
/* Another: up to max from first to last, those before that have been there for longest; or that one, at that place. */
size_t filchi_stash_take(struct filchi_worker *w, uintptr_t first, uintptr_t last, uintptr_t *items, size_t max);
bool filchi_stash_remove(struct filchi_worker *w, size_t place, uintptr_t item);

/* Whom to try, at the n-th attempt of a round; attempts go from 0 to victims - 2, and all are tried in a full sweep. */
uint32_t filchi_victim_pick(struct filchi_worker *w, uint32_t attempt);

/*
 * What a worker has in its deque may be hidden from others until it next looks there itself, which can be long. Tasks
 * are made when someone asks for them, so that does no harm; all else must not go there, if there are others.
 */
static inline bool filchi_sched_owner_private(const struct filchi_sched *s)
{
	return s->setup.kind->info.owner_private && s->worker_count > 1;
}

/* One more of them. */
static inline void filchi_count(FILCHI_ATOMIC(uint64_t) * counter)
{
	filchi_store_rlx(counter, filchi_load_rlx(counter, COUNTER) + 1, COUNTER);
}

/* A worker has published something. */
static inline void filchi_worker_notify(struct filchi_worker *w)
{
	if (filchi_sleep_notify(&w->sched->sleep))
		filchi_count(&w->counters.wakes);
}

#endif
