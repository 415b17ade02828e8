/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "solver.h"

#include "explore.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define WIDTH 16u
#define RECORDS 1024u

static const struct filchi_ufp_node *node_of(const struct filch_node *node)
{
	return FILCH_CONTAINER_OF(node, const struct filchi_ufp_node, node);
}

/* ---- workers ---- */

static void local_end(void *local, void *arg)
{
	struct filchi_ufp_worker *w = local;

	(void)arg;
	filchi_ufp_relax_end(&w->relax);
	filchi_ufp_evaluator_end(&w->evaluator);
	filchi_ufp_master_end(&w->master);
	free(w->cut.gain);
	for (size_t i = 0; i < FILCHI_UFP_MASTER_CUTS; i++)
		free(w->row[i].gain);
	free(w->rounded);
	free(w->mean);
	free(w->point);
	free(w->order);
	free(w->taken);
}

static bool make_arrays(struct filchi_ufp_worker *w, const struct filchi_ufp_network *n)
{
	bool good = true;

	w->cut.gain = calloc(n->pairs + 1, sizeof(double));
	w->rounded = calloc(n->pairs + 1, sizeof(double));
	w->mean = calloc(n->pairs + 1, sizeof(double));
	w->point = calloc(n->pairs + 1, sizeof(double));
	w->order = calloc(n->pairs + 1, sizeof(*w->order));
	w->taken = calloc(n->arcs + 1, sizeof(*w->taken));
	for (size_t i = 1; i < FILCHI_UFP_MASTER_CUTS; i++) {
		w->row[i].gain = calloc(n->pairs + 1, sizeof(double));
		good &= w->row[i].gain != NULL;
	}
	return good && w->cut.gain && w->rounded && w->mean && w->point && w->order && w->taken;
}

static int local_begin(void *local, void *arg)
{
	struct filchi_ufp_worker *w = local;
	struct filchi_ufp_solver *s = arg;
	const struct filchi_ufp_network *n = &s->n;
	int err = make_arrays(w, n) ? 0 : -ENOMEM;

	w->s = s;
	if (!err)
		err = filchi_ufp_relax_init(&w->relax, n);
	if (!err)
		err = filchi_ufp_evaluator_init(&w->evaluator, n);
	if (!err)
		err = filchi_ufp_master_init(&w->master, n);
	if (err) {
		local_end(local, arg);
		return err;
	}
	w->relax.lp.stop = filchi_ufp_must_end;
	w->relax.lp.stop_arg = w;
	memcpy(w->mean, w->evaluator.core, n->pairs * sizeof(double));
	return 0;
}

/* ---- functions of the search ---- */

static void discard(struct filch_search_worker *worker, struct filch_node *node, void *arg)
{
	(void)worker;
	(void)arg;
	free(FILCH_CONTAINER_OF(node, struct filchi_ufp_node, node));
}

static union filch_search_value bound(const struct filch_node *node, void *arg)
{
	(void)arg;
	return (union filch_search_value){.i = node_of(node)->bound};
}

/* Of equal bounds the deeper one first: it is nearer to a solution. */
static int before(const struct filch_node *a, const struct filch_node *b, void *arg)
{
	(void)arg;
	return node_of(a)->depth > node_of(b)->depth;
}

static uint64_t affinity(const struct filch_node *node, void *arg)
{
	(void)arg;
	return node_of(node)->affinity;
}

static void discard_solution(void *solution, void *arg)
{
	(void)arg;
	free(solution);
}

static void learn(struct filch_search_worker *worker, const struct filch_search_record *record, void *arg)
{
	struct filchi_ufp_worker *w = filch_search_local(worker);
	const struct filchi_ufp_record *r = FILCH_CONTAINER_OF(record, const struct filchi_ufp_record, record);
	struct filchi_ufp_cut cut = {r->constant, (double *)(uintptr_t)r->gain};

	(void)arg;
	if (filchi_ufp_relax_add(&w->relax, &cut)) /* no memory: the cut is lost, and only costs time */
		return;
	w->counts.learned++;
	w->warm = true;
}

static void discard_record(struct filch_search_record *record, void *arg)
{
	(void)arg;
	free(FILCH_CONTAINER_OF(record, struct filchi_ufp_record, record));
}

static void progress(const struct filch_search_progress *progress, void *arg)
{
	const struct filchi_ufp_solver *s = arg;

	s->opt.progress(progress, s->opt.progress_arg);
}

/* ---- checkpoints ---- */

struct packed {
	int64_t bound;
	uint64_t affinity;
	uint64_t depth;
};

static size_t pack(const struct filch_node *node, void *bytes, size_t room, void *arg)
{
	const struct filchi_ufp_solver *s = arg;
	const struct filchi_ufp_node *n = node_of(node);
	struct packed p = {n->bound, n->affinity, n->depth};
	size_t size = s->words * sizeof(uint64_t);

	if (room >= sizeof(p) + size) {
		memcpy(bytes, &p, sizeof(p));
		memcpy((unsigned char *)bytes + sizeof(p), n->allowed, size);
	}
	return sizeof(p) + size;
}

static int unpack(struct filch_node **node, const void *bytes, size_t size, void *arg)
{
	const struct filchi_ufp_solver *s = arg;
	struct filchi_ufp_node *n;
	struct packed p;

	if (size != sizeof(p) + s->words * sizeof(uint64_t))
		return -EBADMSG;
	n = filchi_ufp_node_new(s);
	if (!n)
		return -ENOMEM;
	memcpy(&p, bytes, sizeof(p));
	memcpy(n->allowed, (const unsigned char *)bytes + sizeof(p), size - sizeof(p));
	n->bound = p.bound;
	n->affinity = p.affinity;
	n->depth = p.depth > UINT32_MAX ? UINT32_MAX : (uint32_t)p.depth;
	*node = &n->node;
	return 0;
}

static size_t pack_solution(const void *solution, void *bytes, size_t room, void *arg)
{
	const struct filchi_ufp_solver *s = arg;
	size_t size = s->n.arcs * sizeof(int32_t);

	if (room >= size && size)
		memcpy(bytes, solution, size);
	return size;
}

static int unpack_solution(void **solution, const void *bytes, size_t size, void *arg)
{
	const struct filchi_ufp_solver *s = arg;

	if (size != s->n.arcs * sizeof(int32_t))
		return -EBADMSG;
	*solution = malloc(size + 1);
	if (!*solution)
		return -ENOMEM;
	if (size)
		memcpy(*solution, bytes, size);
	return 0;
}

/* Tells instances apart: FNV-1a. */
static uint64_t add_hash(uint64_t hash, const void *bytes, size_t size)
{
	const unsigned char *b = bytes;

	for (size_t i = 0; i < size; i++)
		hash = (hash ^ b[i]) * 0x100000001b3u;
	return hash;
}

static uint64_t fingerprint(const struct filchi_ufp *u)
{
	uint64_t hash = add_hash(0xcbf29ce484222325u, u->in_q, u->nodes * sizeof(*u->in_q));

	hash = add_hash(hash, u->supply, u->nodes * sizeof(*u->supply));
	hash = add_hash(hash, u->demand, u->nodes * u->scenarios * sizeof(*u->demand));
	return add_hash(hash, u->arc, u->arcs * sizeof(*u->arc));
}

/* ---- the solver ---- */

static int make_search(struct filchi_ufp_solver *s)
{
	const struct filchi_ufp_options *o = &s->opt;
	struct filch_search_problem p = {.struct_size = sizeof(p),
					 .arg = s,
					 .explore = filchi_ufp_explore,
					 .discard = discard,
					 .bound = bound,
					 .before = before,
					 .affinity = affinity,
					 .pack = pack,
					 .unpack = unpack,
					 .pack_solution = pack_solution,
					 .unpack_solution = unpack_solution,
					 .discard_solution = discard_solution,
					 .learn = learn,
					 .discard_record = discard_record,
					 .local_begin = local_begin,
					 .local_end = local_end,
					 .local_size = sizeof(struct filchi_ufp_worker),
					 .node_size = sizeof(struct filchi_ufp_node) + s->words * sizeof(uint64_t),
					 .fingerprint = fingerprint(s->n.u),
					 .goal = FILCH_SEARCH_MAXIMISE};
	struct filch_search_options so = {.struct_size = sizeof(so),
					  .pool = o->pool,
					  .workers = o->workers,
					  .order = o->order ? o->order : "best",
					  .move = o->move,
					  .victim = o->victim,
					  .records = RECORDS,
					  .node_limit = o->node_limit,
					  .time_limit_ns = o->time_limit_ns,
					  .memory_limit = o->memory_limit,
					  .gap_limit = o->gap_limit,
					  .progress = o->progress ? progress : NULL,
					  .progress_ns = o->progress_ns,
					  .checkpoint = o->checkpoint,
					  .checkpoint_ns = o->checkpoint_ns};

	return filch_search_create(&s->search, &p, &so);
}

static int add_root(struct filchi_ufp_solver *s)
{
	struct filchi_ufp_node *root = filchi_ufp_node_new(s);

	if (!root)
		return -ENOMEM;
	root->bound = FILCH_DD_VALUE_MAX;
	for (size_t p = 0; p < s->n.pairs; p++)
		if (s->n.limit[p] > 0)
			filchi_bit_set(root->allowed, p);
	filchi_ufp_clean(&s->n, root->allowed);
	return filch_search_add_node(s->search, &root->node);
}

int filchi_ufp_solver_create(struct filchi_ufp_solver **out, const struct filchi_ufp *u,
			     const struct filchi_ufp_options *opt)
{
	struct filchi_ufp_solver *s = calloc(1, sizeof(*s));
	int err = s ? filchi_ufp_network_make(&s->n, u) : -ENOMEM;

	if (err) {
		free(s);
		return err;
	}
	s->opt = opt ? *opt : (struct filchi_ufp_options){0};
	s->words = s->n.pairs / 64 + 1;
	s->width = s->opt.width ? s->opt.width : s->n.scenarios > 1 || s->opt.cutset ? WIDTH : 0;
	s->labels = calloc(u->arcs + 1, sizeof(*s->labels));
	err = s->labels ? make_search(s) : -ENOMEM;
	if (!err)
		err = add_root(s);
	if (err) {
		filchi_ufp_solver_destroy(s);
		return err;
	}
	*out = s;
	return 0;
}

void filchi_ufp_solver_destroy(struct filchi_ufp_solver *s)
{
	if (!s)
		return;
	filch_search_destroy(s->search);
	filchi_ufp_network_destroy(&s->n);
	free(s->labels);
	free(s);
}

void filchi_ufp_solver_counts(const struct filchi_ufp_solver *s, struct filchi_ufp_counts *counts)
{
	*counts = (struct filchi_ufp_counts){0};
	for (unsigned i = 0; i < filch_search_workers(s->search); i++) {
		const struct filchi_ufp_worker *w = filch_search_local(filch_search_worker(s->search, i));

		counts->cuts += w->counts.cuts;
		counts->learned += w->counts.learned;
		counts->relaxations += w->counts.relaxations;
		counts->flows += w->evaluator.flows;
		counts->parallel += w->evaluator.parallel;
		counts->diagrams += w->master.diagrams;
		counts->dd_nodes += w->master.compiled;
	}
}

/* An exploration that was stopped is reported as an error. */
static void translate(struct filch_dd_result *r)
{
	if (r->end == FILCH_SEARCH_ERROR && (r->error == -ETIME || r->error == -ECANCELED)) {
		r->end = r->error == -ETIME ? FILCH_SEARCH_TIME : FILCH_SEARCH_CANCELLED;
		r->error = 0;
	}
}

/* The caller's own copy, checked by other means. */
static int keep_solution(struct filchi_ufp_solver *s, const void *solution, struct filch_dd_result *r)
{
	struct filchi_check_error error;
	int64_t value = 0;
	int err;

	if (!solution)
		return 0;
	memcpy(s->labels, solution, s->n.arcs * sizeof(*s->labels));
	r->labels = s->labels;
	err = filchi_ufp_check(s->n.u, s->labels, s->n.arcs, &value, &error);
	if (!err && value == r->best)
		return 0;
	if (!err)
		filchi_check_fail(&error, "the value of the solution is %lld, but the solver has found %lld",
				  (long long)value, (long long)r->best);
	return filch_error_set(-EPROTO, error.text);
}

int filchi_ufp_solver_run(struct filchi_ufp_solver *s, struct filch_dd_result *r)
{
	struct filch_search_result found = {.struct_size = sizeof(found)};
	struct filchi_ufp_counts counts;
	struct timespec t;
	int err;

	clock_gettime(CLOCK_MONOTONIC, &t);
	s->deadline_ns = 0;
	if (s->opt.time_limit_ns)
		s->deadline_ns = (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec + s->opt.time_limit_ns;
	err = filch_search_run(s->search, &found);
	if (err)
		return err;
	filchi_ufp_solver_counts(s, &counts);
	*r = (struct filch_dd_result){.struct_size = sizeof(*r),
				      .end = found.end,
				      .error = found.error,
				      .has_best = found.has_best,
				      .best = found.has_best ? found.best.i : 0,
				      .has_bound = found.has_bound && found.bound.i < FILCH_DD_VALUE_MAX,
				      .explored = found.explored,
				      .pruned = found.pruned,
				      .open = found.open,
				      .nodes = counts.dd_nodes,
				      .diagrams = counts.diagrams,
				      .seconds = found.seconds,
				      .gap = INFINITY};
	r->bound = r->has_bound ? found.bound.i : 0;
	translate(r);
	if (r->has_best && r->has_bound)
		r->gap = r->best == r->bound ? 0 : (double)(r->bound - r->best) / fmax((double)r->best, 1e-10);
	return keep_solution(s, found.solution, r);
}

struct filch_search *filchi_ufp_solver_search(struct filchi_ufp_solver *s)
{
	return s->search;
}

void filchi_ufp_solver_cancel(struct filchi_ufp_solver *s)
{
	filch_search_cancel(s->search);
}

/* A new solver has its root as open node: the checkpoint replaces it. */
int filchi_ufp_solver_load(struct filchi_ufp_solver *s, const char *path)
{
	struct filch_batch open;
	int err;

	filch_batch_init(&open);
	err = filch_search_extract(s->search, 1, &open);
	if (!err)
		err = filch_search_load(s->search, path);
	if (err)
		(void)filch_search_add(s->search, &open);
	for (struct filch_node *node = err ? NULL : open.first; node && open.count; open.count--) {
		struct filch_node *next = node->next;

		discard(NULL, node, s);
		node = next;
	}
	return err;
}
