/* SPDX-License-Identifier: Apache-2.0 */
/* Speed-up, the speed-up of the machine, and the share of it, with known answers. */
#include "../../bench/harness/scaling.h"
#include "../fixtures/test.h"

#include <math.h>

static bool near(double a, double b)
{
	return fabs(a - b) < 1e-9;
}

/* Two at once take a quarter longer each, and the program with two workers takes as long as that allows. */
static void all_there_is(void)
{
	const double one[] = {100, 110, 120, 130, 140}, many[] = {62.5, 68.75, 75, 81.25, 87.5};
	const double copies[] = {125, 137.5, 150, 162.5, 175};
	struct filchi_scaling s;

	TEST_CHECK(!filchi_scaling(&s, one, many, one, copies, 5, 2));
	TEST_CHECK(near(s.speedup.ratio, 1.6) && near(s.gives.ratio, 1.6) && near(s.share.ratio, 1));
	/* They drift together, so there is no doubt. */
	TEST_CHECK(near(s.gives.low, 1.6) && near(s.gives.high, 1.6));
	TEST_CHECK(near(s.share.low, 1) && near(s.share.high, 1));
}

static void half_of_it(void)
{
	const double one[] = {100, 100, 100, 100}, many[] = {50, 50, 50, 50}, copies[] = {100, 100, 100, 100};
	struct filchi_scaling s;

	TEST_CHECK(!filchi_scaling(&s, one, many, one, copies, 4, 4));
	TEST_CHECK(near(s.speedup.ratio, 2) && near(s.gives.ratio, 4) && near(s.share.ratio, 0.5));
}

/* The copied program is another one, which takes twice as long. */
static void of_another(void)
{
	const double one[] = {50, 55, 60}, many[] = {30, 33, 36}, alone[] = {100, 110, 120}, copies[] = {110, 121, 132};
	struct filchi_scaling s;

	TEST_CHECK(!filchi_scaling(&s, one, many, alone, copies, 3, 2));
	TEST_CHECK(near(s.speedup.ratio, 5.0 / 3) && near(s.gives.ratio, 20.0 / 11));
	TEST_CHECK(near(s.share.ratio, s.speedup.ratio / s.gives.ratio));
}

static void spread(void)
{
	const double one[] = {100, 101, 99, 100, 102, 98, 100}, many[] = {50, 52, 51, 55, 50, 49, 53};
	const double copies[] = {104, 105, 103, 109, 101, 104, 106};
	struct filchi_scaling s;

	TEST_CHECK(!filchi_scaling(&s, one, many, one, copies, 7, 2));
	TEST_CHECK(s.gives.low < s.gives.ratio && s.gives.ratio < s.gives.high && s.gives.high < 2);
	TEST_CHECK(s.share.low < s.share.ratio && s.share.ratio < s.share.high);
	TEST_CHECK(s.speedup.low < s.speedup.ratio && s.speedup.ratio < s.speedup.high);
}

static void nothing(void)
{
	const double none[] = {NAN, NAN}, some[] = {1, 1};
	struct filchi_scaling s;

	TEST_CHECK(!filchi_scaling(&s, some, some, some, none, 2, 2));
	TEST_CHECK(isnan(s.gives.ratio) && isnan(s.share.ratio) && near(s.speedup.ratio, 1));
	TEST_CHECK(!filchi_scaling(&s, some, some, some, some, 0, 2));
	TEST_CHECK(isnan(s.speedup.ratio));
}

int main(void)
{
	static const struct test_scenario scenarios[] = {
		{"all_there_is", all_there_is}, {"half_of_it", half_of_it},
		{"of_another", of_another},	{"spread", spread},
		{"nothing", nothing},
	};

	test_run(scenarios, sizeof(scenarios) / sizeof(scenarios[0]));
	return TEST_PASS;
}
