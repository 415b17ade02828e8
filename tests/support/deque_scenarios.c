/* SPDX-License-Identifier: Apache-2.0 */
#include "deque_check.h"

#include <stdio.h>

/*
 * One owner and one to three thieves over: the last item, more thieves than items, growth under a steal, emptied and
 * filled again, indices that wrap. Bounds are those of the letters: every execution of them is explored.
 */
static const struct scenario common[] = {
	{"smoke", 2, 0, "", "++--", {"s"}, false},
	{"last_item", 2, 0, "s+", "-", {"s"}, false},
	{"last_item_2", 2, 0, "s+", "-", {"s", "s"}, false},
	{"two_left", 2, 0, "s++", "--", {"ss"}, false},
	{"two_left_2", 2, 0, "s++", "--", {"s", "s"}, false},
	{"stampede", 2, 0, "s++", "-", {"s", "s", "s"}, false},
	{"lock_free", 2, 0, "s++", "", {"s", "sssss"}, false},
	{"empty_again", 2, 0, "s+", "-+-", {"s"}, false},
	{"empty_again_2", 2, 0, "s+", "-+-", {"s", "s"}, false},
	{"publish", 2, 0, "", "+", {"s"}, false},
	{"publish_2", 2, 0, "", "++", {"s", "s"}, false},
	{"growth", 2, 0, "s++", "+-", {"s"}, false},
	{"growth_2", 2, 0, "s++", "+", {"s", "s"}, false},
	{"growth_twice", 2, 0, "s++", "+++", {"s"}, false},
	{"ring", 2, 2, "s++", "+-+", {"ss"}, false},
	{"wraparound", 2, UINT64_MAX, "", "++-", {"ss"}, false},
	{"wraparound_growth", 2, UINT64_MAX - 1, "++s", "++-", {"s"}, false},
	{"no_loss_no_double", 2, 0, "s+", "+-+-", {"ss"}, false},
	{"no_loss_no_double_2", 2, 0, "s++", "-+-", {"ss", "ss"}, false},
	{"no_loss_no_double_3", 2, 0, "s++", "+--", {"ss", "s"}, false},
	{"growth_deep", 2, 0, "s++", "++--", {"ss", "ss"}, true},
	{NULL, 0, 0, NULL, NULL, {NULL}, false},
};

static const char *const befores[] = {"", "+", "s+", "s++", "s++s", NULL};
static const struct scenario_ring rings[] = {{2, 0}, {2, 2}, {2, UINT64_MAX}};
static const char *const thieves[][3] = {
	{"s"}, {"ss"}, {"s", "s"}, /* and in a deep run: */ {"sss"}, {"ss", "s"}, {"s", "s", "s"}, {"ss", "ss"},
};

int deque_check_main(const struct deque_check *check, int argc, char **argv)
{
	char file[64], base[64], prefix[64];
	struct scenario_set set = {
		.common = common,
		.own = check->own,
		.walks = {"random_walks", 2, 0, "s+", "+-++-+--", {"sss", "sss", "ss"}, false},
		.letters = "+-",
		.befores = befores,
		.rings = rings,
		.thieves = thieves,
		.sets = 3,
		.sets_deep = check->base ? 4 : 7,
		.play = deque_check_play,
	};
	struct check_program program = {
		.mutants = {.name = check->kind, .file = file, .prefix = prefix, .kept = check->kept},
		.each = scenarios_each,
		.of = &set,
		.spec = &deque_check_spec,
		.walks = 20000,
		.walks_deep = 1000000,
		.fault = deque_check_fault,
	};

	snprintf(file, sizeof(file), "/%s.h", check->kind);
	snprintf(prefix, sizeof(prefix), "filchi_%s_", check->kind);
	if (check->base) {
		snprintf(base, sizeof(base), "/%s.h", check->base);
		program.mutants.base = base;
	}
	return deque_check_kind(check->kind) ? check_main(&program, argc, argv) : 1;
}
