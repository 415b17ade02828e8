/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parallel search: branch and bound, enumeration, graph exploration. A library of its own: link filch_search.
 *
 * The caller describes a problem by functions, adds one or more root nodes, and runs the search on a pool of filch:
 *
 *	struct filch_search_problem p = {.struct_size = sizeof p, .explore = explore, .discard = discard};
 *	struct filch_search_result result = {.struct_size = sizeof result};
 *	struct filch_search *s;
 *
 *	filch_search_create(&s, &p, NULL);
 *	filch_search_add_node(s, &root->node);
 *	filch_search_run(s, &result);
 *	filch_search_destroy(s);
 *
 * Nodes belong to the caller: put a struct filch_node (bulk.h) into your own struct. The library allocates no memory
 * for a node. A search worker takes one node, explores it, and adds all children as one batch. The first child of a
 * batch is the most promising one.
 *
 * Each search worker has its own open nodes. A search worker that runs dry gets a batch of another worker's nodes.
 * Search workers run as jobs of the pool. An idle search worker has no job, so it uses no thread and no processor.
 *
 * Functions of the problem run in several threads at once, but never twice at once for the same search worker.
 *
 * After a negative result filch_error_message() has the reason. Manual: filch_search(3); docs/search.md is a guide.
 */
#ifndef FILCH_SEARCH_H
#define FILCH_SEARCH_H

#include "bulk.h"
#include "pool.h"

FILCH_BEGIN_DECLS

struct filch_search;
struct filch_search_worker;
struct filch_search_progress;

/* The value of a solution, or a bound. The problem says which member counts. */
union filch_search_value {
	int64_t i;
	double d;
};

/*
 * Knowledge that workers share: a cut, or a no-good. Put it into your own struct. The creator sets affinity, and must
 * not change the record after it was published. uses_ and next_ are for the library only.
 */
struct filch_search_record {
	uint64_t affinity;
	int publisher; /* number of the worker; -1: another thread. Set by the library */
	uint32_t uses_;
	struct filch_search_record *next_;
};

enum filch_search_goal {
	FILCH_SEARCH_ALL = 0,	   /* explore everything; there is no best value */
	FILCH_SEARCH_MINIMISE = 1, /* bounds are lower bounds */
	FILCH_SEARCH_MAXIMISE = 2  /* bounds are upper bounds */
};

enum filch_search_type { FILCH_SEARCH_INT64 = 0, FILCH_SEARCH_DOUBLE = 1 };

/* Why a search ended. */
enum filch_search_end {
	FILCH_SEARCH_DONE = 1,	    /* there are no open nodes, and no hold: the best value is optimal */
	FILCH_SEARCH_CANCELLED = 2, /* filch_search_cancel(), or the job that called filch_search_run() was cancelled */
	FILCH_SEARCH_NODES = 3,	    /* a limit was met */
	FILCH_SEARCH_TIME = 4,
	FILCH_SEARCH_MEMORY = 5,
	FILCH_SEARCH_GAP = 6,
	FILCH_SEARCH_ERROR = 7 /* a function of the problem failed, or a checkpoint could not be written */
};

/*
 * A problem. Only explore is needed, and bound if there is a goal. arg is passed to all functions.
 *
 * explore: explores the node and adds its children to the batch. 0: the node is explored and belongs to explore, which
 * may free it, or use it again as a child. Any other value ends the search with that error. Then the node stays open,
 * and the library discards the children; explore must not have freed the node.
 *
 * discard: frees a node that will never be explored here. The worker is NULL if no worker calls it. NULL: nothing is
 * freed.
 *
 * bound: no solution below the node is better than this. A node whose bound does not beat the best value is pruned:
 * the library discards it. A node with a bound equal to the best value is pruned, too.
 *
 * before: for nodes of equal bound in the orders "best" and "mixture": nonzero if a should be explored before b.
 *
 * affinity: a key for the subspace of the node. Two keys are closer if they share more leading bits.
 *
 * pack, unpack: for checkpoints. pack writes the node to at most room bytes, and returns its size; if the size is
 * larger than room, the library calls pack again with enough room. unpack makes a node of these bytes, or returns an
 * error. pack_solution and unpack_solution do the same for a solution; without them a checkpoint has only the best
 * value. pack_state and unpack_state do the same for other data of the caller, such as counts in the storage of the
 * workers. No worker explores while pack_state runs, so that the data and the open nodes are of the same moment.
 *
 * The search may be locked while bound, discard, a function that packs for a checkpoint, or saved of a link runs. These
 * functions may call filch_search_open(), but none that adds, extracts, saves, loads or runs, and not
 * filch_search_quiet(), for the same search: it would wait for ever.
 *
 * discard_solution: frees a solution that is no longer the best one.
 *
 * improved: called after each improvement, by the worker or thread that found it, for example to tell other machines.
 * Calls may overlap, and their order may differ from the order of the improvements.
 *
 * learn: gives a worker a record that another worker has published. discard_record frees a record. pack_record and
 * unpack_record are like pack and unpack, for records that go to other machines; without them records stay here.
 *
 * between: in deterministic mode, called by one thread after each round, while no worker explores. It may change what
 * the workers share.
 *
 * local_begin, local_end: for local_size bytes of storage that each search worker has, all zero at first: see
 * filch_search_local(). The thread that creates or destroys the search calls both. local_begin returns 0 or an error.
 */
struct filch_search_problem {
	size_t struct_size; /* sizeof(struct filch_search_problem) */
	void *arg;
	int (*explore)(struct filch_search_worker *worker, struct filch_node *node, struct filch_batch *children,
		       void *arg);
	void (*discard)(struct filch_search_worker *worker, struct filch_node *node, void *arg);
	union filch_search_value (*bound)(const struct filch_node *node, void *arg);
	int (*before)(const struct filch_node *a, const struct filch_node *b, void *arg);
	uint64_t (*affinity)(const struct filch_node *node, void *arg);
	size_t (*pack)(const struct filch_node *node, void *bytes, size_t room, void *arg);
	int (*unpack)(struct filch_node **node, const void *bytes, size_t size, void *arg);
	size_t (*pack_solution)(const void *solution, void *bytes, size_t room, void *arg);
	int (*unpack_solution)(void **solution, const void *bytes, size_t size, void *arg);
	size_t (*pack_state)(struct filch_search *search, void *bytes, size_t room, void *arg);
	int (*unpack_state)(struct filch_search *search, const void *bytes, size_t size, void *arg);
	void (*discard_solution)(void *solution, void *arg);
	void (*improved)(struct filch_search *search, union filch_search_value value, const void *solution, void *arg);
	void (*learn)(struct filch_search_worker *worker, const struct filch_search_record *record, void *arg);
	void (*discard_record)(struct filch_search_record *record, void *arg);
	int (*local_begin)(void *local, void *arg);
	void (*local_end)(void *local, void *arg);
	size_t local_size;
	size_t node_size;     /* bytes of memory that an open node takes, for memory limits; 0: 64 */
	uint64_t fingerprint; /* of the instance: a checkpoint of another one is refused */
	int goal;	      /* enum filch_search_goal */
	int type;	      /* enum filch_search_type */
	void (*between)(struct filch_search *search, void *arg);
	size_t (*pack_record)(const struct filch_search_record *record, void *bytes, size_t room, void *arg);
	int (*unpack_record)(struct filch_search_record **record, const void *bytes, size_t size, void *arg);
};

/* A zero means the default. */
struct filch_search_options {
	size_t struct_size; /* sizeof(struct filch_search_options) */
	struct filch_pool *pool;
	unsigned workers; /* search workers, at most 1024; 0: as many as the pool has, at least 1 */
	/*
	 * "depth" (default): the newest batch first, and its nodes in their order. "best": the best bound first.
	 * "mixture": from the best node down the first child of each node, for at most dive nodes; then the best again.
	 */
	const char *order;
	/*
	 * How work moves. "direct" (default): a worker that runs dry steals from the other workers, in the order of
	 * their numbers. "master": worker 0 looks between two of its nodes for workers that are nearly dry. It takes a
	 * proportion of one victim's nodes, and hands it to one or several of them.
	 */
	const char *move;
	const char *victim;	/* of the master: "size" (default): the most nodes; "order"; "affinity": the closest */
	const char *bulk;	/* the kind of bulk queue */
	double proportion;	/* of the victim's nodes to move; 0: one half */
	size_t threshold;	/* a victim with fewer open nodes is left alone; 0: 2 */
	size_t low;		/* "master": a worker with so many open nodes, or fewer, is nearly dry; 0: 2 */
	size_t dive;		/* "mixture": 0: no limit */
	uint64_t node_limit;	/* nodes to explore in this run, exactly; 0: no limit */
	uint64_t time_limit_ns; /* 0: no limit. A worker looks between two nodes */
	size_t memory_limit;	/* bytes of open nodes; 0: no limit */
	size_t soft_memory;	/* bytes of open nodes from which "best" and "mixture" go on depth first; 0: no limit */
	double gap_limit;	/* relative gap at which the search ends; 0: none. Exact with "best" and "mixture" */
	/*
	 * Deterministic mode: nodes in a round; 0: not deterministic. The same nodes are explored and pruned, with the
	 * same sequence of best values, for every number of workers. Functions must depend on the node, on the best
	 * value and on the records only, and must pass their worker to the functions of this header. 64 is a good
	 * value.
	 */
	uint64_t round;
	size_t records; /* published records that are kept at most; 0: 1024 */
	/* Called by one worker at a time, between two nodes, about every progress_ns (0: 1 s). */
	void (*progress)(const struct filch_search_progress *progress, void *arg);
	uint64_t progress_ns;
	const char *checkpoint; /* path of the file, also written at the end of each run; NULL: none */
	uint64_t checkpoint_ns; /* time between two checkpoints; 0: only on request and at the end */
};

struct filch_search_progress {
	size_t struct_size;
	uint64_t explored, pruned, open; /* nodes */
	double seconds, per_second;
	int has_best, has_bound;
	union filch_search_value best, bound; /* bound: no solution is better; known with "best" and "mixture" */
	double gap;			      /* relative; 0: optimal; infinite if unknown */
	uint64_t affinity;		      /* of the node that worker 0 explores, or has explored */
};

struct filch_search_stats {
	size_t struct_size;	 /* sizeof(struct filch_search_stats), set by the caller */
	uint64_t explored;	 /* nodes */
	uint64_t pruned;	 /* nodes whose bound did not beat the best value */
	uint64_t discarded;	 /* nodes that were pruned, or were children of an explore that failed */
	uint64_t batches, nodes; /* that this worker has got from other workers */
	uint64_t handed;	 /* batches that this worker, as the master, has handed to others */
	uint64_t starts;	 /* times that it was idle and got work */
	uint64_t improvements;	 /* of the best value */
	uint64_t idle_ns;	 /* time without nodes during runs */
};

struct filch_search_result {
	size_t struct_size; /* sizeof(struct filch_search_result), set by the caller */
	int end;	    /* enum filch_search_end */
	int error;	    /* of FILCH_SEARCH_ERROR */
	int has_best, has_bound;
	union filch_search_value best, bound; /* bound: no solution is better; equal to best if the search is done */
	void *solution;			      /* of the best value; the search frees it, also if a thread improves it */
	uint64_t explored, pruned, open;      /* nodes; open: left at the end */
	uint64_t total;			      /* nodes explored in all runs, also before a checkpoint that was loaded */
	double seconds;
};

/*
 * Makes a search. The structs are copied; strings and the pool must stay valid. opt may be NULL.
 * 0; -EINVAL: an argument is NULL or makes no sense; -ENOENT: there is no such order, move, victim or bulk queue;
 * -ENOMEM; or the error of local_begin.
 */
FILCH_API int filch_search_create(struct filch_search **out, const struct filch_search_problem *problem,
				  const struct filch_search_options *opt);

/*
 * Discards all open nodes, and frees the search. It must not run, and no thread may still be in one of its functions,
 * such as filch_search_release(): join these threads first. search may be NULL.
 */
FILCH_API void filch_search_destroy(struct filch_search *search);

/*
 * Adds nodes, before a run or during it, from any thread. The batch is empty afterwards. During a run the caller needs
 * a hold, or must be a function of the problem: else the search may end at the same time. The nodes are kept then, and
 * are open in the next run. 0; -EINVAL: an argument is NULL.
 */
FILCH_API int filch_search_add(struct filch_search *search, struct filch_batch *nodes);
FILCH_API int filch_search_add_node(struct filch_search *search, struct filch_node *node);

/*
 * Explores until no node is left, a limit is met, or the search is cancelled. May be called in a job or task. result
 * may be NULL. Open nodes that are left stay in the search: another run goes on with them. A run that a limit or a
 * cancel ends while a thread has a hold is not done, also if no node is open here. It has no bound then, because the
 * thread may have better nodes. For the same reason gap_limit ends no run while there is a hold.
 * 0: it ended, and the result says why. -EINVAL: search is NULL, or the size of the result is not set. -EBUSY: it runs
 * already. Another error: the checkpoint cannot be written, and nothing was explored.
 */
FILCH_API int filch_search_run(struct filch_search *search, struct filch_search_result *result);

/* Ends the run, or the next run at once. From any thread, in functions of the problem, and in signal handlers. */
FILCH_API void filch_search_cancel(struct filch_search *search);

/* From hold to release a run does not end although there are no nodes: more may be added. From any thread. */
FILCH_API void filch_search_hold(struct filch_search *search);
FILCH_API void filch_search_release(struct filch_search *search);

/*
 * Takes about a proportion of one worker's open nodes, for another machine: the worker with the most nodes that it can
 * share now. Any thread, during a run with a hold, or between runs. *nodes has
 * them; it is empty if there are none now: ask again later. 0; -EINVAL.
 */
FILCH_API int filch_search_extract(struct filch_search *search, double proportion, struct filch_batch *nodes);

/*
 * Asks for a checkpoint during a run: all workers stop between two nodes, and the thread in filch_search_run() writes
 * it. From any thread. 0; -EINVAL: there is no checkpoint in the options, and no function saved in a link.
 */
FILCH_API int filch_search_checkpoint(struct filch_search *search);

/*
 * Writes a checkpoint to a file, or adds its nodes, its best value, its state and its counts to the search. Outside of
 * runs. A checkpoint of a search that was done has no nodes: the next run then ends at once, with the best value.
 *
 * 0, or an error; after an error of load the search is as before, except for the effects of unpack_state. -EINVAL: an
 * argument is NULL, the problem has no pack or unpack, or a pack function needs more room than it said the first time.
 * -EBUSY: the search runs. -EBADMSG: the file is damaged, or no checkpoint. -EPROTONOSUPPORT: it is of another version,
 * or of a machine with another byte order. -EXDEV: it is of another problem: the fingerprint, the goal or the type
 * differ. -ENOMEM; errors of the file system; the error of an unpack function.
 */
FILCH_API int filch_search_save(struct filch_search *search, const char *path);
FILCH_API int filch_search_load(struct filch_search *search, const char *path);

/* About how many nodes are open, and how many workers are idle. Any thread. */
FILCH_API uint64_t filch_search_open(struct filch_search *search);
FILCH_API unsigned filch_search_idle(struct filch_search *search);

/*
 * Offers a solution. 1: it is better than the best one so far, and belongs to the search now. 0: it is not, and remains
 * the caller's. From any thread, also outside of runs. solution may be NULL. Negative: -ENOMEM; -EINVAL, also for a
 * value that is not a number, or is the worst number of all, INT64_MAX or INT64_MIN. The solution remains the caller's.
 * worker may be NULL outside of functions of the problem.
 */
FILCH_API int filch_search_improve(struct filch_search *search, struct filch_search_worker *worker,
				   union filch_search_value value, void *solution);

/* The newest best value. 1, or 0 if there is none. In deterministic mode a worker sees the value of the last round. */
FILCH_API int filch_search_best(struct filch_search *search, struct filch_search_worker *worker,
				union filch_search_value *value);

/*
 * Publishes a record: each other worker learns it before its next node, the closest new ones first. A worker that was
 * idle for long may miss records, if more than the option records were published since. The record belongs to the
 * search now. From any thread; worker may be NULL outside of functions of the problem. 0; -EINVAL: an argument is NULL,
 * or the problem has no learn.
 *
 * A record that learn gets is valid until learn returns. keep makes it valid until release.
 */
FILCH_API int filch_search_publish(struct filch_search *search, struct filch_search_worker *worker,
				   struct filch_search_record *record);
FILCH_API void filch_search_record_keep(struct filch_search_record *record);
FILCH_API void filch_search_record_release(struct filch_search *search, struct filch_search_record *record);

/* The statistics of one worker, or the sums of all if worker is -1. Exact outside of runs. 0; -EINVAL. */
FILCH_API int filch_search_stats(struct filch_search *search, int worker, struct filch_search_stats *stats);

/* ---- for a library that joins the searches of several machines, such as filch_search_mpi ---- */

/*
 * The other side of the join. arg is passed to all functions, each of which may be NULL.
 *
 * improved: like improved of the problem; also told the best value at the time of the join.
 *
 * published: a worker or thread has published a record. The record is valid until the function returns.
 *
 * saved: gets each checkpoint that filch_search_checkpoint(), or filch_search_save() with a path of NULL, asks for: the
 * bytes of a file. Such a checkpoint is one of several parts. All parts, one after the other, are a checkpoint that
 * filch_search_load() takes. 0, or an error, which ends the run. With saved the search writes no file by itself: the
 * options checkpoint and checkpoint_ns have no effect.
 *
 * number: the number of the checkpoint that saved gets next; the same for all its parts, and another one for each
 * checkpoint. filch_search_load() refuses parts with different numbers. NULL: 0.
 */
struct filch_search_link {
	size_t struct_size; /* sizeof(struct filch_search_link) */
	void *arg;
	void (*improved)(union filch_search_value value, const void *solution, void *arg);
	void (*published)(const struct filch_search_record *record, void *arg);
	int (*saved)(const void *bytes, size_t size, void *arg);
	unsigned part, parts; /* the number of this part, from 0, and how many there are; parts of 0: 1 */
	uint64_t (*number)(void *arg);
};

/* Joins the search, outside of runs. link is copied; NULL ends the join. 0; -EINVAL; -EBUSY: it runs. */
FILCH_API int filch_search_join(struct filch_search *search, const struct filch_search_link *link);

/* The problem of the search: for its functions that pack and unpack. */
FILCH_API const struct filch_search_problem *filch_search_problem(const struct filch_search *search);

/*
 * For a thread that has the only hold. 1: no node is left, and no worker has one, so the run only waits for this hold.
 * It stays so until the thread adds nodes. 0: there may be nodes. The answer orders no data of the workers.
 */
FILCH_API int filch_search_quiet(struct filch_search *search);

/*
 * The progress of the run now, as the option progress gets it, or of the last run. Any thread. The bound is that of the
 * nodes here: a thread with a hold may have better ones. 0; -EINVAL.
 */
FILCH_API int filch_search_look(struct filch_search *search, struct filch_search_progress *progress);

/* ---- in functions of the problem ---- */

FILCH_API struct filch_search *filch_search_of(struct filch_search_worker *worker);
FILCH_API unsigned filch_search_worker_id(const struct filch_search_worker *worker);
FILCH_API unsigned filch_search_workers(const struct filch_search *search);
/* Worker number n, or NULL if n is too large. The caller may read its storage outside of runs. */
FILCH_API struct filch_search_worker *filch_search_worker(struct filch_search *search, unsigned n);
/* The worker's storage of local_size bytes. It is the first field of the struct. */
static inline void *filch_search_local(struct filch_search_worker *worker)
{
	return *FILCHI_CAST(void **, FILCHI_CAST(void *, worker));
}
/*
 * To be called now and then in an explore that takes long: shares the worker's open nodes if other workers have none.
 * 1: the search ends now, so explore may return -ECANCELED to leave its node open; else 0.
 */
FILCH_API int filch_search_poll(struct filch_search_worker *worker);

FILCH_END_DECLS

#endif
