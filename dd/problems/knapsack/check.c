/* SPDX-License-Identifier: Apache-2.0 */
#include "knapsack.h"

int filchi_knapsack_check(const void *instance, const int32_t *solution, size_t count, int64_t *value,
			  struct filchi_check_error *error)
{
	const struct filchi_knapsack *k = instance;
	int err = filchi_check_binary(error, solution, count, k->items);
	int64_t weight = 0;

	*value = 0;
	for (size_t i = 0; !err && i < count; i++)
		if (solution[i]) {
			weight += k->weight[i];
			*value += k->profit[i];
		}
	if (!err && weight > k->capacity)
		err = filchi_check_fail(error, "the weight is %lld, more than the capacity %lld", (long long)weight,
					(long long)k->capacity);
	return err;
}
