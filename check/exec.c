/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs the scenario once, from the explorer's side: which thread runs, how far, and how it ends.
 *
 * Threads run in an order that respects porf even where the graph is only replayed (T_NEED), so that plain memory,
 * which is not in the graph, holds the right values in every race-free execution.
 */
#include "internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

struct run chki_run;

void chki_to_explorer(struct thread *t)
{
	chki_coro_switch(&t->coro.sp, chki_run.explorer_sp);
}

static void resume(struct thread *t)
{
	chki_run.current = t;
	chki_coro_switch(&chki_run.explorer_sp, t->coro.sp);
	chki_run.current = NULL;
}

void chki_set_failure(enum chk_verdict verdict, const char *format, ...)
{
	va_list args;

	chki_run.verdict = verdict;
	chki_run.failed_thread = chki_run.current ? (int)number(chki_run.current) : -1;
	chki_run.stop = true;
	chki_run.end = RUN_FAILED;
	va_start(args, format);
	vsnprintf(chki_run.message, sizeof chki_run.message, format, args);
	va_end(args);
}

/* Leaves the running thread for good. */
_Noreturn void chki_abandon(void)
{
	struct thread *t = chki_run.current;

	if (!t) {
		fprintf(stderr, "chk: %s\n", chki_run.message[0] ? chki_run.message : "called outside a scenario");
		abort();
	}
	chki_to_explorer(t);
	__builtin_unreachable();
}

_Noreturn void chki_fail(enum chk_verdict verdict, const char *format, ...)
{
	va_list args;
	char message[sizeof chki_run.message];

	va_start(args, format);
	vsnprintf(message, sizeof message, format, args);
	va_end(args);
	chki_set_failure(verdict, "%s", message);
	chki_abandon();
}

_Noreturn void chki_branch_dead(void)
{
	chki_run.stop = true;
	chki_run.end = RUN_DEAD;
	chki_abandon();
}

/* Can the thread extend the graph now? */
bool chki_thread_enabled(unsigned n)
{
	const struct thread *t = &chki_run.threads[n];

	switch (t->state) {
	case T_FRESH:
	case T_READY:
		return true;
	case T_JOIN:
		return chki_has_ended(t->join);
	case T_SPIN:
	case T_LOCK:
		if (chki_waits_are_final())
			return !chki_turn_is_pure(t) && !t->repeated;
		return chki_turn_may_differ(t) || t->turns < 4;
	case T_NONE:
	case T_NEED:
	case T_CUT:
	case T_DONE:
		break;
	}
	return false;
}

/* Replays a thread just as far as the event that another waits for, and whatever that event depends on before it. */
static void catch_up(event_id target)
{
	struct thread *t = &chki_run.threads[event_thread(target)];

	if (t->state == T_NONE)
		catch_up(at_id(chki_run.g, event_name(event_thread(target), 1))->rf);
	while (!chki_run.stop && t->position < event_index(target)) {
		t->limit = (uint16_t)event_index(target);
		resume(t);
		if (!chki_run.stop && t->state == T_NEED)
			catch_up(t->need);
	}
}

/* Runs a thread until it waits for its turn or for something that is not in the graph yet. */
static void advance(unsigned n)
{
	struct thread *t = &chki_run.threads[n];

	do {
		t->limit = UINT16_MAX;
		resume(t);
		if (!chki_run.stop && t->state == T_NEED)
			catch_up(t->need);
	} while (!chki_run.stop && t->state == T_NEED);
}

/* A read-modify-write whose read was given another write is completed before anything else. */
static int half_done(const struct graph *g)
{
	for (unsigned n = 0; n < g->threads; n++) {
		if (!g->length[n])
			continue;
		const struct event *e = at_id(g, event_name(n, g->length[n]));

		if (e->kind == EV_READ && (e->flags & EF_RMW))
			return (int)n;
	}
	return -1;
}

/* The lowest thread that can go on: a function of the graph alone, which the explorer relies on. */
static int next_in_order(void)
{
	for (unsigned n = 0; n < THREADS; n++)
		if (chki_thread_enabled(n))
			return (int)n;
	return -1;
}

/* Brings every thread but one to where its next event is new. */
static bool run_all_fresh(int but)
{
	for (unsigned n = 0; n < THREADS; n++) {
		if (chki_run.threads[n].state == T_FRESH && (int)n != but) {
			advance(n);
			if (chki_run.stop)
				return false;
			n = (unsigned)-1;
		}
	}
	return true;
}

/*
 * Follows a token. After the events of the token, the other threads run up to their next event. Then the thread of the
 * failure fails in the code before its own next event, or when it tries to make that event.
 */
static int next_in_script(void)
{
	int n = chki_scripted_thread(), failed = chki_scripted_failure();

	if (n >= 0)
		return n;
	chki_run.adder = -1;
	if (!run_all_fresh(failed) || failed < 0)
		return -1;
	if (chki_run.threads[failed].state == T_FRESH)
		advance((unsigned)failed);
	if (!chki_run.stop && chki_run.threads[failed].state == T_READY) {
		chki_run.adder = failed;
		advance((unsigned)failed);
	}
	return -1;
}

static int next_in_steps(struct graph *g)
{
	unsigned enabled = 0;

	chki_run.adder = -1;
	if (!run_all_fresh(-1))
		return -1;
	for (unsigned n = 0; n < THREADS; n++)
		if (chki_thread_enabled(n))
			enabled |= 1u << n;
	return enabled ? chki_choose_thread(g, enabled) : -1;
}

static bool is_waiting(const struct thread *t)
{
	return t->state == T_SPIN || t->state == T_LOCK;
}

/* One more turn for a thread that waits, reading the latest of everything. False: it does not wait any more. */
static bool probe_turn(unsigned n)
{
	struct thread *t = &chki_run.threads[n];

	do {
		chki_run.adder = (int)n;
		advance(n);
	} while (!chki_run.stop && t->state == T_READY);
	return !chki_run.stop && is_waiting(t);
}

/*
 * No thread can go on. True if the waiting threads wait for ever. They get further turns that read the latest values.
 * If these turns change nothing, or no thread leaves its loop for long, the threads wait for ever. If a thread leaves
 * its loop, other executions cover the continuation.
 */
static bool wait_for_ever(struct graph *g)
{
	enum { ROUNDS = 64 };
	uint64_t before[THREADS] = {0};
	uint32_t stamp = g->stamp;
	bool same = false, waits = true;

	chki_run.probing = true;
	for (unsigned round = 0; round < ROUNDS && waits && !same; round++) {
		same = round > 0;
		for (unsigned n = 0; n < THREADS && waits; n++) {
			uint64_t hash;

			if (!is_waiting(&chki_run.threads[n]))
				continue;
			waits = probe_turn(n);
			hash = waits ? chki_turn_hash(&chki_run.threads[n], true) : 0;
			same = same && hash == before[n];
			before[n] = hash;
		}
	}
	chki_run.probing = false;
	/* A failure in these turns is a failure of another execution. Endless turns are no failure here. */
	if (chki_run.stop && chki_run.verdict != CHK_TOO_LONG)
		return false;
	waits = waits || chki_run.stop;
	chki_run.stop = false;
	chki_graph_truncate(g, stamp);
	return waits;
}

static void finish(struct graph *g)
{
	bool done = true, stuck = true, locked = false;
	unsigned waiting = 0;

	for (unsigned n = 0; n < THREADS; n++) {
		struct thread *t = &chki_run.threads[n];

		if (t->state == T_NONE || t->state == T_DONE)
			continue;
		done = false;
		waiting += is_waiting(t);
		locked = locked || t->state == T_LOCK;
		/* In a replayed token that ends here, threads may be able to go on. */
		stuck = stuck && (is_waiting(t) || (t->state == T_JOIN && !chki_has_ended(t->join)));
	}
	if (done) {
		chki_run.end = RUN_COMPLETE;
		if (!chki_run.config->keep_leaks)
			chki_memory_check_leaks();
		if (!chki_run.stop && chki_run.config->spec && !chki_history_check(chki_run.config->spec))
			chki_run.end = RUN_FAILED;
		return;
	}
	stuck = stuck && (!waiting || wait_for_ever(g));
	if (chki_run.stop)
		return;
	chki_run.end = RUN_BLOCKED;
	if (!stuck)
		return;
	if (locked || !waiting)
		chki_set_failure(CHK_DEADLOCK, "threads wait for each other for ever (%s)", locked ? "mutex" : "join");
	else
		chki_set_failure(CHK_ENDLESS, "%u thread%s wait%s for a value that nobody will write", waiting,
				 waiting == 1 ? "" : "s", waiting == 1 ? "s" : "");
}

enum run_end chki_execute(struct graph *g)
{
	chki_run.g = g;
	chki_run.stop = false;
	chki_run.has_outcome = false;
	chki_run.probing = false;
	chki_run.adder = -1;
	for (unsigned n = 0; n < THREADS; n++) {
		chki_run.threads[n].state = T_NONE;
		chki_run.threads[n].position = 0;
	}
	chki_memory_reset();
	chki_history_reset();
	chki_thread_prepare(0, chki_run.scenario, chki_run.scenario_arg);

	int half = half_done(g);

	while (!chki_run.stop) {
		int n = half;

		half = -1;
		if (n >= 0) {
			/* Its write half does not wait for a turn; whatever follows does. */
			catch_up(event_name((unsigned)n, g->length[n]));
			if (!chki_run.stop)
				advance((unsigned)n);
			continue;
		}
		n = chki_run.config->replay ? next_in_script() : chki_run.step ? next_in_steps(g) : next_in_order();
		if (chki_run.stop || n < 0)
			break;
		chki_run.adder = n;
		if (chki_run.threads[n].state != T_NONE)
			advance((unsigned)n);
	}
	if (!chki_run.stop)
		finish(g);
	return chki_run.end;
}

bool chki_exec_open(void)
{
	for (unsigned n = 0; n < THREADS; n++)
		if (!chki_run.threads[n].coro.stack && !chki_coro_alloc(&chki_run.threads[n].coro))
			return false;
	return true;
}

void chki_exec_close(void)
{
	for (unsigned n = 0; n < THREADS; n++)
		chki_coro_release(&chki_run.threads[n].coro);
}
