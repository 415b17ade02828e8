/* SPDX-License-Identifier: Apache-2.0 */
#include "knapsack.h"

static inline void decide(struct filchi_knapsack k)
{
	if (filchi_knapsack_ends(&k))
		return;
	if (filchi_knapsack_fits(&k))
		decide(filchi_knapsack_take(k));
	decide(filchi_knapsack_leave(k));
}

void filchi_knapsack(struct filchi_knapsack k)
{
	decide(k);
}
