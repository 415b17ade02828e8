/* SPDX-License-Identifier: Apache-2.0 */
#include "../../../src/base/clock.h"
#include "../../../src/base/mem.h"
#include "../../harness/usage.h"
#include "bulk.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

static const struct filchi_bulk_bench_loops *const kinds[] = {
	&filchi_bulk_bench_printed, &filchi_bulk_bench_optimized, &filchi_bulk_bench_chase_lev,
	&filchi_bulk_bench_list,    &filchi_bulk_bench_chunks,
};
#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

/* A measure: that many pushes of that many nodes; or a steal; or, with neither, pops. */
struct measure {
	const char *name;
	size_t nodes, times;
	double proportion;
};

static const struct measure measures[] = {
	{"push_1", 1, 1, 0},	 {"push_128", 128, 1, 0}, {"push_512", 512, 1, 0}, {"push_1024", 1024, 1, 0},
	{"singles", 1, 1024, 0}, {"pop", 0, 0, 0},	  {"steal_10", 0, 0, 0.1}, {"steal_20", 0, 0, 0.2},
	{"steal_30", 0, 0, 0.3}, {"steal_40", 0, 0, 0.4}, {"steal_50", 0, 0, 0.5}, {"steal_60", 0, 0, 0.6},
	{"steal_90", 0, 0, 0.9},
};
#define MEASURES (sizeof(measures) / sizeof(measures[0]))

/* The context of a case. */
struct context {
	const struct filchi_bulk_bench_loops *loops;
	const struct measure *measure;
	double seconds; /* of a sample */
};

/* The state of a sample. */
struct work {
	const struct filchi_bulk_bench_loops *loops;
	void *queue;
	struct filchi_bulk_bench_node *nodes;
	struct filch_batch *batches;
	double stolen;	   /* nodes in one steal */
	double *turns;	   /* time of one operation in each turn */
	size_t turn_count; /* at most MAX_TURNS */
};

#define MAX_TURNS 4096u

static void took(struct work *w, double ns, double operations)
{
	w->turns[w->turn_count++] = ns / operations;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

/* A sample is the median of its turns, because other programs interrupt some turns. */
static double median(struct work *w)
{
	qsort(w->turns, w->turn_count, sizeof(w->turns[0]), compare);
	return w->turn_count ? w->turns[w->turn_count / 2] : NAN;
}

/* Makes batches of the nodes from that number on. Returns the sum of the numbers. */
static uint64_t make_batches(struct work *w, size_t count, size_t nodes)
{
	uint64_t number = 0, sum = 0;

	for (size_t i = 0; i < count; i++) {
		filch_batch_init(&w->batches[i]);
		for (size_t j = 0; j < nodes; j++, number++) {
			w->nodes[number].number = number;
			filch_batch_add(&w->batches[i], &w->nodes[number].node);
			sum += number;
		}
	}
	return sum;
}

static int mixed_up(struct filchi_bench_error *error, const char *what)
{
	snprintf(error->text, sizeof(error->text), "%s", what);
	return -EPROTO;
}

/* Pops all nodes, and checks that none was lost. */
static int empty(struct work *w, uint64_t sum, struct filchi_bench_error *error)
{
	uint64_t out = 0;

	w->loops->pop(w->queue, SIZE_MAX, &out);
	return out == sum && !w->loops->size(w->queue) ? 0 : mixed_up(error, "other nodes came out than went in");
}

static int turn_push(struct work *w, const struct measure *m, double clock, struct filchi_bench_error *error)
{
	size_t count = m->times > 1 ? m->times : FILCHI_BULK_BENCH_BATCHES;
	uint64_t sum = make_batches(w, count, m->nodes);

	took(w, (double)w->loops->push(w->queue, w->batches, count) - clock, (double)(count / m->times));
	return empty(w, sum, error);
}

static uint64_t fill(struct work *w)
{
	size_t count = FILCHI_BULK_BENCH_NODES / FILCHI_BULK_BENCH_BATCH;
	uint64_t sum = make_batches(w, count, FILCHI_BULK_BENCH_BATCH);

	w->loops->push(w->queue, w->batches, count);
	return sum;
}

static int turn_pop(struct work *w, double clock, struct filchi_bench_error *error)
{
	uint64_t sum = fill(w), out = 0;

	took(w, (double)w->loops->pop(w->queue, FILCHI_BULK_BENCH_NODES, &out) - clock, FILCHI_BULK_BENCH_NODES);
	return out == sum ? empty(w, 0, error) : mixed_up(error, "other nodes came out than went in");
}

static int turn_steal(struct work *w, double proportion, double clock, struct filchi_bench_error *error)
{
	struct filch_batch batch;
	uint64_t sum = fill(w);
	size_t walked = 0;

	took(w, (double)w->loops->steal(w->queue, proportion, &batch) - clock, 1);
	w->stolen = (double)batch.count;
	for (struct filch_node *node = batch.first; node && walked < batch.count; node = node->next, walked++)
		sum -= FILCH_CONTAINER_OF(node, struct filchi_bulk_bench_node, node)->number;
	/* A part of a batch may be missing, at most a quarter. */
	if (walked != batch.count ||
	    fabs(w->stolen - proportion * FILCHI_BULK_BENCH_NODES) > FILCHI_BULK_BENCH_BATCH / 4.0)
		return mixed_up(error, "a steal did not take the proportion it was asked for");
	return empty(w, sum, error);
}

/* Takes turns until the sample has lasted long enough. */
static int take_turns(struct work *w, const struct context *c, struct filchi_bench_error *error)
{
	uint64_t end = filchi_clock_ns() + (uint64_t)(c->seconds * 1e9);
	double clock = filchi_clock_cost_ns();
	int err;

	do {
		if (c->measure->nodes)
			err = turn_push(w, c->measure, clock, error);
		else if (c->measure->proportion > 0)
			err = turn_steal(w, c->measure->proportion, clock, error);
		else
			err = turn_pop(w, clock, error);
	} while (!err && w->turn_count < MAX_TURNS && filchi_clock_ns() < end);
	return err;
}

static int run_case(const struct filchi_bench_case *c, double *values, struct filchi_bench_error *error)
{
	const struct context *context = c->context;
	struct work w = {.loops = context->loops, .stolen = NAN};
	int err = -ENOMEM;

	w.queue = w.loops->create();
	w.nodes =
		filchi_alloc_array(0, (size_t)FILCHI_BULK_BENCH_BATCHES * FILCHI_BULK_BENCH_LARGEST, sizeof(*w.nodes));
	w.batches = filchi_alloc_array(0, FILCHI_BULK_BENCH_LARGEST, sizeof(*w.batches));
	w.turns = filchi_alloc_array(0, MAX_TURNS, sizeof(*w.turns));
	if (w.queue && w.nodes && w.batches && w.turns)
		err = take_turns(&w, context, error);
	values[0] = median(&w);
	values[1] = w.stolen;
	if (w.queue)
		w.loops->destroy(w.queue);
	filchi_free(w.nodes);
	filchi_free(w.batches);
	filchi_free(w.turns);
	return err;
}

static void free_own(struct filchi_bench_suite *s)
{
	free(s->own);
}

static void add_case(struct filchi_bench_suite *s, size_t kind, size_t measure)
{
	static const struct filchi_bench_metric metrics[] = {{"ns", "ns"}, {"stolen", "nodes"}};
	struct context *contexts = s->own, *context = &contexts[s->case_count];

	*context = (struct context){kinds[kind], &measures[measure], s->options.seconds};
	s->cases[s->case_count++] = (struct filchi_bench_case){.subject = context->loops->name,
							       .measure = context->measure->name,
							       .metrics = metrics,
							       .metric_count = 2,
							       .run = run_case,
							       .context = context};
}

int filchi_bulk_bench_init(struct filchi_bench_suite *s, const struct filchi_bench_options *options)
{
	*s = (struct filchi_bench_suite){
		.name = "bulk",
		.options = *options,
		.own = calloc(KINDS * MEASURES, sizeof(struct context)),
		.table = filchi_bulk_bench_table,
		.json_options = filchi_bulk_bench_json_options,
		.free_own = free_own,
	};
	if (!s->own || filchi_bench_suite_alloc(s, KINDS, KINDS * MEASURES)) {
		filchi_bench_suite_free(s);
		return -ENOMEM;
	}
	for (size_t i = 0; i < KINDS; i++) {
		s->subjects[s->subject_count++] = kinds[i]->name;
		for (size_t j = 0; j < MEASURES; j++)
			add_case(s, i, j);
	}
	return 0;
}

const char *filchi_bulk_bench_measure(size_t i)
{
	return i < MEASURES ? measures[i].name : NULL;
}
