/* SPDX-License-Identifier: Apache-2.0 */
#include "policy.h"

#include "../base/atomic.h"

/* Tasks that a worker makes before its spawns are calls: without and with a request, and more for each idle worker. */
#define BACKLOG FILCHI_TUNE(256u, 2u)
#define BACKLOG_ON_REQUEST FILCHI_TUNE(8u, 1u)
#define FOR_EACH_IDLE FILCHI_TUNE(4u, 1u)

#define FOR_JOB FILCHI_TUNE(16u, 2u)
#define FOR_REQUEST FILCHI_TUNE(16u, 1u)
#define FOR_STOLEN FILCHI_TUNE(64u, 1u)
#define BUDGET_MAX 16384u

/* How long requests are declined after poor steals. */
#define PAUSE_MIN_NS 16000u
#define PAUSE_MAX_NS 1000000u

/* A checked build has no time. */
#define IS_RECENT(ns) FILCHI_TUNE((ns) < 1000u, ((void)(ns), false))

#define AT_ONCE_MIN FILCHI_TUNE(4u, 2u)
/* A task should keep another worker busy for so long, on average: each of the two workers spends 200 ns on it. */
#define WORTH_NS 100u

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

/* After poor steals: one try now and then. */
static bool declines(struct filchi_spawn_policy *p, uint64_t now_ns)
{
	if (p->poor < FILCHI_SPAWN_POOR)
		return false;
	if (now_ns - p->tried_at < p->pause_ns)
		return true;
	p->tried_at = now_ns;
	p->pause_ns = p->pause_ns ? 2 * p->pause_ns : PAUSE_MIN_NS;
	if (p->pause_ns > PAUSE_MAX_NS)
		p->pause_ns = PAUSE_MAX_NS;
	return false;
}

struct filchi_spawn_decision filchi_spawn_decide(struct filchi_spawn_policy *p, const struct filchi_spawn_view *v)
{
	size_t enough;

	if (declines(p, v->now_ns))
		return (struct filchi_spawn_decision){false, false, 0};
	if (v->requested && p->budget < FOR_REQUEST) {
		p->budget = FOR_REQUEST;
		p->on_request = true;
	}
	/* Thieves may have taken some of the suspended items: then the backlog is larger. */
	if (p->budget)
		enough = v->suspended + backlog_of(p) + (size_t)FOR_EACH_IDLE * v->idle;
	else
		enough = v->queued + may_make_one(p, v);
	if (v->queued >= enough)
		return (struct filchi_spawn_decision){false, false, 0};
	return (struct filchi_spawn_decision){true, v->queued + 1 < enough, (uint32_t)(enough - v->queued - 1)};
}

void filchi_spawn_started(struct filchi_spawn_policy *p)
{
	if (p->budget < FOR_JOB)
		p->budget = FOR_JOB;
	p->unchecked = 0;
	p->on_request = false;
}

void filchi_spawn_was_stolen(struct filchi_spawn_policy *p, bool poor)
{
	if (poor) {
		p->poor++;
		return;
	}
	p->poor = 0;
	p->pause_ns = 0;
	if (p->budget < BUDGET_MAX) {
		p->budget = p->budget < BUDGET_MAX - FOR_STOLEN ? p->budget + FOR_STOLEN : BUDGET_MAX;
		p->on_request = false;
	}
}

uint32_t filchi_spawn_n_batch(struct filchi_spawn_n_policy *p, uint64_t now_ns)
{
	/* If no task was synced, the policy assumes that all of them have been running since. */
	uint64_t tasks = p->joined ? p->joined : p->gave;
	uint64_t ns = p->joined ? p->joined_ns : now_ns - p->gave_at;

	if (!p->at_once)
		p->at_once = FILCHI_SPAWN_N_AT_ONCE;
	else if (ns >= WORTH_NS * tasks)
		p->at_once = 2 * p->at_once < FILCHI_SPAWN_N_AT_ONCE ? 2 * p->at_once : FILCHI_SPAWN_N_AT_ONCE;
	else if (p->joined)
		p->at_once = p->at_once / 2 > AT_ONCE_MIN ? p->at_once / 2 : AT_ONCE_MIN;
	p->gave_at = now_ns;
	p->joined = 0;
	p->joined_ns = 0;
	return p->at_once;
}
