/* SPDX-License-Identifier: Apache-2.0 */
#include "sop.h"

static size_t job_at(const int32_t *solution, size_t place)
{
	return place ? (size_t)solution[place - 1] : 0;
}

int filchi_sop_check(const void *instance, const int32_t *solution, size_t count, int64_t *value,
		     struct filchi_check_error *error)
{
	const struct filchi_sop *m = instance;
	int err = filchi_check_order(error, solution, count, m->jobs - 1);

	*value = 0;
	if (!err && job_at(solution, count) != m->jobs - 1)
		err = filchi_check_fail(error, "the order ends with %zu, not with the last job", job_at(solution, count));
	for (size_t i = 0; !err && i <= count; i++)
		for (size_t j = i + 1; !err && j <= count; j++)
			if (filchi_sop_cost(m, job_at(solution, i), job_at(solution, j)) == FILCHI_SOP_BEFORE)
				err = filchi_check_fail(error, "job %zu must come before job %zu", job_at(solution, j),
							job_at(solution, i));
	for (size_t i = 0; !err && i < count; i++) {
		int64_t cost = filchi_sop_cost(m, job_at(solution, i), job_at(solution, i + 1));

		if (cost == FILCHI_SOP_NEVER)
			err = filchi_check_fail(error, "job %zu may not follow job %zu", job_at(solution, i + 1),
						job_at(solution, i));
		*value += cost;
	}
	return err;
}
