/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Four ways to sort a table: by a field that is a number, by a comparison that is compiled in, by a comparison that is
 * called, and by a stable sort, which keeps the order of the sort before it.
 */
#include <filch.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 1000000 };

struct row {
	int group;
	float price;
	int number;
};

#define CHEAPER(a, b) ((a).price < (b).price)
FILCH_SORT_DEFINE(sort_by_price, struct row, CHEAPER);

/* Without branches, which would make it twice as slow. */
static int by_group(const void *a, const void *b, void *arg)
{
	int x = ((const struct row *)a)->group;
	int y = ((const struct row *)b)->group;

	(void)arg;
	return (x > y) - (x < y);
}

static int check(const char *sort, int err, const struct row *table, int by_group, int then_by_price)
{
	for (int i = 1; !err && i < ROWS; i++) {
		const struct row *a = &table[i - 1], *b = &table[i];

		if (by_group && a->group != b->group)
			err = a->group > b->group;
		else if (!by_group || then_by_price)
			err = a->price > b->price;
	}
	printf("%-20s %s\n", sort, err ? "failed" : "sorted");
	return err;
}

int main(void)
{
	struct row *table = malloc(ROWS * sizeof(*table));
	unsigned random = 1;
	int failed = 0;

	if (!table || filch_start(NULL))
		return 1;
	for (int i = 0; i < ROWS; i++) {
		random = random * 1664525 + 1013904223;
		table[i] = (struct row){(int)(random >> 28), (float)(random >> 4 & 0xffff) / 100, i};
	}
	failed |= check("filch_sort", filch_sort(NULL, table, ROWS, sizeof(*table), by_group, NULL), table, 1, 0);
	failed |= check("FILCH_SORT_BY", FILCH_SORT_BY(NULL, table, ROWS, price), table, 0, 0);
	failed |= check("filch_sort_stable", filch_sort_stable(NULL, table, ROWS, sizeof(*table), by_group, NULL),
			table, 1, 1);
	failed |= check("FILCH_SORT_DEFINE", sort_by_price(NULL, table, ROWS), table, 0, 0);
	filch_stop();
	free(table);
	return failed;
}
