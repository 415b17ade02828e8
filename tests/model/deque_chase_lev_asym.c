/* SPDX-License-Identifier: Apache-2.0 */
#include "../fixtures/deque/check.h"

int main(int argc, char **argv)
{
	static const struct mutants_kept kept[] = {
		{"E4", MUTANTS_LOAD_BUFFERING("read of its slot", "that slot")},
		{0},
	};
	/* A thief that reads bottom before the fence must not see a value from before another thief's steals. */
	static const struct scenario own[] = {
		{"look_first", 4, 0, "++", "+", {"ss", "s"}, false},
		{0},
	};
	static const struct deque_check check = {
		.kind = "chase_lev_asym", .base = "chase_lev", .own = own, .kept = kept};

	return deque_check_main(&check, argc, argv);
}
