/* SPDX-License-Identifier: Apache-2.0 */
#include "page.h"

#include "text.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define LONG_CELL 40 /* bytes */

/* The sign for no value. */
static bool is_blank(const char *cell)
{
	return !cell || !*cell || !strcmp(cell, "-") || !strcmp(cell, "–") || !strcmp(cell, "—") ||
	       !strcmp(cell, "n/a");
}

/* True for a number, which may be followed by k, a unit or an interval. The 2 of 2d_mesh is none. */
static bool is_number(const char *cell)
{
	char *end;

	while (*cell == '<' || *cell == '>' || *cell == '~' || *cell == ' ')
		cell++;
	if (!isdigit((unsigned char)*cell) && *cell != '-' && *cell != '+' && *cell != '.')
		return false;
	strtod(cell, &end);
	while (*end == ',' && isdigit((unsigned char)end[1])) /* thousands */
		strtod(end + 1, &end);
	if (end != cell && *end && strchr("kMGT", *end))
		end++;
	return end != cell && !isalnum((unsigned char)*end) && *end != '_';
}

static const char *cell_at(const struct filchi_page_table *s, size_t row, size_t column)
{
	const char *cell = s->cells[row * s->columns + column];

	return cell ? cell : "";
}

/* True if the column is sorted by numbers and set to the right. */
static bool column_is_numbers(const struct filchi_page_table *s, size_t column)
{
	bool some = false;

	for (size_t row = 0; row < s->rows; row++) {
		const char *cell = cell_at(s, row, column);

		if (is_blank(cell))
			continue;
		if (!is_number(cell))
			return false;
		some = true;
	}
	return some;
}

/* True if the column has sentences, which need room: a narrow column would be too high. */
static bool column_is_long(const struct filchi_page_table *s, size_t column)
{
	for (size_t row = 0; row < s->rows; row++)
		if (strlen(cell_at(s, row, column)) > LONG_CELL)
			return true;
	return false;
}

/* A bit for each such column; columns after the 64th are text. */
static uint64_t find_columns(const struct filchi_page_table *s, bool (*is)(const struct filchi_page_table *, size_t))
{
	uint64_t found = 0;

	for (size_t i = 0; i < s->columns && i < 64; i++)
		if (is(s, i))
			found |= UINT64_C(1) << i;
	return found;
}

/* Writes 12345.6 as 12,345.6, as plots do. The text after the number stays. */
static void write_number(const char *cell, FILE *f)
{
	size_t before = strcspn(cell, "0123456789"), digits = strspn(cell + before, "0123456789");

	for (size_t i = 0; i < before + digits; i++) {
		if (i > before && (before + digits - i) % 3 == 0 && !(before && cell[before - 1] == '.'))
			fputc(',', f);
		filchi_text_put(f, (const char[]){cell[i], 0});
	}
	filchi_text_put(f, cell + before + digits);
}

/* Row 0 has the headings. The first cells are headings of rows, unless they are numbers. */
static void write_row(const struct filchi_page_table *s, uint64_t numbers, uint64_t longs, size_t row, FILE *f)
{
	fputs("<tr>", f);
	for (size_t i = 0; i < s->columns; i++) {
		bool number = i < 64 && numbers >> i & 1, head = !row || (!i && !number);
		const char *tag = head ? "th" : "td";

		fprintf(f, "<%s%s%s>", tag,
			!row   ? " scope=\"col\""
			: head ? " scope=\"row\""
			       : "",
			number			   ? " class=\"num\""
			: i < 64 && longs >> i & 1 ? " class=\"long\""
						   : "");
		if (row && number && !is_blank(cell_at(s, row - 1, i)))
			write_number(cell_at(s, row - 1, i), f);
		else
			filchi_text_put(f, row ? cell_at(s, row - 1, i) : s->heads[i]);
		fprintf(f, "</%s>", tag);
	}
	fputs("</tr>\n", f);
}

void filchi_page_table_write(const struct filchi_page_table *s, const char *caption, FILE *f)
{
	const char *title = s->title ? s->title : caption;
	uint64_t numbers, longs;

	if (!s->columns || !s->rows)
		return;
	numbers = find_columns(s, column_is_numbers);
	longs = find_columns(s, column_is_long);
	/* A table wider than the page scrolls in its box, which the keyboard can reach. */
	fputs("<div class=\"scroller\" tabindex=\"0\" role=\"region\" aria-label=\"", f);
	filchi_text_put(f, title);
	fputs("\"><table><caption><span>", f);
	filchi_text_put(f, title);
	fputs("</span></caption>\n<thead>", f);
	write_row(s, numbers, longs, 0, f);
	fputs("</thead>\n<tbody>\n", f);
	for (size_t row = 1; row <= s->rows; row++)
		write_row(s, numbers, longs, row, f);
	fputs("</tbody></table></div>\n", f);
}
