/* SPDX-License-Identifier: Apache-2.0 */
/* Statistics of samples with known answers. */
#include "../../bench/harness/stats.h"
#include "../fixtures/test.h"

#include <math.h>

static void quartiles(void)
{
	const double samples[] = {5, 1, 4, 2, 3};
	struct filchi_stats s;

	TEST_CHECK(!filchi_stats(&s, samples, 5, 1));
	TEST_CHECK(s.count == 5);
	TEST_CHECK(s.min == 1 && s.q1 == 2 && s.median == 3 && s.q3 == 4 && s.max == 5);
	TEST_CHECK(fabs(filchi_stats_spread(&s) - 1.0 / 3) < 1e-12);
	TEST_CHECK(s.low >= 1 && s.low <= 3 && s.high >= 3 && s.high <= 5);
}

static void between_two(void)
{
	const double samples[] = {4, 1, 2, 3};
	struct filchi_stats s;

	TEST_CHECK(!filchi_stats(&s, samples, 4, 1));
	TEST_CHECK(s.q1 == 1.75 && s.median == 2.5 && s.q3 == 3.25);
}

static void stride(void)
{
	const double samples[] = {1, 100, 3, 200, 2, 300};
	struct filchi_stats s;

	TEST_CHECK(!filchi_stats(&s, samples, 3, 2));
	TEST_CHECK(s.median == 2 && s.max == 3);
	TEST_CHECK(!filchi_stats(&s, samples + 1, 3, 2));
	TEST_CHECK(s.median == 200 && s.min == 100);
}

static void one(void)
{
	const double sample = 7;
	struct filchi_stats s;

	TEST_CHECK(!filchi_stats(&s, &sample, 1, 1));
	TEST_CHECK(s.min == 7 && s.median == 7 && s.max == 7 && s.low == 7 && s.high == 7);
	TEST_CHECK(filchi_stats_spread(&s) == 0);
}

static void not_numbers(void)
{
	const double samples[] = {NAN, 2, NAN, 1, 3};
	struct filchi_stats s;

	TEST_CHECK(!filchi_stats(&s, samples, 5, 1));
	TEST_CHECK(s.count == 3 && s.median == 2);
	TEST_CHECK(!filchi_stats(&s, samples, 1, 1));
	TEST_CHECK(s.count == 0 && isnan(s.median) && isnan(s.low) && isnan(filchi_stats_spread(&s)));
	TEST_CHECK(!filchi_stats(&s, NULL, 0, 1));
	TEST_CHECK(s.count == 0 && isnan(s.median));
}

/* 1 ... 99: the interval of the median is about 50 +- 1.96 * 0.5 * sqrt(99), which is 40 to 60. */
static void interval(void)
{
	double samples[99];
	struct filchi_stats s, again;

	for (int i = 0; i < 99; i++)
		samples[(i * 37) % 99] = i + 1;
	TEST_CHECK(!filchi_stats(&s, samples, 99, 1));
	TEST_CHECK(s.median == 50);
	TEST_CHECK(s.low >= 35 && s.low <= 45);
	TEST_CHECK(s.high >= 55 && s.high <= 65);
	TEST_CHECK(!filchi_stats(&again, samples, 99, 1));
	TEST_CHECK(s.low == again.low && s.high == again.high);
}

/* Quartiles 2 and 4: samples from -1 to 7 are no outliers. */
static void outliers(void)
{
	const double none[] = {1, 2, 3, 4, 7}, above[] = {1, 2, 3, 4, 7.5}, below[] = {-1.5, 2, 3, 4, 5};
	const double both[] = {-9, 1, 2, 2, 3, 4, 4, 5, 9, NAN};
	struct filchi_stats s;

	TEST_CHECK(!filchi_stats(&s, none, 5, 1));
	TEST_CHECK(s.outliers == 0);
	TEST_CHECK(!filchi_stats(&s, above, 5, 1));
	TEST_CHECK(s.outliers == 1);
	TEST_CHECK(!filchi_stats(&s, below, 5, 1));
	TEST_CHECK(s.outliers == 1);
	TEST_CHECK(!filchi_stats(&s, both, 10, 1));
	TEST_CHECK(s.outliers == 2);
	TEST_CHECK(!filchi_stats(&s, NULL, 0, 1));
	TEST_CHECK(s.outliers == 0);
}

int main(void)
{
	static const struct test_scenario scenarios[] = {
		{"quartiles", quartiles},     {"between_two", between_two}, {"stride", stride},	    {"one", one},
		{"not_numbers", not_numbers}, {"interval", interval},	    {"outliers", outliers},
	};

	test_run(scenarios, sizeof(scenarios) / sizeof(scenarios[0]));
	return TEST_PASS;
}
