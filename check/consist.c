/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The memory model: RC11 (Lahav, Vafeiadis, Kang, Hur, Dreyer: Repairing Sequential Consistency in C/C++11, 2017),
 * with the release sequences of C++20 (only read-modify-writes continue one).
 *
 *   coherence   hb ; eco? is irreflexive, where eco = (rf | co | fr)+
 *   atomicity   nothing comes between the two halves of a read-modify-write in co
 *   seq_cst     psc = psc_base | psc_F is acyclic
 *   no thin air po | rf is acyclic: by construction, because a read only reads a write that is already there
 *
 * No event happens after a new event. So coherence only sets lower bounds: for the writes that a new read may read, and
 * for the place of a new write. An event at the latest place in co adds no outgoing edge, and so no cycle.
 */
#include "internal.h"

static bool seen_write(const struct graph *g, const struct event *w, const struct clock *clock)
{
	if (clock_has(clock, id_of(w)))
		return true;
	for (event_id r = w->readers; r; r = at_id(g, r)->next_reader)
		if (clock_has(clock, r))
			return true;
	return false;
}

event_id chki_seen(const struct graph *g, unsigned loc, const struct clock *clock)
{
	for (event_id w = g->co[loc].last; w; w = at_id(g, w)->co_prev)
		if (seen_write(g, at_id(g, w), clock))
			return w;
	return 0;
}

/* The events that happen before an access, without the access itself and the writes that it acquires. */
static const struct clock *clock_before(const struct graph *g, const struct event *e)
{
	return &chki_graph_before(g, e)->hb;
}

unsigned chki_read_options(const struct graph *g, const struct event *read, event_id *out)
{
	event_id bound = chki_seen(g, read->loc, clock_before(g, read));
	unsigned n = 0;

	for (event_id w = g->co[read->loc].last; w; w = at_id(g, w)->co_prev) {
		out[n++] = w;
		if (w == bound)
			break;
	}
	return n;
}

/* Is the place after w taken by a read-modify-write of w? */
bool chki_place_taken(const struct graph *g, event_id w)
{
	event_id next = w ? at_id(g, w)->co_next : 0;

	if (!next)
		return false;
	const struct event *e = at_id(g, next);

	return (e->flags & EF_RMW) && (e - 1)->rf == w;
}

unsigned chki_write_options(const struct graph *g, const struct event *write, event_id *out)
{
	unsigned n = 0;

	if (write->flags & EF_RMW) {
		event_id replaced = (write - 1)->rf;

		if (!chki_place_taken(g, replaced))
			out[n++] = replaced;
		return n;
	}
	event_id bound = chki_seen(g, write->loc, clock_before(g, write));

	for (event_id w = g->co[write->loc].last; w; w = at_id(g, w)->co_prev) {
		if (!chki_place_taken(g, w))
			out[n++] = w;
		if (w == bound)
			return n;
	}
	out[n++] = 0;
	return n;
}

bool chki_is_latest(const struct graph *g, const struct event *e)
{
	return (e->kind == EV_READ ? at_id(g, e->rf) : e)->co_next == 0;
}

bool chki_read_coherent(const struct graph *g, const struct event *read)
{
	const struct clock *clock = clock_before(g, read);

	for (event_id w = at_id(g, read->rf)->co_next; w; w = at_id(g, w)->co_next)
		if (seen_write(g, at_id(g, w), clock))
			return false;
	return true;
}

/*
 * psc over the seq_cst events, spelled out by what the ends are.
 *
 * For accesses of one location let rank be 2 * position in co for a write and one more for a read of it: then
 * (a, b) is in eco exactly if rank(a) < rank(b), and in co | fr if moreover b is a write.
 */
enum { MAX_SC = 256, WORDS = MAX_SC / 64 };

struct sc_graph {
	unsigned n;
	const struct event *event[MAX_SC];
	uint64_t next[MAX_SC][WORDS];
};

static unsigned rank_of[THREADS * (MAX_EVENTS + 1)];

static unsigned *rank(const struct event *e)
{
	return &rank_of[(unsigned)e->thread * (MAX_EVENTS + 1) + e->index];
}

static void rank_all(const struct graph *g)
{
	unsigned locations = chki_locations();

	for (unsigned loc = 1; loc < locations; loc++) {
		unsigned position = 2;

		for (event_id w = g->co[loc].first; w; w = at_id(g, w)->co_next, position += 2) {
			*rank(at_id(g, w)) = position;
			for (event_id r = at_id(g, w)->readers; r; r = at_id(g, r)->next_reader)
				*rank(at_id(g, r)) = position + 1;
		}
	}
}

static bool happens_before(const struct event *a, const struct event *b)
{
	return a != b && clock_has(&b->hb, id_of(a));
}

/* Calls for each access of the location; stops at the first for which it is true. */
typedef bool access_test(const struct event *access, const struct event *a, const struct event *b);

static bool any_access(const struct graph *g, unsigned loc, access_test *test, const struct event *a,
		       const struct event *b)
{
	for (event_id w = g->co[loc].first; w; w = at_id(g, w)->co_next) {
		if (test(at_id(g, w), a, b))
			return true;
		for (event_id r = at_id(g, w)->readers; r; r = at_id(g, r)->next_reader)
			if (test(at_id(g, r), a, b))
				return true;
	}
	return false;
}

/* access a, fence b: a (hb on its location | co | fr) access, hb, b */
static bool access_to_fence(const struct event *x, const struct event *a, const struct event *b)
{
	return happens_before(x, b) && (happens_before(a, x) || (x->kind == EV_WRITE && *rank(a) < *rank(x)));
}

/* fence a, access b: a, hb, access (hb on its location | co | fr) b */
static bool fence_to_access(const struct event *x, const struct event *a, const struct event *b)
{
	return happens_before(a, x) && (happens_before(x, b) || (b->kind == EV_WRITE && *rank(x) < *rank(b)));
}

/*
 * fence a hb ; eco ; hb fence b: the lowest rank after a is below the highest rank before b, on some location. Events
 * after a fence are also after the earlier fences of its thread, and the other way around.
 */
struct reach {
	uint16_t lowest[MAX_LOCATIONS], highest[MAX_LOCATIONS];
};
static struct reach reach_of[MAX_SC];

/* As seen from the fences of one thread, from first up to end. */
static void note_access(const struct sc_graph *s, unsigned first, unsigned end, const struct event *e)
{
	unsigned after = first, before = end, loc = e->loc;
	uint16_t at = (uint16_t)*rank(e);

	while (after < end && clock_has(&e->hb, id_of(s->event[after])))
		after++;
	while (before > first && clock_has(&s->event[before - 1]->hb, id_of(e)))
		before--;
	if (after > first && at < reach_of[after - 1].lowest[loc])
		reach_of[after - 1].lowest[loc] = at;
	if (before < end && at > reach_of[before].highest[loc])
		reach_of[before].highest[loc] = at;
}

static void note_thread(const struct graph *g, const struct sc_graph *s, unsigned first, unsigned end)
{
	unsigned locations = chki_locations();

	for (unsigned i = first; i < end; i++) {
		memset(reach_of[i].lowest, 0xff, locations * sizeof(uint16_t));
		memset(reach_of[i].highest, 0, locations * sizeof(uint16_t));
	}
	for (unsigned loc = 1; loc < locations; loc++)
		for (event_id w = g->co[loc].first; w; w = at_id(g, w)->co_next) {
			note_access(s, first, end, at_id(g, w));
			for (event_id r = at_id(g, w)->readers; r; r = at_id(g, r)->next_reader)
				note_access(s, first, end, at_id(g, r));
		}
	for (unsigned i = end - 1; i > first; i--)
		for (unsigned loc = 1; loc < locations; loc++)
			if (reach_of[i].lowest[loc] < reach_of[i - 1].lowest[loc])
				reach_of[i - 1].lowest[loc] = reach_of[i].lowest[loc];
	for (unsigned i = first + 1; i < end; i++)
		for (unsigned loc = 1; loc < locations; loc++)
			if (reach_of[i].highest[loc] < reach_of[i - 1].highest[loc])
				reach_of[i].highest[loc] = reach_of[i - 1].highest[loc];
}

/* Events are sorted by thread. Accesses take part in this as if they were fences; their results are not used. */
static void note_reach(const struct graph *g, const struct sc_graph *s)
{
	for (unsigned first = 0, end; first < s->n; first = end) {
		for (end = first; end < s->n && s->event[end]->thread == s->event[first]->thread;)
			end++;
		note_thread(g, s, first, end);
	}
}

static bool fence_to_fence(const struct sc_graph *s, unsigned a, unsigned b)
{
	unsigned locations = chki_locations();
	unsigned found = 0;

	if (happens_before(s->event[a], s->event[b]))
		return true;
	/* Without a way out, so that the compiler takes many at once. */
	for (unsigned loc = 1; loc < locations; loc++)
		found |= reach_of[a].lowest[loc] < reach_of[b].highest[loc];
	return found;
}

/* po to another location, hb, po from another location: the nearest events on both sides decide. */
static bool around_by_hb(const struct graph *g, const struct event *a, const struct event *b)
{
	unsigned c = a->index + 1u, d = b->index - 1u, end = g->length[a->thread];

	while (c <= end && at_id(g, event_name(a->thread, c))->loc == a->loc)
		c++;
	while (d && at_id(g, event_name(b->thread, d))->loc == b->loc)
		d--;
	return c <= end && d && at_id(g, event_name(b->thread, d))->hb.of[a->thread] >= c;
}

static bool access_to_access(const struct graph *g, const struct event *a, const struct event *b)
{
	if (a->thread == b->thread)
		return a->index < b->index;
	if (a->loc == b->loc && (happens_before(a, b) || (b->kind == EV_WRITE && *rank(a) < *rank(b))))
		return true;
	return around_by_hb(g, a, b);
}

static bool psc_edge(const struct graph *g, const struct sc_graph *s, unsigned from, unsigned to)
{
	const struct event *a = s->event[from], *b = s->event[to];
	bool from_fence = a->kind == EV_FENCE, to_fence = b->kind == EV_FENCE;

	if (from_fence && to_fence)
		return fence_to_fence(s, from, to);
	if (from_fence) {
		/* hb to what is just before b in its thread is hb ; po */
		return b->index > 1 &&
		       (b - 1 == a || happens_before(a, b - 1) || any_access(g, b->loc, fence_to_access, a, b));
	}
	if (to_fence) {
		/* what is just after a in its thread happens before b, or is b: po ; hb */
		return b->hb.of[a->thread] > a->index || any_access(g, a->loc, access_to_fence, a, b);
	}
	return access_to_access(g, a, b);
}

static bool visit(struct sc_graph *s, unsigned from, uint8_t *state)
{
	state[from] = 1;
	for (unsigned w = 0; w * 64 < s->n; w++) {
		for (uint64_t bits = s->next[from][w]; bits; bits &= bits - 1) {
			unsigned to = w * 64 + (unsigned)__builtin_ctzll(bits);

			if (state[to] == 1 || (state[to] == 0 && !visit(s, to, state)))
				return false;
		}
	}
	state[from] = 2;
	return true;
}

static unsigned collect_sc(const struct graph *g, const struct event **out)
{
	unsigned n = 0;

	for (unsigned t = 0; t < g->threads; t++) {
		for (unsigned i = 1; i <= g->length[t]; i++) {
			const struct event *e = at_id(g, event_name(t, i));

			if (e->order == CHK_SC && e->kind >= EV_READ) {
				if (n == MAX_SC)
					return MAX_SC + 1;
				out[n++] = e;
			}
		}
	}
	return n;
}

bool chki_seq_cst_ok(const struct graph *g)
{
	static struct sc_graph s;
	uint8_t state[MAX_SC] = {0};

	s.n = collect_sc(g, s.event);
	if (s.n < 2)
		return true;
	if (s.n > MAX_SC) {
		chki_set_failure(CHK_MISUSE, "more than %d seq_cst events in one execution", MAX_SC);
		return false;
	}
	rank_all(g);
	note_reach(g, &s);
	for (unsigned a = 0; a < s.n; a++) {
		memset(s.next[a], 0, sizeof s.next[a]);
		for (unsigned b = 0; b < s.n; b++)
			if (a != b && psc_edge(g, &s, a, b))
				s.next[a][b / 64] |= (uint64_t)1 << (b % 64);
	}
	for (unsigned a = 0; a < s.n; a++)
		if (!state[a] && !visit(&s, a, state))
			return false;
	return true;
}
