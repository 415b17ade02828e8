/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The benchmark notices a deque that is wrong: one that loses an item, has one twice, or hands out others than it was
 * given, each when popped and when stolen, and in each sample just once.
 */
#include "../../bench/deque/deque.h"
#include "../../src/deque/locked.h"
#include "../support/test.h"

#include <errno.h>
#include <string.h>

enum flaw { NONE, POP_LOSES, POP_DOUBLES, POP_ALTERS, STEAL_LOSES, STEAL_DOUBLES, STEAL_ALTERS };
static enum flaw flaw;

/* A good deque behind a mutex, spoiled for one item: the last but one of some burst, which no thief gets at. */
#define RARELY (8 * FILCHI_BENCH_DEPTH)
static bool spoiled; /* touched only by the thread that has the flaw */
#define filchi_flawed filchi_locked
#define filchi_flawed_init filchi_locked_init
#define filchi_flawed_fini filchi_locked_fini
#define filchi_flawed_push filchi_locked_push

static int spoil(int result, uintptr_t *item, struct filchi_locked *q, enum flaw loses)
{
	if (flaw < loses || flaw > loses + 2 || spoiled)
		return result;
	if (result != FILCH_OK || *item % RARELY != RARELY - 2)
		return result;
	spoiled = true;
	if (flaw == loses)
		return filchi_locked_steal(q, item);
	if (flaw == loses + 1)
		filchi_locked_push(q, *item);
	else
		*item += 1;
	return result;
}

static int filchi_flawed_pop(struct filchi_locked *q, uintptr_t *item)
{
	return spoil(filchi_locked_pop(q, item), item, q, POP_LOSES);
}

static int filchi_flawed_steal(struct filchi_locked *q, uintptr_t *item)
{
	return spoil(filchi_locked_steal(q, item), item, q, STEAL_LOSES);
}

extern const struct filchi_bench_loops filchi_bench_flawed;
#define KIND flawed
#include "../../bench/deque/loops.h"

/* One sample of the flawed deque: what comes of it. */
static int sample(const char *measure, enum flaw chosen, struct filchi_bench_error *error)
{
	const struct filchi_bench_options options = {.runs = 1, .seconds = 0.01, .thieves = 1};
	const char *const kinds[] = {"locked"};
	const struct filchi_bench_case *c;
	struct filchi_bench_suite suite;
	double values[16];
	int err;

	TEST_CHECK(!filchi_bench_suite_init(&suite, &options, kinds, 1));
	TEST_CHECK(suite.contender_count == 2);
	suite.contenders[1].loops = &filchi_bench_flawed;
	c = filchi_bench_suite_case(&suite, "locked", measure);
	TEST_CHECK(c && c->metric_count <= sizeof(values) / sizeof(values[0]));
	flaw = chosen;
	spoiled = false;
	error->text[0] = '\0';
	err = c->run(c, values, error);
	filchi_bench_suite_free(&suite);
	return err;
}

static void found(const char *measure, enum flaw chosen, const char *text)
{
	struct filchi_bench_error error;
	int err = sample(measure, chosen, &error);

	if (err != -EPROTO || !strstr(error.text, text))
		fprintf(stderr, "%s, flaw %d: %d, %s\n", measure, chosen, err, error.text);
	TEST_CHECK(err == -EPROTO);
	TEST_CHECK(strstr(error.text, text));
}

static void no_flaw(void)
{
	struct filchi_bench_error error;

	TEST_CHECK(!sample("owner_alone", NONE, &error));
	TEST_CHECK(!sample("with_thieves", NONE, &error));
	TEST_CHECK(!sample("steal_alone", NONE, &error));
}

static void owner_alone(void)
{
	found("owner_alone", POP_LOSES, "lost or doubled");
	found("owner_alone", POP_DOUBLES, "lost or doubled");
	found("owner_alone", POP_ALTERS, "mixed up");
}

static void with_thieves(void)
{
	found("with_thieves", POP_LOSES, "lost or doubled");
	found("with_thieves", POP_DOUBLES, "lost or doubled");
	found("with_thieves", POP_ALTERS, "mixed up");
}

static void steal_alone(void)
{
	found("steal_alone", STEAL_LOSES, "lost or doubled");
	found("steal_alone", STEAL_DOUBLES, "lost or doubled");
	found("steal_alone", STEAL_ALTERS, "mixed up");
}

/* The run as a whole fails, and says where. */
static void whole_run(void)
{
	const struct filchi_bench_options options = {.runs = 1, .seconds = 0.01, .thieves = 1};
	const char *const kinds[] = {"locked"};
	struct filchi_bench_error error;
	struct filchi_bench_suite suite;

	TEST_CHECK(!filchi_bench_suite_init(&suite, &options, kinds, 1));
	suite.contenders[1].loops = &filchi_bench_flawed;
	flaw = POP_LOSES;
	spoiled = false;
	TEST_CHECK(filchi_bench_suite_run(&suite, &error) == -EPROTO);
	TEST_CHECK(strstr(error.text, "locked, "));
	filchi_bench_suite_free(&suite);
}

int main(void)
{
	static const struct test_scenario scenarios[] = {
		{"no_flaw", no_flaw},	      {"owner_alone", owner_alone}, {"with_thieves", with_thieves},
		{"steal_alone", steal_alone}, {"whole_run", whole_run},
	};

	test_run(scenarios, sizeof(scenarios) / sizeof(scenarios[0]));
	return TEST_PASS;
}
