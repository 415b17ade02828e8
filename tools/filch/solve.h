/* SPDX-License-Identifier: Apache-2.0 */
/* filch solve: the parts that its files share. */
#ifndef FILCHI_TOOL_SOLVE_H
#define FILCHI_TOOL_SOLVE_H

#include "../../dd/problems/problem.h"
#include "../../dd/ufp/solver.h"

#include <filch/dd.h>
#include <filch/search_mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>

enum {
	FILCHI_SOLVE_LIMIT = 3,	     /* a limit was met, and there is a solution */
	FILCHI_SOLVE_NOTHING = 4,    /* a limit was met, and there is none */
	FILCHI_SOLVE_INFEASIBLE = 5, /* there is no solution */
	FILCHI_SOLVE_BAD_FILE = 6
};

/* The command line. */
struct filchi_solve_request {
	const char *command;	    /* "filch solve" */
	const char *problem, *file; /* as given */
	const char *order, *cutset, *move, *checkpoint, *resume, *draw, *diagram, *extensive;
	unsigned workers, width, group;
	double seconds, gap, nodes, checkpoint_seconds;
	size_t memory; /* bytes; 0: not given */
	size_t cache;  /* bytes */
	bool json, solution, deterministic, quiet, has_cache, no_share, weak_cuts;
};

/* An instance: of a problem that filch knows, or of a shared object. */
struct filchi_solve_source {
	struct filch_dd_problem p;
	unsigned decimals;
	int64_t divisor;		    /* of values: the number of scenarios; 1 for other problems */
	const struct filchi_problem *known; /* NULL: a shared object */
	void *instance;
	char *text;
	void *object;				     /* of dlopen() */
	void (*destroy)(struct filch_dd_problem *p); /* of the object */
	bool made;
	bool number; /* the text is the argument, not a file */
};

/* Reads the instance. 0, or an exit code after a message. */
int filchi_solve_open(struct filchi_solve_source *s, const struct filchi_solve_request *r);
void filchi_solve_close(struct filchi_solve_source *s);

/* Recomputes the value of a solution from the instance. 0, or an exit code after a message. */
int filchi_solve_verify(const struct filchi_solve_source *s, const struct filchi_solve_request *r,
			const int32_t *labels, int64_t value);

/* What a run has found. */
struct filchi_solve_outcome {
	struct filch_dd_result result;
	double cpu_seconds;
	unsigned workers;
	size_t peak_memory;  /* bytes of the process */
	size_t memory_limit; /* bytes of the search; 0: no limit */
	bool has_cuts;
	struct filchi_ufp_counts cuts;
	/* With several ranks, sums over all of them: */
	int ranks;
	uint64_t batches, moved, moved_bytes, messages; /* batches, nodes and bytes between ranks; of coordinators */
};
void filchi_solve_measure(struct filchi_solve_outcome *o); /* CPU time and memory */

/* Tells how a load has ended. 0, or an exit code after a message. */
int filchi_solve_resumed(const struct filchi_solve_request *r, int err);
/* Prints the result of a run that has returned err. Returns the exit code. */
int filchi_solve_ended(const struct filchi_solve_request *r, const struct filchi_solve_source *s, int err,
		       struct filchi_solve_outcome *o);

/* Solves unsplittable flow. Returns the exit code. */
int filchi_solve_ufp(const struct filchi_solve_request *r, const struct filchi_solve_source *s,
		     struct filch_search_mpi *job);
/* The end of a run: prints what rank 0 knows. Returns the exit code of all ranks. */
int filchi_solve_finish(const struct filchi_solve_request *r, const struct filchi_solve_source *s,
			struct filch_search_mpi *job, int err, struct filchi_solve_outcome *o);

/* Three quarters of the memory that this process could get now, in bytes; 0: unknown. */
size_t filchi_solve_memory(void);

/* Signals that end a run. */
struct filchi_solve_interrupts {
	void (*cancel)(void *solver);
	void *solver;
	sigset_t signals;
	pthread_t thread;
	pthread_mutex_t lock;
	bool started;
	bool over; /* the run has ended */
};

/* Before other threads start, so that they block the signals as well. */
void filchi_solve_interrupts_block(struct filchi_solve_interrupts *i);
void filchi_solve_interrupts_begin(struct filchi_solve_interrupts *i, void (*cancel)(void *solver), void *solver);
void filchi_solve_interrupts_end(struct filchi_solve_interrupts *i);

/* Says how to go on from the checkpoint. */
void filchi_solve_print_resume(const struct filchi_solve_request *r, int ranks);
const char *filchi_solve_status(const struct filch_dd_result *result);
int filchi_solve_exit_code(const struct filch_dd_result *result);
void filchi_solve_print(FILE *f, const struct filchi_solve_request *r, const struct filchi_solve_source *s,
			const struct filchi_solve_outcome *o);
void filchi_solve_json(FILE *f, const struct filchi_solve_request *r, const struct filchi_solve_source *s,
		       const struct filchi_solve_outcome *o);

/* A line of progress on standard error, only on a terminal. */
#define FILCHI_SOLVE_PROGRESS_NS 200000000ull /* a fifth of a second */
struct filchi_solve_progress {
	size_t shown; /* characters */
	unsigned decimals;
	int64_t divisor;
	const struct filchi_solve_request *request; /* with several ranks */
	bool told;				    /* how to go on */
};
void filchi_solve_progress_show(const struct filch_search_progress *progress, void *arg);
void filchi_solve_progress_end(struct filchi_solve_progress *p);

/* ---- solve_ranks.c: several ranks. A job of NULL is a single process: then these do nothing ---- */

struct filchi_solve_mute {
	int out, err;
};
void filchi_solve_ranks_mute(struct filchi_solve_mute *m, bool on);
/* Those that return int return 0 or an exit code, after a message of one rank. */
int filchi_solve_ranks_begin(struct filch_search_mpi **job, const struct filchi_solve_request *r);
int filchi_solve_ranks_failed(const struct filchi_solve_request *r, const struct filch_search_mpi *job);
int filchi_solve_ranks_agree(const struct filchi_solve_request *r, struct filch_search_mpi *job, int code);
unsigned filchi_solve_ranks_workers(const struct filchi_solve_request *r, const struct filch_search_mpi *job);
int filchi_solve_ranks_attach(const struct filchi_solve_request *r, struct filch_search_mpi *job,
			      struct filch_search *search, struct filchi_solve_progress *progress);
/* err: of the run; labels: of a solution. On rank 0 the outcome is then that of all ranks. */
int filchi_solve_ranks_detach(const struct filchi_solve_request *r, size_t labels, struct filch_search_mpi *job,
			      int err, struct filchi_solve_progress *progress, struct filchi_solve_outcome *o);

#endif
