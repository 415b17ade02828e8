/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All ways to place n queens on a board of n by n so that no queen attacks another. A task is a placed queen; it
 * tries all columns of the next row.
 */
#ifndef FILCHI_BENCH_QUEENS_H
#define FILCHI_BENCH_QUEENS_H

#include "../common/workload.h"

FILCH_BEGIN_DECLS

#define FILCHI_QUEENS_MAX 16

/* The column of the queen in each row. */
struct filchi_board {
	signed char column[FILCHI_QUEENS_MAX];
};

/* True if a queen in this column, below that many rows, is not attacked. */
static inline bool filchi_queens_fits(const struct filchi_board *board, int rows, int column)
{
	for (int i = 0; i < rows; i++) {
		int apart = board->column[i] - column;

		if (apart == 0 || apart == rows - i || apart == i - rows)
			return false;
	}
	return true;
}

static inline struct filchi_board filchi_queens_put(struct filchi_board board, int rows, int column)
{
	board.column[rows] = (signed char)column;
	return board;
}

uint64_t filchi_queens(int n);

FILCH_END_DECLS

#endif
