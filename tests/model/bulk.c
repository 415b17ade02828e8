/* SPDX-License-Identifier: Apache-2.0 */
#include "../fixtures/bulk/check.h"

int main(int argc, char **argv)
{
	static const struct mutants_kept kept[] = {
		{"E2", MUTANTS_LOAD_BUFFERING("read of its slots", "these slots")},
		{0},
	};
	static const struct bulk_check check = {.kind = "bulk", .kept = kept};

	return bulk_check_main(&check, argc, argv);
}
