/* SPDX-License-Identifier: Apache-2.0 */
/* A member: what each rank says for its own search. */
#define _POSIX_C_SOURCE 200809L
#include "ranks.h"

#include <errno.h>
#include <filch/search.h>
#include <stdlib.h>
#include <string.h>

enum { CHANGE = 4, SMALL = 8, REFUSALS = 6, RECORDS_MAX = 1 << 16 };

/* A message with the load, for the coordinator of this rank. */
static struct filchi_ranks_message state(struct filchi_ranks *r, uint32_t kind)
{
	const struct filchi_ranks_load *l = &r->member.load;

	return (struct filchi_ranks_message){.kind = kind,
					     .level = r->config.group ? FILCHI_RANKS_GROUP : FILCHI_RANKS_ROOT,
					     .who = r->rank,
					     .idle = r->member.idle,
					     .load = l->open,
					     .bound = r->member.idle ? FILCHI_RANKS_NO_KEY : l->bound,
					     .affinity = l->affinity,
					     .explored = l->explored,
					     .pruned = l->pruned};
}

static void to_coordinator(struct filchi_ranks *r, const struct filchi_ranks_message *m, const void *payload,
			   size_t size)
{
	int group = r->config.group;

	filchi_ranks_post(r, group ? r->rank / group * group : 0, m, payload, size);
	if (m->kind != FILCHI_RANKS_RECORDS) {
		r->member.reported_ns = r->now;
		r->member.reported_load = m->load;
	}
}

/* ---- orders ---- */

static void answer(struct filchi_ranks *r, const struct filchi_ranks_order *o, uint64_t count, const void *bytes,
		   size_t size)
{
	struct filchi_ranks_message m = {.kind = FILCHI_RANKS_BATCH,
					 .level = FILCHI_RANKS_MEMBER,
					 .who = o->asker,
					 .orderer = o->orderer,
					 .victim = o->victim,
					 .count = count};

	if (count) {
		r->member.sent++;
		r->member.nodes += count;
		r->member.bytes += size;
		r->member.refusals = 0;
		if (r->member.reported_load != UINT64_MAX) /* the coordinator takes it for so much less: order() */
			r->member.reported_load -= (uint64_t)((double)r->member.reported_load * o->proportion);
	} else {
		r->member.refusals += r->member.refusals < REFUSALS;
		r->member.reported_load = UINT64_MAX; /* the coordinator now takes it for 0, until the next report */
	}
	filchi_ranks_post(r, o->asker, &m, bytes, size);
}

/* True: the order is done. After the end a member gives no nodes, so that the counts of LEFT are final. */
static bool try_order(struct filchi_ranks *r, const struct filchi_ranks_order *o)
{
	void *bytes = NULL;
	size_t size = 0;
	uint64_t count = 0;
	bool again = false;
	int err = 0;

	if (!r->member.ending)
		err = r->host.give(r->host.arg, o->proportion, &bytes, &size, &count, &again);
	if (err)
		filchi_ranks_stop(r, FILCH_SEARCH_ERROR, err, "cannot pack nodes for another rank");
	else if (!count && again && r->now - o->since_ns < r->config.retry_ns)
		return false;
	answer(r, o, count, bytes, size);
	free(bytes);
	return true;
}

static void try_orders(struct filchi_ranks *r)
{
	struct filchi_ranks_order **at = &r->member.orders, *o;

	while ((o = *at)) {
		if (!try_order(r, o)) {
			at = &o->next;
			continue;
		}
		*at = o->next;
		free(o);
	}
	r->member.orders_end = at;
}

static void add_order(struct filchi_ranks *r, const struct filchi_ranks_message *m)
{
	struct filchi_ranks_order *o = malloc(sizeof(*o));

	if (!o) {
		r->broken = -ENOMEM;
		return;
	}
	*o = (struct filchi_ranks_order){.asker = m->who,
					 .orderer = m->orderer,
					 .victim = m->victim,
					 .proportion = m->proportion,
					 .since_ns = r->now};
	*r->member.orders_end = o;
	r->member.orders_end = &o->next;
}

/* ---- the end ---- */

/* A run that ended under the hold could tell no bound, and nodes that came later are not in it. */
static uint64_t bound_left(const struct filchi_ranks_member *me)
{
	if (me->final_bound && me->received == me->received_in_run)
		return me->final_bound;
	return me->load.open ? me->load.bound : FILCHI_RANKS_NO_KEY;
}

static void send_left(struct filchi_ranks *r)
{
	struct filchi_ranks_message m;

	r->host.look(r->host.arg, &r->member.load);
	m = state(r, FILCHI_RANKS_LEFT);
	m.level = FILCHI_RANKS_ROOT;
	m.bound = bound_left(&r->member);
	m.sent = r->member.sent;
	m.received = r->member.received;
	m.count = r->member.nodes;
	m.bytes = r->member.bytes;
	m.handled = (r->group ? r->group->handled : 0);
	r->member.left = true;
	filchi_ranks_post(r, 0, &m, NULL, 0);
}

static void end(struct filchi_ranks *r, const struct filchi_ranks_message *m, const void *payload, size_t size)
{
	if (r->member.ending)
		return;
	r->member.ending = true;
	filchi_ranks_end_is(&r->member.end, m, payload, size);
	try_orders(r);
	r->host.stop(r->host.arg, m->end);
	if (r->member.run_ended)
		send_left(r);
}

void filchi_ranks_leave(struct filchi_ranks *r, uint64_t bound)
{
	r->member.run_ended = true;
	r->member.final_bound = bound;
	r->member.received_in_run = r->member.received;
	if (r->member.ending)
		send_left(r);
}

void filchi_ranks_stop(struct filchi_ranks *r, int end, int error, const char *text)
{
	struct filchi_ranks_message m = {
		.kind = FILCHI_RANKS_STOP, .level = FILCHI_RANKS_ROOT, .who = r->rank, .end = end, .error = error};

	filchi_ranks_post(r, 0, &m, text, strnlen(text, FILCHI_RANKS_TEXT - 1));
}

/* ---- messages ---- */

/*
 * How long a rank's nodes last is a guess: they may have many children, as they do depth first. A rank that has run dry
 * before its batch came asks earlier from now on. A rank that needed no batch asks later.
 */
static void learn_ahead(struct filchi_ranks *r)
{
	struct filchi_ranks_member *me = &r->member;

	r->host.look(r->host.arg, &me->load);
	if (!me->asked)
		return;
	if (me->load.quiet)
		me->ahead_ns = me->ahead_ns > 0 ? 2 * me->ahead_ns : FILCHI_RANKS_AHEAD_NS / 16;
	else if (me->load.open > me->asked_open / 4 * 3)
		me->ahead_ns /= 2;
	if (me->ahead_ns > FILCHI_RANKS_AHEAD_NS)
		me->ahead_ns = FILCHI_RANKS_AHEAD_NS;
}

static void take_batch(struct filchi_ranks *r, const struct filchi_ranks_message *m, const void *payload, size_t size)
{
	struct filchi_ranks_message receipt;

	if (m->count) {
		int err;

		learn_ahead(r);
		err = r->host.take(r->host.arg, payload, size, m->count);

		if (err)
			filchi_ranks_stop(r, FILCH_SEARCH_ERROR, err, "cannot unpack nodes of another rank");
		r->member.received++;
		r->member.asked = false;
		r->member.idle = false;
	}
	if (r->member.left) {
		send_left(r);
		return;
	}
	r->host.look(r->host.arg, &r->member.load);
	receipt = state(r, FILCHI_RANKS_RECEIPT);
	receipt.orderer = m->orderer;
	receipt.victim = m->victim;
	receipt.count = m->count;
	to_coordinator(r, &receipt, NULL, 0);
}

static void take_best(struct filchi_ranks *r, const struct filchi_ranks_message *m, const void *payload, size_t size)
{
	int err;

	if (m->key >= r->member.best)
		return;
	r->member.best = m->key;
	err = r->host.best(r->host.arg, m->key, payload, size);
	if (err)
		filchi_ranks_stop(r, FILCH_SEARCH_ERROR, err, "cannot unpack a solution of another rank");
}

static void take_snapshot(struct filchi_ranks *r, const struct filchi_ranks_message *m)
{
	int err;

	r->member.epoch = m->epoch;
	err = r->host.snapshot(r->host.arg);
	if (err)
		filchi_ranks_stop(r, FILCH_SEARCH_ERROR, err, "cannot make its part of the checkpoint");
}

void filchi_ranks_member_handle(struct filchi_ranks *r, int from, const struct filchi_ranks_message *m,
				const void *payload, size_t size)
{
	int err = 0;

	(void)from;
	switch (m->kind) {
	case FILCHI_RANKS_START:
		r->member.started = true;
		break;
	case FILCHI_RANKS_GIVE:
		add_order(r, m);
		break;
	case FILCHI_RANKS_BATCH:
		take_batch(r, m, payload, size);
		break;
	case FILCHI_RANKS_BEST:
		take_best(r, m, payload, size);
		break;
	case FILCHI_RANKS_RECORDS:
		err = r->host.learn(r->host.arg, payload, size);
		if (err)
			filchi_ranks_stop(r, FILCH_SEARCH_ERROR, err, "cannot unpack a record of another rank");
		break;
	case FILCHI_RANKS_END:
		end(r, m, payload, size);
		break;
	case FILCHI_RANKS_SNAPSHOT:
		take_snapshot(r, m);
		break;
	case FILCHI_RANKS_BYE:
		filchi_ranks_end_is(&r->member.end, m, payload, size);
		r->member.over = true;
		break;
	default:
		r->broken = -EBADMSG;
	}
}

/* ---- what the search says ---- */

void filchi_ranks_improved(struct filchi_ranks *r, uint64_t key, const void *solution, size_t size)
{
	struct filchi_ranks_message m = {.kind = FILCHI_RANKS_BEST, .level = FILCHI_RANKS_ROOT, .key = key};

	if (key >= r->member.best)
		return;
	r->member.best = key;
	filchi_ranks_post(r, 0, &m, solution, size);
}

void filchi_ranks_part(struct filchi_ranks *r, const void *bytes, size_t size)
{
	const unsigned char *from = bytes;
	size_t piece = r->config.piece;

	do {
		size_t n = size < piece ? size : piece;
		struct filchi_ranks_message m = {.kind = FILCHI_RANKS_PART,
						 .level = FILCHI_RANKS_ROOT,
						 .epoch = r->member.epoch,
						 .last = n == size};

		filchi_ranks_post(r, 0, &m, from, n);
		from += n;
		size -= n;
	} while (size);
}

/* Records wait for each other until the next look that reports. If there are many, the newest are left out. */
void filchi_ranks_publish(struct filchi_ranks *r, uint64_t affinity, const void *record, size_t size)
{
	struct filchi_ranks_member *me = &r->member;
	uint64_t head[2] = {affinity, size};
	size_t needed = me->records_size + sizeof(head) + size;

	if (needed > RECORDS_MAX)
		return;
	if (!me->records && !(me->records = malloc(RECORDS_MAX)))
		return;
	memcpy(me->records + me->records_size, head, sizeof(head));
	memcpy(me->records + me->records_size + sizeof(head), record, size);
	me->records_size = needed;
}

static void send_records(struct filchi_ranks *r)
{
	struct filchi_ranks_message m = state(r, FILCHI_RANKS_RECORDS);

	if (!r->member.records_size)
		return;
	memcpy(&m.affinity, r->member.records, sizeof(m.affinity));
	to_coordinator(r, &m, r->member.records, r->member.records_size);
	r->member.records_size = 0;
}

/* A report is due: the load has changed enough to matter, or none was sent for long. */
static bool report_is_due(const struct filchi_ranks *r)
{
	uint64_t then = r->member.reported_load, now = r->member.load.open, since = r->now - r->member.reported_ns;
	uint64_t change = now > then ? now - then : then - now;

	if (since >= r->config.heartbeat_ns)
		return true;
	if (then == UINT64_MAX) /* an order came to nothing: the next one comes later each time */
		return since >= r->config.report_ns << r->member.refusals;
	if (then < 2 && now >= 2) /* it can give */
		return since >= r->config.report_ns;
	return since >= r->config.calm_ns && ((change > then / CHANGE && change > SMALL) || (then >= 2 && now < 2));
}

static bool runs_dry(const struct filchi_ranks_member *me)
{
	return me->load.quiet || (double)me->load.open * me->load.node_ns <= me->ahead_ns;
}

void filchi_ranks_member_look(struct filchi_ranks *r)
{
	struct filchi_ranks_member *me = &r->member;
	struct filchi_ranks_message m;

	if (!me->started || me->over)
		return;
	if (me->orders)
		try_orders(r);
	if (me->ending || me->run_ended)
		return;
	r->host.look(r->host.arg, &me->load);
	if (me->load.quiet && !me->idle) {
		me->idle = true;
		m = state(r, FILCHI_RANKS_REPORT);
		to_coordinator(r, &m, NULL, 0);
	}
	if (runs_dry(me) && !me->asked && r->ranks > 1) {
		me->asked = true;
		me->asked_open = me->load.open;
		m = state(r, FILCHI_RANKS_ASK);
		to_coordinator(r, &m, NULL, 0);
	} else if (!me->idle && report_is_due(r)) {
		m = state(r, FILCHI_RANKS_REPORT);
		to_coordinator(r, &m, NULL, 0);
		send_records(r);
	}
}

void filchi_ranks_member_fini(struct filchi_ranks *r)
{
	struct filchi_ranks_order *o;

	while ((o = r->member.orders)) {
		r->member.orders = o->next;
		free(o);
	}
	free(r->member.records);
}
