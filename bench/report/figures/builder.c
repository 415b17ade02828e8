/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE

#include "builder.h"

#include "../html/text.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Tables grow by that many cells. */
#define CELLS 128

/* On a machine that allows less than this speed-up, no speed-up is judged. */
#define LEAST_GIVEN 1.2

static void *there(void *memory)
{
	if (memory)
		return memory;
	fputs("filch figures: no memory\n", stderr);
	exit(1);
}

void *filchi_figure_alloc(struct filchi_figure_builder *d, size_t count, size_t size)
{
	return there(filchi_arena_array(d->arena, count, size));
}

const char *filchi_figure_text(struct filchi_figure_builder *d, const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	text = there(filchi_arena_print(d->arena, format, args));
	va_end(args);
	return text;
}

struct filchi_panel *filchi_figure_add_panel(struct filchi_figure_builder *d, enum filchi_plot plot, const char *title,
					     const char *x_name, const char *y_name)
{
	struct filchi_panel *panels = (struct filchi_panel *)d->figure->panels, *p;

	if (!panels)
		d->figure->panels = panels = filchi_figure_alloc(d, FILCHI_FIGURE_MAX_PANELS, sizeof(*panels));
	p = &panels[d->figure->panel_count < FILCHI_FIGURE_MAX_PANELS ? d->figure->panel_count++
								      : FILCHI_FIGURE_MAX_PANELS - 1];
	*p = (struct filchi_panel){.plot = plot, .title = title, .x_name = x_name, .y_name = y_name};
	p->series = filchi_figure_alloc(d, FILCHI_FIGURE_MAX_SERIES, sizeof(*p->series));
	p->labels = filchi_figure_alloc(d, FILCHI_FIGURE_MAX_SERIES, sizeof(*p->labels));
	return p;
}

void filchi_figure_add_label(struct filchi_figure_builder *d, struct filchi_panel *p, size_t place, const char *label)
{
	const char **labels = (const char **)p->labels;

	if (place < FILCHI_FIGURE_MAX_SERIES)
		labels[place] = filchi_figure_text(d, "%s", label);
}

struct filchi_series *filchi_figure_add_series(struct filchi_figure_builder *d, struct filchi_panel *p,
					       const char *name, size_t room)
{
	struct filchi_series *all = (struct filchi_series *)p->series;
	struct filchi_series *s =
		&all[p->series_count < FILCHI_FIGURE_MAX_SERIES ? p->series_count++ : FILCHI_FIGURE_MAX_SERIES - 1];
	bool lines = p->plot == FILCHI_PLOT_LINES, violins = p->plot == FILCHI_PLOT_VIOLINS;

	*s = (struct filchi_series){
		.name = filchi_figure_text(d, "%s", name),
		.x = lines ? filchi_figure_alloc(d, room, sizeof(double)) : NULL,
		.y = filchi_figure_alloc(d, room, sizeof(double)),
		.low = violins ? NULL : filchi_figure_alloc(d, room, sizeof(double)),
		.high = violins ? NULL : filchi_figure_alloc(d, room, sizeof(double)),
	};
	return s;
}

static void put(struct filchi_series *s, double x, double y, double low, double high)
{
	size_t i = s->count++;

	if (s->x)
		((double *)s->x)[i] = x;
	((double *)s->y)[i] = y;
	if (s->low) {
		((double *)s->low)[i] = low;
		((double *)s->high)[i] = high;
	}
}

void filchi_figure_add_point(struct filchi_series *s, double x, struct filchi_found found, double unit)
{
	put(s, x, found.median / unit, found.low / unit, found.high / unit);
}

void filchi_figure_add_value(struct filchi_series *s, double x, double y)
{
	put(s, x, y, NAN, NAN);
}

struct filchi_page_table *filchi_figure_add_table(struct filchi_figure_builder *d, const char *title, const char *heads)
{
	struct filchi_page_table *tables = (struct filchi_page_table *)d->figure->tables, *s;
	const char **list = filchi_figure_alloc(d, FILCHI_FIGURE_MAX_COLUMNS, sizeof(*list));

	if (!tables)
		d->figure->tables = tables = filchi_figure_alloc(d, FILCHI_FIGURE_MAX_TABLES, sizeof(*tables));
	s = &tables[d->figure->table_count < FILCHI_FIGURE_MAX_TABLES ? d->figure->table_count++
								      : FILCHI_FIGURE_MAX_TABLES - 1];
	*s = (struct filchi_page_table){.title = title, .heads = list};
	while (s->columns < FILCHI_FIGURE_MAX_COLUMNS) {
		size_t length = strcspn(heads, "|");

		list[s->columns++] = filchi_figure_text(d, "%.*s", (int)length, heads);
		if (!heads[length])
			break;
		heads += length + 1;
	}
	return s;
}

/* rows counts cells until filchi_figure_conclude() divides it. */
static void add_cell(struct filchi_figure_builder *d, struct filchi_page_table *s, const char *text)
{
	const char **cells = (const char **)s->cells;

	if (s->rows % CELLS == 0) {
		cells = filchi_figure_alloc(d, s->rows + CELLS, sizeof(*cells));
		if (s->rows)
			memcpy(cells, s->cells, s->rows * sizeof(*cells));
		s->cells = cells;
	}
	cells[s->rows++] = text;
}

void filchi_figure_add_cell(struct filchi_figure_builder *d, struct filchi_page_table *s, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	add_cell(d, s, there(filchi_arena_print(d->arena, format, args)));
	va_end(args);
}

const char *filchi_figure_digits(struct filchi_figure_builder *d, double value)
{
	double size = fabs(value);

	if (isnan(value))
		return "-";
	/* Decides by the rounded value: 99.97 becomes 100, not 100.0. */
	if (size >= 99.95)
		return filchi_figure_text(d, "%.0f", value);
	return filchi_figure_text(d, "%.*f", size >= 9.995 ? 1 : size >= 0.9995 || size == 0 ? 2 : 3, value);
}

const char *filchi_figure_words(struct filchi_figure_builder *d, double value, int digits)
{
	static const struct {
		double unit;
		const char *name;
	} units[] = {{1e9, " billion"}, {1e6, " million"}, {1, ""}};
	char text[FILCHI_NUMBER_SIZE];
	size_t i = 0;

	/* Decides by the rounded value: never 1,000 million. */
	while (units[i].unit > 1 && fabs(value) < 0.9995 * units[i].unit)
		i++;
	filchi_text_number(text, value / units[i].unit, digits);
	return filchi_figure_text(d, "%s%s", text, units[i].name);
}

void filchi_figure_add_number(struct filchi_figure_builder *d, struct filchi_page_table *s, double value)
{
	add_cell(d, s, filchi_figure_digits(d, value));
}

/* ---- the speed-up of the machine ---- */

void filchi_figure_add_scaling(struct filchi_figure_builder *d, struct filchi_page_table *s,
			       const struct filchi_scaling *scaling)
{
	filchi_figure_add_number(d, s, scaling->gives.ratio);
	filchi_figure_add_number(d, s, 100 * scaling->share.ratio);
}

const char *filchi_figure_of(struct filchi_figure_builder *d, const struct filchi_scaling *scaling)
{
	if (isnan(scaling->gives.ratio))
		return "";
	return filchi_figure_text(d, ", of %.2f that the machine gives", scaling->gives.ratio);
}

double filchi_figure_ideal(const struct filchi_scaling *scaling, unsigned n)
{
	if (isnan(scaling->gives.ratio))
		return n;
	return scaling->gives.ratio < LEAST_GIVEN ? NAN : fmin(scaling->gives.ratio, n);
}

void filchi_figure_untold(struct filchi_figure_builder *d, const struct filchi_scaling *scaling, unsigned n,
			  const char *what)
{
	if (isnan(scaling->gives.ratio) || scaling->gives.ratio >= LEAST_GIVEN)
		return;
	d->untold =
		filchi_figure_text(d,
				   "%s%s%s, %u programs at once get only %.2f times as much done as one, too little "
				   "to judge a speed-up by",
				   d->untold ? d->untold : "", d->untold ? "; " : "", what, n, scaling->gives.ratio);
}

/* ---- the result ---- */

void filchi_figure_claim(struct filchi_figure_builder *d, double known, bool holds, const char *format, ...)
{
	struct filchi_claim *c = &d->claims[d->claim_count];
	va_list args;

	if (!isfinite(known) || d->claim_count == FILCHI_FIGURE_MAX_CLAIMS)
		return;
	d->claim_count++;
	c->holds = holds;
	va_start(args, format);
	c->text = there(filchi_arena_print(d->arena, format, args));
	va_end(args);
}

/* Adds the claims that hold, or the claims that fail, each with its mark. */
static const char *join(struct filchi_figure_builder *d, const char *text, bool holds)
{
	for (size_t i = 0; i < d->claim_count; i++)
		if (d->claims[i].holds == holds)
			text = filchi_figure_text(d, "%s; %s%s", text, holds ? FILCHI_HOLDS : FILCHI_FAILS,
						  d->claims[i].text);
	return text;
}

/* Makes the first letter a capital. */
static const char *sentence(struct filchi_figure_builder *d, const char *words)
{
	return filchi_figure_text(d, "%c%s", toupper((unsigned char)*words), words + 1);
}

/* Failed claims come first, so that they are seen in a long list. */
static const char *sum_up(struct filchi_figure_builder *d, size_t holding)
{
	const char *text;

	if (!d->claim_count && d->untold)
		return filchi_figure_text(d, "Cannot be told here: %s", d->untold);
	if (!d->claim_count)
		return "Not measured: the data have no values for this figure.";
	if (d->met)
		text = sentence(d, holding == d->claim_count ? d->met : d->missed);
	else if (holding == d->claim_count)
		text = filchi_figure_text(d, "Agrees");
	else if (!holding)
		text = filchi_figure_text(d, "Differs");
	else
		text = filchi_figure_text(d, "Agrees in part: %zu of %zu statements", holding, d->claim_count);
	text = join(d, join(d, text, false), true);
	return d->untold ? filchi_figure_text(d, "%s; %s", text, d->untold) : text;
}

void filchi_figure_conclude(struct filchi_figure_builder *d)
{
	struct filchi_figure *f = d->figure;
	size_t holding = 0;

	for (size_t i = 0; i < f->table_count; i++)
		((struct filchi_page_table *)f->tables)[i].rows /= f->tables[i].columns;
	if (f->result)
		return; /* has its own */
	for (size_t i = 0; i < d->claim_count; i++)
		holding += d->claims[i].holds;
	f->result = sum_up(d, holding);
	if (d->met && d->claim_count) {
		f->agreement = holding == d->claim_count ? FILCHI_MET : FILCHI_MISSED;
		f->badge = holding == d->claim_count ? d->met : d->missed;
		return;
	}
	f->agreement = !d->claim_count		   ? d->untold ? FILCHI_UNTOLD : FILCHI_NOT_MEASURED
		       : holding == d->claim_count ? FILCHI_AGREES
		       : !holding		   ? FILCHI_DIFFERS
						   : FILCHI_PARTLY;
}

double filchi_figure_spread(const struct filchi_series *s)
{
	double least = INFINITY, most = -INFINITY, sum = 0;

	for (size_t i = 0; i < s->count; i++) {
		least = fmin(least, s->y[i]);
		most = fmax(most, s->y[i]);
		sum += s->y[i];
	}
	return s->count && isfinite(sum) && least > 0 ? most / least : NAN;
}
