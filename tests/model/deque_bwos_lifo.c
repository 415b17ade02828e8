/* SPDX-License-Identifier: Apache-2.0 */
#include "../fixtures/deque/check.h"

int main(int argc, char **argv)
{
	/*
	 * In the common scenarios a block has one item. Here blocks are larger, there are more of them, and the ring
	 * wraps.
	 */
	static const struct scenario own[] = {
		{"single_block", 2, 0, "2++", "+-+--", {"s"}, false},
		{"grant", 4, 0, "2++", "+", {"s", "s"}, false},
		{"grant_many", 4, 0, "2++", "++", {"m", "s"}, false},
		{"takeover", 4, 0, "2+++", "--", {"s"}, false},
		{"takeover_2", 4, 0, "2+++", "--", {"s", "s"}, false},
		{"takeover_many", 4, 0, "2+++", "---", {"m", "s"}, false},
		{"takeover_again", 4, 0, "2++++", "--+-", {"ss", "s"}, false},
		{"grant_again", 4, 0, "2+++", "--++", {"s", "s"}, false},
		{"grant_again_many", 4, 0, "2+++", "--+++", {"m", "m"}, false},
		{"start_over", 4, 0, "2+++", "---++-", {"s", "s"}, false},
		{"start_over_2", 2, 0, "1++s", "-+-+", {"s", "s"}, false},
		{"refused", 4, 0, "2++++", "+-+", {"s", "m"}, false},
		{"ring_1", 4, 0, "1++++ss", "++-", {"ss"}, false},
		{"ring_1_many", 4, 0, "1+++s", "+++", {"mm", "m"}, false},
		{"ring_2", 4, 3, "2++++s", "++-", {"ss", "m"}, false},
		{"tail", 4, 0, "1+++", "+++", {"sss", "s"}, false},
		{"tail_helped", 2, 0, "1++", "++", {"ss", "s"}, false},
		{"tail_stale", 4, 0, "1++s+s+s", "+++", {"sss", "s"}, false},
		{"tail_helped_stale", 4, 0, "1+", "++++", {"ss", "s"}, false},
		{"turn_wraps", 4, UINT64_MAX, "2+++", "--++", {"s", "s"}, false},
		{"turn_wraps_ring", 4, UINT64_MAX - 2, "1++++", "-++", {"sss"}, false},
		{"part_of_block", 8, 0, "4+++++", "--", {"m", "s"}, false},
		{"eight", 8, 0, "2++++s", "++--+", {"mm", "s"}, false},
		{"no_loss_no_double_b2", 8, 0, "2++++++", "--+--", {"ms", "ss"}, true},
		{"ring_deep", 4, 0, "1++++", "+++-", {"ss", "ss", "s"}, true},
		{"grant_again_deep", 4, 0, "2+++", "--+++--+", {"ss", "m"}, true},
		{0},
	};
	static const struct mutants_kept kept[] = {
		{"E2", MUTANTS_LOAD_BUFFERING("read of its slots", "these slots")},
		{0},
	};
	static const struct deque_check check = {.kind = "bwos_lifo", .own = own, .kept = kept};

	return deque_check_main(&check, argc, argv);
}
