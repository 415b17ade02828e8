/* SPDX-License-Identifier: Apache-2.0 */
#include "master.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NO_OUT 0xffu	  /* label of an arc that is not matched */
#define TABLE_OUTS 8	  /* outgoing arcs of a node in Q up to which tables know which arcs are used */
#define ROUND_UP 1e-6	  /* rounding errors of sums */

struct state {
	uint64_t used;	/* outgoing arcs of this node in Q */
	uint64_t must;	/* those that must still be used: an earlier arc was left unmatched in spite of them */
	int64_t bound;
	double sum[FILCHI_UFP_MASTER_CUTS];
	unsigned char label[]; /* by layer */
};

int filchi_ufp_master_init(struct filchi_ufp_master *m, const struct filchi_ufp_network *n)
{
	*m = (struct filchi_ufp_master){.n = n};
	m->layer = calloc(n->arcs + 2, sizeof(*m->layer));
	m->allowed = calloc(n->pairs / 64 + 1, sizeof(*m->allowed));
	m->labels = calloc(n->arcs + 2, sizeof(*m->labels));
	m->weight = calloc(n->qs + 1, sizeof(*m->weight));
	m->order = calloc(n->qs + 1, sizeof(*m->order));
	if (m->layer && m->allowed && m->labels && m->weight && m->order)
		return 0;
	filchi_ufp_master_end(m);
	return -ENOMEM;
}

void filchi_ufp_master_end(struct filchi_ufp_master *m)
{
	free(m->layer);
	free(m->allowed);
	free(m->rest);
	free(m->labels);
	free(m->weight);
	free(m->order);
	*m = (struct filchi_ufp_master){0};
}

/* ---- layers ---- */

static uint64_t outs_of(const struct filchi_ufp_network *n, const uint64_t *allowed, uint32_t i, uint32_t a)
{
	const struct filchi_ufp_q *q = &n->q[i];
	uint64_t outs = 0;

	for (uint32_t b = 0; b < q->outs; b++)
		if (filchi_bit_test(allowed, q->pair + (size_t)a * q->outs + b))
			outs |= (uint64_t)1 << b;
	return outs;
}

/* Outgoing arcs that only one incoming arc may take. */
static uint64_t free_outs(const struct filchi_ufp_network *n, const uint64_t *allowed, uint32_t i)
{
	uint64_t once = 0, twice = 0;

	for (uint32_t a = 0; a < n->q[i].ins; a++) {
		uint64_t outs = outs_of(n, allowed, i, a);

		twice |= once & outs;
		once |= outs;
	}
	return once & ~twice;
}

/* Adds the layers of a node in Q. A pair without a rival is matched at once: this loses nothing. */
static void add_layers(struct filchi_ufp_master *m, uint32_t i)
{
	const struct filchi_ufp_q *q = &m->n->q[i];
	uint64_t alone = free_outs(m->n, m->allowed, i), later = 0;
	size_t first = m->layers;

	for (uint32_t a = 0; a < q->ins; a++) {
		uint64_t outs = outs_of(m->n, m->allowed, i, a);

		if (!outs)
			continue;
		if (!(outs & (outs - 1)) && outs & alone) {
			size_t pair = q->pair + (size_t)a * q->outs + (size_t)__builtin_ctzll(outs);

			for (size_t k = 0; k < m->cuts; k++)
				m->start[k] += m->cut[k]->gain[pair];
			continue;
		}
		m->layer[m->layers++] = (struct filchi_ufp_master_layer){.q = i, .in = a, .outs = outs};
	}
	for (size_t l = m->layers; l-- > first;) {
		m->layer[l].later = later;
		m->layer[l].left = (uint32_t)(m->layers - 1 - l);
		m->layer[l].last = l + 1 == m->layers;
		later |= m->layer[l].outs;
	}
	for (size_t l = first; l < m->layers; l++)
		m->layer[l].span = __builtin_popcountll(later) <= TABLE_OUTS ? later : 0;
}

/* Nodes in Q that are split most come first. */
static void order_nodes(struct filchi_ufp_master *m, const double *matched)
{
	const struct filchi_ufp_network *n = m->n;

	memset(m->weight, 0, n->qs * sizeof(*m->weight));
	for (size_t p = 0; p < n->pairs; p++)
		m->weight[n->pair[p].q] += fmin(matched[p], 1 - matched[p]);
	for (uint32_t i = 0; i < n->qs; i++) {
		uint32_t at = i;

		for (; at && m->weight[m->order[at - 1]] < m->weight[i]; at--)
			m->order[at] = m->order[at - 1];
		m->order[at] = i;
	}
}

/* ---- tables: what each cut can gain from a layer on ---- */

/* The bits of used that are in span, moved together. */
static inline size_t squeeze(uint64_t used, uint64_t span)
{
	size_t out = 0;

	for (unsigned bit = 0; span; span &= span - 1, bit++)
		out |= (size_t)(used >> __builtin_ctzll(span) & 1) << bit;
	return out;
}

static uint64_t spread(size_t squeezed, uint64_t span)
{
	uint64_t out = 0;

	for (; span; span &= span - 1, squeezed >>= 1)
		if (squeezed & 1)
			out |= span & -span;
	return out;
}

static const double *gains(const struct filchi_ufp_master *m, const struct filchi_ufp_master_layer *layer, size_t k)
{
	const struct filchi_ufp_q *q = &m->n->q[layer->q];

	return m->cut[k]->gain + q->pair + (size_t)layer->in * q->outs;
}

static size_t entries(const struct filchi_ufp_master_layer *layer)
{
	return layer->span ? (size_t)1 << __builtin_popcountll(layer->span) : 1;
}

/* The entry of the table of the layer. */
static inline const double *rest_of(const struct filchi_ufp_master *m, size_t l, uint64_t used)
{
	const struct filchi_ufp_master_layer *layer = &m->layer[l];

	return m->rest + layer->rest + (layer->span ? squeeze(used, layer->span) * m->cuts : 0);
}

static void fill_entry(struct filchi_ufp_master *m, size_t l, size_t entry)
{
	const struct filchi_ufp_master_layer *layer = &m->layer[l];
	double *out = m->rest + layer->rest + entry * m->cuts;
	uint64_t used = spread(entry, layer->span), open = layer->span ? layer->outs & ~used : layer->outs;
	const double *none = rest_of(m, l + 1, layer->last ? 0 : used);

	memcpy(out, none, m->cuts * sizeof(*out));
	for (; open; open &= open - 1) {
		unsigned b = (unsigned)__builtin_ctzll(open);
		const double *below = rest_of(m, l + 1, layer->last ? 0 : used | (uint64_t)1 << b);

		for (size_t k = 0; k < m->cuts; k++)
			out[k] = fmax(out[k], below[k] + gains(m, layer, k)[b]);
	}
}

static int make_tables(struct filchi_ufp_master *m)
{
	size_t size = 0;

	for (size_t l = 0; l <= m->layers; l++) {
		m->layer[l].rest = size;
		size += m->cuts * (l < m->layers ? entries(&m->layer[l]) : 1);
	}
	if (size > m->rest_room) {
		double *more = realloc(m->rest, size * sizeof(*more));

		if (!more)
			return -ENOMEM;
		m->rest = more;
		m->rest_room = size;
	}
	memset(m->rest + m->layer[m->layers].rest, 0, m->cuts * sizeof(*m->rest));
	for (size_t l = m->layers; l-- > 0;)
		for (size_t e = 0; e < entries(&m->layer[l]); e++)
			fill_entry(m, l, e);
	return 0;
}

/* ---- the problem of the diagram ---- */

static int64_t least_bound(const struct filchi_ufp_master *m, const double *sum, const double *rest)
{
	double least = INFINITY;

	for (size_t k = 0; k < m->cuts; k++)
		least = fmin(least, sum[k] + rest[k]);
	return (int64_t)floor(fmin(least + ROUND_UP, 0x1p60));
}

static size_t state_size(const struct filchi_ufp_master *m)
{
	return (sizeof(struct state) + m->layers + 8) & ~(size_t)7;
}

static int64_t root(const struct filch_dd_layer *layer, void *state)
{
	const struct filchi_ufp_master *m = layer->arg;
	struct state *s = state;

	memset(s, 0, state_size(m));
	memcpy(s->sum, m->start, sizeof(m->start));
	s->bound = least_bound(m, s->sum, rest_of(m, 0, 0));
	return 0;
}

/* An arc stays unmatched only if all that it could take is taken later: else to take it loses nothing. */
static bool may_finish(const struct filchi_ufp_master_layer *layer, uint64_t used, uint64_t must)
{
	uint64_t open = must & ~used;

	return !(open & ~layer->later) && (uint32_t)__builtin_popcountll(open) <= layer->left;
}

static void add_child(const struct filchi_ufp_master *m, size_t l, const struct state *from, unsigned out, uint64_t must,
		      struct filch_dd_children *children)
{
	const struct filchi_ufp_master_layer *layer = &m->layer[l];
	uint64_t used = from->used | (out == NO_OUT ? 0 : (uint64_t)1 << out);
	double sum[FILCHI_UFP_MASTER_CUTS];
	struct state *s;
	int64_t bound;

	if (!may_finish(layer, used, must))
		return;
	memcpy(sum, from->sum, sizeof(sum));
	for (size_t k = 0; out != NO_OUT && k < m->cuts; k++)
		sum[k] += gains(m, layer, k)[out];
	bound = least_bound(m, sum, rest_of(m, l + 1, layer->last ? 0 : used));
	bound = bound < from->bound ? bound : from->bound;
	if (bound <= m->best)
		return;
	s = filch_dd_child(children, (int32_t)out, 0);
	memcpy(s, from, state_size(m));
	s->used = layer->last ? 0 : used;
	s->must = layer->last ? 0 : must & ~used;
	s->bound = bound;
	memcpy(s->sum, sum, sizeof(sum));
	s->label[l] = (unsigned char)out;
}

static void expand(const struct filch_dd_layer *at, const void *state, struct filch_dd_children *children)
{
	const struct filchi_ufp_master *m = at->arg;
	const struct state *s = state;
	size_t l = (size_t)at->variable;
	const struct filchi_ufp_master_layer *layer = &m->layer[l];

	if (l == m->layers) { /* the end: the value of the path is its bound */
		memcpy(filch_dd_child(children, 0, s->bound), s, state_size(m));
		return;
	}
	for (uint64_t open = layer->outs & ~s->used; open; open &= open - 1)
		add_child(m, l, s, (unsigned)__builtin_ctzll(open), s->must, children);
	add_child(m, l, s, NO_OUT, s->must | (layer->outs & ~s->used), children);
}

static void merge(const struct filch_dd_layer *layer, void *into, const void *state)
{
	const struct filchi_ufp_master *m = layer->arg;
	struct state *a = into;
	const struct state *b = state;

	a->used &= b->used;
	a->must &= b->must;
	a->bound = a->bound > b->bound ? a->bound : b->bound;
	for (size_t k = 0; k < m->cuts; k++)
		a->sum[k] = fmax(a->sum[k], b->sum[k]);
}

static uint64_t group(const struct filch_dd_layer *layer, const void *state)
{
	(void)layer;
	return ((const struct state *)state)->used;
}

static int64_t rank(const struct filch_dd_layer *layer, const void *state, int64_t value)
{
	(void)layer;
	(void)value;
	return ((const struct state *)state)->bound;
}

/* ---- compile ---- */

/* The pairs that a path allows: its first layers are decided. */
static void allow(const struct filchi_ufp_master *m, const unsigned char *label, size_t layers, uint64_t *allowed)
{
	for (size_t l = 0; l < layers; l++) {
		const struct filchi_ufp_master_layer *layer = &m->layer[l];
		const struct filchi_ufp_q *q = &m->n->q[layer->q];

		for (uint32_t b = 0; b < q->outs; b++)
			if (b != label[l])
				filchi_bit_clear(allowed, q->pair + (size_t)layer->in * q->outs + b);
		for (uint32_t a = 0; label[l] != NO_OUT && a < q->ins; a++)
			if (a != layer->in)
				filchi_bit_clear(allowed, q->pair + (size_t)a * q->outs + label[l]);
	}
}

static bool is_exact(const struct filch_dd_diagram *d, int row, size_t number)
{
	struct filch_dd_diagram_node node;

	return !filch_dd_diagram_node(d, row, number, &node) && node.exact;
}

/*
 * Marks the nodes of a row that are children. Each path passes one of them: the last node before it meets a merged one,
 * or its end if it meets none; with by_layer, its node in the last layer above all merged nodes.
 *
 * The cutset of the diagram does not serve: it leaves out nodes that cannot beat the best path, because the value of a
 * path is a solution elsewhere. Here it is a bound.
 */
static void mark_children(const struct filch_dd_diagram *d, int row, bool by_layer, bool *marked)
{
	struct filch_dd_diagram_arc arc;
	size_t count = filch_dd_diagram_nodes(d, row), below = filch_dd_diagram_nodes(d, row + 1);
	bool last = false;

	memset(marked, 0, count * sizeof(*marked));
	for (size_t i = 0; i < below; i++)
		last |= !is_exact(d, row + 1, i);
	for (size_t i = 0; by_layer && last && i < count; i++)
		marked[i] = true;
	for (size_t i = 0; !by_layer && i < filch_dd_diagram_arcs(d, row); i++)
		if (!filch_dd_diagram_arc(d, row, i, &arc) && is_exact(d, row, arc.from) && !is_exact(d, row + 1, arc.to))
			marked[arc.from] = true;
	for (size_t i = 0; !by_layer && row + 1 == filch_dd_diagram_layers(d) && i < count; i++)
		marked[i] = is_exact(d, row, i);
}

static int give_child(struct filchi_ufp_master *m, const struct filch_dd_diagram *d, int row, size_t number,
		      uint64_t *allowed, filchi_ufp_child_fn *child, void *arg)
{
	struct filch_dd_diagram_node node;
	int err = filch_dd_diagram_node(d, row, number, &node);
	int64_t bound = node.bottom + node.top;
	const struct state *s = node.state;

	if (err || !node.reaches || bound <= m->best)
		return err;
	memcpy(allowed, m->allowed, (m->n->pairs / 64 + 1) * sizeof(*allowed));
	allow(m, s->label, (size_t)row < m->layers ? (size_t)row : m->layers, allowed);
	return child(arg, allowed, bound < s->bound ? bound : s->bound);
}

static int give_children(struct filchi_ufp_master *m, const struct filch_dd_diagram *d, bool by_layer,
			 filchi_ufp_child_fn *child, void *arg)
{
	int rows = filch_dd_diagram_layers(d), err = 0;
	uint64_t *allowed = malloc((m->n->pairs / 64 + 1) * sizeof(*allowed));
	size_t most = 0;
	bool *marked, done = false;

	for (int row = 0; row < rows; row++)
		most = filch_dd_diagram_nodes(d, row) > most ? filch_dd_diagram_nodes(d, row) : most;
	marked = malloc((most + 1) * sizeof(*marked));
	if (!allowed || !marked)
		err = -ENOMEM;
	for (int row = 0; !err && !done && row < rows; row++) {
		mark_children(d, row, by_layer, marked);
		for (size_t i = 0; !err && i < filch_dd_diagram_nodes(d, row); i++)
			if (marked[i]) {
				err = give_child(m, d, row, i, allowed, child, arg);
				done = by_layer;
			}
	}
	free(allowed);
	free(marked);
	return err;
}

/*
 * The pairs on the best path, and those without a choice. A path through a merged node may take an outgoing arc twice: the
 * first one counts, so that the result is a matching.
 */
static void take_path(const struct filchi_ufp_master *m, const struct filch_dd_diagram *d, double *chosen)
{
	const struct filchi_ufp_network *n = m->n;
	uint64_t used = 0;
	size_t at = 0;

	(void)filch_dd_diagram_best(d, NULL, m->labels);
	for (size_t p = 0; p < n->pairs; p++)
		chosen[p] = filchi_bit_test(m->allowed, p);
	for (; at < m->layers; at++) {
		const struct filchi_ufp_q *q = &n->q[m->layer[at].q];

		for (uint32_t b = 0; b < q->outs; b++)
			chosen[q->pair + (size_t)m->layer[at].in * q->outs + b] =
				(int32_t)b == m->labels[at] && !(used >> b & 1);
		used = m->layer[at].last ? 0 : m->labels[at] == NO_OUT ? used : used | (uint64_t)1 << m->labels[at];
	}
}

int filchi_ufp_master_compile(struct filchi_ufp_master *m, const uint64_t *allowed, const double *matched, int kind,
			      size_t width, const char *cutset, int64_t best, int64_t *value, double *chosen,
			      bool *exact, filchi_ufp_child_fn *child, void *arg)
{
	struct filch_dd_problem p = {.struct_size = sizeof(p),
				     .arg = m,
				     .root = root,
				     .expand = expand,
				     .merge = merge,
				     .group = group,
				     .rank = rank,
				     .children_max = 65,
				     .goal = FILCH_SEARCH_MAXIMISE,
				     .flags = FILCH_DD_NO_THRESHOLDS};
	struct filch_dd_compile_options opt = {.struct_size = sizeof(opt), .kind = kind, .width = width, .cutset = cutset};
	struct filch_dd_diagram *d;
	int err;

	m->layers = 0;
	m->best = best;
	memcpy(m->allowed, allowed, (m->n->pairs / 64 + 1) * sizeof(*allowed));
	for (size_t k = 0; k < m->cuts; k++)
		m->start[k] = m->cut[k]->constant;
	order_nodes(m, matched);
	for (size_t i = 0; i < m->n->qs; i++)
		add_layers(m, m->order[i]);
	err = make_tables(m);
	p.variables = (int)m->layers + 1;
	p.state_size = state_size(m);
	if (!err)
		err = filch_dd_compile(&d, &p, &opt);
	if (err)
		return err;
	m->diagrams++;
	*value = best;
	*exact = filch_dd_diagram_exact(d);
	for (int l = 0; l < filch_dd_diagram_layers(d); l++)
		m->compiled += filch_dd_diagram_nodes(d, l);
	if (filch_dd_diagram_best(d, value, NULL)) {
		take_path(m, d, chosen);
		if (!*exact && child)
			err = give_children(m, d, cutset && !strcmp(cutset, "layer"), child, arg);
	}
	filch_dd_diagram_destroy(d);
	return err;
}
