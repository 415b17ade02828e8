/* SPDX-License-Identifier: Apache-2.0 */
/* chk_run(): one execution after the other, what each came to, caps, and crashes of the scenario. */
#define _GNU_SOURCE
#include "internal.h"

#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

/* The distinct executions, a hash set: without reduction the same one comes in many interleavings. */
static uint64_t *seen_graphs;
static size_t seen_count, seen_capacity;

/* ---- results ---- */

static int compare_strings(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void add_outcome(struct chk_result *result)
{
	for (unsigned i = 0; i < result->outcomes; i++)
		if (!strcmp(result->outcome[i], chki_run.outcome))
			return;
	char **bigger = realloc(result->outcome, (result->outcomes + 1) * sizeof *bigger);
	char *copy = strdup(chki_run.outcome);

	if (bigger)
		result->outcome = bigger;
	if (!bigger || !copy) {
		free(copy);
		return;
	}
	result->outcome[result->outcomes++] = copy;
	qsort(result->outcome, result->outcomes, sizeof *result->outcome, compare_strings);
}

/* True if new. Zero is not stored: a graph that hashes to it is counted as 1. */
static bool add_graph(uint64_t hash)
{
	hash += !hash;
	if (seen_count * 2 >= seen_capacity) {
		size_t capacity = seen_capacity ? seen_capacity * 2 : 1024;
		uint64_t *table = calloc(capacity, sizeof *table);

		if (!table)
			return true;
		for (size_t i = 0; i < seen_capacity; i++) {
			if (!seen_graphs[i])
				continue;
			size_t at = seen_graphs[i] & (capacity - 1);

			while (table[at])
				at = (at + 1) & (capacity - 1);
			table[at] = seen_graphs[i];
		}
		free(seen_graphs);
		seen_graphs = table;
		seen_capacity = capacity;
	}
	size_t at = hash & (seen_capacity - 1);

	while (seen_graphs[at]) {
		if (seen_graphs[at] == hash)
			return false;
		at = (at + 1) & (seen_capacity - 1);
	}
	seen_graphs[at] = hash;
	seen_count++;
	return true;
}

static void note_failure(struct chk_result *result, const struct graph *g)
{
	static unsigned shortest;
	unsigned events = chki_graph_events(g);

	if (result->verdict != CHK_OK && events >= shortest)
		return;
	shortest = events;
	free(result->trace);
	free(result->token);
	result->verdict = chki_run.verdict;
	memcpy(result->message, chki_run.message, sizeof result->message);
	result->trace = chki_report_trace(g);
	result->token = chki_report_token(g);
}

static double now_seconds(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec * 1e-9;
}

/* True: the whole exploration ends. */
static bool account(struct chk_result *result, enum run_end end, const struct graph *g)
{
	result->events += chki_graph_events(g);
	switch (end) {
	case RUN_FAILED:
		note_failure(result, g);
		return !chki_run.config->shortest || chki_run.verdict == CHK_MISUSE;
	case RUN_COMPLETE: {
		uint64_t hash = chki_graph_hash(g);

		result->executions++;
		if (chki_run.has_outcome)
			add_outcome(result);
		if (!chki_run.step || add_graph(hash)) {
			result->graphs++;
			result->graphs_hash += hash;
		}
		break;
	}
	case RUN_BLOCKED:
		result->blocked++;
		break;
	case RUN_DEAD:
		break;
	}
	return false;
}

static bool capped(uint64_t runs, double start)
{
	uint64_t cap = chki_run.config->max_executions;

	if (!cap && chki_run.config->mode == CHK_RANDOM)
		cap = 10000;
	if (cap && runs >= cap)
		return true;
	double limit = chki_run.config->max_seconds;

	return limit > 0 && runs % 64 == 0 && now_seconds() - start > limit;
}

/* ---- crashes of the scenario ---- */

static sigjmp_buf crash_exit;
static const int crash_signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
static struct sigaction old_actions[4];
static stack_t old_stack;
static char crash_stack[64 << 10];

static void on_crash(int signal_number)
{
	if (!chki_run.current) {
		signal(signal_number, SIG_DFL);
		raise(signal_number);
		return;
	}
	siglongjmp(crash_exit, signal_number);
}

static void catch_crashes(bool on)
{
	stack_t stack = {.ss_sp = crash_stack, .ss_size = sizeof crash_stack};
	struct sigaction action = {.sa_handler = on_crash, .sa_flags = SA_ONSTACK};

	if (on)
		sigaltstack(&stack, &old_stack);
	for (unsigned i = 0; i < 4; i++) {
		if (on)
			sigaction(crash_signals[i], &action, &old_actions[i]);
		else
			sigaction(crash_signals[i], &old_actions[i], NULL);
	}
	if (!on)
		sigaltstack(&old_stack, NULL);
}

static enum run_end execute_guarded(void)
{
	int signal_number = sigsetjmp(crash_exit, 0);

	if (!signal_number)
		return chki_execute(chki_explore_graph());
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, signal_number);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	chki_set_failure(CHK_CRASH, "the scenario crashed: %s", strsignal(signal_number));
	chki_run.current = NULL;
	return RUN_FAILED;
}

/* ---- the whole ---- */

static void explore(struct chk_result *result)
{
	double start = now_seconds();
	uint64_t runs = 0; /* complete or not */

	for (;;) {
		chki_explore_begin();
		if (account(result, execute_guarded(), chki_explore_graph()) || !chki_explore_next())
			break;
		if (capped(++runs, start)) {
			result->capped = true;
			break;
		}
	}
	/* The exploration itself failed: out of memory, or a limit. */
	if (chki_run.stop && chki_run.end == RUN_FAILED && result->verdict == CHK_OK)
		note_failure(result, chki_explore_graph());
	result->seconds = now_seconds() - start;
	result->histories = chki_history_count();
}

static bool prepare(const struct chk_config *config)
{
	chki_run.config = config;
	chki_run.verdict = CHK_OK;
	chki_run.message[0] = 0;
	chki_run.stop = false;
	chki_run.step = config->replay || config->mode != CHK_DPOR;
	seen_count = 0;
	if (seen_graphs)
		memset(seen_graphs, 0, seen_capacity * sizeof *seen_graphs);
	chki_history_forget();
	if (!chki_exec_open() || !chki_memory_open()) {
		chki_set_failure(CHK_MISUSE, "out of memory");
		return false;
	}
	return chki_explore_open(config);
}

struct chk_result chk_run(const struct chk_config *config, void (*scenario)(void *), void *arg)
{
	static const struct chk_config defaults;
	struct chk_result result = {0};

	chki_run.scenario = scenario;
	chki_run.scenario_arg = arg;
	if (!prepare(config ? config : &defaults)) {
		result.verdict = chki_run.verdict;
		memcpy(result.message, chki_run.message, sizeof result.message);
		return result;
	}
	catch_crashes(true);
	explore(&result);
	catch_crashes(false);
	return result;
}

void chk_result_clear(struct chk_result *result)
{
	for (unsigned i = 0; i < result->outcomes; i++)
		free(result->outcome[i]);
	free(result->outcome);
	free(result->trace);
	free(result->token);
	memset(result, 0, sizeof *result);
}
