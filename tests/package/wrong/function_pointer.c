/* SPDX-License-Identifier: Apache-2.0 */
/* A pointer to a function, without a typedef. The compiler says: give pointers to functions and to arrays a typedef */
#include <filch.h>

FILCH_TASK(int, wrong, int, n, int, (*f)(int))
{
	return 1;
}
