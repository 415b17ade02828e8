/* SPDX-License-Identifier: Apache-2.0 */
/* What every kind of bulk queue must do in one thread. Nodes are freed by who took them, at once. */
#include "bulk_unit.h"

#include "../../src/base/rng.h"
#include "../../src/bulk/kinds.h"
#include "out_of_memory.h"
#include "test.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

struct item {
	size_t id;
	struct filch_node node;
};

static const struct filchi_bulk_kind *kind;
static size_t slack_allowed;

/* A queue, and beside it what it should hold: model[from..to), the far end first. */
#define MODEL (1 << 16)
static struct filch_bulk *q;
static size_t model[MODEL], from, to, ids;

static void begin(size_t chunks, uint64_t first)
{
	struct filchi_bulk_setup setup = {chunks, first};

	q = NULL;
	TEST_CHECK(kind->ops.create(&q, &setup) == 0);
	TEST_CHECK(q);
	from = to = 0;
}

static void check_size(void)
{
	TEST_CHECK(filch_bulk_size(q) == to - from);
}

static struct filch_batch make(size_t count, bool marked)
{
	struct filch_batch batch = {0};

	for (size_t i = 0; i < count; i++) {
		struct item *item = malloc(sizeof(*item));

		TEST_CHECK(item);
		item->id = ids + i;
		filch_batch_add(&batch, &item->node);
	}
	if (!marked)
		batch = (struct filch_batch){.first = batch.first, .last = batch.last, .count = count};
	return batch;
}

static void push(size_t count, bool marked)
{
	struct filch_batch batch = make(count, marked);

	TEST_CHECK(filchi_batch_sane(&batch));
	TEST_CHECK(filch_bulk_push(q, &batch) == 0);
	if (to + count > MODEL) {
		memmove(model, model + from, (to - from) * sizeof(model[0]));
		to -= from;
		from = 0;
	}
	TEST_CHECK(to + count <= MODEL);
	for (size_t i = count; i; i--)
		model[to++] = ids + i - 1;
	ids += count;
	check_size();
}

static size_t took(struct filch_node *node)
{
	struct item *item = FILCH_CONTAINER_OF(node, struct item, node);
	size_t id = item->id;

	free(item);
	return id;
}

/* 0: empty, which it must be. */
static int pop(void)
{
	struct filch_node *node = NULL;
	int result = filch_bulk_pop(q, &node);

	if (result == FILCH_EMPTY) {
		TEST_CHECK(from == to && !node);
		return 0;
	}
	TEST_CHECK(result == FILCH_OK && from < to);
	TEST_CHECK(took(node) == model[--to]);
	check_size();
	return 1;
}

/* What was stolen is the far part, in order; frees it. */
static void check_stolen(struct filch_batch *batch)
{
	struct filch_node *node = batch->first, *next;

	TEST_CHECK(batch->count && batch->count <= to - from);
	TEST_CHECK(filchi_batch_sane(batch) && !batch->last->next);
	for (size_t i = batch->count; i; i--, node = next) {
		next = node->next;
		TEST_CHECK(took(node) == model[from + i - 1]);
	}
	TEST_CHECK(!node);
	from += batch->count;
}

/* How many came; 0: none. In one thread nobody can be first. */
static size_t steal(double proportion)
{
	struct filch_batch batch, before;
	int result;

	memset(&batch, 77, sizeof(batch));
	before = batch;
	result = filch_bulk_steal(q, proportion, &batch);
	if (result == FILCH_EMPTY) {
		TEST_CHECK(!memcmp(&batch, &before, sizeof(batch)));
		return 0;
	}
	TEST_CHECK(result == FILCH_OK);
	check_stolen(&batch);
	check_size();
	return batch.count;
}

/* Once the owner has been heard of, something comes if there is something. */
static size_t steal_surely(double proportion)
{
	size_t count = steal(proportion);

	if (!count) {
		filch_bulk_poll(q);
		check_size();
		count = steal(proportion);
	}
	TEST_CHECK(count || from == to);
	return count;
}

static void end(void)
{
	while (pop())
		;
	TEST_CHECK(!pop() && !steal(1));
	check_size();
	filch_bulk_destroy(q);
}

static void smoke(void)
{
	begin(4, 0);
	TEST_CHECK(!pop() && !steal(0.5) && !steal_surely(1));
	push(3, 1);
	push(1, 1);
	TEST_CHECK(pop() && pop());
	TEST_CHECK(steal_surely(0.5));
	push(2, 0);
	end();
}

static void last_node(void)
{
	begin(4, 0);
	for (unsigned i = 0; i < 10; i++) {
		push(1, 1);
		TEST_CHECK(pop() && !pop());
		push(1, 1);
		TEST_CHECK(steal_surely(0.01) == 1 && !pop());
	}
	end();
}

/* As near to the proportion as the kind promises, for what was pushed in batches of 1,000. */
static void proportions(void)
{
	for (double p = 0.01; p <= 1; p += 0.01) {
		size_t count;

		begin(1024, 0);
		for (unsigned i = 0; i < 10; i++)
			push(1000, 1);
		TEST_CHECK(steal(0) == 0);
		count = steal_surely(p);
		TEST_CHECK(fabs((double)count - 10000 * p) <= (double)slack_allowed + 0.5);
		end();
	}
}

/* The same in a queue that has been in use for long: what has gone is of no weight any more. */
static void proportions_again(void)
{
	begin(1024, 0);
	for (unsigned round = 0; round < 300; round++) {
		for (unsigned i = 0; i < 10; i++)
			push(1000, 1);
		TEST_CHECK(fabs((double)steal_surely(0.5) - 5000) <= (double)slack_allowed + 0.5);
		while (from < to)
			steal_surely(1);
	}
	end();
}

/* After a steal that got nothing, each call of the owner's shares; if it has nothing, the request stands. */
static void on_request(void)
{
	for (unsigned call = 0; call < 4; call++) {
		begin(4, 0);
		if (call < 3)
			push(3, 0);
		TEST_CHECK(!steal(0.5));
		if (call == 1)
			pop();
		else if (call > 1)
			filch_bulk_poll(q);
		if (call == 0 || call == 3)
			push(2, 0);
		TEST_CHECK(steal(0.5));
		end();
	}
}

/* Longer and longer, and all the way back, from both ends. */
static void growth(void)
{
	begin(4, 0);
	for (unsigned i = 0; i < 300; i++)
		push(i % 7 + 1, i % 3);
	while (to - from > 600)
		TEST_CHECK(steal_surely(0.1));
	end();
	begin(1024, 0);
	for (unsigned i = 0; i < 20000; i++)
		push(1, 1);
	TEST_CHECK(steal_surely(0.5) >= 5000);
	end();
}

/* Over each place where something wraps. */
static void wraparound(void)
{
	static const unsigned bits[] = {0, 12, 42, 51, 52, 63};

	for (unsigned i = 0; i < sizeof(bits) / sizeof(bits[0]); i++) {
		for (uint64_t back = 0; back < 20; back++) {
			begin((size_t)2 << back % 3, ((uint64_t)1 << bits[i]) - 1 - back);
			for (unsigned j = 0; j < 40; j++) {
				push(j % 5 + 1, 1);
				if (j % 3)
					TEST_CHECK(steal_surely(0.3));
				else
					TEST_CHECK(pop());
			}
			end();
		}
	}
}

static void random_mix(void)
{
	struct filchi_rng rng;

	filchi_rng_seed(&rng, 1);
	for (unsigned round = 0; round < 300; round++) {
		begin((size_t)2 << filchi_rng_below(&rng, 8), filchi_rng_next(&rng));
		for (unsigned i = 0; i < 300; i++) {
			unsigned what = filchi_rng_below(&rng, 8);

			if (what < 3 && to - from < MODEL / 2)
				push(1 + filchi_rng_below(&rng, 1u << filchi_rng_below(&rng, 9)), what);
			else if (what < 6)
				for (unsigned n = filchi_rng_below(&rng, 200); n; n--)
					pop();
			else if (what < 7)
				steal_surely(filchi_rng_below(&rng, 1000) / 1000.0 + 0.001);
			else
				filch_bulk_poll(q);
		}
		end();
	}
}

/* What is stolen goes into another queue, and comes out in the order in which it would have. */
static void moved(void)
{
	struct filch_bulk *other;
	struct filch_batch batch;
	struct filch_node *node;
	size_t left;

	TEST_CHECK(filch_bulk_create(&other, kind->info.name, NULL) == 0);
	begin(1024, 0);
	for (unsigned i = 0; i < 50; i++)
		push(100, 1);
	while (filch_bulk_steal(q, 0.6, &batch) == FILCH_EMPTY)
		filch_bulk_poll(q);
	TEST_CHECK(filch_bulk_push(other, &batch) == 0);
	left = batch.count;
	TEST_CHECK(filch_bulk_size(other) == left && filch_bulk_size(q) == 5000 - left);
	for (; left > 1000; left--) {
		TEST_CHECK(filch_bulk_pop(other, &node) == FILCH_OK);
		TEST_CHECK(took(node) == model[left - 1]);
	}
	to = from + left;
	while (to > from) {
		int result = filch_bulk_steal(other, 0.5, &batch);

		if (result == FILCH_OK)
			check_stolen(&batch);
		else
			filch_bulk_poll(other);
	}
	filch_bulk_destroy(other);
	while (filch_bulk_pop(q, &node) == FILCH_OK)
		took(node);
	filch_bulk_destroy(q);
}

static void check_parts(const struct filch_batch *batch)
{
	size_t before = 0;

	TEST_CHECK(filchi_batch_sane(batch));
	for (size_t i = 0; i <= batch->marks; i++) {
		size_t upto = i < batch->marks ? batch->mark[i].before : batch->count;

		TEST_CHECK(upto > before && upto - before <= (batch->count + 3) / 4 + 1);
		before = upto;
	}
}

/* The builder: sizes, marks, batches put together. */
static void batches(void)
{
	static struct filch_node nodes[1 << 12];
	struct filchi_rng rng;

	for (size_t count = 0; count <= 1000; count++) {
		struct filch_batch batch;

		filch_batch_init(&batch);
		for (size_t i = 0; i < count; i++)
			filch_batch_add(&batch, &nodes[i]);
		TEST_CHECK(batch.count == count);
		if (count)
			check_parts(&batch);
	}
	filchi_rng_seed(&rng, 2);
	for (unsigned round = 0; round < 1000; round++) {
		struct filch_batch all = {0}, one = {0};
		size_t used = 0;

		for (unsigned i = 0; i < 8; i++) {
			size_t count = filchi_rng_below(&rng, 1u << filchi_rng_below(&rng, 9));

			for (; count && used < sizeof(nodes) / sizeof(nodes[0]); count--)
				filch_batch_add(i % 3 ? &one : &all, &nodes[used++]);
			filch_batch_append(&all, &one);
			TEST_CHECK(!one.count && !one.marks && all.count == used);
			TEST_CHECK(filchi_batch_sane(&all));
		}
	}
}

/* A batch of count nodes as made by hand, which has no marks. */
static struct filch_batch by_hand(struct filch_node *nodes, size_t count)
{
	for (size_t i = 0; i < count; i++)
		nodes[i].next = i + 1 < count ? &nodes[i + 1] : NULL;
	return (struct filch_batch){.first = nodes, .last = &nodes[count - 1], .count = count};
}

/* Put together they have one, and from there on it is as if they had been built. */
static void batches_by_hand(void)
{
	static struct filch_node nodes[2020];
	struct filch_batch all = by_hand(nodes, 10), more = by_hand(nodes + 10, 10);

	filch_batch_append(&all, &more);
	TEST_CHECK(all.marks == 1 && all.mark[0].before == 10 && filchi_batch_sane(&all));
	for (size_t i = 20; i < 2020; i++)
		filch_batch_add(&all, &nodes[i]);
	check_parts(&all);
}

static int create_with(size_t size, size_t chunks)
{
	struct filch_bulk_options opt = {.size = size, .chunks = chunks};
	struct filch_bulk *made = NULL;
	int err = filch_bulk_create(&made, kind->info.name, &opt);

	TEST_CHECK(!err == !!made);
	filch_bulk_destroy(made);
	return err;
}

static void bad_options(void)
{
	struct {
		struct filch_bulk_options known;
		size_t unknown;
	} longer = {.known = {.size = sizeof(longer)}};
	size_t size = sizeof(struct filch_bulk_options);

	TEST_CHECK(filch_bulk_create(NULL, kind->info.name, NULL) == -EINVAL);
	TEST_CHECK(filch_bulk_create(&q, "no such kind", NULL) == -ENOENT);
	TEST_CHECK(filch_bulk_create(&q, "", NULL) == -ENOENT);
	TEST_CHECK(create_with(size, 0) == 0 && create_with(size, 2) == 0 && create_with(size, 3) == 0);
	TEST_CHECK(create_with(size, 4096) == 0);
	TEST_CHECK(create_with(size, 1) == -EINVAL && create_with(size, 4097) == -EINVAL);
	TEST_CHECK(create_with(size, SIZE_MAX) == -EINVAL);
	TEST_CHECK(create_with(0, 0) == -EINVAL && create_with(1, 0) == -EINVAL);
	TEST_CHECK(create_with(SIZE_MAX, 0) == -EINVAL);
	TEST_CHECK(create_with(sizeof(size_t), 1) == 0);
	TEST_CHECK(filch_bulk_create(&q, kind->info.name, &longer.known) == 0);
	filch_bulk_destroy(q);
	longer.unknown = 1;
	TEST_CHECK(filch_bulk_create(&q, kind->info.name, &longer.known) == -EINVAL);
	TEST_CHECK(filch_bulk_create(&q, NULL, NULL) == 0);
	TEST_CHECK(q->ops == &filchi_bulk_find("bulk")->ops);
	filch_bulk_destroy(q);
}

/* Proportions that are none change nothing and ask for nothing; empty batches change nothing. */
static void bad_use(void)
{
	static const double wrong[] = {-0.1, 1.1, NAN, -NAN, INFINITY, -INFINITY, -1e-300, 1.0000000000000002};
	struct filch_batch batch = {0};
	struct filch_node *node;

	bad_options();
	TEST_CHECK(filch_bulk_push(NULL, &batch) == -EINVAL);
	TEST_CHECK(filch_bulk_pop(NULL, &node) == -EINVAL);
	TEST_CHECK(filch_bulk_steal(NULL, 0.5, &batch) == -EINVAL);
	TEST_CHECK(filch_bulk_size(NULL) == 0);
	filch_bulk_poll(NULL);
	filch_bulk_destroy(NULL);
	begin(4, 0);
	push(0, 1);
	push(5, 1);
	for (unsigned i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		TEST_CHECK(filch_bulk_steal(q, wrong[i], &batch) == -EINVAL);
	TEST_CHECK(steal(0) == 0 && steal(-0.0) == 0);
	TEST_CHECK(filch_bulk_push(q, NULL) == -EINVAL);
	TEST_CHECK(filch_bulk_pop(q, NULL) == -EINVAL);
	TEST_CHECK(filch_bulk_steal(q, 0.5, NULL) == -EINVAL);
	push(0, 0);
	check_size();
	TEST_CHECK(steal_surely(1e-300) >= 1);
	end();
}

/* With the n-th request for memory refused: only create asks for any. */
static void no_memory(void)
{
	long live = out_of_memory_live();
	unsigned n = 0;

	for (;;) {
		int err;

		q = NULL;
		out_of_memory_at(++n);
		err = filch_bulk_create(&q, kind->info.name, NULL);
		if (!out_of_memory_happened())
			break;
		TEST_CHECK(err == -ENOMEM && !q);
		TEST_CHECK(out_of_memory_live() == live);
	}
	out_of_memory_at(0);
	filch_bulk_destroy(q);
	TEST_CHECK(out_of_memory_live() == live && n > 1);
	printf(" (%u refusals)", n - 1);
}

static void kinds(void)
{
	unsigned found = 0;

	for (unsigned i = 0; i < filch_bulk_kind_count(); i++) {
		const struct filch_bulk_info *info = filch_bulk_kind_info(i);

		TEST_CHECK(info && info->name && info->summary);
		TEST_CHECK(!strcmp(info->name, filch_bulk_kind_name(i)));
		found += !strcmp(info->name, kind->info.name);
	}
	TEST_CHECK(found == 1);
	TEST_CHECK(!filch_bulk_kind_name(filch_bulk_kind_count()) && !filch_bulk_kind_info(filch_bulk_kind_count()));
}

int bulk_unit(const char *name, size_t slack)
{
	static const struct test_scenario scenarios[] = {
		{"kinds", kinds},
		{"smoke", smoke},
		{"last_node", last_node},
		{"batches", batches},
		{"batches_by_hand", batches_by_hand},
		{"proportions", proportions},
		{"proportions_again", proportions_again},
		{"on_request", on_request},
		{"growth", growth},
		{"wraparound", wraparound},
		{"random_mix", random_mix},
		{"moved", moved},
		{"bad_use", bad_use},
		{"no_memory", no_memory},
	};

	kind = filchi_bulk_find(name);
	slack_allowed = slack;
	TEST_CHECK(kind);
	test_run(scenarios, sizeof(scenarios) / sizeof(scenarios[0]));
	return TEST_PASS;
}
