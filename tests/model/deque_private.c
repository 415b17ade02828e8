/* SPDX-License-Identifier: Apache-2.0 */
#include "../fixtures/deque/check.h"

int main(int argc, char **argv)
{
	/*
	 * The owner gives two items at most, so that a thief requests again, and a thief takes several items at once.
	 */
	static const struct scenario own[] = {
		{"poll", 2, 0, "++", "p-p-", {"ss"}, false},
		{"poll_2", 2, 0, "++", "pp", {"ss", "s"}, false},
		{"request", 4, 0, "++++sp", "p", {"mm"}, false},
		{"request_2", 4, 0, "+++sps", "", {"s", "s"}, false},
		{"steal_many", 4, 0, "s+++", "p-", {"m"}, false},
		{"steal_many_2", 4, 0, "++s", "p--", {"m", "m"}, false},
		{"steal_many_one", 4, 1, "++++s", "p--", {"m", "s"}, false},
		{"take_back", 4, 0, "++++sp", "----", {"s"}, false},
		{"take_back_2", 4, 0, "++++sp", "---", {"s", "m"}, false},
		{"give_again", 4, UINT64_MAX, "++++sp", "--+-", {"ms"}, false},
		{"give_again_2", 2, 0, "++s", "pp", {"ss", "s"}, false},
		{"give_again_deep", 4, 0, "++++sp", "--p+p-", {"ms", "ss"}, true},
		{0},
	};
	static const struct mutants_kept kept[] = {
		{"E2", MUTANTS_LOAD_BUFFERING("read of its slot", "that slot")},
		{0},
	};
	static const struct deque_check check = {.kind = "private", .own = own, .kept = kept};

	return deque_check_main(&check, argc, argv);
}
