/* SPDX-License-Identifier: Apache-2.0 */
#include "misp.h"

int filchi_misp_check(const void *instance, const int32_t *solution, size_t count, int64_t *value,
		      struct filchi_check_error *error)
{
	const struct filchi_misp *m = instance;
	int err = filchi_check_binary(error, solution, count, m->vertices);

	*value = 0;
	for (size_t u = 0; !err && u < count; u++)
		for (size_t v = 0; !err && solution[u] && v < u; v++)
			if (solution[v] && filchi_bit_test(filchi_misp_row(m, u), v))
				err = filchi_check_fail(error, "vertices %zu and %zu are neighbours", v + 1, u + 1);
	for (size_t u = 0; !err && u < count; u++)
		*value += solution[u] ? m->weight[u] : 0;
	return err;
}
