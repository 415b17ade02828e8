/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program's demands on stacks. Thread-local variables are on them. A program with nested functions has executable
 * stacks, and this program is linked as if it had some. The stacks of workers must serve both demands.
 */
#include "../fixtures/maps.h"
#include "../fixtures/pool/pools.h"

/* Larger than the requested stack. */
static _Thread_local char large[1 << 20];

static int look_at_stack(void *arg, void **result)
{
	struct test_map map;

	(void)arg;
	(void)result;
	memset(large, 1, sizeof(large));
	TEST_CHECK(test_map_of(&map, &map));
	return strcmp(map.access, "rwxp") ? 1 : 0;
}

int main(void)
{
	struct filch_options options = {.struct_size = sizeof(options), .workers = 2, .stack = 64 << 10};
	int executable = !look_at_stack(NULL, NULL);
	struct filch_future *f;

	TEST_CHECK(filch_start(&options) == 0);
	TEST_CHECK(filch_pool_submit(NULL, look_at_stack, NULL, &f) == 0);
	TEST_CHECK((filch_future_wait(f, NULL) == 0) == executable);
	filch_future_destroy(f);
	TEST_CHECK(filch_stop() == 0);
	if (!executable) {
		printf("skipped: no executable stacks here\n");
		return TEST_SKIP;
	}
	return TEST_PASS;
}
