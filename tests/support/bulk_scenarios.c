/* SPDX-License-Identifier: Apache-2.0 */
#include "bulk_check.h"

#include <stdio.h>

/*
 * One owner and one to three thieves over: the last node, more thieves than chunks, batches in one and in several
 * chunks, emptied and filled again, a ring that is full, indices that wrap, what a late thief might take twice.
 */
static const struct scenario common[] = {
	{"smoke", 4, 0, "", "32--", {"h"}, false},
	{"last_node", 4, 0, "h1", "-", {"h"}, false},
	{"last_node_2", 4, 0, "h1", "-", {"h", "a"}, false},
	{"two_left", 4, 0, "h11", "--", {"hh"}, false},
	{"two_left_2", 4, 0, "h2", "--", {"h", "h"}, false},
	{"stampede", 4, 0, "h3", "-", {"h", "h", "h"}, false},
	{"empty_again", 4, 0, "h1", "-1-", {"h"}, false},
	{"empty_again_2", 4, 0, "h2", "--1-", {"h", "h"}, false},
	{"publish", 4, 0, "", "2", {"a"}, false},
	{"publish_2", 4, 0, "", "21", {"a", "h"}, false},
	{"on_request", 4, 0, "u", "-p-", {"hh"}, false},
	{"request", 4, 0, "uhp", "p", {"aa"}, false},
	{"request_2", 4, 0, "uhp", "p", {"a", "a"}, false},
	{"request_3", 4, 0, "uhp", "p", {"a", "aa"}, false},
	{"request_4", 4, 0, "uh", "pp", {"a", "aa"}, false},
	{"lock_free", 4, 0, "uhp", "", {"aaa", "a"}, false},
	{"batches", 4, 0, "h42", "-3-", {"h"}, false},
	{"proportions", 4, 0, "h5", "-", {"t", "a"}, false},
	{"full_ring", 2, 0, "h11", "11--", {"h"}, false},
	{"full_ring_2", 4, 0, "h3", "4-", {"a", "h"}, false},
	{"ring", 2, 1, "h11", "1-1", {"aa"}, false},
	{"wraparound", 4, UINT64_MAX, "", "31-", {"hh"}, false},
	{"wraparound_full", 2, UINT64_MAX - 1, "2h", "21-", {"h"}, false},
	{"given_back", 4, 0, "h4", "r-", {"h"}, false},
	{"late_thief", 4, 0, "h11", "--11", {"a"}, false},
	{"late_thief_2", 4, 0, "h111", "--11-", {"a", "t"}, false},
	{"late_thief_3", 4, 0, "h1", "-h1-h1", {"a"}, false},
	{"no_loss_no_double", 4, 0, "h1", "1-2-", {"ha"}, false},
	{"no_loss_no_double_2", 4, 0, "h3", "-2-", {"ha", "th"}, false},
	{"deep", 4, 0, "h3", "-2-1-", {"ha", "th"}, true},
	{NULL, 0, 0, NULL, NULL, {NULL}, false},
};

static const char *const befores[] = {"", "h1", "2", "h2", "a3", "h11", "3a", NULL};
static const struct scenario_ring rings[] = {{4, 0}, {2, 1}, {4, UINT64_MAX}};
static const char *const thieves[][3] = {
	{"h"}, {"a"}, {"ha"}, {"h", "a"}, /* and in a deep run: */ {"hth"}, {"ha", "t"}, {"h", "h", "a"},
};

int bulk_check_main(const struct bulk_check *check, int argc, char **argv)
{
	char file[64], prefix[64];
	struct scenario_set set = {
		.common = common,
		.walks = {"random_walks", 4, 0, "h2", "3--2-1--4--", {"hah", "ttt", "ha"}, false},
		.letters = "-13",
		.befores = befores,
		.rings = rings,
		.thieves = thieves,
		.sets = 4,
		.sets_deep = 7,
		.sizes = true,
		.play = bulk_check_play,
	};
	struct check_program program = {
		.mutants = {.name = check->kind, .file = file, .prefix = prefix, .kept = check->kept},
		.each = scenarios_each,
		.of = &set,
		.spec = &bulk_check_spec,
		.walks = 20000,
		.walks_deep = 1000000,
	};

	snprintf(file, sizeof(file), "/%s.h", check->kind);
	snprintf(prefix, sizeof(prefix), "filchi_%s_", check->kind);
	return bulk_check_kind(check->kind) ? check_main(&program, argc, argv) : 1;
}
