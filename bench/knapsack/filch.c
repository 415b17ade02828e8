/* SPDX-License-Identifier: Apache-2.0 */
#include "knapsack.h"

#include <filch.h>

/* A spawn is a call as long as nobody is idle: what is more promising comes first. */
FILCH_TASK(void, decide, struct filchi_knapsack, k)
{
	bool fits;

	if (filchi_knapsack_ends(&k))
		return;
	fits = filchi_knapsack_fits(&k);
	if (fits)
		FILCH_SPAWN(decide, filchi_knapsack_take(k));
	FILCH_CALL(decide, filchi_knapsack_leave(k));
	if (fits)
		FILCH_SYNC(decide);
}

void filchi_knapsack(struct filchi_knapsack k)
{
	FILCH_RUN(decide, k);
}
