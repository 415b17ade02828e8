/* SPDX-License-Identifier: Apache-2.0 */
#include "../fixtures/deque/check.h"

/* It has no edges of its own: the mutex orders everything. */
int main(int argc, char **argv)
{
	static const struct deque_check check = {.kind = "locked"};

	return deque_check_main(&check, argc, argv);
}
