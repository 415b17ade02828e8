/* SPDX-License-Identifier: Apache-2.0 */
#include "../fixtures/bulk/check.h"

int main(int argc, char **argv)
{
	static const struct mutants_kept kept[] = {
		{"E2",
		 "it orders a thief's reads of slots before the owner's next write of those slots. Undoing that takes "
		 "load buffering, which C11 and machines allow, but RC11, and so the checker, does not."},
		{0},
	};
	static const struct bulk_check check = {.kind = "bulk", .kept = kept};

	return bulk_check_main(&check, argc, argv);
}
