/* SPDX-License-Identifier: Apache-2.0 */
#include "../../src/bulk/bulk_list.h"
#include "../fixtures/bulk/unit.h"
#include "../fixtures/test.h"

/* The last of several requests counts. */
static void last_request(void)
{
	static struct filch_node nodes[100];
	struct filch_batch batch = {0};
	struct filch_bulk *q;

	for (unsigned i = 0; i < 100; i++)
		filch_batch_add(&batch, &nodes[i]);
	TEST_CHECK(filch_bulk_create(&q, "bulk_list", NULL) == 0 && filch_bulk_push(q, &batch) == 0);
	TEST_CHECK(filch_bulk_steal(q, 0.1, &batch) == FILCH_EMPTY && filch_bulk_steal(q, 0.9, &batch) == FILCH_EMPTY);
	filch_bulk_poll(q);
	TEST_CHECK(filch_bulk_steal(q, 0.1, &batch) == FILCH_OK && batch.count == 90);
	filch_bulk_destroy(q);
}

int main(void)
{
	static const struct test_scenario scenarios[] = {{"last_request", last_request}};

	test_run(scenarios, 1);
	return bulk_unit("bulk_list", 0);
}
