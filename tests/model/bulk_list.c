/* SPDX-License-Identifier: Apache-2.0 */
#include "../fixtures/bulk/check.h"

int main(int argc, char **argv)
{
	static const struct mutants_kept kept[] = {
		{"E2", MUTANTS_LOAD_BUFFERING("reads of a segment", "that segment")},
		{0},
	};
	static const struct bulk_check check = {.kind = "bulk_list", .kept = kept};

	return bulk_check_main(&check, argc, argv);
}
