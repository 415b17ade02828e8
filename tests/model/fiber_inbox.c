/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The inbox of a worker under the checker, with fiber/inbox.c as it is shipped. The main thread acts as a worker that
 * waits inside of a job. Others put fibers into its inbox, wake its job, or wake it to look elsewhere. If a wake is
 * lost, all threads wait. Two more scenarios have the report of a deadlock.
 */
#include "../../check/chk.h"
#include "../../fiber/inbox.h"
#include "../../src/os/os.h"
#include "../../src/os/os_check.h"
#include "../fixtures/check_main.h"

struct scenario {
	unsigned fibers; /* threads that put one fiber each */
	bool job;	 /* a thread wakes the job, which then goes on */
	bool source;	 /* the worker sleeps in its source of events */
	bool elsewhere;	 /* a thread publishes something outside of the inbox, such as an item in a deque */
};

static struct {
	const struct scenario *s;
	struct filchi_inbox inbox, other;
	struct filch_fiber fibers[2];
	FILCHI_ATOMIC(uint32_t) source, item, word;
	FILCHI_ATOMIC(uint32_t) * woken;
	int reason;	 /* of the wake of the job */
	int source_data; /* plain: made before the worker sleeps in its source */
	bool reported[2];
} now;

/*
 * Edges of the test:
 *   SOURCE   wake: store_rel source → worker: load_acq source   as the kernel
 *   ITEM     publish: store_rel item → worker: load_acq item   as a deque
 */
void filchi_fiber_thread_yield(void)
{
}

void filchi_fiber_futex_wait(FILCHI_ATOMIC(uint32_t) * word, uint32_t value, uint64_t deadline)
{
	chk_assert(deadline == FILCHI_FIBER_NEVER);
	filchi_futex_wait(word, value);
}

void filchi_fiber_futex_wake(FILCHI_ATOMIC(uint32_t) * word)
{
	filchi_futex_wake(word, 1);
}

static void start(const struct scenario *s)
{
	filchi_os_check_start();
	now.s = s;
	for (int i = 0; i < 2; i++) {
		struct filchi_inbox *in = i ? &now.other : &now.inbox;

		filchi_atomic_init(&in->first, NULL);
		filchi_atomic_init(&in->sleep, FILCHI_INBOX_AWAKE);
		filchi_atomic_init(&in->idle, 0);
		now.reported[i] = false;
	}
	filchi_atomic_init(&now.source, 0);
	filchi_atomic_init(&now.item, 0);
	filchi_atomic_init(&now.word, 0);
	now.woken = &now.word;
}

/* ---- a worker that waits inside of a job ---- */

/* As filchi_fiber_wake(). The pool need not wake a worker that is awake. */
static void wake(void)
{
	if (filchi_inbox_wake(&now.inbox) != FILCHI_INBOX_IN_SOURCE)
		return;
	chk_assert(filchi_plain_get(&now.source_data) == 1);
	filchi_store_rel(&now.source, 1, SOURCE);
	filchi_futex_wake(&now.source, 1);
}

static void put(void *number)
{
	struct filch_fiber *f = &now.fibers[(uintptr_t)number];

	filchi_plain_set(&f->reason, 7);
	if (filchi_inbox_put(&now.inbox, f))
		wake();
}

static void publish(void *unused)
{
	(void)unused;
	filchi_store_rel(&now.item, 1, ITEM);
	wake();
}

static void wake_job(void *unused)
{
	(void)unused;
	filchi_plain_set(&now.reason, 5);
	filchi_inbox_set_woken(now.woken);
	wake();
}

static unsigned run_fibers(void)
{
	unsigned count = 0;
	struct filch_fiber *next;

	for (struct filch_fiber *f = filchi_inbox_take(&now.inbox); f; f = next) {
		next = filchi_plain_get(&f->next);
		chk_assert(filchi_plain_get(&f->reason) == 7);
		count++;
	}
	return count;
}

/* As sleep_in_job() of wait.c. */
static void sleep_once(void)
{
	enum filchi_inbox_sleep how = now.s->source ? FILCHI_INBOX_IN_SOURCE : FILCHI_INBOX_ASLEEP;

	filchi_plain_set(&now.source_data, 1);
	if (filchi_inbox_sleep_begin(&now.inbox, how, now.woken) && !filchi_load_acq(&now.item, ITEM)) {
		if (now.s->source) {
			while (!filchi_load_acq(&now.source, SOURCE))
				filchi_futex_wait(&now.source, 0);
			filchi_store_rlx(&now.source, 0, SOURCE);
		} else {
			filchi_inbox_sleep_wait(&now.inbox, FILCHI_FIBER_NEVER);
		}
	}
	filchi_inbox_sleep_end(&now.inbox);
}

/* A job goes on as soon as it is woken. Its worker takes fibers later. */
static bool is_done(unsigned count)
{
	if (now.s->job)
		return filchi_inbox_is_woken(now.woken);
	return count == now.s->fibers && (!now.s->elsewhere || filchi_load_acq(&now.item, ITEM));
}

static void play(void *arg)
{
	const struct scenario *s = arg;
	unsigned count = 0;
	int id[4], threads = 0;

	start(s);
	for (unsigned i = 0; i < s->fibers; i++)
		id[threads++] = chk_thread(put, (void *)(uintptr_t)i);
	if (s->elsewhere)
		id[threads++] = chk_thread(publish, NULL);
	if (s->job)
		id[threads++] = chk_thread(wake_job, NULL);
	while (!is_done(count)) {
		count += run_fibers();
		if (!is_done(count))
			sleep_once();
	}
	if (s->job)
		chk_assert(filchi_plain_get(&now.reason) == 5);
	while (threads)
		chk_join(id[--threads]);
	count += run_fibers();
	chk_assert(count == s->fibers);
}

/* ---- deadlock ---- */

/* As hook_plan(): the worker has found nothing. */
static void become_idle(void *number)
{
	unsigned i = (unsigned)(uintptr_t)number;

	filchi_inbox_set_idle(i ? &now.other : &now.inbox);
	now.reported[i] = filchi_inbox_is_idle(&now.inbox) && filchi_inbox_is_idle(&now.other);
}

/* One of two workers that become idle at once reports it. */
static void play_both_idle(void *arg)
{
	int id;

	start(arg);
	id = chk_thread(become_idle, (void *)(uintptr_t)1);
	become_idle(NULL);
	chk_join(id);
	chk_assert(now.reported[0] || now.reported[1]);
}

/* This worker is idle, and is then given a fiber. */
static void goes_on(void *unused)
{
	(void)unused;
	filchi_inbox_set_busy(&now.inbox);
	(void)run_fibers();
}

/* The other worker has given it the fiber, and becomes idle: it must not report. */
static void play_busy(void *arg)
{
	int id;

	start(arg);
	filchi_atomic_init(&now.inbox.idle, 1);
	id = chk_thread(goes_on, NULL);
	filchi_plain_set(&now.fibers[0].reason, 7);
	(void)filchi_inbox_put(&now.inbox, &now.fibers[0]);
	become_idle((void *)(uintptr_t)1);
	chk_assert(!now.reported[1]);
	chk_join(id);
}

#define SCENARIO(name_, play_, ...)                                                                                    \
	{                                                                                                              \
		.name = name_, .play = play_, .arg = &(const struct scenario)                                          \
		{                                                                                                      \
			__VA_ARGS__                                                                                    \
		}                                                                                                      \
	}
static const struct check_scenario scenarios[] = {
	SCENARIO("one_fiber", play, .fibers = 1),
	SCENARIO("two_fibers", play, .fibers = 2),
	SCENARIO("job", play, .job = true),
	SCENARIO("job_and_fiber", play, .fibers = 1, .job = true),
	SCENARIO("elsewhere", play, .elsewhere = true),
	SCENARIO("in_source", play, .fibers = 1, .source = true),
	SCENARIO("job_in_source", play, .job = true, .source = true),
	SCENARIO("both_idle", play_both_idle, .fibers = 0),
	SCENARIO("busy", play_busy, .fibers = 0),
};

int main(int argc, char **argv)
{
	static const struct check_program program = {
		.mutants = {.name = "fiber_inbox", .file = "/fiber/inbox.c", .prefix = "filchi_inbox_"},
		.scenarios = scenarios,
		.count = sizeof(scenarios) / sizeof(scenarios[0]),
	};

	return check_main(&program, argc, argv);
}
