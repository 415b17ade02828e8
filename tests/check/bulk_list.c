/* SPDX-License-Identifier: Apache-2.0 */
#include "../support/bulk_check.h"

int main(int argc, char **argv)
{
	static const struct bulk_check check = {.kind = "bulk_list"};

	return bulk_check_main(&check, argc, argv);
}
