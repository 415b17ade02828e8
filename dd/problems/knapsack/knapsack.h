/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Knapsack with items that are taken or not. File: a line "items capacity", then a line "profit weight" per item. Later
 * lines do not count: some public files end with a solution.
 *
 * Solution: 1 or 0 for each item, in the order of the file.
 */
#ifndef FILCHI_PROBLEMS_KNAPSACK_H
#define FILCHI_PROBLEMS_KNAPSACK_H

#include "../problem.h"

#define FILCHI_KNAPSACK_ITEMS_MAX 1000000

struct filchi_knapsack {
	size_t items;
	int64_t capacity;
	int64_t *profit, *weight; /* not negative */
};

FILCHI_PROBLEM_FUNCTIONS(knapsack);

#endif
