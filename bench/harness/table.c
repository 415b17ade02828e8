/* SPDX-License-Identifier: Apache-2.0 */
#include "table.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define GAP 2 /* between columns */

void filchi_table_init(struct filchi_table *t, const struct filchi_table_column *columns, size_t column_count)
{
	*t = (struct filchi_table){.columns = columns, .column_count = column_count};
}

void filchi_table_cell(struct filchi_table *t, const char *format, ...)
{
	va_list args;
	void *cells = realloc(t->cells, (t->cell_count + 1) * sizeof(*t->cells));

	if (!cells) {
		t->failed = true;
		return;
	}
	t->cells = cells;
	va_start(args, format);
	vsnprintf(t->cells[t->cell_count++], sizeof(*t->cells), format, args);
	va_end(args);
}

/* Finds the columns that share the group of the first: their end, and their width together. */
static size_t group_end(const struct filchi_table *t, const size_t *widths, size_t first, size_t *width)
{
	size_t i = first + 1;

	*width = widths[first];
	for (; i < t->column_count && *t->columns[first].group; i++) {
		if (strcmp(t->columns[i].group, t->columns[first].group) != 0)
			break;
		*width += GAP + widths[i];
	}
	return i;
}

static void measure(const struct filchi_table *t, size_t *widths)
{
	size_t width;

	for (size_t i = 0; i < t->column_count; i++)
		widths[i] = strlen(t->columns[i].heading);
	for (size_t i = 0; i < t->cell_count; i++) {
		size_t *w = &widths[i % t->column_count];

		if (strlen(t->cells[i]) > *w)
			*w = strlen(t->cells[i]);
	}
	for (size_t first = 0, end; first < t->column_count; first = end) {
		size_t need = *t->columns[first].group ? strlen(t->columns[first].group) + 4 : 0;

		end = group_end(t, widths, first, &width);
		if (width < need)
			widths[first] += need - width;
	}
}

static void print_line(FILE *f, size_t dashes)
{
	while (dashes--)
		fputc('-', f);
}

static void print_groups(const struct filchi_table *t, const size_t *widths, FILE *f)
{
	size_t width, blank = 0; /* printed only if something follows: no spaces at the end of a line */

	for (size_t first = 0, end; first < t->column_count; first = end) {
		const char *group = t->columns[first].group;

		end = group_end(t, widths, first, &width);
		if (*group) {
			size_t dashes = width - strlen(group) - 2;

			fprintf(f, "%*s", (int)blank, "");
			print_line(f, dashes / 2);
			fprintf(f, " %s ", group);
			print_line(f, dashes - dashes / 2);
			blank = 0;
		} else {
			blank += width;
		}
		blank += GAP;
	}
	fputc('\n', f);
}

static void print_cell(const struct filchi_table *t, const size_t *widths, FILE *f, size_t column, const char *text)
{
	bool last = column + 1 == t->column_count;

	if (column)
		fprintf(f, "%*s", (int)widths[column], text);
	else
		fprintf(f, "%-*s", (int)widths[column], text);
	fprintf(f, "%*s", last ? 0 : GAP, "");
	if (last)
		fputc('\n', f);
}

int filchi_table_print(struct filchi_table *t, FILE *f, bool color)
{
	size_t *widths = calloc(t->column_count, sizeof(*widths));
	int err = t->failed || !widths ? -ENOMEM : 0;

	if (!err) {
		measure(t, widths);
		fputs(color ? "\033[1m" : "", f);
		print_groups(t, widths, f);
		for (size_t i = 0; i < t->column_count; i++)
			print_cell(t, widths, f, i, t->columns[i].heading);
		fputs(color ? "\033[0m" : "", f);
		for (size_t i = 0; i < t->cell_count; i++)
			print_cell(t, widths, f, i % t->column_count, t->cells[i]);
	}
	free(widths);
	free(t->cells);
	t->cells = NULL;
	t->cell_count = 0;
	return err;
}
