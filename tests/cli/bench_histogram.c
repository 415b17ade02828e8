/* SPDX-License-Identifier: Apache-2.0 */
/* Histograms of times: the bucket of a time, and the quantiles, the mean and the maximum. */
#include "../../bench/harness/histogram.h"
#include "../fixtures/test.h"

#include <math.h>
#include <string.h>

static struct filchi_histogram h, other;

static void nothing(void)
{
	memset(&h, 0, sizeof(h));
	TEST_CHECK(isnan(filchi_histogram_quantile(&h, 0.5)));
	TEST_CHECK(isnan(filchi_histogram_mean(&h)));
	TEST_CHECK(isnan(filchi_histogram_max(&h)));
}

/* Buckets follow each other without a gap, in the order of times. */
static void places(void)
{
	unsigned last = 0;

	for (uint64_t ns = 0; ns < 1 << 20; ns++) {
		unsigned place = filchi_histogram_place(ns);

		TEST_CHECK(place == last || place == last + 1);
		TEST_CHECK(ns >= 64 || place == ns);
		last = place;
	}
	for (unsigned bit = 20; bit < 64; bit++) {
		unsigned place = filchi_histogram_place((uint64_t)1 << bit);

		TEST_CHECK(place >= last && place < FILCHI_HISTOGRAM_PLACES);
		TEST_CHECK(bit >= 38 || place > filchi_histogram_place(((uint64_t)1 << bit) - 1));
		last = place;
	}
	TEST_CHECK(filchi_histogram_place(UINT64_MAX) == FILCHI_HISTOGRAM_PLACES - 1);
}

/* A time is returned within 2 %; below 64 exactly. */
static void one(void)
{
	for (uint64_t ns = 0; ns < (uint64_t)1 << 36; ns += 1 + ns / 7) {
		double back;

		memset(&h, 0, sizeof(h));
		filchi_histogram_add(&h, ns);
		back = filchi_histogram_quantile(&h, 0.5);
		TEST_CHECK(fabs(back - (double)ns) <= (ns < 64 ? 0 : 0.02 * (double)ns));
		TEST_CHECK(back <= (double)ns);
		TEST_CHECK(filchi_histogram_max(&h) == (double)ns && filchi_histogram_mean(&h) == (double)ns);
	}
}

static void quantiles(void)
{
	memset(&h, 0, sizeof(h));
	for (uint64_t ns = 1; ns <= 50; ns++)
		filchi_histogram_add(&h, ns);
	TEST_CHECK(filchi_histogram_quantile(&h, 0) == 1);
	TEST_CHECK(filchi_histogram_quantile(&h, 0.5) == 25);
	TEST_CHECK(filchi_histogram_quantile(&h, 0.9) == 45);
	TEST_CHECK(filchi_histogram_quantile(&h, 0.99) == 50);
	TEST_CHECK(filchi_histogram_quantile(&h, 1) == 50);
	TEST_CHECK(filchi_histogram_mean(&h) == 25.5);
	TEST_CHECK(filchi_histogram_max(&h) == 50);
}

/* Beyond the last bucket: the maximum is still exact, and a quantile there returns it. */
static void too_long(void)
{
	const uint64_t longest = ((uint64_t)1 << 50) + 12345;

	memset(&h, 0, sizeof(h));
	filchi_histogram_add(&h, 3);
	filchi_histogram_add(&h, longest);
	TEST_CHECK(filchi_histogram_quantile(&h, 0.5) == 3);
	TEST_CHECK(filchi_histogram_quantile(&h, 0.99) == (double)longest);
	TEST_CHECK(filchi_histogram_max(&h) == (double)longest);
}

static void merge(void)
{
	memset(&h, 0, sizeof(h));
	memset(&other, 0, sizeof(other));
	filchi_histogram_add(&h, 10);
	for (int i = 0; i < 3; i++)
		filchi_histogram_add(&other, 40);
	filchi_histogram_merge(&h, &other);
	TEST_CHECK(h.count == 4 && h.sum == 130 && h.max == 40);
	TEST_CHECK(filchi_histogram_quantile(&h, 0.25) == 10 && filchi_histogram_quantile(&h, 0.26) == 40);
	memset(&other, 0, sizeof(other));
	filchi_histogram_merge(&h, &other);
	TEST_CHECK(h.count == 4 && h.max == 40);
}

int main(void)
{
	static const struct test_scenario scenarios[] = {
		{"nothing", nothing},	  {"places", places},	  {"one", one},
		{"quantiles", quantiles}, {"too_long", too_long}, {"merge", merge},
	};

	test_run(scenarios, sizeof(scenarios) / sizeof(scenarios[0]));
	return TEST_PASS;
}
