/* SPDX-License-Identifier: Apache-2.0 */
/* A simulated job: makes the ranks, lets time pass, and checks the end. */
#include "../ranks.h"
#include "inside.h"

#include <errno.h>
#include <filch/search.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MESSAGES = 256 }; /* that a step handles at most */

void filchi_sim_fail(struct filchi_sim *s, const char *format, ...)
{
	va_list args;

	if (s->result->failure[0])
		return;
	va_start(args, format);
	vsnprintf(s->result->failure, sizeof(s->result->failure), format, args);
	va_end(args);
}

static int make_rank(struct filchi_sim *s, int i)
{
	struct filchi_sim_rank *k = &s->rank[i];
	const struct filchi_sim_config *c = &s->c;
	struct filchi_ranks_host host = filchi_sim_host;
	struct filchi_ranks_hello hello = {.order = 1};
	struct filchi_ranks_config config = {.group = c->group,
					     .report_ns = c->report_ns,
					     .calm_ns = c->calm_ns,
					     .heartbeat_ns = c->heartbeat_ns,
					     .retry_ns = 2000000,
					     .piece = c->exact ? 160 : 1 << 22,
					     .checkpoint_at_end = c->checkpoints > 0};

	k->sim = s;
	host.arg = k;
	filchi_sim_net_init(k, i);
	k->best = UINT64_MAX;
	k->mean_ns = c->node_ns * (filchi_sim_uniform(s) < c->slow ? c->slow_factor : 1);
	if (filchi_sim_uniform(s) < c->stopped) {
		k->stop_at = filchi_sim_uniform(s) * c->node_ns * (double)c->nodes / c->ranks;
		k->stop_until = k->stop_at + c->stopped_ns * filchi_sim_uniform(s);
	}
	filchi_sim_plan(k, 1 + filchi_sim_uniform(s) * c->latency_ns);
	return filchi_ranks_create(&k->ranks, &k->net, &host, &config, &hello);
}

/* When its protocol wants to look again, apart from the load. */
static double wishes(const struct filchi_sim_rank *k)
{
	const struct filchi_ranks *r = k->ranks;
	const struct filchi_ranks_member *me = &r->member;
	double next = INFINITY, now = k->sim->now;

	if (!me->started || me->ending)
		return INFINITY;
	if (me->orders && k->count)
		next = now + k->sim->c.poll_ns / 8;
	if (me->reported_load == UINT64_MAX && !me->idle)
		next = fmin(next, (double)(me->reported_ns + (r->config.report_ns << me->refusals)));
	if (me->reported_load < 2 && k->count) /* it tells as soon as it can give */
		next = fmin(next, now + (double)r->config.report_ns);
	if (r->group && r->group->up_load == UINT64_MAX)
		next = fmin(next, (double)(r->group->up_ns + r->config.report_ns));
	return next;
}

/* The next time at which the rank should look by itself. */
static void plan(struct filchi_sim_rank *k)
{
	struct filchi_sim *s = k->sim;
	double look = s->now / 16 < 1e6 ? 1e6 : s->now / 16, next; /* at first often, because much changes */

	next = s->now + (look < s->c.look_ns ? look : s->c.look_ns);

	if (filchi_ranks_over(k->ranks) && !k->inbox)
		return;
	if (k->count && !k->stopping) {
		double dry = (k->clock > s->now ? k->clock : s->now) + (double)k->weight * k->mean_ns;

		if (dry - s->now > 2 * FILCHI_RANKS_AHEAD_NS)
			dry -= FILCHI_RANKS_AHEAD_NS;
		else if (dry > s->now + s->c.poll_ns)
			dry = s->now + s->c.poll_ns;
		next = fmin(next, dry);
	} else if (k->stopping && k->stop_wish >= 0) {
		next = k->stop_wish;
	}
	next = k->inbox || k->snap_due ? s->now + 1 : fmin(next, wishes(k));
	filchi_sim_plan(k, next);
}

static void step(struct filchi_sim_rank *k)
{
	struct filchi_sim *s = k->sim;

	if (k->busy_until < s->now)
		k->busy_until = s->now;
	k->last_step = s->now;
	if (k->snap_due && filchi_sim_uniform(s) < 0.5)
		filchi_sim_make_part(k);
	if (s->c.limit && s->explored >= s->c.limit && k->net.rank == s->c.ranks / 2 && !k->stopping &&
	    filchi_ranks_started(k->ranks))
		filchi_ranks_stop(k->ranks, FILCH_SEARCH_NODES, 0, "");
	if (k->stopping && k->stop_wish >= 0 && s->now >= k->stop_wish) {
		k->stop_wish = -1;
		filchi_ranks_leave(k->ranks, FILCHI_RANKS_NO_KEY);
	}
	if (filchi_ranks_step(k->ranks, (uint64_t)s->now, MESSAGES) < 0 && !s->no_memory)
		filchi_sim_fail(s, "rank %d has got a message that it does not know", k->net.rank);
	if (k->net.rank == 0)
		s->result->root_busy += (k->busy_until - s->now) * 1e-9;
	plan(k);
}

/* What the root knows of the bound is never better than the truth. */
static void check_bound(struct filchi_sim *s)
{
	struct filchi_ranks_sums sums;

	if (!s->c.exact || !filchi_ranks_started(s->rank[0].ranks) || filchi_ranks_ending(s->rank[0].ranks, NULL))
		return;
	filchi_ranks_sums(s->rank[0].ranks, &sums);
	if (s->lowest < s->c.nodes && sums.bound > s->lowest)
		filchi_sim_fail(s, "the root believes in the bound %llu, but node %llu is open",
				(unsigned long long)sums.bound, (unsigned long long)s->lowest);
}

/* Each rank that waits for nodes is in the books of one coordinator: no ask is lost. */
static void check_asks(struct filchi_sim *s)
{
	int asked = 0, known = s->rank[0].ranks->root_hub->asks;

	for (int i = 0; i < s->c.ranks; i++) {
		const struct filchi_ranks *r = s->rank[i].ranks;

		asked += r->member.asked;
		known += r->group ? r->group->asks : 0;
	}
	if (asked != known)
		filchi_sim_fail(s, "%d ranks wait for nodes, but coordinators know of %d", asked, known);
}

static void check_end(struct filchi_sim *s)
{
	struct filchi_ranks_end end;
	uint64_t open = 0;

	for (int i = 0; i < s->c.ranks; i++) {
		struct filchi_sim_rank *k = &s->rank[i];

		open += k->weight;
		(void)filchi_ranks_ending(k->ranks, &end);
		if (!filchi_ranks_over(k->ranks))
			filchi_sim_fail(s, "rank %d does not end", i);
		else if (end.end != FILCH_SEARCH_DONE && (end.end != FILCH_SEARCH_NODES || !s->c.limit))
			filchi_sim_fail(s, "rank %d ends by %d: %s", i, end.end, end.text);
		else if (s->c.exact && end.end == FILCH_SEARCH_DONE && k->best != s->best)
			filchi_sim_fail(s, "rank %d has another best value", i);
		if (k->work_ns + k->waited_ns > 0)
			s->result->waiting += k->waited_ns * 1e-9;
		s->result->work += k->work_ns * 1e-9;
	}
	if (end.end == FILCH_SEARCH_DONE)
		check_asks(s);
	if (end.end == FILCH_SEARCH_DONE && (s->explored != s->c.nodes || open))
		filchi_sim_fail(s, "the search is over, but %llu of %llu nodes are explored",
				(unsigned long long)s->explored, (unsigned long long)s->c.nodes);
	if (s->explored + open != s->c.nodes)
		filchi_sim_fail(s, "%llu nodes are explored and %llu open: there are %llu",
				(unsigned long long)s->explored, (unsigned long long)open,
				(unsigned long long)s->c.nodes);
	s->result->explored = s->explored;
	s->result->seconds = s->now * 1e-9;
}

/* Lets time pass until nothing happens any more, or until the job dies. */
static void run(struct filchi_sim *s, double dies_at)
{
	double next_checkpoint = s->c.checkpoints ? filchi_sim_uniform(s) * 1e8 : INFINITY;
	uint64_t most = 2000000 + 2000 * (uint64_t)s->c.ranks + 100 * s->c.nodes;
	struct filchi_sim_event e;

	while (!s->result->failure[0] && filchi_sim_next(s, &e)) {
		if (e.packet)
			filchi_sim_arrive(s, &e);
		if (s->has_saved && s->now > dies_at)
			return;
		if (e.packet)
			continue;
		if (e.rank == 0 && s->now >= next_checkpoint && filchi_ranks_checkpoint(s->rank[0].ranks))
			next_checkpoint = s->now + filchi_sim_uniform(s) * 2e8;
		step(&s->rank[e.rank]);
		if (e.rank == 0)
			check_bound(s);
		if (s->c.exact && s->result->events > most)
			filchi_sim_fail(s, "the job goes on for ever");
	}
	check_end(s);
}

static void free_ranks(struct filchi_sim *s)
{
	for (int i = 0; s->rank && i < s->c.ranks; i++) {
		filchi_ranks_destroy(s->rank[i].ranks);
		free(s->rank[i].open);
	}
	filchi_sim_net_fini(s);
	free(s->rank);
	s->rank = NULL;
	s->heap = NULL;
	s->pair = NULL;
	s->events = s->room = s->pairs = s->pair_room = 0;
}

static int make_ranks(struct filchi_sim *s)
{
	int err = 0;

	s->now = 0;
	s->rank = calloc((size_t)s->c.ranks, sizeof(*s->rank));
	for (int i = 0; s->rank && !err && i < s->c.ranks; i++)
		err = make_rank(s, i);
	return s->rank ? err : -ENOMEM;
}

/* The nodes of the last checkpoint, with another number of ranks. Nodes that were explored since are open again. */
static int restart(struct filchi_sim *s)
{
	int err;

	free_ranks(s);
	s->c.ranks = 1 + (int)(filchi_sim_uniform(s) * 2 * s->c.ranks);
	s->explored = 0;
	s->lowest = 0;
	s->best = UINT64_MAX;
	for (uint64_t id = 0; id < s->c.nodes; id++) {
		uint64_t key = filchi_sim_hash(id ^ 0xabcdef) >> 8;

		s->seen[id] = s->saved_seen[id] ? 2 : 0;
		s->explored += s->saved_seen[id];
		if (s->saved_seen[id])
			s->best = key < s->best ? key : s->best;
	}
	while (s->lowest < s->c.nodes && s->seen[s->lowest])
		s->lowest++;
	s->parts_count = 0;
	s->result->restarts++;
	err = make_ranks(s);
	for (size_t i = 0; !err && i < s->saved_count; i++)
		if (!filchi_sim_push(&s->rank[0], s->saved[i]))
			err = -ENOMEM;
	for (uint64_t id = 0; !err && id < s->c.nodes; id++) {
		uint64_t key = filchi_sim_hash(id ^ 0xabcdef) >> 8;

		if (s->seen[id] == 2 && key == s->best) {
			s->rank[0].best = key;
			filchi_ranks_improved(s->rank[0].ranks, key, &id, sizeof(id));
		}
	}
	s->c.checkpoints = 0;
	return err;
}

static int play(struct filchi_sim *s)
{
	double dies_at = s->c.dies ? s->c.node_ns * (double)s->c.nodes / s->c.ranks * filchi_sim_uniform(s) : INFINITY;
	int err = make_ranks(s);

	if (err || !filchi_sim_push(&s->rank[0], (struct filchi_sim_interval){0, s->c.nodes}))
		return -ENOMEM;
	s->rank[0].began = true;
	run(s, dies_at);
	if (s->result->failure[0] || !(s->has_saved && s->now > dies_at && s->result->seconds == 0))
		return s->no_memory ? -ENOMEM : 0;
	err = restart(s);
	if (!err)
		run(s, INFINITY);
	return s->no_memory ? -ENOMEM : err;
}

int filchi_sim_run(const struct filchi_sim_config *config, struct filchi_sim_result *result)
{
	struct filchi_sim s = {.c = *config, .result = result, .random = config->seed, .best = UINT64_MAX};
	int err = -ENOMEM;

	memset(result, 0, sizeof(*result));
	if (config->exact) {
		s.seen = calloc(config->nodes, 1);
		s.saved_seen = calloc(config->nodes, 1);
		s.seen_at = calloc(config->nodes, sizeof(*s.seen_at));
		s.seen_by = calloc(config->nodes, sizeof(*s.seen_by));
	}
	if (!config->exact || (s.seen && s.saved_seen && s.seen_at && s.seen_by))
		err = play(&s);
	free_ranks(&s);
	free(s.seen);
	free(s.saved_seen);
	free(s.seen_at);
	free(s.seen_by);
	free(s.saved);
	free(s.parts);
	return err;
}
