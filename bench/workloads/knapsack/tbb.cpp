/* SPDX-License-Identifier: Apache-2.0 */
#include "knapsack.h"

#include <oneapi/tbb/task_group.h>

/* Tasks run later, so the more promising branch runs at once. */
static void decide(tbb::task_group &group, struct filchi_knapsack k)
{
	if (filchi_knapsack_ends(&k))
		return;
	group.run([&group, k] { decide(group, filchi_knapsack_leave(k)); });
	if (filchi_knapsack_fits(&k))
		decide(group, filchi_knapsack_take(k));
}

/* No task waits for a result, so one group is enough. */
void filchi_knapsack(struct filchi_knapsack k)
{
	tbb::task_group group;

	group.run_and_wait([&] { decide(group, k); });
}
