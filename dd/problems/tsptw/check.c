/* SPDX-License-Identifier: Apache-2.0 */
#include "tsptw.h"

int filchi_tsptw_check(const void *instance, const int32_t *solution, size_t count, int64_t *value,
		       struct filchi_check_error *error)
{
	const struct filchi_tsptw *m = instance;
	int err = filchi_check_order(error, solution, count, m->places - 1);
	int64_t time = m->earliest[0];
	size_t here = 0;

	for (size_t i = 0; !err && i <= count; i++) {
		size_t to = i < count ? (size_t)solution[i] : 0;

		time += filchi_tsptw_distance(m, here, to);
		if (time > m->latest[to])
			err = filchi_check_fail(error, "place %zu is reached at %lld, after %lld (in 1/10000)", to,
						(long long)time, (long long)m->latest[to]);
		if (time < m->earliest[to])
			time = m->earliest[to];
		here = to;
	}
	*value = time;
	return err;
}
