/* SPDX-License-Identifier: Apache-2.0 */
#include "../../src/base/rng.h"
#include "../fixtures/test.h"

/* The first outputs for seed 1234567, as published with the reference implementation. */
static void known(void)
{
	static const uint64_t expected[] = {6457827717110365317u, 3203168211198807973u, 9817491932198370423u,
					    4593380528125082431u, 16408922859458223821u};
	struct filchi_rng rng;

	filchi_rng_seed(&rng, 1234567);
	for (unsigned i = 0; i < 5; i++)
		TEST_CHECK(filchi_rng_next(&rng) == expected[i]);
}

static void below(void)
{
	struct filchi_rng rng;
	unsigned seen[7] = {0};

	filchi_rng_seed(&rng, 0);
	TEST_CHECK(filchi_rng_below(&rng, 0) == 0);
	TEST_CHECK(filchi_rng_below(&rng, 1) == 0);
	for (unsigned i = 0; i < 7000; i++) {
		uint32_t n = filchi_rng_below(&rng, 7);

		TEST_CHECK(n < 7);
		seen[n]++;
	}
	/* A thousand each, within five standard deviations. The seed is fixed, so the result is always the same. */
	for (unsigned i = 0; i < 7; i++)
		TEST_CHECK(seen[i] > 850 && seen[i] < 1150);
	TEST_CHECK(filchi_rng_below(&rng, UINT32_MAX) < UINT32_MAX);
}

int main(void)
{
	static const struct test_scenario scenarios[] = {{"known", known}, {"below", below}};

	test_run(scenarios, 2);
	return TEST_PASS;
}
