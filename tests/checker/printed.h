/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Printed algorithms: deques from papers and notes, translated line by line with their errors, and the findings of the
 * checker.
 *
 * A program defines the algorithm and its fixes: switches that each correct one error. So each error shows alone: as
 * printed if it comes first, or with all errors fixed that hide it. A row of the table runs a scenario with some fixes
 * and states the result. The result is the failure and the number of steps of its shortest trace. With all errors fixed
 * it is the number of executions, all without a failure. docs/errata.md tells the story of each error.
 *
 * Accesses cite the printed line that they translate: traces show it in brackets.
 */
#ifndef TESTS_CHECKER_PRINTED_H
#define TESTS_CHECKER_PRINTED_H

#include "../../check/chk.h"

#include <stdarg.h>
#include <string.h>

enum { ITEMS_MAX = 8, THIEVES_MAX = 2, SLOTS_MAX = 2, NAIVE_MAX = 100000 };

/* Items are 1, 2, 3, ... in the order of the pushes; 0 is none. */
struct deque {
	uint64_t bottom, top;
	uint64_t capacity;
	uint64_t *slots; /* plain data, or atomics with the fix for that */
};

static struct deque deque;
static unsigned fixed; /* fixes of the running row */

struct algorithm {
	void (*set_up)(void);
	void (*tear_down)(void);     /* may be NULL */
	bool (*push)(uint64_t item); /* false: refused */
	uint64_t (*pop)(void);	     /* 0: nothing */
	uint64_t (*steal)(void);
};

/*
 * + is a push, - a pop, s a steal. At the end the owner pops all items that are left. Each item must have come out
 * once.
 */
struct scenario {
	unsigned capacity;
	const char *before; /* by the owner, alone */
	const char *owner;  /* while the thieves run */
	const char *thief[THIEVES_MAX];
	const char *after; /* by the owner, alone again */
};

struct printed {
	const char *name;
	unsigned fixed;
	const struct scenario *scenario;
	enum chk_verdict verdict;
	const char *message; /* part of the message */
	unsigned number;     /* steps of the shortest trace; for CHK_OK: executions */
};

#define ARRAY_SIZE(a) (sizeof(a) / sizeof(a)[0])

/* ---- accesses ---- */

static inline const char *file_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* A site has one order. A line that runs with several orders, by its fixes, has a site for each. */
#define CITE(op_, what_, order_, fail_, printed_)                                                                      \
	(__extension__({                                                                                               \
		static struct chk_site sites_[CHK_NONE + 1];                                                           \
		enum chk_order as_ = order_;                                                                           \
		if (!sites_[as_].file)                                                                                 \
			sites_[as_] = (struct chk_site){.file = file_name(__FILE__),                                   \
							.line = __LINE__,                                              \
							.op = op_,                                                     \
							.what = what_,                                                 \
							.edge = printed_,                                              \
							.declared = as_,                                               \
							.fail = fail_,                                                 \
							.order = as_};                                                 \
		&sites_[as_];                                                                                          \
	}))

#define INIT(x, value) chk_init(&(x), sizeof(x), value, CITE(CHK_STORE, #x, CHK_RLX, CHK_RLX, ""))
#define LOAD(x, order, printed) chk_load(&(x), sizeof(x), CITE(CHK_LOAD, #x, order, CHK_RLX, printed))
#define STORE(x, value, order, printed) chk_store(&(x), sizeof(x), value, CITE(CHK_STORE, #x, order, CHK_RLX, printed))
#define EXCHANGE(x, value, order, printed)                                                                             \
	chk_exchange(&(x), sizeof(x), value, CITE(CHK_EXCHANGE, #x, order, CHK_RLX, printed))
#define FETCH_ADD(x, addend, order, printed)                                                                           \
	chk_fetch_add(&(x), sizeof(x), addend, CITE(CHK_FETCH_ADD, #x, order, CHK_RLX, printed))
#define COMPARE_EXCHANGE(x, expected, desired, order, fail, printed)                                                   \
	(__extension__({                                                                                               \
		uint64_t seen_;                                                                                        \
		chk_cas(&(x), sizeof(x), expected, desired, &seen_, CITE(CHK_CAS, #x, order, fail, printed));          \
	}))
#define FENCE(order, printed) chk_fence(CITE(CHK_FENCE, "", order, CHK_RLX, printed))

/* Plain data: it is not in traces, but the checker finds races on it. */
#define PLAIN_READ(x, printed)                                                                                         \
	(*(chk_cell_read(&(x), sizeof(x), CITE(CHK_CELL_READ, #x, CHK_NONE, CHK_NONE, printed)), &(x)))
#define PLAIN_WRITE(x, value, printed)                                                                                 \
	(chk_cell_write(&(x), sizeof(x), CITE(CHK_CELL_WRITE, #x, CHK_NONE, CHK_NONE, printed)), (void)((x) = (value)))

/* A slot: plain data as printed, relaxed with the fix for that. */
#define SLOT_READ(slot, relaxed, printed) ((relaxed) ? LOAD(slot, CHK_RLX, printed) : PLAIN_READ(slot, printed))
#define SLOT_WRITE(slot, item, relaxed, printed)                                                                       \
	((relaxed) ? STORE(slot, item, CHK_RLX, printed) : PLAIN_WRITE(slot, item, printed))

/* ---- running a scenario ---- */

static const struct algorithm algorithm; /* the program's */
static struct {
	uint64_t items;	 /* made so far */
	uint64_t pushed; /* not refused */
	bool accepted[ITEMS_MAX + 1];
	bool out[ITEMS_MAX + 1]; /* came out of the deque */
	uint64_t outs;
} account;

#define wrong(...) wrong_at(__LINE__, __VA_ARGS__)
static inline _Noreturn __attribute__((format(printf, 2, 3))) void wrong_at(int line, const char *format, ...)
{
	static char text[128];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	chk_fail(file_name(__FILE__), line, text);
}

static inline void came_out(uint64_t item)
{
	if (!item)
		return;
	if (item > account.items)
		wrong("what came out was never pushed");
	if (account.out[item])
		wrong("item %llu came out twice", (unsigned long long)item);
	account.out[item] = true;
	account.outs++;
}

/* alone: all earlier operations have ended. So the deque must not refuse a push while it has room. */
static inline void owner_does(const char *what, bool alone)
{
	for (; what && *what; what++) {
		if (*what == '-') {
			came_out(algorithm.pop());
		} else if (algorithm.push(++account.items)) {
			account.accepted[account.items] = true;
			account.pushed++;
		} else if (alone && account.pushed - account.outs < deque.capacity) {
			wrong("push was refused, with %llu of %llu slots in use",
			      (unsigned long long)(account.pushed - account.outs), (unsigned long long)deque.capacity);
		}
	}
}

static inline void thief_does(void *what)
{
	for (const char *op = what; *op; op++)
		came_out(algorithm.steal());
}

static inline void drain(void)
{
	uint64_t item, missing = account.pushed - account.outs;

	while (missing--)
		came_out(algorithm.pop());
	for (item = 1; item <= account.items; item++)
		if (account.accepted[item] && !account.out[item])
			wrong("item %llu is lost", (unsigned long long)item);
	if (algorithm.pop())
		wrong("something came out of an empty deque");
}

static inline void printed_scenario(void *arg)
{
	const struct scenario *s = ((const struct printed *)arg)->scenario;
	int thread[THIEVES_MAX], n;

	memset(&account, 0, sizeof(account));
	deque.capacity = s->capacity;
	algorithm.set_up();
	owner_does(s->before, true);
	for (n = 0; n < THIEVES_MAX && s->thief[n]; n++)
		thread[n] = chk_thread(thief_does, (void *)(uintptr_t)s->thief[n]);
	owner_does(s->owner, n == 0);
	while (n)
		chk_join(thread[--n]);
	owner_does(s->after, true);
	drain();
	if (algorithm.tear_down)
		algorithm.tear_down();
}

/* ---- judging what the checker says ---- */

/* A trace numbers its events. The first line is the failure, and plain accesses have no number. */
static inline unsigned count_steps(const char *trace)
{
	unsigned steps = 0;

	for (const char *line = trace ? strchr(trace, '\n') : NULL; line && line[1]; line = strchr(line + 1, '\n'))
		steps += line[1 + strspn(line + 1, " ")] != 'T';
	return steps;
}

static inline bool printed_fault(const struct printed *e, const char *what, const struct chk_result *result)
{
	printf("FAIL %s: %s\n  got %s: %s\n%s", e->name, what, chk_verdict_name(result->verdict), result->message,
	       result->trace ? result->trace : "");
	return false;
}

static inline bool as_expected(const struct printed *e, const struct chk_result *result)
{
	if (result->capped)
		return printed_fault(e, "capped", result);
	if (result->verdict != e->verdict)
		return printed_fault(e, "another verdict was expected", result);
	if (e->message && !strstr(result->message, e->message))
		return printed_fault(e, "another message was expected", result);
	return true;
}

static inline struct chk_result printed_run(const struct printed *e, enum chk_mode mode, const char *replay)
{
	struct chk_config config = {.name = e->name, .mode = mode, .replay = replay};

	if (mode == CHK_NAIVE) {
		config.preemptions = -1;
		config.max_executions = NAIVE_MAX;
		config.shortest = true;
	}
	fixed = e->fixed;
	return chk_run(&config, printed_scenario, (void *)(uintptr_t)e);
}

/* Nothing is wrong. The exploration of all interleavings, unless there are too many, has the same result. */
static inline bool judge_fixed(const struct printed *e)
{
	struct chk_result dpor = printed_run(e, CHK_DPOR, NULL), naive = printed_run(e, CHK_NAIVE, NULL);
	bool right = as_expected(e, &dpor) && (naive.capped || as_expected(e, &naive));

	printf("%-22s nothing wrong in %llu executions, %s%llu interleavings\n", e->name,
	       (unsigned long long)dpor.executions, naive.capped ? "nor in the first " : "",
	       (unsigned long long)naive.executions);
	if (right && dpor.executions != e->number)
		right = printed_fault(e, "another number of executions is recorded", &dpor);
	if (right && !naive.capped && naive.graphs_hash != dpor.graphs_hash)
		right = printed_fault(e, "the interleavings came to another set of executions", &naive);
	chk_result_clear(&dpor);
	chk_result_clear(&naive);
	return right;
}

/*
 * Returns the shortest failure of all interleavings. If these are too many, it is the shortest of the reduced
 * exploration.
 */
static inline struct chk_result printed_shortest(const struct printed *e)
{
	struct chk_config config = {.name = e->name, .shortest = true};
	struct chk_result result = printed_run(e, CHK_NAIVE, NULL);

	if (!result.capped)
		return result;
	chk_result_clear(&result);
	return chk_run(&config, printed_scenario, (void *)(uintptr_t)e);
}

/* The reduced exploration finds the failure. The token of the shortest trace replays it. */
static inline bool judge_wrong(const struct printed *e, bool print)
{
	struct chk_result first = printed_run(e, CHK_DPOR, NULL), shortest = printed_shortest(e);
	struct chk_result again = printed_run(e, CHK_DPOR, shortest.token);
	unsigned steps = count_steps(shortest.trace);
	bool right = as_expected(e, &first) && as_expected(e, &shortest) && as_expected(e, &again);

	printf("%-22s %s, found after %llu executions; the shortest trace has %u steps\n", e->name,
	       chk_verdict_name(shortest.verdict), (unsigned long long)first.executions, steps);
	if (print && shortest.trace)
		printf("%s      replay: %s\n\n", shortest.trace, shortest.token);
	if (right && steps != e->number)
		right = printed_fault(e, "another length is recorded: docs/errata.md shows this trace", &shortest);
	chk_result_clear(&first);
	chk_result_clear(&shortest);
	chk_result_clear(&again);
	return right;
}

static inline bool replay(const struct printed *e, const char *token)
{
	struct chk_result result = printed_run(e, CHK_DPOR, token);
	bool right = as_expected(e, &result);

	if (right && result.trace)
		printf("%s", result.trace);
	chk_result_clear(&result);
	return right;
}

static inline int printed_usage(FILE *out, int code, const char *program)
{
	fprintf(out,
		"usage: %s [--print] [NAME...]\n"
		"       %s --replay TOKEN NAME\n"
		"\n"
		"Runs all printed algorithms, or those named, and says what is found and whether that is what is "
		"recorded.\n"
		"--print also prints the shortest traces, each with the token that replays it; --replay runs just "
		"that.\n",
		program, program);
	return code;
}

/* Returns 0, or the exit code if an argument names no row. */
static inline int printed_names(const struct printed *rows, size_t count, char **names)
{
	for (; *names; names++) {
		size_t i = 0;

		while (i < count && strcmp(rows[i].name, *names))
			i++;
		if (i < count)
			continue;
		fprintf(stderr, "unknown printed algorithm %s; known:", *names);
		for (i = 0; i < count; i++)
			fprintf(stderr, " %s", rows[i].name);
		fputc('\n', stderr);
		return 2;
	}
	return 0;
}

static inline int printed_main(const struct printed *rows, size_t count, int argc, char **argv)
{
	bool print = argc > 1 && !strcmp(argv[1], "--print"), wanted;
	const char *token = argc > 2 && !strcmp(argv[1], "--replay") ? argv[2] : NULL;
	int i, names = token ? 3 : print ? 2 : 1;
	unsigned run = 0, wrong_ones = 0, bad = 0;

	if (argc > 1 && !strcmp(argv[1], "--help"))
		return printed_usage(stdout, 0, argv[0]);
	if ((argc > names && argv[names][0] == '-') || (token && argc != 4))
		return printed_usage(stderr, 2, argv[0]);
	if (printed_names(rows, count, argv + names))
		return 2;
	for (const struct printed *e = rows; e < rows + count; e++) {
		wanted = names == argc;
		for (i = names; i < argc; i++)
			wanted = wanted || !strcmp(argv[i], e->name);
		if (!wanted)
			continue;
		run++;
		wrong_ones += e->verdict != CHK_OK;
		bad += !(token ? replay(e, token) : e->verdict == CHK_OK ? judge_fixed(e) : judge_wrong(e, print));
	}
	printf("%u of %u as expected: %u wrong, %u right\n", run - bad, run, wrong_ones, run - wrong_ones);
	return bad || !run ? 1 : 0;
}

#endif
