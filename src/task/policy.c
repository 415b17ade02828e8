/* SPDX-License-Identifier: Apache-2.0 */
#include "policy.h"

#include "../base/atomic.h"

/* Tasks that a worker makes before its spawns are calls: without and with a request, and more for each idle worker. */
#define BACKLOG FILCHI_TUNE(256u, 2u)
#define BACKLOG_ON_REQUEST FILCHI_TUNE(32u, 1u)
#define FOR_EACH_IDLE FILCHI_TUNE(4u, 1u)

#define FOR_JOB FILCHI_TUNE(4u, 2u)
#define FOR_REQUEST FILCHI_TUNE(32u, 1u)
#define FOR_STOLEN FILCHI_TUNE(64u, 1u)
#define BUDGET_MAX 16384u

/* While a worker is idle, the owner looks and publishes each time after so many more tasks. */
#define UNCHECKED_MAX FILCHI_TUNE(7u, 0u)

/* A checked build has no time. */
#define IS_RECENT(ns) FILCHI_TUNE((ns) < 1000u, ((void)(ns), false))

/* A chunk of numbers should take so long. There are enough of them to share them evenly. */
#define CHUNK_NS 2000u
#define CHUNKS FILCHI_TUNE(4u, 1u)
#define CHUNK_MAX 64u

/* Without a budget: one task at a time, and not soon after the last one. */
static bool may_make_one(struct filchi_spawn_policy *p, const struct filchi_spawn_view *v)
{
	if (v->queued > v->suspended || IS_RECENT(v->now_ns - p->made_at))
		return false;
	p->made_at = v->now_ns;
	return true;
}

/* Not more than the budget: if none of them is stolen, they come back all at once. */
static uint32_t backlog_of(const struct filchi_spawn_policy *p)
{
	uint32_t most = p->on_request ? BACKLOG_ON_REQUEST : BACKLOG;

	return p->budget < most ? p->budget : most;
}

struct filchi_spawn_decision filchi_spawn_decide(struct filchi_spawn_policy *p, const struct filchi_spawn_view *v)
{
	bool promised = p->promised;
	size_t enough, more;

	p->promised = false;
	if (v->requested && p->budget < FOR_REQUEST) {
		p->budget = FOR_REQUEST;
		p->on_request = true;
	}
	/* Thieves may have taken some of the suspended items: then the backlog is larger. */
	if (p->budget)
		enough = v->suspended + backlog_of(p) + (size_t)FOR_EACH_IDLE * v->idle;
	else
		enough = v->queued + (!p->poor && may_make_one(p, v));
	if (v->queued >= enough)
		return (struct filchi_spawn_decision){promised, false, 0};
	more = enough - v->queued - 1;
	if ((v->idle || v->requested) && more > UNCHECKED_MAX)
		return (struct filchi_spawn_decision){true, true, UNCHECKED_MAX};
	return (struct filchi_spawn_decision){true, more > 0, (uint32_t)more};
}

void filchi_spawn_started(struct filchi_spawn_policy *p)
{
	if (p->budget < FOR_JOB)
		p->budget = FOR_JOB;
	p->unchecked = 0;
	p->poor = false;
	p->on_request = false;
	p->promised = false;
}

void filchi_spawn_was_stolen(struct filchi_spawn_policy *p, bool poor)
{
	p->poor = poor;
	if (!poor && p->budget < BUDGET_MAX) {
		p->budget = p->budget < BUDGET_MAX - FOR_STOLEN ? p->budget + FOR_STOLEN : BUDGET_MAX;
		p->on_request = false;
	}
}

size_t filchi_spawn_n_chunk(struct filchi_spawn_n_policy *p, size_t numbers)
{
	size_t chunk = 1;

	if (p->stolen) {
		p->number_ns = p->stolen_ns / p->stolen / p->chunk;
		p->known = true;
	}
	p->stolen = 0;
	p->stolen_ns = 0;
	if (p->known) {
		chunk = CHUNK_NS / (p->number_ns + 1);
		chunk = chunk < numbers / CHUNKS ? chunk : numbers / CHUNKS;
		chunk = chunk < CHUNK_MAX ? chunk : CHUNK_MAX;
	}
	p->chunk = chunk ? (uint32_t)chunk : 1;
	return p->chunk;
}
