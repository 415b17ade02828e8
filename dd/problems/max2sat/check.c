/* SPDX-License-Identifier: Apache-2.0 */
#include "max2sat.h"

int filchi_max2sat_check(const void *instance, const int32_t *solution, size_t count, int64_t *value,
			 struct filchi_check_error *error)
{
	const struct filchi_max2sat *m = instance;
	int err = filchi_check_binary(error, solution, count, m->variables);

	*value = m->always;
	for (size_t a = 0; !err && a < 2 * count; a++)
		for (size_t b = 0; b <= a; b++)
			if (solution[a / 2] == (int32_t)(a % 2) || solution[b / 2] == (int32_t)(b % 2))
				*value += filchi_max2sat_weight(m, a, b);
	return err;
}
