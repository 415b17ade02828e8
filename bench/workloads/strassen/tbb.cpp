/* SPDX-License-Identifier: Apache-2.0 */
#include "strassen.h"

#include <cstdlib>
#include <oneapi/tbb/task_group.h>

void filchi_strassen(const struct filchi_strassen *s)
{
	struct filchi_strassen parts[FILCHI_STRASSEN_PRODUCTS];

	if (s->side <= FILCHI_STRASSEN_SMALL) {
		filchi_strassen_block(s);
		return;
	}
	double *room = filchi_strassen_alloc(s->side);
	filchi_strassen_split(s, room, parts);
	tbb::task_group group;
	for (auto &part : parts)
		group.run([&part] { filchi_strassen(&part); });
	group.wait();
	filchi_strassen_join(s, parts);
	std::free(room);
}
