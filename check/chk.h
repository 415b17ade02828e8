/* SPDX-License-Identifier: Apache-2.0 */
/*
 * chk: a stateless model checker for C11 concurrency.
 *
 * A scenario is a function that sets up its data, starts threads, joins them and asserts. chk_run() runs it once for
 * every execution that the memory model (RC11) allows, up to equivalence, and stops at the first bad one.
 */
#ifndef CHK_H
#define CHK_H

#include "shim.h"

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CHK_NORETURN __attribute__((noreturn))

#define CHK_MAX_THREADS 8 /* the scenario's own thread included */

enum chk_mode {
	CHK_DPOR,  /* each execution once, up to equivalence (the default) */
	CHK_NAIVE, /* each interleaving, no reduction: for comparison, and for preemption bounds */
	CHK_RANDOM /* seeded random walks, until a cap is reached */
};

enum chk_verdict {
	CHK_OK,		    /* everything in the bounds was explored (see capped) and nothing is wrong */
	CHK_ASSERT,	    /* an assertion failed */
	CHK_RACE,	    /* two unordered accesses to plain data, one of them a write */
	CHK_UNINIT,	    /* tracked memory was read before it was written */
	CHK_USE_AFTER_FREE, /* tracked memory was used after, or unordered with, its release */
	CHK_DOUBLE_FREE,    /* released twice, or never allocated */
	CHK_OUT_OF_BOUNDS,  /* an access to tracked memory outside every block */
	CHK_LEAK,	    /* tracked memory was still allocated at the end */
	CHK_DEADLOCK,	    /* threads wait for each other: a mutex or a join */
	CHK_ENDLESS,	    /* threads spin, and no event that can still happen ends the loops */
	CHK_TOO_LONG,	    /* one thread exceeded max_events: a loop without chk_spin(), or raise the bound */
	CHK_HISTORY,	    /* an observed history has no legal sequential order */
	CHK_CRASH,	    /* the scenario crashed (SIGSEGV and the like) */
	CHK_MISUSE	    /* the checker was used wrongly: too many threads, bad token, ... */
};

struct chk_config {
	const char *name; /* of the scenario, for reports */
	enum chk_mode mode;
	uint64_t seed;		 /* CHK_RANDOM; 0: 1 */
	uint64_t max_executions; /* 0: no cap, or 10,000 for CHK_RANDOM */
	double max_seconds;	 /* 0: no cap */
	int preemptions; /* CHK_NAIVE: explore up to this many preemptions; -1 or 0 with bound_preemptions unset: all */
	bool bound_preemptions;
	unsigned max_events; /* per thread; 0: 200 */
	bool keep_leaks;     /* do not report memory still allocated at the end */
	bool shortest;	     /* after a failure go on, and report the failing execution with the fewest events */
	uint64_t fail_alloc; /* bit n: the n-th chk_alloc of every thread fails */
	const char *replay;  /* a token: run just that execution */
	const struct chk_spec *spec; /* judge the recorded history of every complete execution against this */
};

struct chk_result {
	enum chk_verdict verdict;
	bool capped;	     /* stopped at max_executions or max_seconds before all was explored */
	uint64_t executions; /* complete ones */
	uint64_t blocked;    /* ended early: a waiting thread read a value that does not let it pass */
	uint64_t events;     /* in all executions together */
	uint64_t histories;  /* distinct ones judged */
	double seconds;
	char message[256];    /* what is wrong, one line */
	char *trace;	      /* readable, NULL if the verdict is CHK_OK */
	char *token;	      /* replays the failing execution, NULL if the verdict is CHK_OK */
	unsigned outcomes;    /* distinct strings given to chk_outcome() */
	char **outcome;	      /* sorted */
	uint64_t graphs;      /* distinct executions: fewer than executions only without reduction */
	uint64_t graphs_hash; /* of the set of them, independent of order: equal for equal sets */
};

/* Runs the scenario. The result is released by chk_result_clear(). Not reentrant. */
struct chk_result chk_run(const struct chk_config *config, void (*scenario)(void *), void *arg);
void chk_result_clear(struct chk_result *result);
const char *chk_verdict_name(enum chk_verdict verdict);
const char *chk_order_name(enum chk_order order);

/* In a scenario. */
int chk_thread(void (*fn)(void *), void *arg); /* starts a thread, returns its number */
void chk_join(int thread);
int chk_self(void);

/* Is a scenario running, and in this process's only checked thread? */
bool chk_active(void);

#define chk_assert(cond) ((cond) ? (void)0 : chk_fail(__FILE__, __LINE__, #cond))
CHK_NORETURN void chk_fail(const char *file, int line, const char *what);

/*
 * If the condition is false, the calling thread ends here. The other threads go on, and a failure of theirs is
 * reported. Without one the execution ends quietly, and counts as blocked.
 */
void chk_assume(bool cond);

/* Records what this execution came to, at its end; the set over all executions is in the result. */
void chk_outcome(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Names the location in traces. */
void chk_name(const void *at, const char *name);

/* A mutex whose lock blocks and whose misuse is found. */
struct chk_mutex {
	uint32_t word;
	int holder;
};
void chk_mutex_init(struct chk_mutex *m);
void chk_mutex_lock(struct chk_mutex *m);
bool chk_mutex_trylock(struct chk_mutex *m);
void chk_mutex_unlock(struct chk_mutex *m);

/*
 * Histories. Between begin and end a thread performs one operation on the object under test. At the end of each
 * complete execution the operations must have an order that extends "ended before the other began" (happens-before)
 * and that the specification accepts.
 */
struct chk_operation {
	int kind;
	uint64_t argument;
	uint64_t result[2];
	int thread;
};

struct chk_spec {
	size_t state_size; /* at most 512 */
	void (*init)(void *state);
	bool (*apply)(void *state, const struct chk_operation *op); /* false: not legal here */
	void (*print)(char *out, size_t size, const struct chk_operation *op);
};

void chk_begin(int kind, uint64_t argument);
void chk_end(uint64_t result0, uint64_t result1);

/*
 * Mutation. Sites register when an execution first meets them. chk_weaken() lowers the order of one site for all
 * later runs (CHK_NONE removes a fence); chk_weaken(NULL, 0) restores all.
 */
unsigned chk_sites(const struct chk_site **sites, unsigned capacity);
void chk_weaken(const struct chk_site *site, enum chk_order to);

/*
 * Reads the options of check/README.md (--mode, --seed, --replay, --max-executions, --max-seconds, --max-events,
 * --preemptions, --shortest) over the defaults in config, up to the first other argument. Returns the number of
 * arguments used, -1 on error after saying so on stderr.
 */
int chk_config_parse(struct chk_config *config, int argc, char **argv);

#ifdef __cplusplus
}
#endif
#endif
