/* SPDX-License-Identifier: Apache-2.0 */
/* The decisions of the splitter, with made-up times. */
#include "../../src/algo/splitter.h"
#include "../fixtures/test.h"

#include <stdbool.h>

/* Runs a loop of count elements. Each takes ns, and from the element at `from` on each takes `then`. */
static unsigned run(struct filchi_splitter *s, size_t count, uint64_t ns, size_t from, uint64_t then)
{
	unsigned chunks = 0;

	for (size_t done = 0; done < count; chunks++) {
		size_t chunk = filchi_splitter_chunk(s, count - done);

		TEST_CHECK(chunk >= 1 && chunk <= count - done);
		filchi_splitter_adapt(s, chunk, chunk * (done >= from ? then : ns));
		TEST_CHECK(s->chunk >= 1 && s->min_chunk >= 1);
		done += chunk;
	}
	return chunks;
}

static struct filchi_splitter begun(void)
{
	return (struct filchi_splitter){.chunk = 1, .min_chunk = 1, .timed = true};
}

/* Cheap elements come in chunks that take long enough, and few of them. */
static void cheap(void)
{
	struct filchi_splitter s = begun();
	unsigned chunks = run(&s, 1000000, 1, SIZE_MAX, 0);

	TEST_CHECK(s.chunk >= FILCHI_CHUNK_NS / 2 && s.chunk <= 2 * FILCHI_CHUNK_MAX_NS);
	TEST_CHECK(chunks >= 1000000 / (2 * FILCHI_CHUNK_MAX_NS) && chunks < 1000000 / FILCHI_CHUNK_NS + 30);
	s = begun();
	TEST_CHECK(run(&s, 100, 1, SIZE_MAX, 0) <= 6);
}

/* After cheap elements the splitter adapts to heavy elements: chunks become small, and can be shared. */
static void heavy_later(void)
{
	struct filchi_splitter s = begun();

	run(&s, 100000, 1, SIZE_MAX, 0);
	for (int i = 0; i < 8; i++)
		run(&s, s.chunk, 0, 0, 1000000);
	TEST_CHECK(s.chunk == 1 && s.min_chunk == 1);
	/* Cheap elements after heavy ones. */
	run(&s, 100000, 1, SIZE_MAX, 0);
	TEST_CHECK(s.chunk > FILCHI_CHUNK_NS / 4);
}

/* Elements that take longer than a chunk come one by one. */
static void heavy(void)
{
	struct filchi_splitter s = begun();

	TEST_CHECK(run(&s, 300, 1000000, SIZE_MAX, 0) == 300);
}

/* With a grain each chunk has that size, except the last. */
static void grains(void)
{
	struct filchi_splitter s = {.chunk = 7, .min_chunk = 7};

	for (size_t left = 100; left > 7; left -= 7)
		TEST_CHECK(filchi_splitter_chunk(&s, left) == 7);
	TEST_CHECK(filchi_splitter_chunk(&s, 2) == 2);
}

/* A body that takes no time at all, over everything there is. */
static void no_time(void)
{
	struct filchi_splitter s = begun();

	TEST_CHECK(run(&s, SIZE_MAX, 0, SIZE_MAX, 0) < 1000);
	TEST_CHECK(filchi_middle(0, SIZE_MAX, 0) == SIZE_MAX / 2 + 1);
}

/* A loop is split when it has taken long enough; with few elements, with a grain, or once it was split, at once. */
static void when(void)
{
	struct filchi_splitter s = filchi_splitter_make(10000, 0, 1, true, 2, 0);

	TEST_CHECK(s.timed && !filchi_splitter_ready(&s, 10000));
	filchi_splitter_adapt(&s, 100, FILCHI_SPLIT_NS);
	TEST_CHECK(filchi_splitter_ready(&s, 10000) && !filchi_splitter_wakes(&s));
	TEST_CHECK(!filchi_splitter_ready(&s, s.min_chunk));
	filchi_splitter_adapt(&s, 100, FILCHI_WAKE_NS - FILCHI_SPLIT_NS);
	TEST_CHECK(filchi_splitter_wakes(&s));
	s = filchi_splitter_make(10000, 0, 1, true, 2, FILCHI_WAKE_NS);
	TEST_CHECK(filchi_splitter_wakes(&s) && !filchi_splitter_ready(&s, 10000));
	s = filchi_splitter_make(FILCHI_FEW - 1, 0, 1, true, 2, 0);
	TEST_CHECK(!s.timed && filchi_splitter_ready(&s, FILCHI_FEW - 1) && filchi_splitter_wakes(&s));
	s = filchi_splitter_make(10000, 0, 1, true, 10000 / FILCHI_FEW_EACH + 1, 0);
	TEST_CHECK(!s.timed && filchi_splitter_ready(&s, 10000));
	s = filchi_splitter_make(10000, 7, 7, true, 2, 0);
	TEST_CHECK(!s.timed && filchi_splitter_ready(&s, 8) && !filchi_splitter_ready(&s, 7));
	s = filchi_splitter_make(10000, 0, 800, false, 2, 0);
	TEST_CHECK(!s.timed && filchi_splitter_ready(&s, 10000) && s.min_chunk == 100);
}

int main(void)
{
	static const struct test_scenario scenarios[] = {{"cheap", cheap},     {"heavy_later", heavy_later},
							 {"heavy", heavy},     {"grains", grains},
							 {"no_time", no_time}, {"when", when}};

	test_run(scenarios, sizeof(scenarios) / sizeof(scenarios[0]));
	return TEST_PASS;
}
