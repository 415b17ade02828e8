/* SPDX-License-Identifier: Apache-2.0 */
#include "../fixtures/deque/check.h"

int main(int argc, char **argv)
{
	/*
	 * The owner starts over while thieves have an old age: at the same top, at another top, when full, when the tag
	 * wraps.
	 */
	static const struct scenario own[] = {
		{"over_and_over", 2, 0, "+", "-+-+-", {"s", "s"}, false},
		{"same_top", 4, 0, "++s", "-++-", {"s", "s"}, false},
		{"other_top", 4, 0, "+++ss", "-+++", {"ss"}, false},
		{"other_top_2", 4, 0, "+++s", "--++", {"s", "s"}, false},
		{"refused", 2, 0, "++s", "+-+", {"s", "s"}, false},
		{"all_stolen", 2, 0, "++ss", "+-+", {"s", "s"}, false},
		{"tag_wraps", 2, UINT64_MAX, "+", "-+-+", {"ss", "s"}, false},
		{"over_deep", 4, 0, "++", "--++--+", {"ss", "s"}, true},
		{"over_deep_3", 2, 0, "+", "-+-+", {"s", "s", "s"}, true},
		{0},
	};
	static const struct mutants_kept kept[] = {
		{"E4", MUTANTS_LOAD_BUFFERING("read of its slot", "that slot")},
		{0},
	};
	static const struct deque_check check = {.kind = "abp", .own = own, .kept = kept};

	return deque_check_main(&check, argc, argv);
}
