/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Edges of the test: they order nothing, so that only the library does.
 *   FLAG
 */
#include "sched_stop.h"
#include "sched_put.h"

#include "../../check/chk.h"
#include "../../src/os/os_check.h"
#include "../../src/sched/sched.h"

#include <errno.h>

enum { REGION = 1 << 10, WORKERS_AT_END = 3 };

static struct {
	struct filchi_sched sched;
	FILCHI_CELL(unsigned) state;	/* of the item: 1 when it is put in, 2 when it has been run */
	FILCHI_ATOMIC(uint32_t) ran[2]; /* of the item; or what has come to pass */
	bool refused;
} now;

static void init(unsigned workers)
{
	struct filchi_sched_setup setup = {.workers = workers, .searchers = 1, .region_bytes = REGION};

	filchi_os_check_start();
	setup.kind = filchi_deque_find("locked");
	setup.deque = (struct filchi_deque_setup){2, 8, 0, 0};
	chk_assert(filchi_sched_init(&now.sched, &setup) == 0);
	now.sched.started = workers;
	filchi_cell_set(&now.state, 0);
	filchi_atomic_init(&now.ran[0], 0);
	filchi_atomic_init(&now.ran[1], 0);
	now.refused = false;
}

static void run(uintptr_t item)
{
	chk_assert(item == 1 && filchi_cell_get(&now.state) == 1);
	filchi_cell_set(&now.state, 2);
	chk_assert(filchi_fetch_add_rlx(&now.ran[0], 1, FLAG) == 0);
}

static void put_in(void *unused)
{
	int err;

	(void)unused;
	filchi_cell_set(&now.state, 1);
	err = sched_put(&now.sched, 1);
	chk_assert(!err || err == -ESHUTDOWN);
	now.refused = err;
}

/*
 * The gate on its own: a worker that says that it sleeps, and looks once more while an item comes in and all is
 * stopped. As idle() of worker.c, for one worker that is not started: to see what comes with DRAIN.
 */
static void last_look(void *unused)
{
	struct filchi_sched *s = &now.sched;
	uint32_t stopping = filchi_worker_enter(&s->workers[0], false);
	uintptr_t item;
	int result;

	(void)unused;
	for (;;) {
		while ((result = filchi_injector_take(&s->injector, &item)) == FILCH_LOST)
			filchi_spin_wait();
		if (result == FILCH_OK)
			run(item);
		if (stopping)
			return;
		filchi_sleep_wait(&s->sleep);
		stopping = filchi_worker_enter(&s->workers[0], true);
	}
}

void sched_gate(void *unused)
{
	int id[2];

	(void)unused;
	init(1);
	id[0] = chk_thread(last_look, NULL);
	id[1] = chk_thread(put_in, NULL);
	filchi_sched_stop(&now.sched);
	chk_join(id[0]);
	chk_join(id[1]);
	chk_assert(filchi_load_rlx(&now.ran[0], FLAG) == !now.refused);
	filchi_sched_fini(&now.sched);
}

/*
 * Two workers, not started, at their last look when all is stopped: the first has not seen it, and the second may take
 * the permit that was meant for the first. Both must come to an end.
 */
static void look_and_park(struct filchi_worker *w, bool held_up)
{
	struct filchi_sched *s = &now.sched;
	uint32_t stopping = filchi_worker_enter(w, false);

	for (;;) {
		if (held_up) {
			filchi_store_rlx(&now.ran[0], 1, FLAG);
			while (!filchi_load_rlx(&now.ran[1], FLAG))
				filchi_spin_wait();
			held_up = false;
		}
		if (!filchi_worker_park(w, stopping))
			break;
		filchi_store_rlx(&now.ran[1], 1, FLAG);
		stopping = filchi_worker_enter(w, true);
	}
	filchi_sleep_leave(&s->sleep);
	(void)filchi_sleep_found(&s->sleep);
}

static void held_up(void *unused)
{
	(void)unused;
	look_and_park(&now.sched.workers[0], true);
}

static void in_time(void *unused)
{
	(void)unused;
	while (!filchi_load_acq(&now.sched.stopping, FLAG))
		filchi_spin_wait();
	look_and_park(&now.sched.workers[1], false);
}

void sched_permit(void *unused)
{
	int id[2];

	(void)unused;
	init(2);
	id[0] = chk_thread(held_up, NULL);
	id[1] = chk_thread(in_time, NULL);
	while (!filchi_load_rlx(&now.ran[0], FLAG))
		filchi_spin_wait();
	filchi_store_rel(&now.sched.stopping, FILCHI_STOPPING_DRAIN, FLAG);
	filchi_fence_sc(FLAG);
	filchi_sleep_wake_all(&now.sched.sleep);
	chk_join(id[0]);
	chk_join(id[1]);
	chk_assert(filchi_load_rlx(&now.sched.sleep.counts, FLAG) == 0);
	filchi_sched_fini(&now.sched);
}

/*
 * The end, of three: all have been given permits for DRAIN; the first has looked once more and says END before it has
 * taken its own, when the others have theirs and are still counted as parked. One of those may look again without
 * seeing END, and by then the two who have may be gone.
 */
static void look_again(void *worker)
{
	struct filchi_sched *s = &now.sched;

	while (filchi_load_rlx(&s->parked, FLAG) != s->started &&
	       filchi_load_rlx(&s->stopping, FLAG) != FILCHI_STOPPING_END)
		filchi_spin_wait();
	(void)filchi_fetch_add_rlx(&s->parked, (uint32_t)-1, FLAG);
	while (filchi_worker_park(worker, filchi_worker_enter(worker, true)))
		;
	filchi_sleep_leave(&s->sleep);
	(void)filchi_sleep_found(&s->sleep);
}

static void say_end(void *worker)
{
	struct filchi_sched *s = &now.sched;

	chk_assert(!filchi_worker_park(worker, FILCHI_STOPPING_DRAIN));
	filchi_sleep_leave(&s->sleep);
	(void)filchi_sleep_found(&s->sleep);
}

void sched_end(void *unused)
{
	struct filchi_sched *s = &now.sched;
	int id[WORKERS_AT_END];

	(void)unused;
	init(WORKERS_AT_END);
	for (unsigned i = 0; i < WORKERS_AT_END; i++)
		filchi_sleep_enter(&s->sleep, false);
	filchi_atomic_init(&s->parked, WORKERS_AT_END - 1);
	filchi_atomic_init(&s->stopping, FILCHI_STOPPING_DRAIN);
	filchi_sleep_wake_all(&s->sleep);
	for (unsigned i = 1; i < WORKERS_AT_END; i++)
		filchi_sleep_wait(&s->sleep);
	for (unsigned i = 0; i < WORKERS_AT_END; i++)
		id[i] = chk_thread(i ? look_again : say_end, &s->workers[i]);
	for (unsigned i = 0; i < WORKERS_AT_END; i++)
		chk_join(id[i]);
	chk_assert(filchi_load_rlx(&s->sleep.counts, FLAG) == 0);
	chk_assert(filchi_load_rlx(&s->sleep.permits, FLAG) == 0);
	filchi_sched_fini(s);
}
