/* SPDX-License-Identifier: Apache-2.0 */
#include "../fixtures/deque/check.h"

/* The kind has no edges: the mutex orders all accesses. */
int main(int argc, char **argv)
{
	static const struct deque_check check = {.kind = "locked"};

	return deque_check_main(&check, argc, argv);
}
