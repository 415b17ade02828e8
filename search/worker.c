/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The loop of a search worker: one node at a time.
 *
 * Before each node the worker reads one shared word, the signal: stop, pause, an inbox with nodes, needy workers. All
 * else is done in a check: clock, limits, progress, and the numbers that others read. The interval between two checks
 * is a number of nodes. It adapts so that a check comes about every 100 µs, at least every 1,024 nodes. If nodes take
 * much longer all at once, a look at a coarse clock, every LOOK_NODES nodes, also pruned ones, brings the check
 * forward.
 *
 * The node limit is exact: a worker takes nodes out of the limit in advance, and returns the rest when it is dry.
 *
 * Edges:
 *   SIG  the signal: whether there is anything to do. What follows is ordered by idle.c
 *   BEST  the best key: an older one prunes less
 *   PUB  numbers for others to read
 *   LIM  nodes granted: a count
 *   DUE  the time of the next progress: one worker wins
 */
#include "search.h"

#include <errno.h>
#include <math.h>

#define CHECK_NS 100000u
#define LONG_NS 2000u
#define MAX_INTERVAL FILCHI_TUNE(1024u, 1u)
#define LOOK_NODES 64u

void filchi_search_totals(struct filch_search *s, uint64_t *explored, uint64_t *pruned, uint64_t *open)
{
	*explored = *pruned = *open = 0;
	for (unsigned i = 0; i < s->workers; i++) {
		*explored += filchi_load_rlx(&s->worker[i].explored, PUB);
		*pruned += filchi_load_rlx(&s->worker[i].pruned, PUB);
		*open += filchi_load_rlx(&s->worker[i].opened, PUB);
	}
}

double filchi_search_gap(struct filch_search *s, uint64_t best, uint64_t bound)
{
	union filch_search_value a = filchi_search_value(s, best), b = filchi_search_value(s, bound);
	bool d = s->problem.type == FILCH_SEARCH_DOUBLE;
	double x = d ? a.d : (double)a.i, y = d ? b.d : (double)b.i;

	/* No bound: no node is open here. A thread with a hold may have better ones. */
	if (best == FILCHI_SEARCH_NO_KEY || bound == FILCHI_SEARCH_NO_KEY)
		return INFINITY;
	if (bound >= best || x == y)
		return 0;
	return fabs(x - y) / fmax(fabs(x), 1e-10);
}

bool filchi_search_gap_ends(struct filch_search *s)
{
	return s->opt.gap_limit > 0 && !filchi_search_holds(s);
}

/* While workers run, a node may be on its way between two of them. */
uint64_t filchi_search_bound_key(struct filch_search *s, bool still)
{
	uint64_t bound;

	if (s->order == FILCHI_SEARCH_DEPTH)
		return filchi_load_rlx(&s->root_key, PUB);
	bound = filchi_load_rlx(&s->inbox_key, PUB);
	for (unsigned i = 0; i < s->workers; i++) {
		struct filchi_search_open *o = &s->worker[i].open;
		uint64_t top = filchi_load_rlx(&o->top, PUB), low = filchi_load_rlx(&o->low, PUB);
		uint64_t now = filchi_load_rlx(&s->worker[i].current, PUB);

		if (still)
			now = o->next ? o->next_key : FILCHI_SEARCH_NO_KEY;
		bound = top < bound ? top : bound;
		bound = low < bound ? low : bound;
		bound = now < bound ? now : bound;
	}
	return bound;
}

/* The time of the newest run, which may begin or end meanwhile. */
static double seconds(struct filch_search *s, uint64_t now)
{
	uint64_t begin = filchi_load_rlx(&s->begin_ns, PUB), end = filchi_load_rlx(&s->end_ns, PUB);

	end = end < now ? end : now;
	return begin < end ? (double)(end - begin) / 1e9 : 0;
}

void filchi_search_progress(struct filch_search *s, uint64_t now, struct filch_search_progress *p)
{
	uint64_t best = filchi_load_rlx(&s->best_key, BEST), bound = filchi_search_bound_key(s, false), before;

	*p = (struct filch_search_progress){.struct_size = sizeof(*p)};
	filchi_search_totals(s, &p->explored, &p->pruned, &p->open);
	p->open += filchi_load_rlx(&s->arrived, PUB);
	p->seconds = seconds(s, now);
	before = filchi_load_rlx(&s->explored_before, PUB);
	p->per_second = p->seconds > 0 && p->explored > before ? (double)(p->explored - before) / p->seconds : 0;
	p->has_best = best != FILCHI_SEARCH_NO_KEY;
	p->has_bound = s->prunes && bound != FILCHI_SEARCH_NO_KEY;
	if (p->has_best)
		p->best = filchi_search_value(s, best);
	if (p->has_bound)
		p->bound = filchi_search_value(s, bound < best ? bound : best);
	p->affinity = filchi_load_rlx(&s->worker[0].subspace, PUB);
	p->gap = p->has_best && p->has_bound ? filchi_search_gap(s, best, bound) : INFINITY;
}

void filchi_search_report(struct filch_search *s, uint64_t now)
{
	struct filch_search_progress p;

	filchi_search_progress(s, now, &p);
	s->opt.progress(&p, s->problem.arg);
}

/* Of several workers that find it due, one reports. The others go on. */
static void progress(struct filch_search *s, uint64_t now)
{
	uint64_t due = filchi_load_rlx(&s->progress_due, DUE);

	if (now < due || !filchi_cas_acq_rel(&s->progress_due, &due, UINT64_MAX, DUE))
		return;
	filchi_search_report(s, now);
	filchi_store_rel(&s->progress_due, now + s->opt.progress_ns, DUE);
}

/* Between two checkpoints a node is explored, however often they are due. first: the job has explored none. */
static bool save_is_due(struct filch_search *s, uint64_t now, bool first)
{
	uint64_t explored, pruned, open;

	if (now < filchi_load_rlx(&s->save_due, LIM))
		return false;
	filchi_search_totals(s, &explored, &pruned, &open);
	return !first || explored + pruned != filchi_load_rlx(&s->saved, LIM);
}

static bool limits(struct filch_search *s, uint64_t now, bool first)
{
	uint64_t explored, pruned, open;

	if (filchi_load_rlx(&s->cancelled, LIM) || filchi_search_jobs_cancelled())
		filchi_search_stop(s, FILCH_SEARCH_CANCELLED);
	else if (s->deadline_ns && now >= s->deadline_ns)
		filchi_search_stop(s, FILCH_SEARCH_TIME);
	else if (save_is_due(s, now, first) || filchi_load_rlx(&s->save_wanted, LIM))
		filchi_search_flag(s, FILCHI_SEARCH_PAUSE, 0);
	else if (s->opt.memory_limit || filchi_search_gap_ends(s)) {
		filchi_search_totals(s, &explored, &pruned, &open);
		if (filchi_search_fills(s, open, s->opt.memory_limit))
			filchi_search_stop(s, FILCH_SEARCH_MEMORY);
		else if (filchi_search_gap_ends(s) &&
			 filchi_search_gap(s, filchi_load_rlx(&s->best_key, BEST), filchi_search_bound_key(s, false)) <=
				 s->opt.gap_limit)
			filchi_search_flag(s, FILCHI_SEARCH_PAUSE, 0); /* run looks again, when all is still */
	}
	return !(filchi_load_rlx(&s->signal, SIG) & (FILCHI_SEARCH_STOP | FILCHI_SEARCH_PAUSE));
}

/* Takes up to so many nodes out of the limit. 0: it is used up. */
static uint32_t grant(struct filch_search *s, uint32_t wish)
{
	uint64_t limit = s->opt.node_limit, granted, left;

	if (!limit)
		return wish;
	granted = filchi_load_rlx(&s->granted, LIM);
	do {
		left = granted < limit ? limit - granted : 0;
		if (wish > left / (2 * s->workers) + 1)
			wish = (uint32_t)(left / (2 * s->workers)) + 1;
		if (!left)
			return 0;
	} while (!filchi_cas_rlx(&s->granted, &granted, granted + wish, LIM));
	return wish;
}

static void give_back(struct filch_search_worker *w)
{
	if (w->search->opt.node_limit && w->until_check)
		(void)filchi_fetch_add_rlx(&w->search->granted, (uint64_t) - (int64_t)w->until_check, LIM);
	w->until_check = 0;
}

/* False: the worker must stop before its next node. */
static bool check(struct filch_search_worker *w)
{
	struct filch_search *s = w->search;
	uint64_t now = filchi_search_clock(), took = now - w->checked_ns;
	bool first = !w->checked_ns;

	if (!first && w->interval) {
		w->mean_ns = took / w->interval > 1000000000u ? 1000000000u : (uint32_t)(took / w->interval);
		w->eager = w->mean_ns > LONG_NS;
	}
	if (took > 2 * CHECK_NS || !w->interval)
		w->interval = w->interval > 2 ? w->interval / 2 : 1;
	else if (took < CHECK_NS / 2)
		w->interval = 2 * w->interval < MAX_INTERVAL ? 2 * w->interval : MAX_INTERVAL;
	w->checked_ns = now;
	filchi_search_publish_counts(w);
	if (s->opt.progress)
		progress(s, now);
	if (!limits(s, now, first))
		return false;
	w->until_check = grant(s, w->interval);
	if (!w->until_check)
		filchi_search_stop(s, FILCH_SEARCH_NODES);
	w->interval = w->until_check ? w->until_check : 1;
	return w->until_check;
}

/* Nodes: explored or pruned. The check is overdue if they took long. The rest of the interval is given back then. */
static bool is_late(struct filch_search_worker *w, uint64_t nodes)
{
	if (FILCHI_LIKELY(nodes % LOOK_NODES) || filchi_search_clock_coarse() < w->checked_ns + 2 * CHECK_NS)
		return false;
	w->interval = w->interval > w->until_check ? w->interval - w->until_check : 0;
	give_back(w);
	return true;
}

/* Something is up. False: stop or pause. */
static bool attend(struct filch_search_worker *w, uint32_t signal)
{
	if (signal & (FILCHI_SEARCH_STOP | FILCHI_SEARCH_PAUSE))
		return false;
	if (signal & FILCHI_SEARCH_INBOX)
		(void)filchi_search_take_inbox(w);
	if (signal & FILCHI_SEARCH_SHARE)
		(void)filchi_search_share(w);
	if (signal >= FILCHI_SEARCH_NEEDY && !w->needy)
		filchi_search_help(w);
	return true;
}

/*
 * "master": tells that the worker is nearly dry, takes mail, or finds that it has enough again. A node takes one from
 * the size, so the next look is due when the worker may be nearly dry, if nobody steals meanwhile.
 */
static void mind(struct filch_search_worker *w)
{
	struct filch_search *s = w->search;
	size_t size = filchi_search_size(w), spare = size > s->opt.low ? size - s->opt.low : 1;

	w->until_mind = spare < LOOK_NODES ? (uint32_t)spare : LOOK_NODES;
	if (w->needy) {
		if (!filchi_search_take_mail(w) && (size > 4 * s->opt.low + 8 || filchi_search_is_running(w)))
			filchi_search_satisfied(w);
	} else if (w->id && size <= s->opt.low && filchi_search_is_running(w)) {
		w->needy = true;
		filchi_search_request(w);
	}
}

/* Explore has failed: its node is open again. */
static void put_back(struct filch_search_worker *w, struct filch_node *node, struct filch_batch *children)
{
	filchi_search_discard_all(w->search, w, children);
	filch_batch_add(children, node);
	filchi_search_push(w, children);
}

/* 0, or the error of explore: then the node is open again. */
static inline int explore(struct filch_search_worker *w, struct filch_node *node)
{
	struct filch_search *s = w->search;
	struct filch_batch children;
	int err;

	filch_batch_init(&children);
	/* Marks are for batches that go straight to the queue. */
	if (!w->eager)
		children.step = children.due = FILCHI_SEARCH_LARGE;
	if (s->problem.affinity)
		filchi_store_rlx(&w->subspace, s->problem.affinity(node, s->problem.arg), PUB);
	err = s->problem.explore(w, node, &children, s->problem.arg);
	if (FILCHI_UNLIKELY(err)) {
		put_back(w, node, &children);
		return err;
	}
	w->stats.explored++;
	if (s->order == FILCHI_SEARCH_DEPTH) {
		if (children.count)
			filchi_search_depth_push(w, &children);
	} else {
		filchi_search_best_exchange(w, &children);
	}
	return 0;
}

void filchi_search_fail(struct filch_search *s, int err)
{
	filchi_search_lock(&s->lock);
	if (!s->error)
		s->error = err;
	filchi_search_unlock(&s->lock);
	filchi_search_stop(s, FILCH_SEARCH_ERROR);
}

/* False: no node was explored, because there is none. */
static inline bool step(struct filch_search_worker *w)
{
	struct filch_search *s = w->search;
	uint64_t key = 0;
	bool depth = s->order == FILCHI_SEARCH_DEPTH;
	struct filch_node *node = depth ? filchi_search_depth_pop(w) : filchi_search_best_pop(w, &key, true);
	int err;

	if (!node)
		return false;
	w->until_mind--;
	if (s->prunes) {
		if (depth)
			key = filchi_search_bound(s, node);
		else
			filchi_store_rlx(&w->current, key, PUB);
		if (key >= filchi_load_rlx(&s->best_key, BEST)) {
			w->stats.pruned++;
			filchi_search_discard(s, w, node);
			(void)is_late(w, w->stats.pruned);
			return true;
		}
	}
	if (s->problem.learn && w->learned != filchi_load_rlx(&s->published, PUB))
		filchi_search_learn(w);
	w->until_check--;
	err = explore(w, node);
	if (FILCHI_UNLIKELY(err))
		filchi_search_fail(s, err);
	return true;
}

/*
 * The loop for short nodes, depth first, of a problem that needs nothing else before a node. It goes on up to the next
 * look at a clock, for at most so many nodes. The counts are kept in registers. False: there is no node.
 */
static bool dash(struct filch_search_worker *w, uint32_t most)
{
	struct filch_search *s = w->search;
	int (*explore_node)(struct filch_search_worker *, struct filch_node *, struct filch_batch *, void *) =
		s->problem.explore;
	void *arg = s->problem.arg;
	uint32_t left = w->until_check, stop = (left - 1) / LOOK_NODES * LOOK_NODES;
	struct filch_batch children;
	bool found = true;

	if (left - stop > most)
		stop = left - most;
	filch_batch_init(&children);
	children.step = children.due = FILCHI_SEARCH_LARGE;
	while (left > stop && !filchi_load_rlx(&s->signal, SIG)) {
		struct filch_node *node = filchi_search_depth_pop(w);
		int err;

		if (FILCHI_UNLIKELY(!node)) {
			found = false;
			break;
		}
		err = explore_node(w, node, &children, arg);
		if (FILCHI_UNLIKELY(err)) {
			put_back(w, node, &children);
			filchi_search_fail(s, err);
			break;
		}
		left--;
		if (children.count) {
			filchi_search_depth_push(w, &children);
			children.count = children.marks = 0;
			children.step = children.due = FILCHI_SEARCH_LARGE;
		}
	}
	w->stats.explored += w->until_check - left;
	w->until_mind -= w->until_check - left;
	w->until_check = left;
	return found;
}

void filchi_search_worker_run(struct filchi_search_job *job)
{
	struct filch_search_worker *w = FILCH_CONTAINER_OF(job, struct filch_search_worker, job);
	struct filch_search *s = w->search;
	bool minds = s->master && w->id; /* the master needs no help */

	filchi_search_own(w);
	w->checked_ns = 0;
	w->backoff = 0;
	w->until_mind = 0;
	for (;;) {
		uint32_t signal;
		bool found;

		if (w->eager)
			filchi_search_announce(); /* the next node may take hours */
		signal = filchi_load_rlx(&s->signal, SIG);
		if (FILCHI_UNLIKELY(signal != 0) && !attend(w, signal))
			break;
		if (FILCHI_UNLIKELY(!w->until_check || is_late(w, w->until_check)) && !check(w))
			break;
		if (!minds)
			w->until_mind = LOOK_NODES;
		else if (w->needy || w->eager || !w->until_mind)
			mind(w);
		if (s->plain && !w->eager && !signal)
			found = dash(w, w->until_mind);
		else
			found = step(w);
		if (FILCHI_UNLIKELY(!found)) {
			filchi_store_rlx(&w->current, FILCHI_SEARCH_NO_KEY, PUB);
			filchi_search_publish_counts(w);
			give_back(w);
			if (!filchi_search_find(w))
				return;
		}
	}
	give_back(w);
	filchi_search_publish_counts(w);
	filchi_search_own(w);
}

int filch_search_poll(struct filch_search_worker *w)
{
	uint32_t signal = filchi_load_rlx(&w->search->signal, SIG);

	if (signal & FILCHI_SEARCH_STOP)
		return 1;
	/* In a round no nodes move: a worker that got some would run the round a second time. */
	if (signal && !w->search->opt.round)
		(void)attend(w, signal & ~(uint32_t)(FILCHI_SEARCH_PAUSE | FILCHI_SEARCH_INBOX));
	return 0;
}
