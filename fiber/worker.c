/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fibers in a worker: its lists, the switch to a fiber and back, and the hooks by which the pool asks for fibers.
 *
 * A fiber that has not begun, or is free, is an item in a deque, where thieves find it. A pinned fiber that is ready
 * goes to a list of its worker. Other threads put it into the worker's inbox and wake the worker. A fiber that yields
 * goes to a second list, whose turn comes when no fiber is ready, and now and then.
 *
 * Each switch goes from the scheduler to a fiber, or back. After the switch back the worker does what the fiber asked
 * for, because the fiber has left its stack only then.
 *
 * Edges:
 *   W1   waiting_jobs: as in wait.c
 *   V1   io/drive_linux.c: store_rel waker, wake: load_acq waker   the source of events, which another thread wakes
 *   B1   block->fiber: for reports
 *   S1   pool.c: store_rel stuck, plan: load_acq stuck   the settings
 *   F1   free_live: a count; the deques order the fibers
 *   T1   earliest: as in timer.c
 *   COUNTER   orders nothing
 */
#include "worker.h"

#include <errno.h>

#define YIELDED_EACH 4u /* of the looks, those that begin with a fiber that has yielded */
#define DEQUE_EACH 2u	/* and with the deque */
#define TIMERS_EACH 32u
#define TIMERS_RUNS 64u /* at the latest after so many fibers */
#define AT_ONCE 15u	/* fibers that follow the first one without a look elsewhere */

static _Thread_local FILCHI_TLS_NEAR struct filchi_fiber_worker *self;

/* Never inlined: the compiler may assume that the thread stays the same within a function. */
__attribute__((noinline)) struct filchi_fiber_worker *filchi_fiber_worker(void)
{
	__asm__("" ::: "memory");
	return self;
}

struct filch_fiber *filchi_fiber_current(void)
{
	struct filchi_fiber_worker *w = filchi_fiber_worker();

	return w && w->current && !filch_item_nested() ? w->current : NULL;
}

static void count(FILCHI_ATOMIC(uint64_t) * counter)
{
	filchi_store_rlx(counter, filchi_load_rlx(counter, COUNTER) + 1, COUNTER);
}

/* ---- ready fibers ---- */

/* A worker may sleep in the pool, or inside of a job. */
void filchi_fiber_wake(struct filchi_fiber_worker *w)
{
	switch (filchi_inbox_wake(&w->inbox)) {
	case FILCHI_INBOX_ASLEEP:
		break;
	case FILCHI_INBOX_IN_SOURCE:
		w->source->wake(w);
		break;
	default:
		filch_worker_wake(w->shared->pool, w->id);
	}
}

static void put_and_wake(struct filchi_fiber_shared *s, struct filch_fiber *f)
{
	struct filchi_fiber_worker *w = &s->workers[f->home];

	if (filchi_inbox_put(&w->inbox, f))
		filchi_fiber_wake(w);
}

/*
 * Threads that wait inside of jobs run items, too. Perhaps no other thread of the pool does: the number of spares is
 * limited. So one of them looks again.
 */
int filchi_fiber_push(struct filchi_fiber_shared *s, struct filch_fiber *f)
{
	int err = filch_item_push(s->pool, &f->item);

	if (FILCHI_LIKELY(err || !filchi_load_rlx(&s->waiting_jobs, W1)))
		return err;
	for (unsigned i = 0; i < s->worker_count; i++)
		if (filchi_inbox_sleeps(&s->workers[i].inbox)) {
			filchi_fiber_wake(&s->workers[i]);
			break;
		}
	return 0;
}

/* There may be no memory for the injector. Then the worker in which the fiber became ready keeps it. */
static void push(struct filchi_fiber_shared *s, struct filchi_fiber_worker *mine, struct filch_fiber *f)
{
	f->home = mine ? mine->id : FILCHI_WAITER_NO_HOME;
	if (filchi_fiber_push(s, f)) {
		f->home = mine ? mine->id : 0;
		put_and_wake(s, f);
	}
}

/* The thread may return as soon as it is woken. A worker that waits inside of a job may then end, with its pool. */
static void wake_thread(struct filch_fiber *thread)
{
	struct filchi_fiber_worker *w = (struct filchi_fiber_worker *)(void *)thread->next;
	FILCHI_ATOMIC(uint32_t) *woken = thread->woken;
	struct filch_pool *pool = w ? w->shared->pool : NULL;

	if (pool)
		filch_pool_stay(pool);
	filchi_inbox_set_woken(woken);
	if (pool) {
		filchi_fiber_wake(w);
		filch_pool_leave(pool);
	} else {
		filchi_fiber_futex_wake(woken);
	}
}

/*
 * A thread that is no worker of the pool keeps the pool until it has woken the worker. The fiber keeps it until then.
 */
void filchi_fiber_ready(struct filch_fiber *f)
{
	struct filchi_fiber_worker *mine;
	struct filchi_fiber_shared *s;

	if (f->kind == FILCHI_WAITER_THREAD) {
		wake_thread(f);
		return;
	}
	s = filchi_fiber_shared_of(f);
	mine = filchi_fiber_worker();
	if (mine && mine->shared != s)
		mine = NULL;
	if (!mine)
		filch_pool_stay(s->pool);
	if (f->kind == FILCHI_WAITER_FREE)
		push(s, mine, f);
	else if (mine == &s->workers[f->home])
		filchi_fiber_append(&mine->ready, f);
	else
		put_and_wake(s, f);
	if (!mine)
		filch_pool_leave(s->pool);
}

static inline void drain(struct filchi_fiber_worker *w)
{
	struct filch_fiber *f, *next;

	if (FILCHI_LIKELY(filchi_inbox_is_empty(&w->inbox)))
		return;
	for (f = filchi_inbox_take(&w->inbox); f; f = next) {
		next = f->next;
		filchi_fiber_append(&w->ready, f);
	}
}

/* ---- the switch ---- */

/* Each stack runs this loop: a fiber after the other. */
void filchi_fiber_main(void *block)
{
	struct filchi_fiber_block *b = block;

	filchi_context_entered();
	for (;;) {
		struct filch_fiber *f = filchi_fiber_worker()->current;
		void *result = NULL;
		int error = b->fn(b->arg, &result);

		filchi_key_end(b);
		f->result = result;
		f->reason = error;
		filchi_fiber_leave(filchi_fiber_worker(), FILCHI_FIBER_ENDED);
	}
}

/* The thread may be another one after the switch. At the end of a fiber the next one on this stack goes on. */
static __attribute__((noinline)) void leave_with_state(struct filchi_fiber_worker *w, struct filchi_fiber_block *b)
{
	bool ends = w->after == FILCHI_FIBER_ENDED;
	struct filchi_exceptions exceptions;
	bool handles = filchi_exceptions_take(&exceptions);

	if (b->has_fenv) {
		filchi_fenv_get(&b->fenv);
		filchi_fenv_set(&b->thread_fenv);
	}
	filchi_context_switch(&b->context, &w->thread);
	if (ends)
		return;
	if (b->has_fenv) {
		filchi_fenv_get(&b->thread_fenv);
		filchi_fenv_set(&b->fenv);
	}
	if (handles)
		filchi_exceptions_put(&exceptions);
}

void filchi_fiber_leave(struct filchi_fiber_worker *w, enum filchi_fiber_after after)
{
	struct filchi_fiber_block *b = w->block;

	w->after = (uint8_t)after;
	if (FILCHI_UNLIKELY(b->has_fenv || __cxa_get_globals))
		leave_with_state(w, b);
	else
		filchi_context_switch(&b->context, &w->thread);
}

static void finish(struct filchi_fiber_worker *w, struct filch_fiber *f, bool was_free)
{
	struct filchi_fiber_shared *s = w->shared;

	count(&w->ended);
	if (!was_free)
		w->live--;
	else if (filchi_fetch_add_acq_rel(&s->free_live, (uint64_t)-1, F1) == 1)
		filch_worker_wake_all(s->pool);
	if (filchi_waiter_finish(f))
		filchi_record_give(f);
}

/* The worker is on its own stack again. */
static void after_switch(struct filchi_fiber_worker *w, struct filch_fiber *f, struct filchi_fiber_block *b)
{
	bool is_free = f->kind == FILCHI_WAITER_FREE;

	if (FILCHI_UNLIKELY(b->unguarded) && filchi_stack_canary_lost(b))
		filchi_overflow_found(f, b);
	switch (w->after) {
	case FILCHI_FIBER_SUSPENDED:
		if (is_free)
			filchi_waiter_parked(f);
		break;
	case FILCHI_FIBER_YIELDED:
		filchi_fiber_append(&w->yielded, f);
		break;
	default:
		filchi_store_rlx(&b->fiber, NULL, B1);
		filchi_stack_give(w, b);
		finish(w, f, is_free);
	}
}

static inline void go_on(struct filchi_fiber_worker *w, struct filch_fiber *f)
{
	struct filchi_fiber_block *b = f->block;

	filchi_waiter_resume(f);
	w->current = f;
	w->block = b;
	count(&w->switches);
	filchi_context_switch(&w->thread, &b->context);
	w->current = NULL;
	after_switch(w, f, b);
}

/* A fiber that cannot begin ends at once. */
static void refuse(struct filchi_fiber_worker *w, struct filch_fiber *f, int error)
{
	f->result = NULL;
	f->reason = error;
	w->live++;
	finish(w, f, false);
}

static bool begin(struct filchi_fiber_worker *w, struct filch_fiber *f)
{
	struct filchi_fiber_block *b;

	if (filchi_load_rlx(&f->cancelled, COUNTER)) {
		refuse(w, f, -ECANCELED);
		return false;
	}
	b = filchi_stack_take(w, f->size + FILCHI_WAITER_SIZE);
	if (!b) {
		refuse(w, f, -ENOMEM);
		return false;
	}
	b->fn = f->fn;
	b->arg = f->arg;
	b->shields = 0;
	b->has_fenv = f->flags & FILCHI_WAITER_HAS_FENV;
	if (b->has_fenv)
		filchi_fenv_get(&b->thread_fenv);
	filchi_store_rlx(&b->waits_for, NULL, B1);
	filchi_store_rlx(&b->fiber, f, B1);
	f->block = b;
	f->kind = f->flags & FILCHI_WAITER_WILL_BE_FREE ? FILCHI_WAITER_FREE : FILCHI_WAITER_PINNED;
	if (f->kind == FILCHI_WAITER_FREE)
		(void)filchi_fetch_add_rlx(&w->shared->free_live, 1, F1);
	else
		w->live++;
	return true;
}

static inline void run_one(struct filchi_fiber_worker *w, struct filch_fiber *f)
{
	if (FILCHI_UNLIKELY(f->home != w->id)) {
		if (f->home != FILCHI_WAITER_NO_HOME)
			count(&w->stolen);
		if (f->flags & FILCHI_WAITER_AFTER_IO)
			count(&w->stolen_io);
		f->home = w->id;
	}
	f->flags &= (uint8_t)~FILCHI_WAITER_AFTER_IO & 7;
	if (f->kind == FILCHI_WAITER_NEW) {
		count(&w->started);
		if (!begin(w, f))
			return;
	}
	go_on(w, f);
}

/*
 * An item of the pool, or a fiber of the worker's own lists. The worker goes on with its own fibers for a while: it
 * would find them next anyway, and returns after a switch are slow.
 */
void filchi_fiber_run(struct filch_item *item)
{
	struct filch_fiber *f = (struct filch_fiber *)(void *)item;
	struct filchi_fiber_worker *w = filchi_fiber_worker();

	for (unsigned left = AT_ONCE; f; left--) {
		w->runs++;
		run_one(w, f);
		drain(w);
		f = left ? filchi_fiber_take(&w->ready) : NULL;
		if (!f && left > AT_ONCE / 2)
			f = filchi_fiber_take(&w->yielded);
	}
}

/* The job may wait inside of an exception handler. */
bool filchi_fiber_run_ready(struct filchi_fiber_worker *w)
{
	struct filchi_exceptions exceptions;
	struct filch_item *item;
	struct filch_fiber *f;
	bool handles;

	drain(w);
	if (w->source)
		w->source->flush(w);
	filchi_timer_expire(w);
	f = filchi_fiber_take(&w->ready);
	if (!f)
		f = filchi_fiber_take(&w->yielded);
	item = f ? &f->item : filch_item_take();
	if (!item)
		return false;
	handles = filchi_exceptions_take(&exceptions);
	filch_item_run(item);
	if (handles)
		filchi_exceptions_put(&exceptions);
	return true;
}

/* ---- hooks ---- */

static void *hook_begin(void *shared, struct filch_pool *pool, int worker)
{
	struct filchi_fiber_shared *s = shared;
	struct filchi_fiber_worker *w = &s->workers[worker];

	(void)pool;
	if (filchi_context_init_thread(&w->thread))
		return NULL;
	self = w;
	return w;
}

static void hook_end(void *worker)
{
	struct filchi_fiber_worker *w = worker;

	if (w->source)
		w->source->end(w);
	filchi_stack_flush(w);
	filchi_record_flush(w);
	filchi_context_fini_thread(&w->thread);
	self = NULL;
}

static struct filch_item *look_pop(struct filchi_fiber_worker *w)
{
	uint32_t tick = ++w->ticks;
	struct filch_fiber *f = NULL;

	drain(w);
	if (w->source)
		w->source->poll(w);
	if (FILCHI_UNLIKELY(tick % TIMERS_EACH == 0 || w->runs >= TIMERS_RUNS)) {
		w->runs = 0;
		w->now = filchi_fiber_clock();
		filchi_timer_expire(w);
		/* More often would submit fewer operations at a time. */
		if (w->source && tick % TIMERS_EACH == 0)
			w->source->flush(w);
	}
	if (tick % DEQUE_EACH == 0)
		return NULL;
	if (tick % YIELDED_EACH == 1)
		f = filchi_fiber_take(&w->yielded);
	if (!f)
		f = filchi_fiber_take(&w->ready);
	return f ? &f->item : NULL;
}

static struct filch_item *look_more(struct filchi_fiber_worker *w)
{
	struct filch_fiber *f = filchi_fiber_take(&w->ready);

	if (!f) {
		if (w->source)
			w->source->flush(w);
		filchi_timer_expire(w);
		f = filchi_fiber_take(&w->ready);
	}
	if (!f)
		f = filchi_fiber_take(&w->yielded);
	return f ? &f->item : NULL;
}

static struct filch_item *hook_next(void *worker, enum filch_look look)
{
	struct filchi_fiber_worker *w = worker;

	filchi_inbox_set_busy(&w->inbox);
	if (look == FILCH_LOOK_POP)
		return look_pop(w);
	if (look == FILCH_LOOK_SLEEP)
		w->now = filchi_fiber_clock();
	drain(w);
	return look_more(w);
}

/* The number of fibers that wait although no worker has anything to do. */
static uint64_t stuck_fibers(struct filchi_fiber_shared *s)
{
	uint64_t live = 0;

	for (unsigned i = 0; i < s->worker_count; i++) {
		struct filchi_fiber_worker *w = &s->workers[i];

		if (!filchi_inbox_is_idle(&w->inbox) || filchi_load_rlx(&w->earliest, T1) != FILCHI_FIBER_NEVER)
			return 0;
		live += filchi_load_rlx(&w->started, COUNTER) - filchi_load_rlx(&w->ended, COUNTER);
	}
	return live;
}

static int hook_plan(void *worker, uint64_t *deadline)
{
	struct filchi_fiber_worker *w = worker;
	struct filchi_fiber_shared *s = w->shared;
	void (*report)(struct filch_pool *, uint64_t, void *);
	uint64_t stuck;

	*deadline = filchi_load_rlx(&w->earliest, T1);
	if (w->source && w->source->pending(w))
		return 1;
	report = filchi_load_acq(&s->stuck, S1);
	if (!report)
		return 0;
	filchi_inbox_set_idle(&w->inbox);
	stuck = stuck_fibers(s);
	if (stuck && !filchi_exchange_rlx(&s->reported, 1, COUNTER))
		report(s->pool, stuck, s->settings.arg);
	return 0;
}

static void hook_sleep(void *worker, uint64_t deadline)
{
	struct filchi_fiber_worker *w = worker;

	w->source->sleep(w, deadline);
}

/* The worker sleeps in its source, so it has one. Another thread may see that a little later than the sleep. */
static void hook_wake(void *worker)
{
	struct filchi_fiber_worker *w = worker;
	const struct filchi_fiber_source *source;

	while (!(source = filchi_load_acq(&w->waker, V1)))
		filchi_spin_wait();
	source->wake(w);
}

static int hook_busy(void *worker)
{
	struct filchi_fiber_worker *w = worker;

	return w->live || filchi_load_rlx(&w->shared->free_live, F1);
}

/* The ticket is in the state until the wait is over. */
static void *hook_wait_begin(void *worker)
{
	struct filch_fiber *f = filchi_fiber_current();

	(void)worker;
	if (f)
		(void)filchi_waiter_begin(f, filchi_fiber_is_shielded(f));
	return f;
}

static int hook_wait_end(void *token, uint64_t deadline)
{
	struct filch_fiber *f = token;

	return filchi_fiber_wait(f, filchi_waiter_ticket(f), deadline, "a job or group");
}

static void hook_wait_wake(void *token)
{
	struct filch_fiber *f = token;

	(void)filchi_waiter_end(f, filchi_waiter_ticket(f), 0);
}

const struct filch_hooks filchi_fiber_hooks = {
	.struct_size = sizeof(struct filch_hooks),
	.attach = filchi_fiber_hook_attach,
	.begin = hook_begin,
	.end = hook_end,
	.next = hook_next,
	.plan = hook_plan,
	.sleep = hook_sleep,
	.wake = hook_wake,
	.busy = hook_busy,
	.wait_begin = hook_wait_begin,
	.wait_end = hook_wait_end,
	.wait_wake = hook_wait_wake,
	.detach = filchi_fiber_hook_detach,
};
