/* SPDX-License-Identifier: Apache-2.0 */
/* Text in aligned columns: the first to the left, the others to the right, with headings over one and over several. */
#ifndef FILCHI_BENCH_TABLE_H
#define FILCHI_BENCH_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct filchi_table_column {
	const char *group; /* over all neighbours that have the same; "" for none */
	const char *heading;
};

struct filchi_table {
	const struct filchi_table_column *columns;
	size_t column_count;
	char (*cells)[32];
	size_t cell_count;
	bool failed; /* there was no memory for a cell */
};

void filchi_table_init(struct filchi_table *t, const struct filchi_table_column *columns, size_t column_count);

/* The next cell, row by row. Plain ASCII: a column is as wide as its bytes. */
void filchi_table_cell(struct filchi_table *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* 0 or -ENOMEM if some cell found no memory; then prints nothing. Frees the cells in any case. */
int filchi_table_print(struct filchi_table *t, FILE *f, bool color);

#endif
