/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From the start of a fiber to its join.
 *
 * Edges:
 *   C2   cancelled: a flag
 */
#include "worker.h"

#include "../src/base/sized.h"

#include <errno.h>

#define LARGEST 38u

unsigned filchi_stack_size(size_t bytes)
{
	size_t size = filchi_round_pow2(bytes), smallest = 2 * filchi_stack_guard();

	if (!size || size > (size_t)1 << LARGEST)
		return 0;
	return (unsigned)__builtin_ctzll(size < smallest ? smallest : size);
}

static int check(struct filch_fiber_options *o, const struct filch_fiber_options *opt, filch_job_fn *fn)
{
	if (!fn || filchi_sized_copy(o, sizeof(*o), opt))
		return -EINVAL;
	if (o->migrate < 0 || o->migrate > FILCH_FIBER_FREE || (o->stack && !filchi_stack_size(o->stack)))
		return -EINVAL;
	return o->fenv && !FILCHI_FENV ? -ENOTSUP : 0;
}

/* The option of a fiber narrows the setting of its pool. */
static bool is_free(const struct filchi_fiber_shared *s, const struct filch_fiber_options *o)
{
	return s->settings.migrate == FILCH_FIBER_FREE && o->migrate != FILCH_FIBER_PINNED;
}

static int start(struct filch_fiber **out, struct filchi_fiber_shared *s, struct filchi_fiber_worker *w,
		 filch_job_fn *fn, void *arg, const struct filch_fiber_options *o)
{
	struct filch_fiber *f = filchi_record_take(s, w);
	int err;

	if (!f)
		return -ENOMEM;
	filchi_waiter_init(f, !out);
	f->item.run = filchi_fiber_run;
	f->fn = fn;
	f->arg = arg;
	f->name = o->name;
	f->kind = FILCHI_WAITER_NEW;
	f->home = w ? w->id : FILCHI_WAITER_NO_HOME;
	f->size = ((o->stack ? filchi_stack_size(o->stack) : s->size) - FILCHI_WAITER_SIZE) & 31;
	f->flags = is_free(s, o) ? FILCHI_WAITER_WILL_BE_FREE : 0;
	if (o->fenv)
		f->flags |= FILCHI_WAITER_HAS_FENV;
	if (out)
		*out = f;
	err = filchi_fiber_push(s, f);
	if (err) {
		filchi_record_give(f);
		if (out)
			*out = NULL;
	}
	return err;
}

int filch_fiber_start(struct filch_fiber **out, struct filch_pool *pool, filch_job_fn *fn, void *arg,
		      const struct filch_fiber_options *opt)
{
	struct filchi_fiber_worker *w = filchi_fiber_worker();
	struct filch_fiber_options none = {0}, *o = &none;
	struct filchi_fiber_shared *s;
	int err = fn ? 0 : -EINVAL;

	if (opt)
		err = check(o, opt, fn);
	if (err)
		return err;
	if (FILCHI_LIKELY(w && (!pool || pool == w->shared->pool)))
		return start(out, w->shared, w, fn, arg, o);
	err = filchi_fiber_attach(&s, pool);
	if (err)
		return err;
	err = start(out, s, NULL, fn, arg, o);
	filch_pool_leave(s->pool);
	return err;
}

/* ---- the end ---- */

static int outcome(struct filch_fiber *f, void **result)
{
	int error;

	filchi_waiter_wait_done(f);
	error = (int)f->reason;
	if (result)
		*result = f->result;
	filchi_record_give(f);
	return error;
}

static int join(struct filch_fiber *f, uint64_t deadline, void **result)
{
	struct filchi_thread_waiter thread;
	struct filch_fiber *self = filchi_waiter_self(&thread);
	filchi_ticket ticket;
	int err;

	if (!f)
		return -EINVAL;
	if (self == f)
		return -EDEADLK;
	ticket = filchi_waiter_begin(self, filchi_fiber_is_shielded(self));
	err = filchi_waiter_join(f, self);
	if (err) {
		if (!filchi_waiter_take_back(self, ticket))
			(void)filchi_fiber_suspend(self, NULL); /* it was cancelled meanwhile */
		return err == -EALREADY ? outcome(f, result) : err;
	}
	err = filchi_fiber_wait(self, ticket, deadline, "the end of a fiber");
	if (err && filchi_waiter_leave(f, self))
		return err;
	return outcome(f, result);
}

int filch_fiber_join(struct filch_fiber *f, void **result)
{
	return join(f, FILCHI_FIBER_NEVER, result);
}

int filch_fiber_join_for(struct filch_fiber *f, uint64_t ns, void **result)
{
	return join(f, filchi_fiber_deadline(ns), result);
}

void filch_fiber_detach(struct filch_fiber *f)
{
	if (f && filchi_waiter_detach(f))
		filchi_record_give(f);
}

void filch_fiber_cancel(struct filch_fiber *f)
{
	if (f && filchi_waiter_cancel(f))
		filchi_waiter_wake(f, -ECANCELED);
}

/* ---- questions ---- */

struct filch_fiber *filch_fiber_self(void)
{
	return filchi_fiber_current();
}

const char *filch_fiber_name(const struct filch_fiber *f)
{
	return f && f->name ? f->name : "";
}

void filch_fiber_rename(const char *name)
{
	struct filch_fiber *f = filchi_fiber_current();

	if (f)
		f->name = name;
}

size_t filch_fiber_stack_used(void)
{
	struct filch_fiber *f = filchi_fiber_current();

	return f ? filchi_stack_used(f->block) : 0;
}
