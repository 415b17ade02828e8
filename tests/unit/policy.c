/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The policy of spawns: each test is a rule of docs/tasks.md, with a table of cases. The numbers of the rules are here
 * once more, so that a change of the policy is a change of this list as well.
 */
#include "../../src/task/policy.h"
#include "../fixtures/test.h"

#define BACKLOG 256u
#define BACKLOG_ON_REQUEST 32u
#define FOR_EACH_IDLE 4u
#define FOR_JOB 4u
#define FOR_REQUEST 32u
#define FOR_STOLEN 64u
#define BUDGET_MAX 16384u
#define UNCHECKED_MAX 7u
#define RECENT_NS 1000u
#define CHUNK_NS 2000u
#define CHUNKS 4u
#define CHUNK_MAX 64u

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* ---- one spawn ---- */

struct spawn_case {
	struct filchi_spawn_policy policy;
	struct filchi_spawn_view view;
	bool make_task, keep_open;
	uint32_t unchecked;
};

static void check_spawns(const struct spawn_case *cases, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct filchi_spawn_policy p = cases[i].policy;
		struct filchi_spawn_decision d = filchi_spawn_decide(&p, &cases[i].view);
		bool right = d.make_task == cases[i].make_task && d.keep_open == cases[i].keep_open &&
			     d.unchecked == cases[i].unchecked;

		if (!right)
			fprintf(stderr, "case %zu: make_task %d, keep_open %d, unchecked %u\n", i, d.make_task,
				d.keep_open, (unsigned)d.unchecked);
		TEST_CHECK(right);
	}
}

/* A worker with a budget makes tasks until its backlog is full, and leaves the threshold open before the last one. */
static void backlog(void)
{
	static const struct spawn_case cases[] = {
		{{.budget = BACKLOG}, {.queued = 0}, true, true, BACKLOG - 1},
		{{.budget = BACKLOG}, {.queued = BACKLOG - 2}, true, true, 1},
		{{.budget = BACKLOG}, {.queued = BACKLOG - 1}, true, false, 0},
		{{.budget = BACKLOG}, {.queued = BACKLOG}, false, false, 0},
		{{.budget = BACKLOG}, {.queued = 2 * BACKLOG}, false, false, 0},
	};

	check_spawns(cases, COUNT(cases));
}

/* The backlog is not larger than the budget. */
static void backlog_within_budget(void)
{
	static const struct spawn_case cases[] = {
		{{.budget = 1}, {.queued = 0}, true, false, 0},
		{{.budget = 1}, {.queued = 1}, false, false, 0},
		{{.budget = 20}, {.queued = 5}, true, true, 14},
		{{.budget = 3, .on_request = true}, {.queued = 2}, true, false, 0},
		{{.budget = 3, .on_request = true}, {.queued = 3}, false, false, 0},
		{{.budget = 2 * BACKLOG}, {.queued = BACKLOG}, false, false, 0},
	};

	check_spawns(cases, COUNT(cases));
}

/* After a poor steal only requests and the start of a job make tasks. */
static void after_poor_steal(void)
{
	struct filchi_spawn_policy p = {.budget = 0};
	struct filchi_spawn_view v = {.now_ns = 1000000000};

	filchi_spawn_was_stolen(&p, true);
	TEST_CHECK(!filchi_spawn_needs_clock(&p, &v));
	TEST_CHECK(!filchi_spawn_decide(&p, &v).make_task);
	v.requested = true;
	TEST_CHECK(filchi_spawn_decide(&p, &v).make_task && p.budget == FOR_REQUEST);
	/* A good steal ends that. */
	filchi_spawn_was_stolen(&p, false);
	p.budget = 0;
	v.requested = false;
	TEST_CHECK(filchi_spawn_needs_clock(&p, &v));
	TEST_CHECK(filchi_spawn_decide(&p, &v).make_task);
}

/* Suspended items are no part of the backlog. */
static void backlog_above_suspended(void)
{
	static const struct spawn_case cases[] = {
		{{.budget = BACKLOG}, {.queued = 10 + BACKLOG - 1, .suspended = 10}, true, false, 0},
		{{.budget = BACKLOG}, {.queued = 10 + BACKLOG, .suspended = 10}, false, false, 0},
		/* Thieves have taken some of the suspended items. */
		{{.budget = BACKLOG}, {.queued = 5, .suspended = 10}, true, true, BACKLOG + 4},
	};

	check_spawns(cases, COUNT(cases));
}

/* While the budget comes from a request only, a few tasks are enough. */
static void backlog_on_request(void)
{
	static const struct spawn_case cases[] = {
		{{.budget = BACKLOG, .on_request = true}, {.queued = 0}, true, true, BACKLOG_ON_REQUEST - 1},
		{{.budget = BACKLOG, .on_request = true}, {.queued = BACKLOG_ON_REQUEST - 1}, true, false, 0},
		{{.budget = BACKLOG, .on_request = true}, {.queued = BACKLOG_ON_REQUEST}, false, false, 0},
		{{.budget = 0}, {.queued = BACKLOG_ON_REQUEST - 1, .requested = true}, true, false, 0},
		{{.budget = 0}, {.queued = BACKLOG_ON_REQUEST, .requested = true}, false, false, 0},
		/* The worker has a larger budget than a request gives: the request changes nothing. */
		{{.budget = FOR_REQUEST + 2}, {.queued = BACKLOG_ON_REQUEST, .requested = true}, true, true, 1},
	};

	check_spawns(cases, COUNT(cases));
}

/* Each idle worker makes the backlog larger. */
static void backlog_for_idle(void)
{
	static const struct spawn_case cases[] = {
		{{.budget = BACKLOG}, {.queued = BACKLOG, .idle = 1}, true, true, FOR_EACH_IDLE - 1},
		{{.budget = BACKLOG}, {.queued = BACKLOG + FOR_EACH_IDLE, .idle = 1}, false, false, 0},
		{{.budget = BACKLOG}, {.queued = BACKLOG + 3 * FOR_EACH_IDLE - 1, .idle = 3}, true, false, 0},
		{{.budget = BACKLOG, .on_request = true},
		 {.queued = BACKLOG_ON_REQUEST, .idle = 2},
		 true,
		 true,
		 2 * FOR_EACH_IDLE - 1},
	};

	check_spawns(cases, COUNT(cases));
}

/* While a worker is idle, the owner soon looks again. */
static void looks_again(void)
{
	static const struct spawn_case cases[] = {
		{{.budget = BACKLOG}, {.queued = 0, .idle = 1}, true, true, UNCHECKED_MAX},
		{{.budget = BACKLOG}, {.queued = 0, .requested = true}, true, true, UNCHECKED_MAX},
		{{.budget = BACKLOG}, {.queued = BACKLOG - 2, .requested = true}, true, true, 1},
		{{.budget = BACKLOG}, {.queued = 0}, true, true, BACKLOG - 1},
	};

	check_spawns(cases, COUNT(cases));
}

/* A worker with no budget makes a task if its deque is empty and its last such task is not recent. */
static void one_task_remains(void)
{
	static const struct spawn_case cases[] = {
		{{.made_at = 5000}, {.now_ns = 5000 + RECENT_NS}, true, false, 0},
		{{.made_at = 5000}, {.now_ns = 5000 + RECENT_NS - 1}, false, false, 0},
		{{.made_at = 5000}, {.queued = 1, .now_ns = 50000}, false, false, 0},
		{{.made_at = 5000}, {.queued = 7, .suspended = 7, .now_ns = 50000}, true, false, 0},
		{{.made_at = 5000}, {.queued = 8, .suspended = 7, .now_ns = 50000}, false, false, 0},
		/* Idle workers change nothing: they can make a request. */
		{{.made_at = 5000}, {.queued = 1, .idle = 9, .now_ns = 50000}, false, false, 0},
	};

	check_spawns(cases, COUNT(cases));
}

/* The time counts from the last task without a budget, and a refused task does not move it. */
static void one_task_at_a_time(void)
{
	struct filchi_spawn_policy p = {0};
	struct filchi_spawn_view v = {.now_ns = 10000};

	TEST_CHECK(filchi_spawn_decide(&p, &v).make_task && p.made_at == 10000);
	v.now_ns += RECENT_NS / 2;
	TEST_CHECK(!filchi_spawn_decide(&p, &v).make_task && p.made_at == 10000);
	v.now_ns = 10000 + RECENT_NS;
	TEST_CHECK(filchi_spawn_decide(&p, &v).make_task && p.made_at == 10000 + RECENT_NS);
}

/* A decision needs the clock only for the one task that remains. */
static void clock_is_rare(void)
{
	static const struct {
		uint32_t budget;
		struct filchi_spawn_view view;
		bool needs_clock;
	} cases[] = {
		{0, {.queued = 0}, true},  {0, {.queued = 2, .suspended = 2}, true},
		{0, {.queued = 1}, false}, {0, {.requested = true}, false},
		{1, {.queued = 0}, false},
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct filchi_spawn_policy p = {.budget = cases[i].budget};

		TEST_CHECK(filchi_spawn_needs_clock(&p, &cases[i].view) == cases[i].needs_clock);
	}
}

/* A promised task is made even if there are enough by now, and only that one. */
static void promised_task(void)
{
	static const struct spawn_case cases[] = {
		{{.promised = true, .budget = 4}, {.queued = 4}, true, false, 0},
		{{.promised = true, .budget = 0}, {.queued = 9}, true, false, 0},
		{{.promised = true, .made_at = 5000}, {.now_ns = 5001}, true, false, 0},
		{{.promised = true, .budget = 4}, {.queued = 2}, true, true, 1},
	};
	struct filchi_spawn_policy p = {.promised = true};
	struct filchi_spawn_view v = {.queued = 9};

	check_spawns(cases, COUNT(cases));
	TEST_CHECK(filchi_spawn_decide(&p, &v).make_task);
	TEST_CHECK(!filchi_spawn_decide(&p, &v).make_task);
	p.promised = true;
	filchi_spawn_started(&p);
	TEST_CHECK(!p.promised);
}

/* ---- the budget ---- */

/* The start of a job or stolen task raises the budget. A request of an earlier job no longer counts. */
static void budget_of_job(void)
{
	static const struct {
		uint32_t before, after;
	} cases[] = {{0, FOR_JOB}, {FOR_JOB - 1, FOR_JOB}, {FOR_JOB, FOR_JOB}, {FOR_JOB + 1, FOR_JOB + 1}};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct filchi_spawn_policy p = {.budget = cases[i].before, .unchecked = 3, .on_request = true};

		filchi_spawn_started(&p);
		TEST_CHECK(p.budget == cases[i].after && !p.unchecked && !p.on_request);
	}
}

/* A request raises the budget. */
static void budget_of_request(void)
{
	static const struct {
		uint32_t before, after;
		bool on_request;
	} cases[] = {
		{0, FOR_REQUEST, true},
		{FOR_REQUEST - 1, FOR_REQUEST, true},
		{FOR_REQUEST, FOR_REQUEST, false},
		{1000, 1000, false},
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct filchi_spawn_policy p = {.budget = cases[i].before};
		struct filchi_spawn_view v = {.requested = true};

		(void)filchi_spawn_decide(&p, &v);
		TEST_CHECK(p.budget == cases[i].after && p.on_request == cases[i].on_request);
	}
}

/* A task that its owner takes back costs one. */
static void budget_of_taken_back(void)
{
	struct filchi_spawn_policy p = {.budget = 2};

	filchi_spawn_taken_back(&p);
	TEST_CHECK(p.budget == 1);
	filchi_spawn_taken_back(&p);
	filchi_spawn_taken_back(&p);
	TEST_CHECK(p.budget == 0);
}

/* A stolen task adds to the budget if the steal was worth it. The budget has a limit. */
static void budget_of_stolen(void)
{
	static const struct {
		uint32_t before;
		bool poor;
		uint32_t after;
	} cases[] = {
		{0, false, FOR_STOLEN},
		{5, false, 5 + FOR_STOLEN},
		{5, true, 5},
		{BUDGET_MAX - FOR_STOLEN - 1, false, BUDGET_MAX - 1},
		{BUDGET_MAX - FOR_STOLEN, false, BUDGET_MAX},
		{BUDGET_MAX - 1, false, BUDGET_MAX},
		{BUDGET_MAX, false, BUDGET_MAX},
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct filchi_spawn_policy p = {.budget = cases[i].before, .on_request = true};

		filchi_spawn_was_stolen(&p, cases[i].poor);
		TEST_CHECK(p.budget == cases[i].after && p.poor == cases[i].poor);
		/* Such a steal shows that the tasks are worth it, and then the whole backlog is. */
		TEST_CHECK(p.on_request == (cases[i].before == cases[i].after));
	}
}

/* ---- SPAWN_N ---- */

/* Numbers that took long are tasks of their own. Short ones make chunks, of which there are enough to share. */
static void chunks(void)
{
	static const struct {
		struct filchi_spawn_n_policy policy;
		size_t numbers, chunk;
	} cases[] = {
		{{0}, 1000, 1},
		{{.known = true, .number_ns = CHUNK_NS}, 1000, 1},
		{{.known = true, .number_ns = CHUNK_NS / 2 - 1}, 1000, 2},
		{{.known = true, .number_ns = 99}, 1000, CHUNK_NS / 100},
		{{.known = true, .number_ns = 99}, CHUNKS * 5, 5},
		{{.known = true, .number_ns = 99}, CHUNKS - 1, 1},
		{{.known = true, .number_ns = 0}, 1000, CHUNK_MAX},
		/* What the last tasks took counts for each of their numbers. */
		{{.stolen = 3, .stolen_ns = 3 * 4 * 99, .chunk = 4}, 1000, CHUNK_NS / 100},
		{{.stolen = 3, .stolen_ns = 3 * 4 * 99, .chunk = 4, .known = true}, 1000, CHUNK_NS / 100},
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct filchi_spawn_n_policy p = cases[i].policy;
		size_t chunk = filchi_spawn_n_chunk(&p, cases[i].numbers);

		if (chunk != cases[i].chunk)
			fprintf(stderr, "case %zu: a chunk of %zu\n", i, chunk);
		TEST_CHECK(chunk == cases[i].chunk);
		TEST_CHECK(p.chunk == chunk && !p.stolen && !p.stolen_ns);
	}
}

/* Tasks of a worker that has given no numbers away say nothing about numbers. */
static void chunk_after_steals(void)
{
	struct filchi_spawn_n_policy p = {0};

	filchi_spawn_n_was_stolen(&p, 50);
	TEST_CHECK(filchi_spawn_n_chunk(&p, 1000) == 1 && !p.known);
	filchi_spawn_n_was_stolen(&p, 199);
	filchi_spawn_n_was_stolen(&p, 199);
	TEST_CHECK(filchi_spawn_n_chunk(&p, 1000) == CHUNK_NS / 200 && p.known);
}

int main(void)
{
	static const struct test_scenario scenarios[] = {
		{"backlog", backlog},
		{"backlog_within_budget", backlog_within_budget},
		{"after_poor_steal", after_poor_steal},
		{"backlog_above_suspended", backlog_above_suspended},
		{"backlog_on_request", backlog_on_request},
		{"backlog_for_idle", backlog_for_idle},
		{"looks_again", looks_again},
		{"one_task_remains", one_task_remains},
		{"one_task_at_a_time", one_task_at_a_time},
		{"promised_task", promised_task},
		{"clock_is_rare", clock_is_rare},
		{"budget_of_job", budget_of_job},
		{"budget_of_request", budget_of_request},
		{"budget_of_taken_back", budget_of_taken_back},
		{"budget_of_stolen", budget_of_stolen},
		{"chunks", chunks},
		{"chunk_after_steals", chunk_after_steals},
	};

	test_run(scenarios, COUNT(scenarios));
	return TEST_PASS;
}
