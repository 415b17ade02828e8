/* SPDX-License-Identifier: Apache-2.0 */
#include "queens.h"

#include <filch.h>

FILCH_TASK(uint64_t, below, struct filchi_board, board, int, n, int, rows)
{
	uint64_t sum = 0;
	int spawned = 0;

	if (rows == n)
		return 1;
	for (int i = 0; i < n; i++)
		if (filchi_queens_fits(&board, rows, i)) {
			FILCH_SPAWN(below, filchi_queens_put(board, rows, i), n, rows + 1);
			spawned++;
		}
	for (; spawned; spawned--)
		sum += FILCH_SYNC(below);
	return sum;
}

uint64_t filchi_queens(int n)
{
	return FILCH_RUN(below, (struct filchi_board){{0}}, n, 0);
}
