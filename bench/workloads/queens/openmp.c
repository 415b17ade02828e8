/* SPDX-License-Identifier: Apache-2.0 */
#include "queens.h"

static uint64_t below(struct filchi_board board, int n, int rows)
{
	uint64_t part[FILCHI_QUEENS_MAX], sum = 0;
	int spawned = 0;

	if (rows == n)
		return 1;
	for (int i = 0; i < n; i++)
		if (filchi_queens_fits(&board, rows, i)) {
			uint64_t *to = &part[spawned++];
#pragma omp task
			*to = below(filchi_queens_put(board, rows, i), n, rows + 1);
		}
#pragma omp taskwait
	for (int i = 0; i < spawned; i++)
		sum += part[i];
	return sum;
}

uint64_t filchi_queens(int n)
{
	uint64_t result;

#pragma omp parallel
#pragma omp single
	result = below((struct filchi_board){{0}}, n, 0);
	return result;
}
