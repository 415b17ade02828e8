/* SPDX-License-Identifier: Apache-2.0 */
#include "../../src/bulk/bulk.h"
#include "../fixtures/bulk/unit.h"
#include "../fixtures/test.h"

/* On request the owner keeps half of its nodes, but walks over FILCHI_BULK_WALK nodes at most. */
static void walk(void)
{
	static struct filchi_bulk q;
	static struct filch_node nodes[1000];
	const struct filchi_bulk_setup setup = {.chunks = 4};

	for (size_t count = 1; count <= 1000; count++) {
		struct filch_batch batch = {.first = nodes, .last = &nodes[count - 1], .count = count};
		size_t keep = count / 2 < FILCHI_BULK_WALK ? count / 2 : FILCHI_BULK_WALK;

		for (size_t i = 0; i < count; i++)
			nodes[i].next = i + 1 < count ? &nodes[i + 1] : NULL;
		TEST_CHECK(filchi_bulk_init(&q, &setup) == 0);
		TEST_CHECK(filchi_bulk_push(&q, &batch) == 0);
		TEST_CHECK(filchi_bulk_steal(&q, 1, &batch) == FILCH_EMPTY);
		filchi_bulk_poll(&q);
		TEST_CHECK(filchi_bulk_steal(&q, 1, &batch) == FILCH_OK && batch.count == count - keep);
		TEST_CHECK(batch.first == &nodes[keep] && filchi_bulk_size(&q) == keep);
		filchi_bulk_fini(&q);
	}
}

static struct filch_batch thousand(void)
{
	static struct filch_node nodes[20][1000];
	static unsigned next;
	struct filch_batch batch = {0};

	for (size_t i = 0; i < 1000; i++)
		filch_batch_add(&batch, &nodes[next % 20][i]);
	next++;
	return batch;
}

static void steal_near(struct filch_bulk *q, double proportion, struct filch_batch *batch, size_t slack)
{
	double aim = proportion * (double)filch_bulk_size(q);

	TEST_CHECK(filch_bulk_steal(q, proportion, batch) == FILCH_OK);
	TEST_CHECK((double)batch->count >= aim - (double)slack && (double)batch->count <= aim + (double)slack);
}

/*
 * In a steady flow thieves find their share without a request: a slot is free again as soon as a thief has taken its
 * part.
 */
static void steady(void)
{
	struct filch_bulk *q;

	TEST_CHECK(filch_bulk_create(&q, "bulk", NULL) == 0);
	for (unsigned round = 0; round < 1000; round++) {
		struct filch_batch batch = thousand();

		TEST_CHECK(filch_bulk_push(q, &batch) == 0);
		if (filch_bulk_size(q) >= 10000)
			steal_near(q, 0.1, &batch, 150);
	}
	filch_bulk_destroy(q);
}

/* A stolen batch can be cut again in the queue where it is pushed next. */
static void moved_parts(void)
{
	struct filch_bulk *q, *other;
	struct filch_batch batch;

	TEST_CHECK(filch_bulk_create(&q, "bulk", NULL) == 0 && filch_bulk_create(&other, "bulk", NULL) == 0);
	for (unsigned i = 0; i < 10; i++) {
		batch = thousand();
		TEST_CHECK(filch_bulk_push(q, &batch) == 0);
	}
	steal_near(q, 0.8, &batch, 150);
	TEST_CHECK(filch_bulk_push(other, &batch) == 0);
	steal_near(other, 0.5, &batch, 1000);
	filch_bulk_destroy(q);
	filch_bulk_destroy(other);
}

int main(void)
{
	static const struct test_scenario scenarios[] = {
		{"walk", walk},
		{"steady", steady},
		{"moved_parts", moved_parts},
	};

	test_run(scenarios, sizeof(scenarios) / sizeof(scenarios[0]));
	/*
	 * A batch of 1,000 has parts of at most 250. The queue joins parts up to 1/64 of its size. So a cut misses its
	 * aim by at most half a part.
	 */
	return bulk_unit("bulk", 125);
}
