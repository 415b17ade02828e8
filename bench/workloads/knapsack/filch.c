/* SPDX-License-Identifier: Apache-2.0 */
#include "knapsack.h"

#include <filch.h>

/* The more promising branch comes first, unless another worker runs it at the same time. */
FILCH_TASK(void, decide, struct filchi_knapsack, k)
{
	bool both, wanted;

	if (filchi_knapsack_ends(&k))
		return;
	both = filchi_knapsack_fits(&k);
	wanted = both && FILCH_WORK_REQUESTED();
	if (wanted)
		FILCH_SPAWN(decide, filchi_knapsack_leave(k));
	if (both)
		FILCH_CALL(decide, filchi_knapsack_take(k));
	if (wanted)
		FILCH_SYNC(decide);
	else
		FILCH_CALL(decide, filchi_knapsack_leave(k));
}

void filchi_knapsack(struct filchi_knapsack k)
{
	FILCH_RUN(decide, k);
}
