/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A scenario's thread, from its own side. As long as its next event is in the graph, it gets its result from there;
 * the thread that is the adder extends the graph.
 */
#include "internal.h"

#include <stdarg.h>
#include <stdio.h>

struct thread *chki_running(void)
{
	if (!chki_run.current)
		chki_fail(CHK_MISUSE, "an instrumented access outside a scenario");
	return chki_run.current;
}

const struct clock *chki_clock_now(const struct thread *t)
{
	return &at_id(chki_run.g, event_name(number(t), t->position))->hb;
}

/* Another thread must come as far as this event before the running one may go on. */
void chki_wait_for_event(struct thread *t, event_id id)
{
	while (chki_run.threads[event_thread(id)].position < event_index(id)) {
		t->need = id;
		t->state = T_NEED;
		chki_to_explorer(t);
	}
	t->state = T_FRESH;
}

_Noreturn void chki_not_deterministic(void)
{
	chki_fail(CHK_MISUSE, "the scenario is not deterministic: it behaved differently when run again");
}

/* The next event of this thread if the graph has it. */
struct event *chki_replayed(struct thread *t, enum event_kind kind, unsigned loc)
{
	struct graph *g = chki_run.g;

	while (t->position >= t->limit) {
		t->state = T_FRESH;
		chki_to_explorer(t);
	}
	if (t->position == g->length[number(t)])
		return NULL;
	struct event *e = at_id(g, event_name(number(t), t->position + 1u));

	if (e->kind != kind || e->loc != loc)
		chki_not_deterministic();
	if (kind == EV_READ || kind == EV_JOIN || (kind == EV_START && e->rf))
		chki_wait_for_event(t, e->rf);
	t->position++;
	return e;
}

void chki_wait_for_turn(struct thread *t)
{
	while (chki_run.adder != (int)number(t)) {
		t->state = T_READY;
		chki_to_explorer(t);
	}
	t->state = T_FRESH;
}

struct event *chki_append(struct thread *t, enum event_kind kind, unsigned order, struct chk_site *site)
{
	struct event *e = chki_graph_append(chki_run.g, number(t), kind, order, site);

	if (!e)
		chki_fail(CHK_TOO_LONG, "thread %u made more than %u events: a loop without a spin hint?", number(t),
			  chki_stride - 2);
	return e;
}

/* In order, the lowest thread that can go on comes first: give way if a write has let one below pass its wait. */
static void give_way(const struct thread *t)
{
	for (struct thread *o = chki_run.threads; o < t; o++)
		if ((o->state == T_SPIN || o->state == T_LOCK) && chki_thread_enabled(number(o)))
			chki_run.adder = -1;
}

void chki_appended(struct thread *t)
{
	t->position++;
	if (chki_run.step)
		chki_run.adder = -1;
	else if (at_id(chki_run.g, event_name(number(t), t->position))->kind == EV_WRITE)
		give_way(t);
}

void chki_simple_event(struct thread *t, enum event_kind kind, unsigned order, struct chk_site *site)
{
	if (chki_replayed(t, kind, 0))
		return;
	chki_wait_for_turn(t);
	chki_append(t, kind, order, site);
	chki_appended(t);
}

/* ---- waiting ---- */

/* Could the turn of the waiting loop that just ended read something else if it were repeated now? A guess. */
bool chki_turn_may_differ(const struct thread *t)
{
	for (unsigned i = t->spin_mark + 1u; i <= t->position; i++) {
		const struct event *e = at_id(chki_run.g, event_name(number(t), i));
		const struct event *last = e->kind == EV_READ ? at_id(chki_run.g, chki_run.g->co[e->loc].last) : NULL;

		if (last && last->thread != number(t) && last->value != e->value)
			return true;
	}
	return false;
}

/* Hashes the turn: the writes of other threads that it read, with their values; if whole, all its events. */
uint64_t chki_turn_hash(const struct thread *t, bool whole)
{
	uint64_t h = 0x9E3779B97F4A7C15u;

	for (unsigned i = t->spin_mark + 1u; i <= t->position; i++) {
		const struct event *e = at_id(chki_run.g, event_name(number(t), i));
		bool foreign = e->kind == EV_READ && event_thread(e->rf) != number(t);

		if (whole)
			h = (h ^ (e->kind + ((uint64_t)e->loc << 8)) ^ e->value << 24) * 0xBF58476D1CE4E5B9u;
		else if (foreign)
			h = (h ^ e->rf) * 0xBF58476D1CE4E5B9u;
		h ^= h >> 31;
	}
	return h;
}

/* Did it only read? A read-modify-write that put back what was there changes nothing. */
bool chki_turn_is_pure(const struct thread *t)
{
	if (t->effect)
		return false;
	for (unsigned i = t->spin_mark + 1u; i <= t->position; i++) {
		const struct event *e = at_id(chki_run.g, event_name(number(t), i));

		if (e->kind == EV_WRITE && !((e->flags & EF_RMW) && (e - 1)->value == e->value))
			return false;
	}
	return true;
}

void chki_wait_turn(struct thread *t, enum run_state state)
{
	/* A turn that read just what the one before it did is not worth a third. */
	uint64_t hash = chki_turn_hash(t, false);

	t->repeated = t->turns && hash == t->last_turn;
	t->last_turn = hash;
	t->turns++;
	while (t->position == chki_run.g->length[number(t)]) {
		t->state = state;
		chki_to_explorer(t);
		if (chki_run.adder == (int)number(t))
			break;
	}
	t->state = T_FRESH;
	t->spin_mark = t->position;
	t->effect = false;
}

void chk_spin(void)
{
	chki_wait_turn(chki_running(), T_SPIN);
}

/* Only this thread ends here. The assumption may need writes that other threads have not made yet. */
void chk_assume(bool cond)
{
	struct thread *t = chki_running();

	if (cond)
		return;
	t->state = T_CUT;
	chki_abandon();
}

/* ---- threads ---- */

static void thread_main(void)
{
	struct thread *t = chki_run.current;

	chki_simple_event(t, EV_START, CHK_RLX, NULL);
	chki_memory_thread_start(t);
	t->fn(t->arg);
	chki_simple_event(t, EV_END, CHK_RLX, NULL);
	t->state = T_DONE;
	for (;;)
		chki_to_explorer(t);
}

void chki_thread_prepare(unsigned n, void (*fn)(void *), void *arg)
{
	struct thread *t = &chki_run.threads[n];

	t->fn = fn;
	t->arg = arg;
	t->state = T_FRESH;
	t->position = t->spin_mark = 0;
	t->limit = UINT16_MAX;
	t->turns = 0;
	t->effect = false;
	t->allocations = 0;
	t->open_operation = -1;
	chki_coro_start(&t->coro, thread_main);
}

static int free_number(const struct graph *g)
{
	for (unsigned n = 1; n < THREADS; n++)
		if (!g->length[n] && chki_run.threads[n].state == T_NONE)
			return (int)n;
	return -1;
}

int chk_thread(void (*fn)(void *), void *arg)
{
	struct thread *t = chki_running();
	struct graph *g = chki_run.g;
	struct event *e = chki_replayed(t, EV_CREATE, 0);

	if (!e) {
		chki_wait_for_turn(t);
		int n = free_number(g);

		if (n < 0)
			chki_fail(CHK_MISUSE, "more than %d threads", THREADS);
		e = chki_append(t, EV_CREATE, CHK_RLX, NULL);
		e->other = (uint16_t)n;
		struct event *start = chki_graph_append(g, (unsigned)n, EV_START, CHK_RLX, NULL);

		chki_graph_set_wait(g, start, id_of(e));
		chki_appended(t);
	}
	chki_thread_prepare(e->other, fn, arg);
	return e->other;
}

bool chki_has_ended(unsigned thread)
{
	const struct graph *g = chki_run.g;

	return g->length[thread] && at_id(g, event_name(thread, g->length[thread]))->kind == EV_END;
}

void chk_join(int thread)
{
	struct thread *t = chki_running();

	if (thread <= 0 || thread >= THREADS || chki_run.threads[thread].state == T_NONE)
		chki_fail(CHK_MISUSE, "join of thread %d, which does not exist", thread);
	if (chki_replayed(t, EV_JOIN, 0))
		return;
	t->join = (uint16_t)thread;
	while (!chki_has_ended(t->join) || chki_run.adder != (int)number(t)) {
		t->state = T_JOIN;
		chki_to_explorer(t);
	}
	event_id end = event_name(t->join, chki_run.g->length[thread]);

	chki_wait_for_event(t, end);
	struct event *e = chki_append(t, EV_JOIN, CHK_RLX, NULL);

	e->other = (uint16_t)thread;
	chki_graph_set_wait(chki_run.g, e, end);
	chki_appended(t);
}

int chk_self(void)
{
	return (int)number(chki_running());
}

bool chk_active(void)
{
	return chki_run.current != NULL;
}

CHK_NORETURN void chk_fail(const char *file, int line, const char *what)
{
	chki_running();
	chki_fail(CHK_ASSERT, "assertion failed: %s (%s:%d)", what, file, line);
}

void chk_outcome(const char *format, ...)
{
	va_list args;

	chki_running();
	va_start(args, format);
	vsnprintf(chki_run.outcome, sizeof chki_run.outcome, format, args);
	va_end(args);
	chki_run.has_outcome = true;
}
