/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the checker's files share.
 *
 *   coro      switches between the threads of a scenario, all inside one OS thread
 *   graph     one execution: events in program order, reads-from, modification order, clocks
 *   consist   which reads-from and modification orders RC11 allows
 *   exec, thread   run the scenario along a graph and beyond it, one event at a time
 *   access    the events that instrumented code makes: atomics, mutexes
 *   explore   decides which graph comes next
 *   run       chk_run(): one execution after the other, and what each came to
 *   memory    plain data and tracked allocations: races, lifetimes, initialization
 *   location  numbers and names of atomic locations
 *   history, report, sites, config   linearizability, traces and tokens, mutation, command lines
 *
 * Words: hb is happens-before, po program order, rf reads-from, co modification order (coherence order), porf the
 * transitive closure of po and rf. An event is named by its thread and its index in that thread.
 */
#ifndef CHK_INTERNAL_H
#define CHK_INTERNAL_H

#include "chk.h"

#include <string.h>

#define THREADS CHK_MAX_THREADS
#define INDEX_BITS 12
#define MAX_EVENTS ((1u << INDEX_BITS) - 1)
#define MAX_LOCATIONS 2048

typedef uint16_t event_id; /* thread << INDEX_BITS | index; 0: none, as indices start at 1 */

static inline event_id event_name(unsigned thread, unsigned index)
{
	return (event_id)(thread << INDEX_BITS | index);
}
static inline unsigned event_thread(event_id id)
{
	return id >> INDEX_BITS;
}
static inline unsigned event_index(event_id id)
{
	return id & MAX_EVENTS;
}

/* How much of each thread precedes: its events 1..of[thread]. */
struct clock {
	uint16_t of[THREADS];
};

static inline void clock_join(struct clock *into, const struct clock *other)
{
	for (int i = 0; i < THREADS; i++)
		if (into->of[i] < other->of[i])
			into->of[i] = other->of[i];
}
static inline bool clock_has(const struct clock *c, event_id id)
{
	return c->of[event_thread(id)] >= event_index(id);
}

enum event_kind { EV_START, EV_END, EV_CREATE, EV_JOIN, EV_READ, EV_WRITE, EV_FENCE };

enum event_flag {
	EF_RMW = 1, /* one half of a read-modify-write that writes */
	EF_CAS = 2, /* a read that belongs to a compare-and-swap: EF_RMW and the order follow the value read */
	EF_INIT = 4 /* the non-atomic initialization of an atomic */
};

struct event {
	uint8_t kind;
	uint8_t thread;
	uint8_t order;
	uint8_t flags;
	uint16_t index;
	uint16_t loc;		   /* 0: none */
	uint16_t release_fence;	   /* index of the last release fence of the thread up to here, 0: none */
	uint16_t other;		   /* EV_CREATE, EV_JOIN: the other thread */
	event_id rf;		   /* EV_READ: the write read; EV_START, EV_JOIN: the event waited for */
	event_id co_prev, co_next; /* EV_WRITE */
	event_id readers;	   /* EV_WRITE: head of the list of its reads */
	event_id next_reader;	   /* EV_READ */
	uint8_t size;
	uint32_t stamp; /* when it was added: grows along po */
	uint64_t value;
	uint64_t expected; /* EF_CAS */
	struct chk_site *site;
	struct clock hb;	 /* what happens before it, itself included */
	struct clock porf;	 /* what it depends on, itself included */
	struct clock message;	 /* EV_WRITE: what an acquiring reader learns */
	struct clock unacquired; /* what relaxed reads so far would give to an acquire fence */
};

struct order_ends {
	event_id first, last;
};

struct graph {
	struct event *events;  /* THREADS rows of stride */
	struct order_ends *co; /* by location */
	uint16_t length[THREADS];
	unsigned threads;
	uint32_t stamp; /* of the latest event */
};

/* ---- coro.c ---- */
struct coro {
	void *sp;
	char *stack;
};
void chki_coro_start(struct coro *c, void (*entry)(void));
void chki_coro_switch(void **from_sp, void *to_sp);
bool chki_coro_alloc(struct coro *c);
void chki_coro_release(struct coro *c);

/* ---- graph.c ---- */
extern unsigned chki_stride; /* events per thread, and one */

static inline struct event *at_id(const struct graph *g, event_id id)
{
	return &g->events[event_thread(id) * chki_stride + event_index(id)];
}
static inline event_id id_of(const struct event *e)
{
	return event_name(e->thread, e->index);
}
static inline bool is_acquire(unsigned order)
{
	return order == CHK_ACQ || order == CHK_ACQ_REL || order == CHK_SC;
}
static inline bool is_release(unsigned order)
{
	return order == CHK_REL || order == CHK_ACQ_REL || order == CHK_SC;
}

bool chki_graph_alloc(struct graph *g);
void chki_graph_release(struct graph *g);
void chki_graph_clear(struct graph *g);
/* Appends an event to a thread; rf and co are still to be set. NULL when the thread is full. */
struct event *chki_graph_append(struct graph *g, unsigned thread, enum event_kind kind, unsigned order,
				struct chk_site *site);
const struct event *chki_graph_before(const struct graph *g, const struct event *e); /* in po, or its creator */
void chki_graph_set_rf(struct graph *g, struct event *read, event_id write);
void chki_graph_set_wait(struct graph *g, struct event *e, event_id awaited); /* start, join */
void chki_graph_finish_write(struct graph *g, struct event *write);	      /* computes its message */
void chki_graph_co_insert(struct graph *g, event_id write, event_id after);
void chki_graph_co_remove(struct graph *g, event_id write);
void chki_graph_truncate(struct graph *g, uint32_t stamp); /* keeps what is no later than stamp */
/* into := what remains of from when read is to read from write; write itself is left out of co, read has no rf. */
void chki_graph_restrict(struct graph *into, const struct graph *from, event_id read, event_id write);
uint64_t chki_graph_hash(const struct graph *g);
unsigned chki_graph_events(const struct graph *g);

/* ---- consist.c ---- */
/* The co-latest write of the location that the clock has seen, by writing or by reading; 0: none. */
event_id chki_seen(const struct graph *g, unsigned loc, const struct clock *clock);
/* Writes that the read may read, co-latest first. */
unsigned chki_read_options(const struct graph *g, const struct event *read, event_id *out);
/* Writes after which the write may be placed (0: at the start), co-latest first. */
unsigned chki_write_options(const struct graph *g, const struct event *write, event_id *out);
/* Is the place after w taken by a read-modify-write of w? */
bool chki_place_taken(const struct graph *g, event_id w);
/* Is it the co-latest, so that nothing follows from it? */
bool chki_is_latest(const struct graph *g, const struct event *e);
/* RC11's condition on seq_cst accesses and fences. */
bool chki_seq_cst_ok(const struct graph *g);
/* A read that was given a new write to read: coherent with what its thread had seen? */
bool chki_read_coherent(const struct graph *g, const struct event *read);

/* ---- exec.c ---- */
enum run_end { RUN_COMPLETE, RUN_BLOCKED, RUN_DEAD, RUN_FAILED };

enum run_state { T_NONE, T_FRESH, T_READY, T_NEED, T_JOIN, T_SPIN, T_LOCK, T_CUT, T_DONE };

struct thread {
	struct coro coro;
	void (*fn)(void *);
	void *arg;
	enum run_state state;
	uint16_t position;  /* events executed so far in this run */
	uint16_t limit;	    /* it is to come no further than this in a replay */
	uint16_t spin_mark; /* position at the start of this turn of a waiting loop */
	unsigned turns;	    /* fruitless ones of waiting loops so far */
	uint64_t last_turn; /* hash of what the last one read */
	bool repeated;	    /* it read what the one before it did */
	bool effect;	    /* this turn changed something besides atomics */
	event_id need;	    /* T_NEED: run this event's thread up to it first */
	uint16_t join;	    /* T_JOIN */
	char *bump;	    /* next free byte of its part of the arena */
	unsigned allocations;
	int open_operation; /* index in the history, -1: none */
};

struct run {
	struct graph *g;
	struct thread threads[THREADS];
	struct thread *current; /* NULL: the explorer runs */
	void *explorer_sp;
	int adder;    /* the thread that may extend the graph, -1: none */
	bool probing; /* seeing whether those that wait would go on for ever: everything read is the latest */
	bool step;    /* one event at a time: the adder is chosen anew for each */
	enum run_end end;
	bool stop;
	const struct chk_config *config;
	void (*scenario)(void *);
	void *scenario_arg;
	enum chk_verdict verdict;
	int failed_thread; /* -1: none in particular */
	char message[256];
	char outcome[256];
	bool has_outcome;
};
extern struct run chki_run;

static inline unsigned number(const struct thread *t)
{
	return (unsigned)(t - chki_run.threads);
}

enum run_end chki_execute(struct graph *g);
bool chki_thread_enabled(unsigned thread);
void chki_to_explorer(struct thread *t);
_Noreturn void chki_abandon(void); /* leaves the running thread for good */

/* ---- thread.c ---- */
void chki_thread_prepare(unsigned thread, void (*fn)(void *), void *arg);
bool chki_has_ended(unsigned thread);
bool chki_turn_may_differ(const struct thread *t); /* its turn of a waiting loop, if it were repeated now */
uint64_t chki_turn_hash(const struct thread *t, bool whole);
bool chki_turn_is_pure(const struct thread *t); /* it only read */
/* The steps of making an event, for access.c. */
struct thread *chki_running(void);
/* The thread's next event if the graph has it, NULL if it is new. */
struct event *chki_replayed(struct thread *t, enum event_kind kind, unsigned loc);
void chki_wait_for_turn(struct thread *t);		 /* until the thread may add an event */
void chki_wait_for_event(struct thread *t, event_id id); /* until another thread has come that far */
struct event *chki_append(struct thread *t, enum event_kind kind, unsigned order, struct chk_site *site);
void chki_appended(struct thread *t);
void chki_simple_event(struct thread *t, enum event_kind kind, unsigned order, struct chk_site *site);
void chki_wait_turn(struct thread *t, enum run_state state); /* a fruitless turn of a waiting loop ends */
_Noreturn void chki_not_deterministic(void);
_Noreturn void chki_branch_dead(void); /* no consistent choice: not an execution */
_Noreturn void chki_fail(enum chk_verdict verdict, const char *format, ...) __attribute__((format(printf, 2, 3)));
void chki_set_failure(enum chk_verdict verdict, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool chki_exec_open(void);
void chki_exec_close(void);
const struct clock *chki_clock_now(const struct thread *t);

/* ---- explore.c ---- */
bool chki_explore_open(const struct chk_config *config); /* false: failure set */
void chki_explore_begin(void);				 /* an execution is about to run */
bool chki_explore_next(void);				 /* goes on to the next; false: all done */
struct graph *chki_explore_graph(void);			 /* along which to run */
/* Asked while an execution runs. */
/* Chooses what the new read reads or where the new write goes. False: this branch ends here. */
bool chki_choose_read(struct graph *g, struct event *read);
bool chki_choose_write(struct graph *g, struct event *write);
/* Chooses among the threads that can go on (a bit set). Only in step mode. */
int chki_choose_thread(struct graph *g, unsigned enabled);
/* Replay of a token. The thread that makes the next event, or -1 at the end; and the thread that fails at the end. */
int chki_scripted_thread(void);
int chki_scripted_failure(void);
bool chki_waits_are_final(void); /* a fruitless turn of a waiting loop is not repeated: other executions cover it */

/* ---- memory.c ---- */
bool chki_memory_open(void);
void chki_memory_close(void);
void chki_memory_reset(void);
void chki_memory_thread_start(struct thread *t);
/* An atomic access or, with EF_INIT, an initialization: its event is made. */
void chki_memory_atomic(struct thread *t, const void *at, unsigned size, const struct event *e);
/* A plain access of the execution that ran last, for its trace. */
struct plain {
	bool read;
	uint16_t position; /* of its thread */
	uint64_t value;	   /* read */
	char name[32];
};
const struct plain *chki_memory_plain(unsigned thread, unsigned nth); /* NULL: no more, or no longer known */
void chki_memory_check_leaks(void);				      /* sets the run's failure */

/* ---- location.c ---- */
void chki_locations_forget(void);
unsigned chki_locations(void);				  /* one more than the highest number */
unsigned chki_location(const void *at, const char *what); /* its number, given if it is new */
uintptr_t chki_location_address(unsigned loc);
void chki_location_name(unsigned loc, char *out, size_t size);
void chki_short_name(char *out, size_t size, const char *what);
void chki_name_at(const void *at, const struct chk_site *site, char *out, size_t size);

/* ---- history.c ---- */
void chki_history_reset(void);
bool chki_history_check(const struct chk_spec *spec); /* false: message set */
void chki_history_forget(void);
uint64_t chki_history_count(void);

/* ---- report.c ---- */
char *chki_report_trace(const struct graph *g);
char *chki_report_token(const struct graph *g); /* of the failed run */

/* A token read back. */
struct script {
	unsigned count;
	struct script_step {
		uint8_t thread;
		uint16_t choice;
	} * steps;
	int failed_thread; /* -1: none in particular */
};
bool chki_script_parse(struct script *s, const char *token);

/* ---- sites.c ---- */
void chki_site_register(struct chk_site *site);
const struct chk_site *chki_site(unsigned id); /* NULL for 0 */
static inline void chki_site_meet(struct chk_site *site)
{
	if (__builtin_expect(site->id == 0, 0))
		chki_site_register(site);
}

#endif
