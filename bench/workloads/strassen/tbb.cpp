/* SPDX-License-Identifier: Apache-2.0 */
#include "strassen.h"

#include <oneapi/tbb/task_group.h>

void filchi_strassen(const struct filchi_strassen *s)
{
	struct filchi_strassen parts[FILCHI_STRASSEN_PRODUCTS];
	double *room = filchi_strassen_begin(s, parts);

	if (!room)
		return;
	tbb::task_group group;
	for (auto &part : parts)
		group.run([&part] { filchi_strassen(&part); });
	group.wait();
	filchi_strassen_end(s, parts, room);
}
