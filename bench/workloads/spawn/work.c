/* SPDX-License-Identifier: Apache-2.0 */
#include "spawn.h"

int filchi_spawn_work(unsigned loops)
{
	uint64_t x = loops;

	/* Each step needs the result of the step before, so that its time does not depend on the code around it. */
	for (; loops; loops--) {
		x = x * 3 + 1;
		__asm__ volatile("" : "+r"(x));
	}
	return 1;
}
