/* SPDX-License-Identifier: Apache-2.0 */
/* The hooks of a pool, and the functions that a library with hooks calls. src/sched/worker.c calls most of the hooks.
 */
#include "hooks.h"

#include "job.h"
#include "lock.h"

#include "../base/sized.h"

#include <errno.h>

/* Only one thread at a time attaches hooks, in any pool. */
static struct filchi_fork_lock lock;

static int check(const struct filch_hooks *hooks, void **arg)
{
	if (!hooks || !arg)
		return filchi_fail(-EINVAL, "%s is NULL", hooks ? "arg" : "hooks");
	if (hooks->struct_size != sizeof(*hooks))
		return filchi_fail_sized("struct filch_hooks", hooks);
	if (!hooks->attach || !hooks->begin || !hooks->end || !hooks->next || (hooks->plan && !hooks->sleep) ||
	    (hooks->sleep && !hooks->wake) || !hooks->wait_begin != !hooks->wait_end ||
	    !hooks->wait_begin != !hooks->wait_wake)
		return filchi_fail(-EINVAL, "a hook is missing");
	return 0;
}

static int attach(struct filch_pool *pool, const struct filch_hooks *hooks, void **arg)
{
	const struct filch_hooks *now = filchi_sched_hooks(&pool->sched, arg);

	if (now)
		return now == hooks ? 0 : filchi_fail(-EBUSY, "the pool has other hooks");
	*arg = hooks->attach(pool, filchi_sched_ids(&pool->sched));
	if (!*arg)
		return filchi_fail(-ENOMEM, "no memory for hooks");
	filchi_sched_attach(&pool->sched, hooks, *arg);
	return 0;
}

int filch_pool_attach(struct filch_pool *pool, const struct filch_hooks *hooks, void **arg)
{
	int err = check(hooks, arg);
	struct filchi_pool_hold hold;

	if (err)
		return err;
	if (filchi_pool_hold(&hold, pool))
		return -ESHUTDOWN;
	if (filchi_pool_has_workers(hold.pool)) {
		(void)filchi_fork_lock(&lock);
		err = attach(hold.pool, hooks, arg);
		filchi_fork_unlock(&lock);
		if (!err)
			filchi_sched_stay(&hold.pool->sched);
	} else {
		err = filchi_fail(-ENOTSUP, "the pool has no workers");
	}
	filchi_pool_release(&hold);
	return err;
}

void filchi_hooks_detach(struct filch_pool *pool)
{
	void *arg;
	const struct filch_hooks *hooks = filchi_sched_hooks(&pool->sched, &arg);

	if (hooks && hooks->detach)
		hooks->detach(arg);
}

void filchi_hooks_run_item(struct filchi_worker *w, uintptr_t item)
{
	filchi_worker_adopt(w);
	filchi_item_run_foreign(item);
}

int filch_item_push(struct filch_pool *pool, struct filch_item *item)
{
	struct filchi_worker *w = filchi_worker_self();

	if (filchi_pool_has(pool, w))
		return filchi_sched_offer(w, filchi_item_foreign(item));
	return filchi_sched_inject(&pool->sched, filchi_item_foreign(item));
}

void filch_worker_wake(struct filch_pool *pool, int worker)
{
	(void)filchi_parker_notify(filchi_worker_parker(filchi_sched_worker(&pool->sched, (uint32_t)worker)));
}

void filch_worker_wake_all(struct filch_pool *pool)
{
	filchi_sched_wake_stopping(&pool->sched);
}

int filch_pool_enter(struct filch_pool *pool)
{
	return filchi_sched_enter(&pool->sched) ? 0 : -ESHUTDOWN;
}

void filch_pool_stay(struct filch_pool *pool)
{
	filchi_sched_stay(&pool->sched);
}

void filch_pool_leave(struct filch_pool *pool)
{
	filchi_sched_leave(&pool->sched);
}

int filch_item_nested(void)
{
	struct filchi_worker *w = filchi_worker_self();

	if (!w)
		return 0;
	return filchi_task_is_running(w) ? 2 : filchi_task_context(w) ? 1 : 0;
}

/* ---- for a job that waits ---- */

#define ASIDE 32u

/* Other items go back to where they were. */
static struct filch_item *take_own(struct filchi_worker *w)
{
	uintptr_t aside[ASIDE], item;
	size_t first = ASIDE;
	bool found = false;

	while (first && !found && filchi_worker_pop(w, &item)) {
		found = filchi_item_is_foreign(item);
		if (!found)
			aside[--first] = item;
	}
	if (first < ASIDE)
		filchi_worker_requeue(w, aside + first, ASIDE - first);
	return found ? (struct filch_item *)(item & ~(uintptr_t)3) : NULL;
}

static struct filch_item *take_injected(struct filchi_worker *w)
{
	struct filchi_sched *s = filchi_worker_sched(w);
	uintptr_t item;

	for (unsigned i = 0; i < ASIDE; i++) {
		int result = filchi_sched_take(s, &item);

		if (result == FILCH_EMPTY)
			break;
		if (result == FILCH_OK && filchi_item_is_foreign(item))
			return (struct filch_item *)(item & ~(uintptr_t)3);
		if (result == FILCH_OK)
			filchi_worker_pass_on(w, item);
	}
	return NULL;
}

struct filch_item *filch_item_take(void)
{
	struct filchi_worker *w = filchi_worker_self();
	struct filch_item *item = w ? take_own(w) : NULL;

	return item || !w ? item : take_injected(w);
}

void filch_item_run(struct filch_item *item)
{
	struct filchi_worker *w = filchi_worker_self();
	void *context = filchi_task_context(w);

	filchi_task_set_context(w, NULL);
	item->run(item);
	filchi_task_set_context(w, context);
}
