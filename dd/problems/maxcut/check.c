/* SPDX-License-Identifier: Apache-2.0 */
#include "maxcut.h"

int filchi_maxcut_check(const void *instance, const int32_t *solution, size_t count, int64_t *value,
			struct filchi_check_error *error)
{
	const struct filchi_maxcut *m = instance;
	int err = filchi_check_binary(error, solution, count, m->vertices);

	*value = 0;
	for (size_t u = 0; !err && u < count; u++)
		for (size_t v = 0; v < u; v++)
			*value += solution[u] != solution[v] ? filchi_maxcut_weight(m, u, v) : 0;
	return err;
}
