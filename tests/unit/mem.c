/* SPDX-License-Identifier: Apache-2.0 */
#include "../../src/base/mem.h"
#include "../../src/base/compiler.h"
#include "../fixtures/test.h"

#include <string.h>

static void aligned(void)
{
	for (size_t size = 1; size < 300; size++) {
		void *block = filchi_alloc(size);

		TEST_CHECK(block && (uintptr_t)block % FILCHI_CACHE_LINE == 0);
		memset(block, 1, size);
		filchi_free(block);
	}
	filchi_free(NULL);
}

static void absurd(void)
{
	TEST_CHECK(!filchi_alloc(0));
	TEST_CHECK(!filchi_alloc(SIZE_MAX));
	TEST_CHECK(!filchi_alloc(SIZE_MAX - FILCHI_CACHE_LINE));
	TEST_CHECK(!filchi_alloc((size_t)PTRDIFF_MAX));
}

static void array(void)
{
	void *block = filchi_alloc_array(16, 10, 8);

	TEST_CHECK(block);
	memset(block, 1, 16 + 10 * 8);
	filchi_free(block);
	TEST_CHECK(!filchi_alloc_array(0, SIZE_MAX, 8));
	TEST_CHECK(!filchi_alloc_array(0, SIZE_MAX / 8 + 2, 8));
	TEST_CHECK(!filchi_alloc_array(SIZE_MAX, 1, 1));
	TEST_CHECK(!filchi_alloc_array(64, SIZE_MAX / 8, 8));
}

static void powers(void)
{
	TEST_CHECK(!filchi_is_pow2(0) && filchi_is_pow2(1) && filchi_is_pow2(64) && !filchi_is_pow2(65));
	TEST_CHECK(filchi_round_pow2(0) == 1);
	TEST_CHECK(filchi_round_pow2(1) == 1);
	TEST_CHECK(filchi_round_pow2(2) == 2);
	TEST_CHECK(filchi_round_pow2(3) == 4);
	TEST_CHECK(filchi_round_pow2(1025) == 2048);
	TEST_CHECK(filchi_round_pow2(SIZE_MAX / 2 + 1) == SIZE_MAX / 2 + 1);
	TEST_CHECK(filchi_round_pow2((SIZE_MAX / 2 + 1) + 1) == 0);
	TEST_CHECK(filchi_round_pow2(SIZE_MAX) == 0);
}

int main(void)
{
	static const struct test_scenario scenarios[] = {
		{"aligned", aligned}, {"absurd", absurd}, {"array", array}, {"powers", powers}};

	test_run(scenarios, sizeof(scenarios) / sizeof(scenarios[0]));
	return TEST_PASS;
}
