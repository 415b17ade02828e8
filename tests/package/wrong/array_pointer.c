/* SPDX-License-Identifier: Apache-2.0 */
/* A pointer to an array, without a typedef. The compiler says: give pointers to functions and to arrays a typedef */
#include <filch.h>

FILCH_TASK(int, wrong, int, (*a)[10], int, n)
{
	return 1;
}
