/* SPDX-License-Identifier: Apache-2.0 */
#include "golomb.h"

int filchi_golomb_check(const void *instance, const int32_t *solution, size_t count, int64_t *value,
			struct filchi_check_error *error)
{
	const struct filchi_golomb *m = instance;
	int32_t mark[FILCHI_GOLOMB_MARKS_MAX] = {0}, distance[FILCHI_GOLOMB_MARKS_MAX * FILCHI_GOLOMB_MARKS_MAX / 2];
	int err = filchi_check_count(error, count, m->marks - 1);
	size_t distances = 0;

	*value = 0;
	for (size_t i = 1; !err && i <= count; i++) {
		mark[i] = solution[i - 1];
		if (mark[i] <= mark[i - 1])
			err = filchi_check_fail(error, "mark %d is not behind mark %d", mark[i], mark[i - 1]);
		for (size_t j = 0; !err && j < i; j++) {
			distance[distances] = mark[i] - mark[j];
			for (size_t k = 0; !err && k < distances; k++)
				if (distance[k] == distance[distances])
					err = filchi_check_fail(error, "the distance %d comes twice", distance[k]);
			distances++;
		}
		*value = mark[i];
	}
	return err;
}
