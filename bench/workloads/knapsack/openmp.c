/* SPDX-License-Identifier: Apache-2.0 */
#include "knapsack.h"

/* Tasks run later, so the more promising branch runs at once. */
static void decide(struct filchi_knapsack k)
{
	if (filchi_knapsack_ends(&k))
		return;
#pragma omp task
	decide(filchi_knapsack_leave(k));
	if (filchi_knapsack_fits(&k))
		decide(filchi_knapsack_take(k));
}

/* No task waits for a result: all are complete when the region ends. */
void filchi_knapsack(struct filchi_knapsack k)
{
#pragma omp parallel
#pragma omp single
	decide(k);
}
