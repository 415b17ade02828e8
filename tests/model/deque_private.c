/* SPDX-License-Identifier: Apache-2.0 */
#include "../fixtures/deque/check.h"

int main(int argc, char **argv)
{
	/* Two are given at most, so that a thief asks again, and several are taken at once. */
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
		{"E2", "it orders a thief's read of its given items before the owner's next write of the same slots. "
		       "Undoing that takes load buffering, which C11 and machines allow, but RC11, and so the "
		       "checker, does not."},
		{0},
	};
	static const struct deque_check check = {.kind = "private", .own = own, .kept = kept};

	return deque_check_main(&check, argc, argv);
}
