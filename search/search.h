/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parts of a search, as its files share them. README.md has the protocol.
 *
 *   create.c       create, destroy
 *   outside.c      add, extract, cancel, hold
 *   run.c          a run
 *   worker.c       the loop of a search worker; limits, progress
 *   open.c         the open nodes of a worker: depth first
 *   best.c heap.c  the same: best first and mixture
 *   idle.c         states, tokens, hand-over, end
 *   move.c         how work moves: direct, master
 *   incumbent.c    the best value and its solution
 *   knowledge.c    records that workers publish
 *   checkpoint.c   save and load
 *   deterministic.c  rounds
 */
#ifndef FILCHI_SEARCH_SEARCH_H
#define FILCHI_SEARCH_SEARCH_H

#include "system.h"

#include <filch/search.h>

#include <stdbool.h>

/* The signal word: flags, and above them the number of needy workers. */
enum {
	FILCHI_SEARCH_STOP = 1,	 /* the run ends */
	FILCHI_SEARCH_PAUSE = 2, /* all jobs return, and are started again */
	FILCHI_SEARCH_SHARE = 4, /* a thread outside of the search wants nodes */
	FILCHI_SEARCH_INBOX = 8, /* there are nodes in the inbox */
	FILCHI_SEARCH_NEEDY = 256
};

/* The state of a worker: see idle.c. */
enum {
	FILCHI_SEARCH_RUNNING,
	FILCHI_SEARCH_REQUESTING,
	FILCHI_SEARCH_IDLE,
	FILCHI_SEARCH_CLAIMED,
	FILCHI_SEARCH_MAILED,
	FILCHI_SEARCH_LEFT
};

enum { FILCHI_SEARCH_DEPTH, FILCHI_SEARCH_BEST, FILCHI_SEARCH_MIXTURE };
enum { FILCHI_SEARCH_BY_SIZE, FILCHI_SEARCH_BY_ORDER, FILCHI_SEARCH_BY_AFFINITY };

/* Bounds and values as keys: a smaller key is better. No value has the last key. */
#define FILCHI_SEARCH_NO_KEY UINT64_MAX

/* ---- the open nodes of a worker ---- */

#define FILCHI_SEARCH_SEGMENTS FILCHI_TUNE(32, 2)

/* A batch of children that no other worker can see. */
struct filchi_search_segment {
	struct filch_node *first;
	size_t count; /* between the two: one load of both from a batch would wait for the stores of explore */
	struct filch_node *last;
};

/* Linked nodes. The first is the newest, or the best. */
struct filchi_search_run {
	uint64_t key;
	struct filch_node *first, *last;
	size_t count;
};

/* Nodes of the same key, linked. */
struct filchi_search_entry {
	uint64_t key;
	uint64_t number; /* of pushes: the newest first among equals */
	struct filch_node *node;
};

/*
 * "depth": a private stack of segments above a bulk queue. Thieves see the queue only.
 * "best", "mixture": a heap under a lock. overflow has the nodes for which there is no room, as a stack.
 */
struct filchi_search_open {
	struct filch_bulk *bulk;
	unsigned segments;
	struct filchi_search_segment segment[FILCHI_SEARCH_SEGMENTS];

	struct filchi_search_lock lock;
	struct filchi_search_entry *heap;
	size_t size, room; /* entries */
	size_t nodes;	   /* in the heap */
	uint64_t pushes;
	struct filch_node *overflow;
	size_t overflowed;
	uint64_t overflow_key;		/* no node of the overflow has a better key */
	struct filchi_search_run stash; /* nodes that others may take; key: the best of them */
	unsigned stash_age;
	/* Only the owner touches these. */
	struct filch_node *next; /* the node to explore next */
	uint64_t next_key;
	size_t dived;				     /* "mixture": first children in a row, with the next node */
	FILCHI_OWN_LINE FILCHI_ATOMIC(uint64_t) top; /* key of the best node in the heap */
	FILCHI_ATOMIC(uint64_t) fifth;		     /* at least five nodes have this key or a better one */
	FILCHI_ATOMIC(uint64_t) low;		     /* overflow_key, or the best key of the stash */
	FILCHI_ATOMIC(uint64_t) visible;	     /* nodes in heap, stash and overflow */
	FILCHI_ATOMIC(uint64_t) stashed;
	FILCHI_ATOMIC(uint32_t) asked; /* another worker would like to trade */
};

/* ---- workers ---- */

/* Statistics that others read, beside explored and pruned: the fields of struct filch_search_stats behind these two. */
#define FILCHI_SEARCH_SHOWN 7

struct filch_search_worker {
	void *local; /* first, where filch_search_local() of the public header looks for it */
	struct filchi_search_job job;
	struct filch_search *search;
	unsigned id;
	/* The thread of the job, or the one that has CLAIMED an idle worker, owns all up to `state`. */
	FILCHI_CELL(unsigned) owner; /* written by each new owner, so that the checker sees two */
	bool needy;		     /* "master": its state is REQUESTING though it has nodes */
	bool eager;		     /* nodes take long: no private segments */
	bool start;		     /* go() of run.c must start it */
	unsigned traded;	     /* "best": looks at other workers */
	uint32_t until_trade;	     /* nodes until the next look */
	uint32_t until_check;	     /* nodes */
	uint32_t until_mind;	     /* "master": nodes until it looks whether it is nearly dry */
	uint32_t interval;	     /* nodes between two checks */
	uint32_t backoff;	     /* nodes until it may start another worker */
	uint32_t mean_ns;	     /* of a node */
	uint64_t checked_ns, idle_ns;
	uint64_t learned;		 /* records seen */
	struct filchi_search_item *item; /* deterministic mode: the node that it explores */
	struct filchi_search_open open;
	struct filch_search_stats stats;

	FILCHI_OWN_LINE FILCHI_ATOMIC(uint32_t) state;
	struct filch_batch mail; /* of the claimer while CLAIMED, then of the owner */
	/* For others to read. */
	FILCHI_OWN_LINE FILCHI_ATOMIC(uint64_t) explored;
	FILCHI_ATOMIC(uint64_t) pruned;
	FILCHI_ATOMIC(uint64_t) opened;			    /* nodes that it has, about */
	FILCHI_ATOMIC(uint64_t) current;		    /* key of the node that it explores */
	FILCHI_ATOMIC(uint64_t) subspace;		    /* affinity of that node */
	FILCHI_ATOMIC(uint64_t) shown[FILCHI_SEARCH_SHOWN]; /* the rest of the statistics */
};

/* Deterministic mode: a node of a round, and its results. */
struct filchi_search_item {
	struct filch_node *node;
	struct filch_batch children;
	struct filch_search_record *records;
	uint64_t best_key;
	struct filchi_search_best *best; /* of this node; NULL: none */
	int error;
};

/* A solution and its value; immutable once published. */
struct filchi_search_best {
	struct filchi_search_best *next; /* retired before this one */
	uint64_t key;
	void *solution;
};

struct filch_search {
	struct filch_search_problem problem;
	struct filch_search_options opt;
	struct filch_search_link link;
	unsigned workers;
	int order, victim;
	bool master, prunes;
	bool plain; /* nothing is to be done before a node but to look at the signal */
	struct filch_search_worker *worker;
	struct filchi_search_jobs *jobs;

	FILCHI_OWN_LINE FILCHI_ATOMIC(uint32_t) signal;
	FILCHI_ATOMIC(uint64_t) best_key;
	FILCHI_OWN_LINE FILCHI_ATOMIC(uint32_t) tokens; /* of workers that may have nodes, and holds */
	FILCHI_ATOMIC(uint32_t) event;			/* changes when a run that waits should look again */
	FILCHI_ATOMIC(uint32_t) holds;
	FILCHI_ATOMIC(uint32_t) running, end, cancelled;
	FILCHI_ATOMIC(uint64_t) granted; /* nodes of node_limit */
	FILCHI_ATOMIC(uint64_t) progress_due;

	/*
	 * For threads outside of the jobs, and for a run while it has no jobs. inbox: nodes that were added. open: a
	 * run waits for its jobs, so jobs may be started.
	 */
	struct filchi_search_lock lock;
	struct filchi_search_lock door;	 /* of threads outside, while a worker or the run waits for the lock */
	FILCHI_ATOMIC(uint32_t) waiting; /* workers, or the run, that wait for the lock */
	struct filch_batch inbox;
	bool open;
	bool active; /* there is a run */

	FILCHI_OWN_LINE FILCHI_ATOMIC(uint32_t) improvers;
	FILCHI_ATOMIC(struct filchi_search_best *) best;
	FILCHI_ATOMIC(struct filchi_search_best *) retired;

	struct filchi_search_lock ring_lock;
	struct filch_search_record **ring;
	FILCHI_OWN_LINE FILCHI_ATOMIC(uint64_t) published;

	struct {
		struct filchi_search_item *item;
		size_t count;
		uint64_t best_key;
		uint64_t mean_ns; /* of a node in the last round */
		FILCHI_OWN_LINE FILCHI_ATOMIC(size_t) next;
	} round;

	FILCHI_ATOMIC(uint64_t) save_due;
	FILCHI_ATOMIC(uint64_t) saved; /* nodes that were explored or pruned at the last checkpoint */
	FILCHI_ATOMIC(uint32_t) save_wanted;
	uint64_t explored_loaded, pruned_loaded;
	uint64_t deadline_ns, pruned_before;
	int error;
	FILCHI_ATOMIC(uint64_t) root_key;  /* best key of the nodes that were added */
	FILCHI_ATOMIC(uint64_t) inbox_key; /* of the inbox: no node in it has a better key */
	FILCHI_ATOMIC(uint64_t) arrived;   /* nodes in the inbox, to be read without the lock */
	FILCHI_ATOMIC(uint64_t) begin_ns;  /* of the newest run; 0: no run yet */
	FILCHI_ATOMIC(uint64_t) end_ns;	   /* of the newest run; UINT64_MAX: it goes on */
	FILCHI_ATOMIC(uint64_t) explored_before;
};

/* ---- create.c, outside.c, run.c ---- */
void filchi_search_discard(struct filch_search *s, struct filch_search_worker *w, struct filch_node *node);
void filchi_search_discard_all(struct filch_search *s, struct filch_search_worker *w, struct filch_batch *batch);

/* While no worker runs: limits, progress, a checkpoint that is due. False: the run ends. */
bool filchi_search_still(struct filch_search *s);
/* Begins or ends the time in which no run may begin. True: it has begun already. */
bool filchi_search_busy(struct filch_search *s, bool begin);
/* How many holds there are. The caller then sees the nodes that a thread has added before its release. */
uint32_t filchi_search_holds(struct filch_search *s);
/* While no worker runs: worker 0 gets the inbox. */
void filchi_search_gather(struct filch_search *s);
/* Takes the lock of the search, for a worker or the run: threads outside let it go first. */
void filchi_search_enter(struct filch_search *s);

/* ---- knowledge.c ---- */
int filchi_search_knowledge_init(struct filch_search *s);
void filchi_search_knowledge_fini(struct filch_search *s);
void filchi_search_publish(struct filch_search *s, struct filch_search_record *record);
void filchi_search_learn(struct filch_search_worker *w);

/* ---- checkpoint.c ---- */
/* path: NULL: to the link. */
int filchi_search_save(struct filch_search *s, const char *path);
int filchi_search_save_try(const char *path);
/* A checkpoint can be asked for: there is a file for it, or a link that takes it. */
static inline bool filchi_search_saves(const struct filch_search *s)
{
	return s->opt.checkpoint || s->link.saved;
}

/* ---- deterministic.c ---- */
int filchi_search_rounds_init(struct filch_search *s);
void filchi_search_rounds(struct filch_search *s);
int filchi_search_item_improve(struct filch_search *s, struct filchi_search_item *item, uint64_t key, void *solution);

/* ---- stats.c ---- */
void filchi_search_publish_counts(struct filch_search_worker *w); /* the owner */

/* ---- worker.c ---- */
void filchi_search_fail(struct filch_search *s, int err);
void filchi_search_report(struct filch_search *s, uint64_t now); /* calls the option progress */
void filchi_search_progress(struct filch_search *s, uint64_t now, struct filch_search_progress *p);
/* Explores until the worker is dry and finds no work, or the run stops or pauses. */
void filchi_search_worker_run(struct filchi_search_job *job);
void filchi_search_totals(struct filch_search *s, uint64_t *explored, uint64_t *pruned, uint64_t *open);
/* The best key of an open node. Exact, but for nodes in the overflow, if still: no worker runs. Else about. */
uint64_t filchi_search_bound_key(struct filch_search *s, bool still);
double filchi_search_gap(struct filch_search *s, uint64_t best, uint64_t bound);
/* There is a limit of the gap, and it may end the run: there is no thread with a hold, which may have better nodes. */
bool filchi_search_gap_ends(struct filch_search *s);

/* ---- open.c, best.c: for the owner, if not said otherwise ---- */
typedef void filchi_search_visit(const struct filch_node *node, void *arg);
int filchi_search_open_init(struct filch_search *s, struct filchi_search_open *o);
void filchi_search_open_fini(struct filchi_search_open *o);
void filchi_search_push(struct filch_search_worker *w, struct filch_batch *batch);
/* NULL: there is none. *key is the key of its bound in "best" and "mixture". */
struct filch_node *filchi_search_pop(struct filch_search_worker *w, uint64_t *key);
/* All nodes, in their order, while no worker runs. They may be pushed again. */
void filchi_search_peek(struct filch_search_worker *w, struct filch_batch *all);
/*
 * While no worker runs: calls visit for all nodes, in their order. No node is pruned or moves, so the search goes on as
 * without this call.
 */
void filchi_search_each(struct filch_search_worker *w, filchi_search_visit *visit, void *arg);
/* Makes private nodes visible to thieves. How many nodes they can see then. */
size_t filchi_search_share(struct filch_search_worker *w);
/*
 * Any thread. Takes about that proportion of the nodes. FILCH_OK or FILCH_EMPTY. waits: waits for the owner of a heap
 * to finish an operation.
 */
int filchi_search_steal(struct filch_search_worker *victim, double proportion, struct filch_batch *batch, bool waits);
size_t filchi_search_visible(struct filch_search_worker *w); /* any thread: a hint */
size_t filchi_search_size(struct filch_search_worker *w);    /* all its nodes, without mail */

void filchi_search_best_push(struct filch_search_worker *w, struct filch_batch *batch);
/* Adds the children of the explored node, and takes the node for the next pop. */
void filchi_search_best_exchange(struct filch_search_worker *w, struct filch_batch *children);
struct filch_node *filchi_search_best_pop(struct filch_search_worker *w, uint64_t *key, bool trades);
size_t filchi_search_best_share(struct filch_search_worker *w);
void filchi_search_best_each(struct filch_search_worker *w, filchi_search_visit *visit, void *arg);
int filchi_search_best_steal(struct filch_search_worker *victim, size_t want, struct filch_batch *batch, bool waits);
/* For another machine: waits for the lock, and takes more nodes at once. */
int filchi_search_best_extract(struct filch_search_worker *victim, double proportion, struct filch_batch *batch);

/* ---- heap.c: under the lock ---- */
/* Adds nodes of the same key. full: to the overflow. */
void filchi_search_heap_put(struct filch_search *s, struct filchi_search_open *o, const struct filchi_search_run *r,
			    bool full);
struct filch_node *filchi_search_heap_best(struct filch_search *s, struct filchi_search_open *o, uint64_t *key);
struct filch_node *filchi_search_heap_last(struct filchi_search_open *o);
struct filch_node *filchi_search_heap_overflow(struct filch_search *s, struct filchi_search_open *o, uint64_t *key);
/* From the overflow, or else the best one. NULL: there is none. */
struct filch_node *filchi_search_heap_take(struct filch_search *s, struct filchi_search_open *o, uint64_t *key);
/* Puts the entries into their order; a heap with sorted entries is a heap. */
void filchi_search_heap_sort(struct filch_search *s, struct filchi_search_open *o);
/* At least five entries have this key or a better one. */
uint64_t filchi_search_heap_fifth(const struct filchi_search_open *o);

/* ---- idle.c ---- */
void filchi_search_stop(struct filch_search *s, int end);
bool filchi_search_stopped(struct filch_search *s); /* the run ends, and `end` says why */
void filchi_search_flag(struct filch_search *s, uint32_t set, uint32_t clear);
void filchi_search_token_take(struct filch_search *s);
void filchi_search_token_drop(struct filch_search *s);
/* The worker has no nodes. True: it has some again. False: its job must return at once, and not touch the worker. */
bool filchi_search_find(struct filch_search_worker *w);
/* Between making nodes visible and a look for needs. */
void filchi_search_announce(void);
/* The calling thread is now the owner of the worker's data. */
void filchi_search_own(struct filch_search_worker *w);
bool filchi_search_take_mail(struct filch_search_worker *w);
void filchi_search_request(struct filch_search_worker *w);   /* RUNNING to REQUESTING */
void filchi_search_satisfied(struct filch_search_worker *w); /* and back, unless there is mail */
/* Caller with a token. Hands the batch to a worker that is idle or requesting. False: it is neither now. */
bool filchi_search_give(struct filch_search *s, struct filch_search_worker *to, struct filch_batch *batch);
/* Caller with a token. There are visible nodes: gets this worker to look for them. False: it has no need. */
bool filchi_search_offer(struct filch_search *s, struct filch_search_worker *to);
bool filchi_search_take_inbox(struct filch_search_worker *w);
bool filchi_search_is_idle(struct filch_search_worker *w);
bool filchi_search_is_running(struct filch_search_worker *w);
/* For a run while it has no jobs: */
void filchi_search_settle(struct filch_search_worker *w); /* makes it RUNNING with nodes, or IDLE */
void filchi_search_adopt(struct filch_search_worker *w, struct filch_batch *batch); /* makes it RUNNING with these */
/* Until there is something to do, at most ns nanoseconds. */
void filchi_search_wait(struct filch_search *s, uint64_t ns);
void filchi_search_changed(struct filch_search *s); /* ends that wait */

/* ---- move.c ---- */
/* For a dry worker: takes nodes from others, if that is its right. */
bool filchi_search_forage(struct filch_search_worker *w);
/* Some worker is needy, and this one may have nodes. */
void filchi_search_help(struct filch_search_worker *w);
/* After new nodes became available to thieves, anywhere. */
void filchi_search_offer_any(struct filch_search *s, unsigned first);

/* ---- incumbent.c ---- */
void filchi_search_best_clear(struct filch_search *s);
/* Any thread. The best record; NULL: there is none. It stays valid until it is returned. */
struct filchi_search_best *filchi_search_best_borrow(struct filch_search *s);
void filchi_search_best_return(struct filch_search *s);
int filchi_search_best_put(struct filch_search *s, uint64_t key, void *solution);
struct filchi_search_best *filchi_search_best_new(uint64_t key, void *solution);
/* 1: the record is the best now. 0: it is freed, and its solution is the caller's again. */
int filchi_search_best_put_record(struct filch_search *s, struct filchi_search_best *record);

/* ---- depth first, in the loop of the worker ---- */

/* A batch of more nodes goes to the queue at once: it has marks, so thieves can cut it. */
#define FILCHI_SEARCH_LARGE FILCHI_TUNE(64u, 3u)

void filchi_search_push_queue(struct filch_search_worker *w, struct filch_batch *batch);
void filchi_search_spill_half(struct filch_search_worker *w);

static inline void filchi_search_depth_push(struct filch_search_worker *w, struct filch_batch *batch)
{
	struct filchi_search_open *o = &w->open;
	struct filchi_search_segment *g;

	if (FILCHI_UNLIKELY(w->eager || batch->count > FILCHI_SEARCH_LARGE)) {
		filchi_search_push_queue(w, batch);
		return;
	}
	if (FILCHI_UNLIKELY(o->segments == FILCHI_SEARCH_SEGMENTS))
		filchi_search_spill_half(w);
	g = &o->segment[o->segments++];
	g->first = batch->first;
	g->count = batch->count;
	g->last = batch->last;
}

static inline struct filch_node *filchi_search_depth_pop(struct filch_search_worker *w)
{
	struct filchi_search_open *o = &w->open;
	struct filchi_search_segment *g;
	struct filch_node *node;

	if (FILCHI_UNLIKELY(!o->segments))
		return filch_bulk_pop(o->bulk, &node) == FILCH_OK ? node : NULL;
	g = &o->segment[o->segments - 1];
	node = g->first;
	if (--g->count)
		g->first = filchi_plain_get(&node->next);
	else
		o->segments--;
	return node;
}

/* ---- keys ---- */

static inline uint64_t filchi_search_key(const struct filch_search *s, union filch_search_value v)
{
	uint64_t key, sign = (uint64_t)1 << 63;

	if (s->problem.type == FILCH_SEARCH_DOUBLE)
		v.d += 0.0; /* -0 and 0 are equal */
	key = (uint64_t)v.i;
	/* Negative doubles in reverse, so that unsigned order is the order of the numbers. */
	if (s->problem.type == FILCH_SEARCH_DOUBLE && key & sign)
		key = ~key;
	else
		key ^= sign;
	if (s->problem.goal == FILCH_SEARCH_MAXIMISE)
		key = ~key;
	return key == FILCHI_SEARCH_NO_KEY ? key - 1 : key;
}

static inline union filch_search_value filchi_search_value(const struct filch_search *s, uint64_t key)
{
	uint64_t sign = (uint64_t)1 << 63;
	union filch_search_value v;

	if (s->problem.goal == FILCH_SEARCH_MAXIMISE)
		key = ~key;
	if (s->problem.type == FILCH_SEARCH_DOUBLE && !(key & sign))
		key = ~key;
	else
		key ^= sign;
	v.i = (int64_t)key;
	return v;
}

/* True if so many open nodes reach that limit in bytes. 0: there is no limit. */
static inline bool filchi_search_fills(const struct filch_search *s, uint64_t nodes, size_t limit)
{
	size_t size = s->problem.node_size;

	return limit && nodes >= limit / size + (limit % size != 0);
}

static inline uint64_t filchi_search_bound(const struct filch_search *s, const struct filch_node *node)
{
	return s->problem.bound ? filchi_search_key(s, s->problem.bound(node, s->problem.arg)) : 0;
}

#endif
