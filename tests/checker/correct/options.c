/* SPDX-License-Identifier: Apache-2.0 */
/* The settings of a run: caps, bounds, seeds, tokens, failing allocations, weakened sites. */
#include "../litmus.h"

static unsigned failures;

#define EXPECT(cond)                                                                                                   \
	do {                                                                                                           \
		if (!(cond)) {                                                                                         \
			printf("FAIL line %d: %s\n", __LINE__, #cond);                                                 \
			failures++;                                                                                    \
		}                                                                                                      \
	} while (0)

static void sb_0(void)
{
	W(X, 1, o1);
	r1 = R(Y, o2);
}

static void sb_1(void)
{
	W(Y, 1, o1);
	r2 = R(X, o2);
}

static const struct program sb = {.thread = {sb_0, sb_1}, .shown = 2};

static void set_orders(enum chk_order write, enum chk_order read)
{
	o1 = write;
	o2 = read;
}

static struct chk_result run(struct chk_config config, const struct program *program)
{
	config.name = "options";
	if (!config.bound_preemptions)
		config.preemptions = -1;
	return chk_run(&config, program_run, (void *)(uintptr_t)program);
}

static void caps(void)
{
	struct chk_result result;

	set_orders(RLX, RLX);
	result = run((struct chk_config){.max_executions = 2}, &sb);
	EXPECT(result.verdict == CHK_OK && result.capped && result.executions == 2);
	chk_result_clear(&result);
	result = run((struct chk_config){.max_executions = 100}, &sb);
	EXPECT(result.verdict == CHK_OK && !result.capped && result.executions == 4);
	chk_result_clear(&result);
	result = run((struct chk_config){.mode = CHK_NAIVE, .max_executions = 5}, &sb);
	EXPECT(result.verdict == CHK_OK && result.capped && result.executions == 5);
	chk_result_clear(&result);
}

/* With few preemptions the checker sees only few interleavings, and never a forbidden one. */
static void preemptions(void)
{
	uint64_t last = 0;
	struct chk_result result;
	int bound;

	set_orders(SC, SC);
	for (bound = 0; bound < 4; bound++) {
		result = run((struct chk_config){.mode = CHK_NAIVE, .bound_preemptions = true, .preemptions = bound},
			     &sb);
		EXPECT(result.verdict == CHK_OK && !litmus_has(&result, "00"));
		EXPECT(bound > 0 ||
		       (litmus_has(&result, "01") && litmus_has(&result, "10") && !litmus_has(&result, "11")));
		EXPECT(bound != 3 || litmus_has(&result, "11"));
		EXPECT(result.executions > last || bound == 3);
		last = result.executions;
		chk_result_clear(&result);
	}
}

static void random_walks(void)
{
	struct chk_result a, b;

	set_orders(RLX, RLX);
	a = run((struct chk_config){.mode = CHK_RANDOM, .seed = 3, .max_executions = 500}, &sb);
	b = run((struct chk_config){.mode = CHK_RANDOM, .seed = 3, .max_executions = 500}, &sb);
	EXPECT(a.verdict == CHK_OK && a.capped && a.executions == 500);
	EXPECT(a.outcomes == 4);
	EXPECT(a.events == b.events && a.graphs_hash == b.graphs_hash);
	chk_result_clear(&a);
	chk_result_clear(&b);
}

static void tokens(void)
{
	struct chk_result result;

	set_orders(RLX, RLX);
	result = run((struct chk_config){.replay = "not a token"}, &sb);
	EXPECT(result.verdict == CHK_MISUSE && result.message[0]);
	chk_result_clear(&result);
}

static void idle(void *arg)
{
	(void)arg;
}

static void start(int count)
{
	int thread[CHK_MAX_THREADS], i;

	for (i = 0; i < count; i++)
		thread[i] = chk_thread(idle, NULL);
	for (i = 0; i < count; i++)
		chk_join(thread[i]);
}

static void all_threads(void)
{
	start(CHK_MAX_THREADS - 1);
}

static void one_too_many(void)
{
	start(CHK_MAX_THREADS);
}

static void threads(void)
{
	static const struct program all = {.before = all_threads}, many = {.before = one_too_many};
	struct chk_result result = run((struct chk_config){0}, &all);

	EXPECT(result.verdict == CHK_OK && result.executions == 1);
	chk_result_clear(&result);
	result = run((struct chk_config){0}, &many);
	EXPECT(result.verdict == CHK_MISUSE);
	chk_result_clear(&result);
}

static void allocate(void)
{
	void *first = chk_alloc(4), *second = chk_alloc(4);

	r1 = !!first;
	r2 = !!second;
	if (first)
		chk_free(first);
	if (second)
		chk_free(second);
}

static void leak(void)
{
	chk_alloc(4);
}

static void allocations(void)
{
	static const struct program two = {.thread = {allocate}, .shown = 2}, one = {.thread = {leak}};
	struct chk_result result = run((struct chk_config){.fail_alloc = 2}, &two);

	EXPECT(result.verdict == CHK_OK && litmus_has(&result, "10"));
	chk_result_clear(&result);
	result = run((struct chk_config){.fail_alloc = 1}, &two);
	EXPECT(result.verdict == CHK_OK && litmus_has(&result, "01"));
	chk_result_clear(&result);
	result = run((struct chk_config){0}, &one);
	EXPECT(result.verdict == CHK_LEAK);
	chk_result_clear(&result);
	result = run((struct chk_config){.keep_leaks = true}, &one);
	EXPECT(result.verdict == CHK_OK);
	chk_result_clear(&result);
}

/* The checker does not count executions that an assumption ends, and they have no outcome. */
static void assume_reader(void)
{
	r1 = R(X, RLX);
	chk_assume(r1);
}

static void assume_writer(void)
{
	W(X, 1, RLX);
}

/* Either thread may come first. If the reader does, the write that it needs is missing when the execution ends. */
static void assumptions(void)
{
	static const struct program assuming[] = {{.thread = {assume_writer, assume_reader}, .shown = 1},
						  {.thread = {assume_reader, assume_writer}, .shown = 1}};

	for (unsigned i = 0; i < 4; i++) {
		enum chk_mode mode = i < 2 ? CHK_DPOR : CHK_NAIVE;
		struct chk_result result = run((struct chk_config){.mode = mode}, &assuming[i % 2]);

		EXPECT(result.verdict == CHK_OK && result.graphs == 1 && result.blocked >= 1);
		EXPECT(mode == CHK_NAIVE || (result.executions == 1 && result.blocked == 1));
		EXPECT(result.outcomes == 1 && litmus_has(&result, "1"));
		chk_result_clear(&result);
	}
}

/*
 * Weakens each site of a seq_cst SB in turn: each time the forbidden outcome appears. It vanishes when the site is
 * restored.
 */
static void mutants(void)
{
	const struct chk_site *sites[256];
	unsigned count, i, weakened = 0;
	struct chk_result result;

	set_orders(SC, SC);
	result = run((struct chk_config){0}, &sb);
	EXPECT(!litmus_has(&result, "00"));
	chk_result_clear(&result);
	count = chk_sites(sites, ARRAY_SIZE(sites));
	EXPECT(count > 0 && count <= ARRAY_SIZE(sites));
	for (i = 0; i < count && i < ARRAY_SIZE(sites); i++) {
		if (sites[i]->declared != CHK_SC)
			continue;
		weakened++;
		chk_weaken(sites[i], sites[i]->op == CHK_LOAD ? CHK_ACQ : CHK_REL);
		result = run((struct chk_config){0}, &sb);
		EXPECT(litmus_has(&result, "00"));
		chk_result_clear(&result);
		chk_weaken(NULL, 0);
		result = run((struct chk_config){0}, &sb);
		EXPECT(!litmus_has(&result, "00"));
		chk_result_clear(&result);
	}
	EXPECT(weakened == 4);
}

int main(void)
{
	(void)litmus_main;
	EXPECT(!chk_active());
	caps();
	preemptions();
	random_walks();
	tokens();
	threads();
	allocations();
	assumptions();
	mutants();
	printf("%u failures\n", failures);
	return failures ? 1 : 0;
}
