/* SPDX-License-Identifier: Apache-2.0 */
/* No commas in two of four parameters. The compiler says: parameters of a task are pairs: type, name */
#include <filch.h>

FILCH_TASK(long, wrong, int, n, size_t k, size_t m, long, j)
{
	return n;
}
