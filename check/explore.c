/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The exploration: which execution comes next.
 *
 * CHK_DPOR follows TruSt (Kokologiannakis, Marmanis, Gladstein, Vafeiadis: Truly Stateless, Optimal Dynamic Partial
 * Order Reduction, 2022). Events are added in an order that the graph alone determines. A new read branches over the
 * writes it may read, a new write over its places in co. A read cannot choose a write that comes later. So a new write
 * revisits the reads of its location on which it does not depend. A revisit drops all events that were added after the
 * read and are not in the write's porf prefix. To visit each execution only once, a revisit starts only from the graph
 * in which all dropped events were added maximally: reads read the latest write, and writes were the last.
 *
 * Each revisit starts a new level with a graph of its own; within a level, choices are undone by truncating the graph
 * to the choice's stamp. So memory is bounded by the depth of the recursion, not by the number of executions.
 *
 * CHK_NAIVE adds the choice of the thread before each event, and never revisits: every interleaving. CHK_RANDOM walks.
 */
#include "internal.h"

#include <stdlib.h>

enum choice_kind { CHOOSE_READ, CHOOSE_PLACE, CHOOSE_REVISIT, CHOOSE_THREAD };

struct choice {
	enum choice_kind kind;
	event_id event;
	uint32_t stamp;		     /* CHOOSE_THREAD: keep up to here */
	unsigned first, count, next; /* options, in the option stack */
	int last_thread, preempted;  /* as they were */
};

struct level {
	struct graph graph;
	unsigned choices; /* where its choices begin */
};

static struct {
	enum chk_mode mode;
	const struct chk_config *config;
	struct level *levels;
	unsigned depth, levels_allocated;
	struct choice *choices;
	unsigned choice_count, choice_capacity;
	event_id *options;
	unsigned option_count, option_capacity;
	int forced;	 /* the thread that a choice to be tried anew says comes next, -1: none */
	int last_thread; /* for counting preemptions */
	int preempted;	 /* so far in this execution */
	uint64_t random;
	struct script script;
	unsigned script_at;
	bool scripted;
} x;

/* ---- small things ---- */

static uint64_t next_random(void)
{
	x.random += 0x9E3779B97F4A7C15u;
	uint64_t z = x.random;

	z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
	z = (z ^ z >> 27) * 0x94D049BB133111EBu;
	return z ^ z >> 31;
}

struct graph *chki_explore_graph(void)
{
	return &x.levels[x.depth].graph;
}

static bool grow(void *array, unsigned *capacity, size_t element, unsigned needed)
{
	void **slot = array;

	if (needed <= *capacity)
		return true;
	unsigned bigger = *capacity ? *capacity : 256;

	while (bigger < needed)
		bigger *= 2;
	void *p = realloc(*slot, bigger * element);

	if (!p) {
		chki_set_failure(CHK_MISUSE, "out of memory");
		return false;
	}
	*slot = p;
	*capacity = bigger;
	return true;
}

static bool push_choice(enum choice_kind kind, event_id event, uint32_t stamp, const event_id *options, unsigned count)
{
	if (!count)
		return true;
	if (!grow(&x.choices, &x.choice_capacity, sizeof *x.choices, x.choice_count + 1) ||
	    !grow(&x.options, &x.option_capacity, sizeof *x.options, x.option_count + count))
		return false;
	memcpy(x.options + x.option_count, options, count * sizeof *options);
	x.choices[x.choice_count++] = (struct choice){
		.kind = kind,
		.event = event,
		.stamp = stamp,
		.first = x.option_count,
		.count = count,
		.last_thread = x.last_thread,
		.preempted = x.preempted,
	};
	x.option_count += count;
	return true;
}

/* ---- revisits ---- */

/* Was e added as late as could be, seen from what was there before it and what the write depends on? */
static bool added_maximally(const struct graph *g, const struct event *e, const struct event *write)
{
	const struct clock *prefix = &write->porf;
#define PREVIOUS(id) (at_id(g, id)->stamp <= e->stamp || clock_has(prefix, id))
	event_id w = 0;

	if (e->kind == EV_READ) {
		w = e->rf;
		if (!PREVIOUS(w))
			return false;
	} else if (e->kind == EV_WRITE) {
		w = id_of(e);
		for (event_id r = e->readers; r; r = at_id(g, r)->next_reader)
			if (PREVIOUS(r))
				return false;
	} else {
		return true;
	}
	for (w = at_id(g, w)->co_next; w; w = at_id(g, w)->co_next)
		if (PREVIOUS(w))
			return false;
#undef PREVIOUS
	return true;
}

/* May the write, which is not in co yet, revisit the read? */
static bool may_revisit(const struct graph *g, const struct event *read, const struct event *write)
{
	if (clock_has(&write->porf, id_of(read)))
		return false;
	for (unsigned t = 0; t < g->threads; t++) {
		for (unsigned i = g->length[t]; i > write->porf.of[t]; i--) {
			const struct event *e = at_id(g, event_name(t, i));

			if (e->stamp < read->stamp)
				break;
			if (e != write && !added_maximally(g, e, write))
				return false;
		}
	}
	return true;
}

static unsigned find_revisits(const struct graph *g, const struct event *write, event_id *out)
{
	unsigned n = 0;

	for (event_id w = g->co[write->loc].first; w; w = at_id(g, w)->co_next)
		for (event_id r = at_id(g, w)->readers; r; r = at_id(g, r)->next_reader)
			if (may_revisit(g, at_id(g, r), write))
				out[n++] = r;
	return n;
}

/* Places the write; if it revisits a read, the read must be coherent with that. */
static bool try_place(struct graph *g, event_id write, event_id after, event_id read)
{
	chki_graph_co_insert(g, write, after);
	if (chki_is_latest(g, at_id(g, write)))
		return true;
	if (read && !chki_read_coherent(g, at_id(g, read)))
		return false;
	return chki_seq_cst_ok(g);
}

static bool reserve_levels(unsigned wanted)
{
	unsigned had = x.levels_allocated;

	if (!grow(&x.levels, &x.levels_allocated, sizeof *x.levels, wanted))
		return false;
	memset(x.levels + had, 0, (x.levels_allocated - had) * sizeof *x.levels);
	return true;
}

static struct level *open_level(void)
{
	if (!reserve_levels(x.depth + 2))
		return NULL;
	struct level *level = &x.levels[x.depth + 1];

	if (!level->graph.events && !chki_graph_alloc(&level->graph)) {
		chki_set_failure(CHK_MISUSE, "out of memory");
		return NULL;
	}
	return level;
}

/* A read that a level's write revisits is the one that reads it before any event of the level exists. */
static event_id revisited_read(const struct graph *g, event_id write)
{
	return at_id(g, write)->readers;
}

static bool revisit(event_id read, event_id write)
{
	static event_id places[THREADS * (MAX_EVENTS + 1)];
	struct level *level = open_level();

	if (!level)
		return false;
	struct graph *g = &level->graph;

	chki_graph_restrict(g, chki_explore_graph(), read, write);
	chki_graph_set_rf(g, at_id(g, read), write);
	level->choices = x.choice_count;
	unsigned n = chki_write_options(g, at_id(g, write), places);

	for (unsigned i = 0; i < n; i++) {
		if (try_place(g, write, places[i], read)) {
			x.depth++;
			return push_choice(CHOOSE_PLACE, write, 0, places + i + 1, n - i - 1);
		}
		chki_graph_co_remove(g, write);
	}
	return false;
}

/* Goes to the next execution to be tried. False: there is none left. */
static bool backtrack(void)
{
	chki_run.stop = false;
	while (!chki_run.stop) {
		struct graph *g = chki_explore_graph();

		if (x.choice_count == x.levels[x.depth].choices) {
			if (!x.depth)
				return false;
			x.depth--;
			continue;
		}
		struct choice *c = &x.choices[x.choice_count - 1];

		if (c->next == c->count) {
			x.option_count = c->first;
			x.choice_count--;
			continue;
		}
		event_id option = x.options[c->first + c->next++];
		event_id event = c->event;

		x.last_thread = c->last_thread;
		x.preempted = c->preempted;
		switch (c->kind) {
		case CHOOSE_READ:
			chki_graph_truncate(g, at_id(g, event)->stamp);
			chki_graph_set_rf(g, at_id(g, event), option);
			if (chki_is_latest(g, at_id(g, event)) || chki_seq_cst_ok(g))
				return true;
			break;
		case CHOOSE_PLACE:
			chki_graph_truncate(g, at_id(g, event)->stamp);
			chki_graph_co_remove(g, event);
			if (try_place(g, event, option, revisited_read(g, event)))
				return true;
			break;
		case CHOOSE_REVISIT:
			chki_graph_truncate(g, at_id(g, event)->stamp);
			if (revisit(option, event))
				return true;
			break;
		case CHOOSE_THREAD:
			chki_graph_truncate(g, c->stamp);
			x.forced = option;
			return true;
		}
	}
	return false;
}

/* ---- asked while a scenario runs ---- */

static bool take_scripted(unsigned *choice)
{
	if (x.script_at >= x.script.count)
		return false;
	*choice = x.script.steps[x.script_at].choice;
	return true;
}

static bool choose_read_walking(struct graph *g, struct event *read, event_id *writes, unsigned n)
{
	unsigned i;

	if (x.scripted) {
		if (!take_scripted(&i) || i >= n)
			return false;
		chki_graph_set_rf(g, read, writes[i]);
		return true;
	}
	for (;;) {
		i = (unsigned)(next_random() % n);
		chki_graph_set_rf(g, read, writes[i]);
		if (chki_is_latest(g, read) || chki_seq_cst_ok(g))
			return true;
		writes[i] = writes[--n];
	}
}

/*
 * Leaves out the writes that another read-modify-write has replaced: without revisits, a second one cannot read them.
 */
static unsigned drop_replaced(const struct graph *g, const struct event *read, event_id *writes, unsigned n)
{
	unsigned kept = 0;

	for (unsigned i = 0; i < n; i++) {
		bool writes_too = (read->flags & EF_RMW) ||
				  ((read->flags & EF_CAS) && at_id(g, writes[i])->value == read->expected);

		if (!writes_too || !chki_place_taken(g, writes[i]))
			writes[kept++] = writes[i];
	}
	return kept;
}

bool chki_choose_read(struct graph *g, struct event *read)
{
	static event_id writes[THREADS * (MAX_EVENTS + 1)];
	unsigned n = chki_read_options(g, read, writes);

	if (x.mode != CHK_DPOR && !x.scripted)
		n = drop_replaced(g, read, writes, n);

	if (chki_run.probing) {
		chki_graph_set_rf(g, read, g->co[read->loc].last);
		return true;
	}
	if (x.mode == CHK_RANDOM)
		return choose_read_walking(g, read, writes, n);
	chki_graph_set_rf(g, read, writes[0]);
	return push_choice(CHOOSE_READ, id_of(read), 0, writes + 1, n - 1);
}

/* How many writes would follow in co. */
static unsigned distance(const struct graph *g, const struct event *write, event_id after)
{
	unsigned n = 0;

	for (event_id w = after ? at_id(g, after)->co_next : g->co[write->loc].first; w; w = at_id(g, w)->co_next)
		n++;
	return n;
}

static bool choose_write_walking(struct graph *g, struct event *write, event_id *places, unsigned n)
{
	event_id id = id_of(write);
	unsigned wanted;

	if (x.scripted) {
		if (write->flags & EF_RMW)
			return n && try_place(g, id, places[0], 0);
		if (!take_scripted(&wanted))
			return false;
		for (unsigned i = 0; i < n; i++)
			if (distance(g, write, places[i]) == wanted)
				return try_place(g, id, places[i], 0);
		return false;
	}
	while (n) {
		/* Mostly the latest: most programs work that way, and walks should get somewhere. */
		unsigned i = next_random() % 4 ? 0 : (unsigned)(next_random() % n);

		if (try_place(g, id, places[i], 0))
			return true;
		chki_graph_co_remove(g, id);
		memmove(places + i, places + i + 1, (--n - i) * sizeof *places);
	}
	return false;
}

bool chki_choose_write(struct graph *g, struct event *write)
{
	static event_id places[THREADS * (MAX_EVENTS + 1)], reads[THREADS * (MAX_EVENTS + 1)];
	unsigned n = chki_write_options(g, write, places);
	event_id id = id_of(write);

	if (chki_run.probing) {
		chki_graph_co_insert(g, id, g->co[write->loc].last);
		return true;
	}
	if (x.mode == CHK_RANDOM)
		return choose_write_walking(g, write, places, n);
	if (x.mode == CHK_DPOR && !push_choice(CHOOSE_REVISIT, id, 0, reads, find_revisits(g, write, reads)))
		return false;
	for (unsigned i = 0; i < n; i++) {
		if (try_place(g, id, places[i], 0))
			return push_choice(CHOOSE_PLACE, id, 0, places + i + 1, n - i - 1);
		chki_graph_co_remove(g, id);
	}
	return false;
}

int chki_scripted_failure(void)
{
	return x.script.failed_thread;
}

int chki_scripted_thread(void)
{
	if (x.script_at + 1 >= x.script.count)
		return -1;
	return x.script.steps[++x.script_at].thread;
}

static int choose_bounded(struct graph *g, unsigned enabled)
{
	event_id options[THREADS];
	unsigned n = 0;
	int first = x.forced;
	bool goes_on = x.last_thread >= 0 && enabled >> x.last_thread & 1;
	bool bounded = x.config->bound_preemptions && x.preempted >= x.config->preemptions;

	if (first < 0) {
		first = goes_on ? x.last_thread : __builtin_ctz(enabled);
		for (int t = 0; t < THREADS; t++)
			if (t != first && enabled >> t & 1 && !(goes_on && bounded))
				options[n++] = (event_id)t;
		if (!push_choice(CHOOSE_THREAD, 0, g->stamp, options, n))
			return -1;
	}
	x.forced = -1;
	x.preempted += goes_on && first != x.last_thread;
	x.last_thread = first;
	return first;
}

int chki_choose_thread(struct graph *g, unsigned enabled)
{
	if (x.mode == CHK_RANDOM) {
		unsigned skip = (unsigned)(next_random() % (unsigned)__builtin_popcount(enabled));

		while (skip--)
			enabled &= enabled - 1;
		return __builtin_ctz(enabled);
	}
	return choose_bounded(g, enabled);
}

bool chki_waits_are_final(void)
{
	return x.mode != CHK_RANDOM;
}

/* ---- asked between executions ---- */

void chki_explore_begin(void)
{
	x.script_at = (unsigned)-1;
}

bool chki_explore_next(void)
{
	if (x.scripted)
		return false;
	if (x.mode != CHK_RANDOM)
		return backtrack();
	chki_graph_clear(chki_explore_graph());
	return true;
}

/* Locations are numbered anew: nothing of an earlier exploration may be left under their numbers. */
static void forget_places(void)
{
	for (unsigned i = 0; i < x.levels_allocated; i++)
		if (x.levels[i].graph.co)
			memset(x.levels[i].graph.co, 0, MAX_LOCATIONS * sizeof *x.levels[i].graph.co);
}

bool chki_explore_open(const struct chk_config *config)
{
	unsigned events = config->max_events ? config->max_events : 200;
	unsigned stride = events + 2;

	if (events > MAX_EVENTS - 2) {
		chki_set_failure(CHK_MISUSE, "max_events: %u is the most there can be", MAX_EVENTS - 2);
		return false;
	}
	x.config = config;
	x.mode = config->replay ? CHK_RANDOM : config->mode;
	x.scripted = config->replay != NULL;
	x.depth = x.choice_count = x.option_count = 0;
	x.forced = x.last_thread = -1;
	x.preempted = 0;
	x.random = config->seed ? config->seed : 1;
	if (x.scripted && !chki_script_parse(&x.script, config->replay)) {
		chki_set_failure(CHK_MISUSE, "the replay token cannot be read");
		return false;
	}
	if (stride != chki_stride) {
		for (unsigned i = 0; i < x.levels_allocated; i++)
			chki_graph_release(&x.levels[i].graph);
		chki_stride = stride;
	}
	if (!reserve_levels(1) || (!x.levels[0].graph.events && !chki_graph_alloc(&x.levels[0].graph))) {
		chki_set_failure(CHK_MISUSE, "out of memory");
		return false;
	}
	forget_places();
	x.levels[0].choices = 0;
	chki_graph_clear(&x.levels[0].graph);
	return true;
}
