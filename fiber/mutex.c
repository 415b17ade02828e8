/* SPDX-License-Identifier: Apache-2.0 */
/* Mutex and condition. An unlock gives the mutex to the first waiter: so the order is fair, and no wake is wasted. */
#include "queue.h"

#include <errno.h>

struct mutex {
	struct filchi_fiber_lock lock;
	uint32_t unused;
	void *owner;
	struct filchi_node *first, *last;
};
struct cond {
	struct filchi_fiber_lock lock;
	uint32_t unused;
	struct filchi_node *first, *last;
};
_Static_assert(sizeof(struct mutex) == sizeof(struct filch_fiber_mutex), "as in the public header");
_Static_assert(sizeof(struct cond) == sizeof(struct filch_fiber_cond), "as in the public header");

static struct mutex *mutex_of(struct filch_fiber_mutex *m)
{
	return (struct mutex *)(void *)m;
}

/* A fiber, or the address of a variable of the thread. Never inlined, as the fiber may change its thread. */
__attribute__((noinline)) static void *identity(void)
{
	static _Thread_local char thread;
	struct filch_fiber *f = filchi_fiber_current();

	__asm__("" ::: "memory");
	return f ? (void *)f : (void *)&thread;
}

/* ---- mutex ---- */

static int lock_until(struct mutex *m, uint64_t deadline, bool shielded)
{
	struct filchi_thread_waiter thread;
	struct filchi_node n = {.owner = identity()};
	int err;

	filchi_fiber_lock(&m->lock);
	if (!m->owner || m->owner == n.owner) {
		err = m->owner ? -EDEADLK : 0;
		m->owner = n.owner;
		filchi_fiber_unlock(&m->lock);
		return err;
	}
	n.waiter = filchi_waiter_self(&thread);
	n.ticket = filchi_waiter_begin(n.waiter, shielded || filchi_fiber_is_shielded(n.waiter));
	filchi_queue_append(&m->first, &m->last, &n);
	filchi_fiber_unlock(&m->lock);
	err = filchi_fiber_wait(n.waiter, n.ticket, deadline, "a mutex");
	if (err) {
		filchi_fiber_lock(&m->lock);
		filchi_queue_remove(&m->first, &m->last, &n);
		filchi_fiber_unlock(&m->lock);
	}
	return err;
}

int filch_fiber_mutex_lock(struct filch_fiber_mutex *m)
{
	return lock_until(mutex_of(m), FILCHI_FIBER_NEVER, true);
}

int filch_fiber_mutex_lock_for(struct filch_fiber_mutex *m, uint64_t ns)
{
	return lock_until(mutex_of(m), filchi_fiber_deadline(ns), false);
}

int filch_fiber_mutex_trylock(struct filch_fiber_mutex *mutex)
{
	struct mutex *m = mutex_of(mutex);
	void *me = identity();
	int err;

	filchi_fiber_lock(&m->lock);
	err = m->owner ? -EBUSY : 0;
	if (!err)
		m->owner = me;
	filchi_fiber_unlock(&m->lock);
	return err;
}

int filch_fiber_mutex_unlock(struct filch_fiber_mutex *mutex)
{
	struct mutex *m = mutex_of(mutex);
	void *me = identity();
	struct filchi_node *next = NULL;
	struct filch_fiber *waiter = NULL;

	filchi_fiber_lock(&m->lock);
	if (m->owner != me) {
		filchi_fiber_unlock(&m->lock);
		return -EPERM;
	}
	if (m->first)
		next = filchi_queue_claim(&m->first, &m->last);
	m->owner = next ? next->owner : NULL;
	waiter = next ? next->waiter : NULL;
	filchi_fiber_unlock(&m->lock);
	if (waiter)
		filchi_waiter_wake(waiter, 0);
	return 0;
}

/* ---- condition ---- */

static struct cond *cond_of(struct filch_fiber_cond *c)
{
	return (struct cond *)(void *)c;
}

static bool is_mine(struct mutex *m)
{
	void *owner;

	filchi_fiber_lock(&m->lock);
	owner = m->owner;
	filchi_fiber_unlock(&m->lock);
	return owner == identity();
}

static int cond_wait(struct cond *c, struct filch_fiber_mutex *m, uint64_t deadline)
{
	struct filchi_thread_waiter thread;
	struct filchi_node n = {.waiter = filchi_waiter_self(&thread)};
	int err;

	if (!is_mine(mutex_of(m)))
		return -EPERM;
	n.ticket = filchi_waiter_begin(n.waiter, filchi_fiber_is_shielded(n.waiter));
	filchi_fiber_lock(&c->lock);
	filchi_queue_append(&c->first, &c->last, &n);
	filchi_fiber_unlock(&c->lock);
	(void)filch_fiber_mutex_unlock(m);
	err = filchi_fiber_wait(n.waiter, n.ticket, deadline, "a condition");
	if (err) {
		filchi_fiber_lock(&c->lock);
		filchi_queue_remove(&c->first, &c->last, &n);
		filchi_fiber_unlock(&c->lock);
	}
	(void)filch_fiber_mutex_lock(m);
	return err;
}

int filch_fiber_cond_wait(struct filch_fiber_cond *c, struct filch_fiber_mutex *m)
{
	return cond_wait(cond_of(c), m, FILCHI_FIBER_NEVER);
}

int filch_fiber_cond_wait_for(struct filch_fiber_cond *c, struct filch_fiber_mutex *m, uint64_t ns)
{
	return cond_wait(cond_of(c), m, filchi_fiber_deadline(ns));
}

/* A claimed node is valid until its waiter is woken. */
static void signal_some(struct cond *c, bool all)
{
	struct filchi_node *n, *claimed = NULL;

	filchi_fiber_lock(&c->lock);
	do {
		n = filchi_queue_claim(&c->first, &c->last);
		if (n) {
			n->next = claimed;
			claimed = n;
		}
	} while (n && all);
	filchi_fiber_unlock(&c->lock);
	for (; claimed; claimed = n) {
		n = claimed->next;
		filchi_waiter_wake(claimed->waiter, 0);
	}
}

void filch_fiber_cond_signal(struct filch_fiber_cond *c)
{
	signal_some(cond_of(c), false);
}

void filch_fiber_cond_broadcast(struct filch_fiber_cond *c)
{
	signal_some(cond_of(c), true);
}
