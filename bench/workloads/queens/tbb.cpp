/* SPDX-License-Identifier: Apache-2.0 */
#include "queens.h"

#include <oneapi/tbb/task_group.h>

static uint64_t below(struct filchi_board board, int n, int rows)
{
	uint64_t part[FILCHI_QUEENS_MAX], sum = 0;
	int spawned = 0;

	if (rows == n)
		return 1;
	tbb::task_group group;
	for (int i = 0; i < n; i++)
		if (filchi_queens_fits(&board, rows, i))
			group.run([board, n, rows, i, to = &part[spawned++]] {
				*to = below(filchi_queens_put(board, rows, i), n, rows + 1);
			});
	group.wait();
	for (int i = 0; i < spawned; i++)
		sum += part[i];
	return sum;
}

uint64_t filchi_queens(int n)
{
	return below(filchi_board{}, n, 0);
}
