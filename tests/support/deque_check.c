/* SPDX-License-Identifier: Apache-2.0 */
#include "deque_check.h"

#include "../../check/chk.h"
#include "../../src/deque/deque.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ITEMS = 12 };
enum { OP_PUSH, OP_POP, OP_STEAL, OP_STEAL_MANY };
enum { MANY = 3 }; /* at most so many in one step */

/* What the running scenario works on. */
static struct {
	const struct filchi_deque_kind *kind;
	const struct deque_scenario *scenario;
	struct filch_deque *deque;
	unsigned pushed;
	size_t block_size; /* 0: it is not made of blocks */
	bool found_empty;  /* by the owner's last pop */
	/* What an item stands for: written before it is pushed, read and written again by whoever takes it. */
	FILCHI_CELL(unsigned) payload[MAX_ITEMS + 1];
} now;

enum { PUSHED = 1, TAKEN = 2 };

/* Over all executions: a deque that never lets anyone steal would pass everything else. */
static uint64_t stolen_by_thieves;

/* ---- the operations, recorded ---- */

/* Items are numbered from 1. Two who take the same one race, or the second finds it taken. */
static void check_item(uintptr_t item)
{
	chk_assert(filchi_cell_get(&now.payload[item]) == PUSHED);
	filchi_cell_set(&now.payload[item], TAKEN);
}

static void push(void)
{
	uintptr_t item = ++now.pushed;
	int err;

	filchi_cell_set(&now.payload[item], PUSHED);
	chk_begin(OP_PUSH, item);
	err = now.kind->ops.push(now.deque, item);
	/* A queue is not empty and full at once. */
	chk_assert(err == 0 || (err == -ENOBUFS && now.kind->info.bounded && !now.found_empty));
	chk_end(err != 0, 0);
	if (err)
		filchi_cell_set(&now.payload[item], TAKEN);
	now.found_empty = false;
}

static int take(int kind)
{
	uintptr_t items[MANY] = {0};
	size_t taken = 1;
	uint64_t packed = 0;
	int answer;

	chk_begin(kind, 0);
	if (kind == OP_STEAL_MANY)
		answer = filch_deque_steal_many(now.deque, items, MANY, &taken);
	else
		answer = (kind == OP_POP ? now.kind->ops.pop : now.kind->ops.steal)(now.deque, items);
	chk_assert(answer == FILCH_OK || answer == FILCH_EMPTY || (answer == FILCH_LOST && kind != OP_POP));
	chk_assert(taken >= 1 && taken <= MANY);
	for (size_t i = 0; i < taken && answer == FILCH_OK; i++) {
		chk_assert(items[i] >= 1 && items[i] <= MAX_ITEMS);
		packed |= (uint64_t)items[i] << i * 8;
	}
	chk_end((uint64_t)answer, packed);
	stolen_by_thieves += kind != OP_POP && answer == FILCH_OK && chk_self() != 0;
	if (kind == OP_POP)
		now.found_empty = answer == FILCH_EMPTY;
	for (size_t i = 0; i < taken && answer == FILCH_OK; i++)
		check_item(items[i]);
	return answer;
}

static void act(const char *script)
{
	for (; *script; script++) {
		if (*script == '+')
			push();
		else if (*script == 'p')
			filch_deque_poll(now.deque);
		else
			take(*script == '-' ? OP_POP : *script == 's' ? OP_STEAL : OP_STEAL_MANY);
	}
}

static void thief(void *script)
{
	act(script);
}

static void play(void *unused)
{
	const struct deque_scenario *s = now.scenario;
	size_t block_size = s->before[0] > '0' && s->before[0] <= '9' ? (size_t)(s->before[0] - '0') : 0;
	struct filchi_deque_setup setup = {s->capacity, now.kind->info.bounded ? s->capacity : 8, s->first, block_size};
	size_t left;
	int threads[3];
	unsigned n = 0;

	(void)unused;
	now.pushed = 0;
	now.found_empty = false;
	now.block_size = block_size ? block_size : 1;
	for (unsigned i = 0; i <= MAX_ITEMS; i++)
		filchi_cell_set(&now.payload[i], 0);
	chk_assert(now.kind->ops.create(&now.deque, &setup) == 0);
	act(s->before + (block_size != 0));
	for (; n < 3 && s->thief[n]; n++)
		threads[n] = chk_thread(thief, (void *)(uintptr_t)s->thief[n]);
	act(s->owner);
	for (unsigned i = 0; i < n; i++)
		chk_join(threads[i]);
	for (left = now.kind->ops.size(now.deque); take(OP_POP) == FILCH_OK; left--)
		;
	chk_assert(left == 0);
	for (unsigned i = 1; i <= now.pushed; i++)
		chk_assert(filchi_cell_get(&now.payload[i]) == TAKEN);
	now.kind->ops.destroy(now.deque);
}

/* ---- the specification: a deque, one operation at a time ---- */

struct model {
	unsigned count, pushes;
	unsigned item[MAX_ITEMS]; /* oldest first */
};

static void model_init(void *state)
{
	memset(state, 0, sizeof(struct model));
}

static bool model_remove(struct model *m, unsigned item, enum filch_order order)
{
	unsigned at = order == FILCH_LIFO ? m->count - 1 : 0;

	if (!m->count)
		return false;
	while (order == FILCH_UNORDERED && at < m->count && m->item[at] != item)
		at++;
	if (at == m->count || m->item[at] != item)
		return false;
	m->count--;
	memmove(&m->item[at], &m->item[at + 1], (m->count - at) * sizeof(m->item[0]));
	m->item[m->count] = 0;
	return true;
}

/* A full deque may refuse, but not before it has been filled once. */
static bool model_push(struct model *m, const struct chk_operation *op)
{
	if (op->result[0])
		return m->pushes >= now.scenario->capacity;
	m->item[m->count++] = (unsigned)op->argument;
	m->pushes++;
	return true;
}

static bool model_apply(void *state, const struct chk_operation *op)
{
	const struct filch_deque_info *info = &now.kind->info;
	struct model *m = state;

	if (op->kind == OP_PUSH)
		return model_push(m, op);
	if (op->result[0] == FILCH_LOST)
		return info->loses;
	/* What is held back is the owner's: of a kind made of blocks, no more than one of them. */
	if (op->result[0] == FILCH_EMPTY)
		return !m->count ||
		       (op->kind != OP_POP && info->holds_back && (!info->blocks || m->count <= now.block_size));
	for (uint64_t items = op->result[1]; items; items >>= 8)
		if (!model_remove(m, items & 0xFF, op->kind == OP_POP ? info->owner_order : info->steal_order))
			return false;
	return true;
}

static void model_print(char *out, size_t size, const struct chk_operation *op)
{
	static const char *const names[] = {"push", "pop", "steal", "steal_many"};
	static const char *const answers[] = {"", "EMPTY", "LOST"};
	int used;

	if (op->kind == OP_PUSH) {
		snprintf(out, size, "push(%u)%s", (unsigned)op->argument, op->result[0] ? "=refused" : "");
		return;
	}
	used = snprintf(out, size, "%s=%s", names[op->kind], answers[op->result[0]]);
	for (uint64_t items = op->result[1]; items && used > 0 && (size_t)used < size; items >>= 8)
		used += snprintf(out + used, size - (size_t)used, "%s%u", items == op->result[1] ? "" : ",",
				 (unsigned)(items & 0xFF));
}

static const struct chk_spec model = {sizeof(struct model), model_init, model_apply, model_print};

/* ---- running ---- */

struct chk_result deque_check_run(const char *kind, const struct deque_scenario *scenario, struct chk_config config)
{
	char name[64];

	deque_scenario_print(name, sizeof(name), scenario);
	now.kind = filchi_deque_find(kind);
	now.scenario = scenario;
	config.name = scenario->name ? scenario->name : name;
	config.spec = &model;
	return chk_run(&config, play, NULL);
}

struct totals {
	struct chk_config config;
	const char *only;
	unsigned ran, failed, systematic;
	uint64_t executions, histories;
	double seconds;
};

static void print_line(const char *kind, const char *name, const struct chk_result *r)
{
	printf("%-10s %-22s %9llu executions %7llu blocked %6llu histories %7.2f s  %s%s\n", kind, name,
	       (unsigned long long)r->executions, (unsigned long long)r->blocked, (unsigned long long)r->histories,
	       r->seconds, chk_verdict_name(r->verdict), r->capped ? ", capped" : "");
}

static bool run_one(const struct deque_check *check, const struct deque_scenario *s, void *context)
{
	struct totals *t = context;
	char text[64];
	struct chk_result r;

	deque_scenario_print(text, sizeof(text), s);
	if (t->only && strcmp(t->only, text) && (!s->name || strcmp(t->only, s->name)))
		return true;
	r = deque_check_run(check->kind, s, t->config);
	t->ran++;
	t->systematic += !s->name;
	t->executions += r.executions;
	t->histories += r.histories;
	t->seconds += r.seconds;
	if (s->name || t->only)
		print_line(check->kind, s->name ? s->name : text, &r);
	if (r.verdict != CHK_OK) {
		t->failed++;
		printf("%s\nreplay: --scenario '%s' --replay %s\n", r.trace ? r.trace : r.message, text,
		       r.token ? r.token : "");
	}
	fflush(stdout);
	chk_result_clear(&r);
	return t->failed < 3;
}

/* Too large to exhaust: seeded random walks through it. */
static void run_walks(const struct deque_check *check, struct totals *t)
{
	static const struct deque_scenario large = {
		.name = "random_walks",
		.capacity = 2,
		.before = "s+",
		.owner = "+-++-+--",
		.thief = {"sss", "sss", "ss"},
	};

	if (t->config.mode == CHK_DPOR) {
		t->config.mode = CHK_RANDOM;
		t->config.max_executions = getenv("FILCH_DEEP") ? 1000000 : 20000;
	}
	run_one(check, &large, t);
}

static bool list_one(const struct deque_check *check, const struct deque_scenario *s, void *context)
{
	(void)check;
	(void)context;
	if (s->name)
		fprintf(stderr, " %s", s->name);
	return s->name;
}

static int no_scenario(const struct deque_check *check, const char *name)
{
	fprintf(stderr, "no such scenario: %s; there are:", name);
	deque_scenarios_each(check, list_one, NULL);
	fprintf(stderr, " random_walks, and the systematic ones, as in 's++|-+-|s,s@2' (with FILCH_DEEP=1 more)\n");
	return 2;
}

/* What is told in the end is what was exhausted; the walks come on top of it. */
static int run_all(const struct deque_check *check, struct totals *t)
{
	bool all = deque_scenarios_each(check, run_one, t);
	struct totals exhausted = *t;

	if (all)
		run_walks(check, t);
	if (!t->ran)
		return no_scenario(check, t->only);
	if (!t->only)
		printf("%-10s %u scenarios, %u of them systematic: %llu executions, %llu histories, %.2f s, %u "
		       "failed\n",
		       check->kind, exhausted.ran, exhausted.systematic, (unsigned long long)exhausted.executions,
		       (unsigned long long)exhausted.histories, exhausted.seconds, exhausted.failed);
	if (!t->only && !stolen_by_thieves) {
		printf("%-10s no thief ever got anything\n", check->kind);
		return 1;
	}
	return t->failed != 0;
}

static const char help[] =
	"Runs every scenario of this deque under the model checker, or only one; or weakens its memory orders.\n"
	"\n"
	"  --scenario NAME       only this one: a name, or as in 's++|-+-|s,s@2' (docs/verification.md)\n"
	"  --mutants             weaken each access and print which scenario notices\n"
	"  --expect FILE         with --mutants: fail unless FILE has just this\n"
	"  --help                this text\n"
	"\n"
	"of the checker:\n"
	"  --mode MODE           dpor (each execution once, the default), naive (each interleaving) or random\n"
	"  --seed N              of the random walks\n"
	"  --max-executions N    stop after so many of a scenario\n"
	"  --max-seconds S       stop after so long in a scenario\n"
	"  --max-events N        what one thread may do in an execution (200)\n"
	"  --preemptions N       naive, with at most so many preemptions\n"
	"  --shortest            go on after a failure, and print the shortest found\n"
	"  --replay TOKEN        with --scenario: run the one execution that a failure gave the token of\n"
	"\n"
	"FILCH_DEEP=1 in the environment: longer scripts and more of them. Exit code 0: all well, 1: not, 2: usage.\n";

static int usage(const char *program, const char *why)
{
	fprintf(stderr,
		"%s: %s\nusage: %s [--scenario NAME] [--mutants [--expect FILE]] [checker options]; see --help\n",
		program, why, program);
	return 2;
}

int deque_check_main(const struct deque_check *check, int argc, char **argv)
{
	struct totals totals = {0};
	const char *expect = NULL;
	bool mutants = false;
	int i = 1;

	while (i < argc) {
		int used = chk_config_parse(&totals.config, argc - i, argv + i);

		if (used < 0)
			return 2;
		i += used;
		if (i < argc && !strcmp(argv[i], "--mutants")) {
			mutants = true;
			i++;
		} else if (i + 1 < argc && (!strcmp(argv[i], "--scenario") || !strcmp(argv[i], "--expect"))) {
			*(argv[i][2] == 's' ? &totals.only : &expect) = argv[i + 1];
			i += 2;
		} else if (i < argc && !strcmp(argv[i], "--help")) {
			printf("usage: %s [OPTION]...\n\n%s", argv[0], help);
			return 0;
		} else if (i < argc) {
			return usage(argv[0], "an option that is not known, or lacks its value");
		}
	}
	/* A token tells choices, not the program they were made in. */
	if (totals.config.replay && (!totals.only || mutants))
		return usage(argv[0], "--replay needs --scenario: a token is of one scenario");
	if (!filchi_deque_find(check->kind))
		return 1;
	return mutants ? deque_check_mutants(check, expect) : run_all(check, &totals);
}
