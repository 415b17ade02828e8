/* SPDX-License-Identifier: Apache-2.0 */
#include "../fixtures/deque/check.h"

int main(int argc, char **argv)
{
	/*
	 * In the common scenarios a block has one item. Here blocks are larger, there are more of them, and the ring
	 * wraps.
	 */
	static const struct scenario own[] = {
		{"single_block", 2, 0, "2++", "+-+--+", {"s"}, false},
		{"grant", 4, 0, "2++", "++", {"s", "s"}, false},
		{"grant_many", 4, 0, "2++", "++", {"m", "s"}, false},
		{"takeover", 4, 0, "2++++", "---", {"s"}, false},
		{"takeover_2", 4, 0, "2++++-", "---", {"s", "s"}, false},
		{"takeover_many", 4, 0, "2++++-", "--", {"m", "s"}, false},
		{"takeover_put", 4, 0, "2+++--", "-+-", {"s", "s"}, false},
		{"takeover_put_many", 4, 0, "2+++-", "+--", {"m", "m"}, false},
		{"used_again", 2, 0, "1++-", "+-+", {"s", "s"}, false},
		{"used_again_many", 4, 0, "2++++--", "+--+-", {"m", "s"}, false},
		/* Section 3.2 of the thesis: a thief stalls with an item of the block that push will need. */
		{"stuck", 2, 0, "1++", "-+--+", {"s"}, false},
		{"stuck_2", 4, 0, "2++++", "--++---+", {"s", "s"}, false},
		{"stuck_many", 4, 0, "2++++", "--++---+", {"m", "s"}, false},
		{"push_moves_get", 2, 0, "1++-", "+++", {"s", "s"}, false},
		{"push_moves_get_2", 4, 0, "2++++--", "+++", {"mm"}, false},
		{"start_over", 2, 0, "2++", "--+-", {"s"}, false},
		{"refused", 4, 0, "2++++-", "+-+", {"s", "m"}, false},
		{"refused_1", 4, 0, "1++++", "+-++", {"ss", "s"}, false},
		{"hint_behind", 2, 0, "1++-+-+-+", "-+", {"s", "s"}, false},
		{"hint_behind_4", 4, 2, "1+++--++--", "+-", {"ss", "m"}, false},
		{"hint_ahead", 4, 0, "1++++", "-+-+-", {"s", "s"}, false},
		{"hint_ahead_2", 4, 0, "1++++", "-+-+-", {"ss", "s"}, false},
		{"hint_ahead_3", 4, 0, "1++++", "-+-+", {"sss", "s"}, false},
		{"hint_ahead_many", 4, 0, "1++++", "-+-+", {"mmm", "m"}, false},
		{"hints", 4, 0, "1++++", "-+", {"ss", "s"}, false},
		{"committed_back", 4, 0, "2++++--s", "++-+", {"m"}, false},
		{"ring_2", 4, 3, "2++++s", "-+-", {"ss", "m"}, false},
		{"turn_wraps", 2, UINT64_MAX - 1, "1++-", "+-+", {"s", "s"}, false},
		{"turn_wraps_4", 4, UINT64_MAX - 2, "1++++", "-+-+", {"ss"}, false},
		{"turn_wraps_2", 4, ((uint64_t)1 << 48) - 1, "2++++", "---++", {"m", "s"}, false},
		{"part_of_block", 8, 0, "4++++++++---", "--", {"m", "s"}, false},
		{"eight", 8, 0, "2++++s", "++--+", {"mm", "s"}, false},
		{"no_loss_no_double_b2", 8, 0, "2++++++", "--+--", {"ms", "ss"}, true},
		{"ring_deep", 4, 0, "1++++", "-+-", {"s", "s", "s"}, true},
		{"used_again_deep", 4, 0, "2+++-", "-+++--+", {"ss", "m"}, true},
		{0},
	};
	static const struct mutants_kept kept[] = {
		{"E3", MUTANTS_LOAD_BUFFERING("read of its slots", "these slots")},
		{0},
	};
	static const struct deque_check check = {.kind = "bwos_fifo", .own = own, .kept = kept};

	return deque_check_main(&check, argc, argv);
}
