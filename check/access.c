/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What instrumented code calls: each access is an event. In the graph already, it is replayed; else the explorer says
 * what it reads or where it goes in co.
 */
#include "internal.h"

/* The running thread; the site must be one of such an operation. */
static struct thread *runner(const struct chk_site *site, enum chk_op op)
{
	if (!chki_run.current)
		chki_fail(CHK_MISUSE, "an instrumented access outside a scenario (%s:%d)", site->file, site->line);
	if (site->op != op)
		chki_fail(CHK_MISUSE, "the site of another operation (%s:%d)", site->file, site->line);
	return chki_run.current;
}

static uint64_t low_bytes(uint64_t value, unsigned size)
{
	return size >= 8 ? value : value & (((uint64_t)1 << size * 8) - 1);
}

static struct event *read_event(struct thread *t, const void *at, unsigned size, struct chk_site *site, unsigned flags,
				uint64_t expected)
{
	chki_site_meet(site);
	unsigned loc = chki_location(at, site->what);
	struct event *e = chki_replayed(t, EV_READ, loc);

	if (!e) {
		chki_wait_for_turn(t);
		const struct clock *now = chki_clock_now(t);
		const struct order_ends *co = &chki_run.g->co[loc];
		char name[64];

		if (!co->first ||
		    (!(at_id(chki_run.g, co->first)->flags & EF_INIT) && !chki_seen(chki_run.g, loc, now))) {
			chki_location_name(loc, name, sizeof name);
			chki_fail(CHK_UNINIT, "%s is read before it is written (%s:%d)", name, site->file, site->line);
		}
		e = chki_append(t, EV_READ, site->order, site);
		e->loc = (uint16_t)loc;
		e->size = (uint8_t)size;
		e->flags = (uint8_t)flags;
		e->expected = expected;
		if (!chki_choose_read(chki_run.g, e))
			chki_branch_dead();
		chki_appended(t);
		chki_wait_for_event(t, e->rf);
	}
	chki_memory_atomic(t, at, size, e);
	return e;
}

static void write_event(struct thread *t, void *at, unsigned size, uint64_t value, struct chk_site *site,
			unsigned flags)
{
	chki_site_meet(site);
	unsigned loc = chki_location(at, site->what);
	struct event *e = chki_replayed(t, EV_WRITE, loc);

	if (!e) {
		/* The write half of a read-modify-write follows its read at once. */
		if (!(flags & EF_RMW))
			chki_wait_for_turn(t);
		e = chki_append(t, EV_WRITE, site->order, site);
		e->loc = (uint16_t)loc;
		e->size = (uint8_t)size;
		e->flags = (uint8_t)flags;
		e->value = low_bytes(value, size);
		chki_graph_finish_write(chki_run.g, e);
		chki_memory_atomic(t, at, size, e);
		if (!chki_choose_write(chki_run.g, e))
			chki_branch_dead();
		chki_appended(t);
		return;
	}
	if (e->value != low_bytes(value, size) || e->order != site->order)
		chki_not_deterministic();
	chki_memory_atomic(t, at, size, e);
}

uint64_t chk_load(const void *at, unsigned size, struct chk_site *site)
{
	return read_event(runner(site, CHK_LOAD), at, size, site, 0, 0)->value;
}

void chk_store(void *at, unsigned size, uint64_t value, struct chk_site *site)
{
	write_event(runner(site, CHK_STORE), at, size, value, site, 0);
}

void chk_init(void *at, unsigned size, uint64_t value, struct chk_site *site)
{
	write_event(runner(site, CHK_STORE), at, size, value, site, EF_INIT);
}

uint64_t chk_exchange(void *at, unsigned size, uint64_t value, struct chk_site *site)
{
	struct thread *t = runner(site, CHK_EXCHANGE);
	uint64_t old = read_event(t, at, size, site, EF_RMW, 0)->value;

	write_event(t, at, size, value, site, EF_RMW);
	return old;
}

uint64_t chk_fetch_add(void *at, unsigned size, uint64_t addend, struct chk_site *site)
{
	struct thread *t = runner(site, CHK_FETCH_ADD);
	uint64_t old = read_event(t, at, size, site, EF_RMW, 0)->value;

	write_event(t, at, size, old + addend, site, EF_RMW);
	return old;
}

bool chk_cas(void *at, unsigned size, uint64_t expected, uint64_t desired, uint64_t *seen, struct chk_site *site)
{
	struct thread *t = runner(site, CHK_CAS);

	expected = low_bytes(expected, size);
	*seen = read_event(t, at, size, site, EF_CAS, expected)->value;
	if (*seen != expected)
		return false;
	write_event(t, at, size, desired, site, EF_RMW);
	return true;
}

void chk_fence(struct chk_site *site)
{
	chki_site_meet(site);
	if (site->order != CHK_NONE)
		chki_simple_event(runner(site, CHK_FENCE), EV_FENCE, site->order, site);
}

/* ---- mutexes ---- */

void chk_mutex_init(struct chk_mutex *m)
{
	chk_init(&m->word, sizeof m->word, 0, CHK_SITE(CHK_STORE, "mutex", "", CHK_RLX, CHK_RLX));
	m->holder = -1;
}

static bool mutex_try(struct chk_mutex *m)
{
	uint64_t seen;

	if (!chk_cas(&m->word, sizeof m->word, 0, 1, &seen, CHK_SITE(CHK_CAS, "mutex", "", CHK_ACQ, CHK_RLX)))
		return false;
	m->holder = chk_self();
	return true;
}

bool chk_mutex_trylock(struct chk_mutex *m)
{
	return mutex_try(m);
}

void chk_mutex_lock(struct chk_mutex *m)
{
	struct thread *t = chki_running();
	uint16_t outer_mark = t->spin_mark; /* the lock may stand inside a waiting loop of its own */
	bool outer_effect = t->effect;

	t->spin_mark = t->position;
	t->effect = false;
	while (!mutex_try(m))
		chki_wait_turn(t, T_LOCK);
	t->spin_mark = outer_mark;
	t->effect = outer_effect;
}

void chk_mutex_unlock(struct chk_mutex *m)
{
	if (m->holder != chk_self())
		chki_fail(CHK_ASSERT, "a mutex is unlocked by a thread that does not hold it");
	m->holder = -1;
	chk_store(&m->word, sizeof m->word, 0, CHK_SITE(CHK_STORE, "mutex", "", CHK_REL, CHK_RLX));
}
