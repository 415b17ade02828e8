/* SPDX-License-Identifier: Apache-2.0 */
/* Sorting a table by one column and then by another: the second sort is stable and keeps the first one's order. */
#include <filch.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 1000000, COLUMNS = 3 };

struct row {
	int column[COLUMNS];
};

static int by_column(const void *a, const void *b, void *arg)
{
	int column = *(const int *)arg;
	int x = ((const struct row *)a)->column[column];
	int y = ((const struct row *)b)->column[column];

	return (x > y) - (x < y);
}

int main(void)
{
	struct row *table = malloc(ROWS * sizeof(*table));
	int first = 0, second = 1;
	unsigned random = 1;
	int err;

	if (!table || filch_start(NULL))
		return 1;
	for (int i = 0; i < ROWS; i++) {
		random = random * 1664525 + 1013904223;
		table[i] = (struct row){{(int)(random >> 28), (int)(random >> 4 & 0xffff), i}};
	}
	err = filch_sort(NULL, table, ROWS, sizeof(*table), by_column, &second);
	if (!err)
		err = filch_sort_stable(NULL, table, ROWS, sizeof(*table), by_column, &first);
	filch_stop();
	for (int i = 1; i < ROWS; i++) {
		int c = by_column(&table[i - 1], &table[i], &first);

		if (c > 0 || (c == 0 && by_column(&table[i - 1], &table[i], &second) > 0))
			err = 1;
	}
	printf("%d rows, by two columns: %s\n", ROWS, err ? "failed" : "sorted");
	free(table);
	return err != 0;
}
