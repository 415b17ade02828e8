/* SPDX-License-Identifier: Apache-2.0 */
/* Compares two sets of samples whose ratio is known. */
#include "../../bench/harness/ratio.h"
#include "../fixtures/test.h"

#include <math.h>

static void clear_difference(void)
{
	const double a[] = {10, 11, 12, 10, 11, 12}, b[] = {20, 22, 24, 20, 22, 24};
	struct filchi_ratio r;

	for (int paired = 0; paired < 2; paired++) {
		TEST_CHECK(!filchi_ratio(&r, a, 6, b, 6, paired));
		TEST_CHECK(r.count == 6 && r.ratio == 0.5);
		TEST_CHECK(r.low <= 0.5 && r.high >= 0.5 && r.high < 0.7);
		TEST_CHECK(r.less == 1 - 1.0 / 64); /* as certain as six samples can be */
		TEST_CHECK(filchi_ratio_is_less(&r) && !filchi_ratio_is_more(&r));
		TEST_CHECK(!filchi_ratio(&r, b, 6, a, 6, paired));
		TEST_CHECK(r.ratio == 2 && r.less == 1.0 / 64);
		TEST_CHECK(!filchi_ratio_is_less(&r) && filchi_ratio_is_more(&r));
	}
}

static void too_few(void)
{
	const double a[] = {1, 1, 1, 1, 1}, b[] = {2, 2, 2, 2, 2};
	struct filchi_ratio r;

	TEST_CHECK(!filchi_ratio(&r, a, 5, b, 5, false));
	TEST_CHECK(r.ratio == 0.5 && r.high == 0.5 && r.less < FILCHI_RATIO_CLEAR);
	TEST_CHECK(!filchi_ratio_is_less(&r));
	TEST_CHECK(!filchi_ratio(&r, a, 1, b, 1, true));
	TEST_CHECK(r.less == 0.5);
}

static void no_difference(void)
{
	const double a[] = {1, 2, 3, 4, 5, 6, 7, 8}, b[] = {8, 7, 6, 5, 4, 3, 2, 1};
	const double zero[] = {0, 0, 0, 0, 0, 0, 0, 0};
	struct filchi_ratio r;

	TEST_CHECK(!filchi_ratio(&r, a, 8, b, 8, false));
	TEST_CHECK(r.ratio == 1 && r.low < 1 && r.high > 1 && fabs(r.less - 0.5) < 0.05);
	TEST_CHECK(!filchi_ratio_is_less(&r) && !filchi_ratio_is_more(&r));
	TEST_CHECK(!filchi_ratio(&r, a, 8, a, 8, true));
	TEST_CHECK(r.ratio == 1 && r.low == 1 && r.high == 1 && r.less == 0.5);
	TEST_CHECK(!filchi_ratio(&r, zero, 8, zero, 8, false));
	TEST_CHECK(r.ratio == 1 && r.less == 0.5);
}

/* Each sample is a tenth less than the other one of its pair; over time both double. */
static void drift(void)
{
	double a[10], b[10];
	struct filchi_ratio r;

	for (int i = 0; i < 10; i++) {
		b[i] = 100 + 10 * i;
		a[i] = 0.9 * b[i];
	}
	TEST_CHECK(!filchi_ratio(&r, a, 10, b, 10, true));
	TEST_CHECK(filchi_ratio_is_less(&r) && fabs(r.ratio - 0.9) < 1e-9 && fabs(r.low - r.high) < 1e-9);
	TEST_CHECK(!filchi_ratio(&r, a, 10, b, 10, false));
	TEST_CHECK(!filchi_ratio_is_less(&r));
}

static void not_numbers(void)
{
	const double a[] = {1, NAN, 1, 5}, b[] = {2, 2, NAN, 10}, none[] = {NAN};
	struct filchi_ratio r;

	TEST_CHECK(!filchi_ratio(&r, a, 4, b, 4, true));
	TEST_CHECK(r.count == 2 && r.ratio == 0.5);
	TEST_CHECK(!filchi_ratio(&r, a, 4, b, 4, false));
	TEST_CHECK(r.count == 3 && r.ratio == 0.5);
	TEST_CHECK(!filchi_ratio(&r, a, 4, none, 1, false));
	TEST_CHECK(r.count == 0 && isnan(r.ratio) && isnan(r.less) && !filchi_ratio_is_less(&r));
	TEST_CHECK(!filchi_ratio(&r, NULL, 0, NULL, 0, false));
	TEST_CHECK(r.count == 0 && !filchi_ratio_is_more(&r));
}

static void sizes(void)
{
	const double a[] = {3, 1, 2}, b[] = {4, 4, 4, 4, 4, 4, 4, 100};
	struct filchi_ratio r;

	TEST_CHECK(!filchi_ratio(&r, a, 3, b, 8, false));
	TEST_CHECK(r.count == 3 && r.ratio == 0.5 && r.less == 1 - 1.0 / 8);
}

int main(void)
{
	static const struct test_scenario scenarios[] = {
		{"clear_difference", clear_difference}, {"too_few", too_few},
		{"no_difference", no_difference},	{"drift", drift},
		{"not_numbers", not_numbers},		{"sizes", sizes},
	};

	test_run(scenarios, sizeof(scenarios) / sizeof(scenarios[0]));
	return TEST_PASS;
}
