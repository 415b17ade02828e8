/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Execution graphs. The clocks are derived from po and rf, and are computed when an event gets its place. Later events
 * cannot change them: an event is added, or gets another rf, only while no other event depends on it.
 */
#include "internal.h"

#include <stdlib.h>

unsigned chki_stride;

bool chki_graph_alloc(struct graph *g)
{
	g->events = calloc((size_t)THREADS * chki_stride, sizeof *g->events);
	g->co = calloc(MAX_LOCATIONS, sizeof *g->co);
	if (!g->events || !g->co) {
		chki_graph_release(g);
		return false;
	}
	memset(g->length, 0, sizeof g->length);
	g->threads = 0;
	g->stamp = 0;
	return true;
}

void chki_graph_release(struct graph *g)
{
	free(g->events);
	free(g->co);
	g->events = NULL;
	g->co = NULL;
}

void chki_graph_clear(struct graph *g)
{
	memset(g->length, 0, sizeof g->length);
	memset(g->co, 0, chki_locations() * sizeof *g->co);
	g->threads = 0;
	g->stamp = 0;
}

const struct event *chki_graph_before(const struct graph *g, const struct event *e)
{
	if (e->index > 1)
		return e - 1;
	return e->rf ? at_id(g, e->rf) : NULL;
}

static void inherit(const struct graph *g, struct event *e)
{
	static const struct clock none;
	const struct event *before = chki_graph_before(g, e);

	e->hb = before ? before->hb : none;
	e->porf = before ? before->porf : none;
	e->unacquired = before && e->index > 1 ? before->unacquired : none;
	e->release_fence = before && e->index > 1 ? before->release_fence : 0;
	e->hb.of[e->thread] = e->porf.of[e->thread] = e->index;
}

struct event *chki_graph_append(struct graph *g, unsigned thread, enum event_kind kind, unsigned order,
				struct chk_site *site)
{
	if (g->length[thread] + 1u >= chki_stride)
		return NULL;
	unsigned index = ++g->length[thread];
	struct event *e = at_id(g, event_name(thread, index));

	e->kind = (uint8_t)kind;
	e->thread = (uint8_t)thread;
	e->order = (uint8_t)order;
	e->flags = 0;
	e->index = (uint16_t)index;
	e->loc = 0;
	e->other = 0;
	e->rf = e->co_prev = e->co_next = e->readers = e->next_reader = 0;
	e->size = 0;
	e->stamp = ++g->stamp;
	e->value = e->expected = 0;
	e->site = site;
	if (thread >= g->threads)
		g->threads = thread + 1;
	inherit(g, e);
	if (kind == EV_FENCE) {
		if (is_acquire(order))
			clock_join(&e->hb, &e->unacquired);
		if (is_release(order))
			e->release_fence = e->index;
	}
	return e;
}

void chki_graph_set_wait(struct graph *g, struct event *e, event_id awaited)
{
	const struct event *w = at_id(g, awaited);

	e->rf = awaited;
	inherit(g, e);
	clock_join(&e->hb, &w->hb);
	clock_join(&e->porf, &w->porf);
}

static void unlink_reader(struct graph *g, struct event *read)
{
	event_id *link = &at_id(g, read->rf)->readers;
	event_id self = id_of(read);

	while (*link != self)
		link = &at_id(g, *link)->next_reader;
	*link = read->next_reader;
	read->rf = 0;
}

void chki_graph_set_rf(struct graph *g, struct event *read, event_id write)
{
	if (read->rf)
		unlink_reader(g, read);
	struct event *w = at_id(g, write);

	read->rf = write;
	read->next_reader = w->readers;
	w->readers = id_of(read);
	read->value = w->value;
	if (read->flags & EF_CAS) {
		bool success = read->value == read->expected;

		read->order = (uint8_t)(success ? read->site->order : read->site->fail);
		read->flags = (uint8_t)(success ? read->flags | EF_RMW : read->flags & ~EF_RMW);
	}
	inherit(g, read);
	clock_join(&read->porf, &w->porf);
	if (is_acquire(read->order))
		clock_join(&read->hb, &w->message);
	else
		clock_join(&read->unacquired, &w->message);
}

void chki_graph_finish_write(struct graph *g, struct event *write)
{
	if (is_release(write->order))
		write->message = write->hb;
	else if (write->release_fence)
		write->message = at_id(g, event_name(write->thread, write->release_fence))->hb;
	else
		memset(&write->message, 0, sizeof write->message);
	/* Only a read-modify-write continues the release sequence of the write it replaces. */
	if (write->flags & EF_RMW)
		clock_join(&write->message, &at_id(g, (write - 1)->rf)->message);
}

void chki_graph_co_insert(struct graph *g, event_id write, event_id after)
{
	struct event *w = at_id(g, write);
	struct order_ends *ends = &g->co[w->loc];

	w->co_prev = after;
	w->co_next = after ? at_id(g, after)->co_next : ends->first;
	if (after)
		at_id(g, after)->co_next = write;
	else
		ends->first = write;
	if (w->co_next)
		at_id(g, w->co_next)->co_prev = write;
	else
		ends->last = write;
}

void chki_graph_co_remove(struct graph *g, event_id write)
{
	struct event *w = at_id(g, write);
	struct order_ends *ends = &g->co[w->loc];

	if (w->co_prev)
		at_id(g, w->co_prev)->co_next = w->co_next;
	else
		ends->first = w->co_next;
	if (w->co_next)
		at_id(g, w->co_next)->co_prev = w->co_prev;
	else
		ends->last = w->co_prev;
	w->co_prev = w->co_next = 0;
}

static bool in_co(const struct graph *g, const struct event *w)
{
	return w->co_prev || w->co_next || g->co[w->loc].first == id_of(w);
}

void chki_graph_truncate(struct graph *g, uint32_t stamp)
{
	for (unsigned t = 0; t < g->threads; t++) {
		while (g->length[t]) {
			struct event *e = at_id(g, event_name(t, g->length[t]));

			if (e->stamp <= stamp)
				break;
			if (e->kind == EV_READ && e->rf)
				unlink_reader(g, e);
			else if (e->kind == EV_WRITE && in_co(g, e))
				chki_graph_co_remove(g, id_of(e));
			g->length[t]--;
		}
	}
	while (g->threads && !g->length[g->threads - 1])
		g->threads--;
	g->stamp = stamp;
}

static void copy_rows(struct graph *into, const struct graph *from, uint32_t stamp, const struct clock *prefix)
{
	into->threads = 0;
	for (unsigned t = 0; t < THREADS; t++) {
		unsigned n = t < from->threads ? from->length[t] : 0;
		const struct event *row = &from->events[t * chki_stride];

		while (n && row[n].stamp > stamp && n > prefix->of[t])
			n--;
		into->length[t] = (uint16_t)n;
		memcpy(&into->events[t * chki_stride + 1], row + 1, n * sizeof *row);
	}
	/* A thread starts with its creation: where the one stays, so does the other. */
	for (unsigned t = 0; t < THREADS; t++) {
		const struct event *start = &from->events[t * chki_stride + 1];

		if (!into->length[t] && t && t < from->threads && from->length[t] &&
		    event_index(start->rf) <= into->length[event_thread(start->rf)]) {
			into->events[t * chki_stride + 1] = *start;
			into->length[t] = 1;
		}
		if (into->length[t])
			into->threads = t + 1;
	}
}

void chki_graph_restrict(struct graph *into, const struct graph *from, event_id read, event_id write)
{
	copy_rows(into, from, at_id(from, read)->stamp, &at_id(from, write)->porf);
	into->stamp = from->stamp;
	unsigned locations = chki_locations();

	memset(into->co, 0, locations * sizeof *into->co);
	for (unsigned loc = 1; loc < locations; loc++) {
		event_id last = 0;

		for (event_id w = from->co[loc].first; w; w = at_id(from, w)->co_next) {
			if (event_index(w) > into->length[event_thread(w)] || w == write)
				continue;
			chki_graph_co_insert(into, w, last);
			last = w;
		}
	}
	for (unsigned t = 0; t < into->threads; t++)
		for (unsigned i = 1; i <= into->length[t]; i++)
			at_id(into, event_name(t, i))->readers = 0;
	for (unsigned t = 0; t < into->threads; t++) {
		for (unsigned i = 1; i <= into->length[t]; i++) {
			struct event *e = at_id(into, event_name(t, i));

			if (e->kind != EV_READ)
				continue;
			if (id_of(e) == read) {
				e->rf = 0;
				continue;
			}
			struct event *w = at_id(into, e->rf);

			e->next_reader = w->readers;
			w->readers = id_of(e);
		}
	}
	struct event *w = at_id(into, write);

	w->co_prev = w->co_next = 0;
}

static uint64_t mix(uint64_t h, uint64_t v)
{
	h = (h ^ v) * 0x9E3779B97F4A7C15u;
	return h ^ h >> 29;
}

/* Equal for executions that differ only in the order in which they were explored. */
uint64_t chki_graph_hash(const struct graph *g)
{
	uint64_t h = 1;

	for (unsigned t = 0; t < g->threads; t++) {
		for (unsigned i = 1; i <= g->length[t]; i++) {
			const struct event *e = at_id(g, event_name(t, i));

			h = mix(h, (uint64_t)e->kind << 32 | (uint64_t)t << 16 | i);
			h = mix(h, e->loc ? chki_location_address(e->loc) : 0);
			h = mix(h, e->value);
			h = mix(h, e->kind == EV_READ || e->kind == EV_JOIN ? e->rf
				   : e->kind == EV_WRITE		    ? e->co_prev
									    : 0u);
		}
	}
	return mix(h, 0x5851F42D4C957F2Du);
}

unsigned chki_graph_events(const struct graph *g)
{
	unsigned n = 0;

	for (unsigned t = 0; t < g->threads; t++)
		n += g->length[t];
	return n;
}
