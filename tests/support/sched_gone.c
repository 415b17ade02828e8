/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Edges of the test: they order nothing, so that only the library does.
 *   FLAG
 */
#include "sched_gone.h"
#include "sched_put.h"

#include "../../check/chk.h"
#include "../../src/base/mem.h"
#include "../../src/os/os_check.h"
#include "../../src/sched/sched.h"

#include <errno.h>

enum { REGION = 1 << 10, MAX_PUSHERS = 2 };

static struct {
	const struct sched_gone *s;
	struct filchi_sched *sched; /* in memory that the checker watches */
	FILCHI_ATOMIC(uint32_t) refused;
} now;

static void use_up_allocations(unsigned count)
{
	for (unsigned i = 0; now.s->no_memory && i < count; i++)
		filchi_free(filchi_alloc(1));
}

static void init(void)
{
	struct filchi_sched_setup setup = {.workers = 1, .searchers = 1, .region_bytes = REGION};

	filchi_os_check_start();
	use_up_allocations(3);
	setup.kind = filchi_deque_find("locked");
	setup.deque = (struct filchi_deque_setup){2, 8, 0, 0};
	now.sched = filchi_alloc(sizeof(*now.sched));
	chk_assert(now.sched && filchi_sched_init(now.sched, &setup) == 0);
	filchi_atomic_init(&now.refused, 0);
	for (unsigned i = 0; i < now.s->before; i++)
		chk_assert(sched_put(now.sched, 1) == 0);
	if (now.s->asleep)
		filchi_sleep_enter(&now.sched->sleep, false);
}

static void put_in(void *unused)
{
	int err;

	(void)unused;
	use_up_allocations(2);
	err = sched_put(now.sched, 1);
	chk_assert(err == (now.s->no_memory ? -ENOMEM : 0));
	if (err)
		(void)filchi_fetch_add_rlx(&now.refused, 1, FLAG);
}

/* As a worker does that is not started: takes all items. Each of the threads is inside of inject, or has left it. */
static void take_all(void)
{
	unsigned items = now.s->before + (now.s->no_memory ? 0 : now.s->pushers);
	uintptr_t item;

	if (now.s->asleep)
		filchi_sleep_wait(&now.sched->sleep);
	for (unsigned i = 0; i < items; i++)
		while (filchi_injector_take(&now.sched->injector, &item) != FILCH_OK)
			filchi_spin_wait();
	while (now.s->no_memory && filchi_load_rlx(&now.refused, FLAG) != now.s->pushers)
		filchi_spin_wait();
}

void sched_gone(void *scenario)
{
	int id[MAX_PUSHERS];

	now.s = scenario;
	init();
	for (unsigned i = 0; i < now.s->pushers; i++)
		id[i] = chk_thread(put_in, NULL);
	take_all();
	filchi_sched_stop(now.sched);
	filchi_sched_fini(now.sched);
	filchi_free(now.sched);
	for (unsigned i = 0; i < now.s->pushers; i++)
		chk_join(id[i]);
}
