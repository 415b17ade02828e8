/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The benchmarks notice a wrong deque: a deque that loses an item, returns an item twice, or returns another item.
 * Each flaw occurs once per sample, in a pop or in a steal.
 */
#include "../../bench/micro/deque/deque.h"
#include "../../bench/micro/queue/queue.h"
#include "../../src/deque/locked.h"
#include "../fixtures/test.h"

#include <errno.h>
#include <string.h>

enum flaw { NONE, POP_LOSES, POP_DOUBLES, POP_ALTERS, STEAL_LOSES, STEAL_DOUBLES, STEAL_ALTERS, UPPER_HALF };
static enum flaw flaw;

/* A correct deque behind a mutex, with a flaw for one item. In a pop it is the last but one of a burst. */
#define RARELY (8 * FILCHI_BENCH_DEPTH)
static bool spoiled; /* only the thread with the flaw uses it */
#define filchi_flawed filchi_locked
#define filchi_flawed_init filchi_locked_init
#define filchi_flawed_fini filchi_locked_fini
#define filchi_flawed_push filchi_locked_push

static int spoil(int result, uintptr_t *item, struct filchi_locked *q, enum flaw loses)
{
	if (result != FILCH_OK || spoiled)
		return result;
	if (flaw == loses + 1) {
		spoiled = !filchi_locked_push(q, *item); /* it may be full again */
		return result;
	}
	spoiled = true;
	if (flaw == loses)
		return filchi_locked_steal(q, item);
	*item += flaw == UPPER_HALF ? (uintptr_t)1 << 32 : 1;
	return result;
}

static int filchi_flawed_pop(struct filchi_locked *q, uintptr_t *item)
{
	int result = filchi_locked_pop(q, item);

	if (((flaw < POP_LOSES || flaw > POP_ALTERS) && flaw != UPPER_HALF) || *item % RARELY != RARELY - 2)
		return result;
	return spoil(result, item, q, POP_LOSES);
}

static int filchi_flawed_steal(struct filchi_locked *q, uintptr_t *item)
{
	int result = filchi_locked_steal(q, item);

	return flaw < STEAL_LOSES || flaw > STEAL_ALTERS ? result : spoil(result, item, q, STEAL_LOSES);
}

extern const struct filchi_bench_loops filchi_bench_flawed;
#define KIND flawed
#include "../../bench/micro/deque/loops.h"

static const struct filchi_bench_options options = {.runs = 1, .seconds = 0.01};
static const char *const kinds[] = {"locked"};
static unsigned payload = 8; /* of the samples of queue */

/* Makes a suite that has the measure, with the flawed deque in place of the locked one. */
static void suite_init(struct filchi_bench_suite *suite, const char *measure)
{
	const struct filchi_queue_options queue = {.thieves = 1,
						   .payload = payload,
						   .capacity = 1024,
						   .rate_count = 3,
						   .rates = {{0, false}, {100000, false}, {0, true}}};

	if (strstr(measure, "throughput_") || strstr(measure, "latency_")) {
		struct filchi_queue_bench *own;

		TEST_CHECK(!filchi_queue_bench_init(suite, &options, &queue, kinds, 1));
		own = suite->own;
		for (size_t i = 0; i < queue.rate_count; i++)
			own->kinds[i].loops = &filchi_bench_flawed;
	} else {
		TEST_CHECK(!filchi_deque_bench_init(suite, &options, 1, kinds, 1));
		TEST_CHECK(suite->subject_count == 2);
		((struct filchi_deque_bench_kind *)suite->own)[1].loops = &filchi_bench_flawed;
	}
}

/* Takes one sample of the flawed deque, and returns the error. A thief may need several attempts to get an item. */
static int sample(const char *measure, enum flaw chosen, struct filchi_bench_error *error)
{
	const struct filchi_bench_case *c;
	struct filchi_bench_suite suite;
	double values[80];
	int err, tries = 1000;

	suite_init(&suite, measure);
	c = filchi_bench_suite_case(&suite, "locked", measure);
	TEST_CHECK(c && c->metric_count <= sizeof(values) / sizeof(values[0]));
	flaw = chosen;
	spoiled = false;
	do {
		error->text[0] = '\0';
		err = c->run(c, values, error);
	} while (chosen != NONE && !spoiled && --tries);
	TEST_CHECK(tries);
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

static void pops(const char *measure)
{
	struct filchi_bench_error error;

	TEST_CHECK(!sample(measure, NONE, &error));
	found(measure, POP_LOSES, "lost or doubled");
	found(measure, POP_DOUBLES, "lost or doubled");
	found(measure, POP_ALTERS, "mixed up");
}

static void steals_of(const char *measure)
{
	struct filchi_bench_error error;

	TEST_CHECK(!sample(measure, NONE, &error));
	found(measure, STEAL_LOSES, "lost or doubled");
	found(measure, STEAL_DOUBLES, "lost or doubled");
	found(measure, STEAL_ALTERS, "mixed up");
}

static void owner_alone(void)
{
	pops("owner_alone");
}

static void with_thieves(void)
{
	pops("with_thieves");
	steals_of("with_thieves");
}

static void steal_alone(void)
{
	steals_of("steal_alone");
}

static void throughput(void)
{
	pops("throughput_0");
	pops("throughput_100k");
	steals_of("throughput_100k");
	steals_of("throughput_max");
}

static void latency(void)
{
	pops("latency_0");
	pops("latency_100k");
	steals_of("latency_100k");
	steals_of("latency_max");
}

/* With a payload of 4 bytes the other half of an item is not checked. */
static void half_an_item(void)
{
	struct filchi_bench_error error;

	payload = 4;
	pops("throughput_0");
	steals_of("throughput_max");
	pops("latency_0");
	TEST_CHECK(!sample("throughput_0", UPPER_HALF, &error));
	TEST_CHECK(!sample("latency_0", UPPER_HALF, &error));
	payload = 8;
	found("throughput_0", UPPER_HALF, "mixed up");
	found("latency_0", UPPER_HALF, "mixed up");
}

/* The whole run fails, and its message names the place. */
static void whole_run(void)
{
	struct filchi_bench_error error;
	struct filchi_bench_suite suite;

	suite_init(&suite, "owner_alone");
	flaw = POP_LOSES;
	spoiled = false;
	TEST_CHECK(filchi_bench_suite_run(&suite, &error) == -EPROTO);
	TEST_CHECK(strstr(error.text, "locked, "));
	filchi_bench_suite_free(&suite);
}

int main(void)
{
	static const struct test_scenario scenarios[] = {
		{"owner_alone", owner_alone}, {"with_thieves", with_thieves}, {"steal_alone", steal_alone},
		{"throughput", throughput},   {"latency", latency},	      {"half_an_item", half_an_item},
		{"whole_run", whole_run},
	};

	test_run(scenarios, sizeof(scenarios) / sizeof(scenarios[0]));
	return TEST_PASS;
}
