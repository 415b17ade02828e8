/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Text in aligned columns: the first column to the left, the others to the right. A heading belongs to one column
 * or to several.
 */
#ifndef FILCHI_BENCH_TABLE_H
#define FILCHI_BENCH_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct filchi_table_column {
	const char *group; /* heading over all neighbours with the same text; "": none */
	const char *heading;
};

struct filchi_table {
	const struct filchi_table_column *columns;
	size_t column_count;
	char (*cells)[32];
	size_t cell_count;
	bool failed; /* no memory for a cell */
};

void filchi_table_init(struct filchi_table *t, const struct filchi_table_column *columns, size_t column_count);

/* Adds the next cell, row by row. The text is ASCII, so that its bytes are its width. */
void filchi_table_cell(struct filchi_table *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Prints the table and frees the cells. -ENOMEM if a cell had no memory: then prints nothing. */
int filchi_table_print(struct filchi_table *t, FILE *f, bool color);

#endif
