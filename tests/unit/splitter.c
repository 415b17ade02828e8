/* SPDX-License-Identifier: Apache-2.0 */
/* How loops are cut into pieces, by made-up times. */
#include "../../src/algo/splitter.h"
#include "../fixtures/test.h"

#include <stdbool.h>

/* A loop of so many elements to the end; each takes so long, from the element at `from` on as long as `then`. */
static unsigned run(struct filchi_splitter *pace, size_t count, uint64_t ns, size_t from, uint64_t then)
{
	unsigned pieces = 0;

	for (size_t done = 0; done < count; pieces++) {
		size_t step = filchi_splitter_step(pace, count - done);

		TEST_CHECK(step >= 1 && step <= count - done);
		filchi_splitter_adapt(pace, step, step * (done >= from ? then : ns));
		TEST_CHECK(pace->piece >= 1 && pace->least >= 1);
		done += step;
	}
	return pieces;
}

static struct filchi_splitter begun(void)
{
	return (struct filchi_splitter){.piece = 1, .least = 1, .counts = true};
}

/* Cheap elements come in pieces that take long enough, and few of them. */
static void cheap(void)
{
	struct filchi_splitter pace = begun();
	unsigned pieces = run(&pace, 1000000, 1, SIZE_MAX, 0);

	TEST_CHECK(pace.piece >= FILCHI_CHUNK_NS / 2 && pace.piece <= 2 * FILCHI_CHUNK_MAX_NS);
	TEST_CHECK(pieces >= 1000000 / (2 * FILCHI_CHUNK_MAX_NS) && pieces < 1000000 / FILCHI_CHUNK_NS + 30);
	pace = begun();
	TEST_CHECK(run(&pace, 100, 1, SIZE_MAX, 0) <= 6);
}

/* What was learnt from cheap ones is forgotten when the others come: they are small pieces, and can be shared. */
static void heavy_later(void)
{
	struct filchi_splitter pace = begun();

	run(&pace, 100000, 1, SIZE_MAX, 0);
	for (int i = 0; i < 8; i++)
		run(&pace, pace.piece, 0, 0, 1000000);
	TEST_CHECK(pace.piece == 1 && pace.least == 1);
	/* And the other way around. */
	run(&pace, 100000, 1, SIZE_MAX, 0);
	TEST_CHECK(pace.piece > FILCHI_CHUNK_NS / 4);
}

/* Elements that take longer than a piece come one by one. */
static void heavy(void)
{
	struct filchi_splitter pace = begun();

	TEST_CHECK(run(&pace, 300, 1000000, SIZE_MAX, 0) == 300);
}

/* With a grain each piece has it, but the last. */
static void grains(void)
{
	struct filchi_splitter pace = {.piece = 7, .least = 7};

	for (size_t left = 100; left > 7; left -= 7)
		TEST_CHECK(filchi_splitter_step(&pace, left) == 7);
	TEST_CHECK(filchi_splitter_step(&pace, 2) == 2);
}

/* A body that takes no time at all, over everything there is. */
static void no_time(void)
{
	struct filchi_splitter pace = begun();

	TEST_CHECK(run(&pace, SIZE_MAX, 0, SIZE_MAX, 0) < 1000);
	TEST_CHECK(filchi_middle(0, SIZE_MAX, 0) == SIZE_MAX / 2 + 1);
}

int main(void)
{
	static const struct test_scenario scenarios[] = {{"cheap", cheap},
							 {"heavy_later", heavy_later},
							 {"heavy", heavy},
							 {"grains", grains},
							 {"no_time", no_time}};

	test_run(scenarios, sizeof(scenarios) / sizeof(scenarios[0]));
	return TEST_PASS;
}
