/* SPDX-License-Identifier: Apache-2.0 */
#include "../fixtures/deque/check.h"

int main(int argc, char **argv)
{
	static const struct mutants_kept kept[] = {
		{"E2", MUTANTS_LOAD_BUFFERING("read of its slot", "that slot")},
		{0},
	};
	/*
	 * Cases for which the common scenarios are too small: a steal must move tail to take the item at tail, and len
	 * must not overflow.
	 */
	static const struct scenario own[] = {
		{"no_tag_needed", 4, 0, "+++s+--", "--+++", {"s", "s"}, false},
		{"len_is_full", 8, 0, "++++++s", "++", {"s"}, false},
		{0},
	};
	static const struct deque_check check = {.kind = "split", .own = own, .kept = kept};

	return deque_check_main(&check, argc, argv);
}
