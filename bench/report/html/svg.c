/* SPDX-License-Identifier: Apache-2.0 */
#include "plot.h"

#include "text.h"

#include <math.h>
#include <string.h>

static void put_text(FILE *f, const char *class, const char *anchor, double x, double y, const char *text)
{
	fprintf(f, "<text class=\"%s\" text-anchor=\"%s\" x=\"%.1f\" y=\"%.1f\">", class, anchor, x, y);
	filchi_text_put(f, text);
	fputs("</text>\n", f);
}

static void put_fit(FILE *f, const char *class, const char *anchor, double x, double y, const char *text, double size,
		    double width)
{
	char fit[FILCHI_FIT_SIZE];

	filchi_text_fit(fit, text, size, width);
	put_text(f, class, anchor, x, y, fit);
}

void filchi_series_open(const struct filchi_canvas *c, size_t series)
{
	const struct filchi_style *style = &c->styles[series];

	fprintf(c->f, "<g class=\"s s%u%s%s\">", style->color, style->again ? " again" : "",
		c->panel->series[series].published ? " published" : "");
}

/* "name, at: value unit (low to high)". */
void filchi_series_hint(const struct filchi_canvas *c, size_t series, const char *at, size_t i)
{
	const struct filchi_series *s = &c->panel->series[series];
	char text[FILCHI_NUMBER_SIZE];

	fputs("<title>", c->f);
	filchi_text_put(c->f, s->name);
	fputs(s->published ? ", published" : "", c->f);
	if (at && *at) {
		fputs(", ", c->f);
		filchi_text_put(c->f, at);
	}
	filchi_text_number(text, s->y[i], 4);
	fprintf(c->f, ": %s", text);
	if (s->low && s->high && isfinite(s->low[i]) && isfinite(s->high[i])) {
		filchi_text_number(text, s->low[i], 4);
		fprintf(c->f, " (%s to ", text);
		filchi_text_number(text, s->high[i], 4);
		fprintf(c->f, "%s)", text);
	}
	fputs("</title>", c->f);
}

void filchi_marker(FILE *f, unsigned shape, double x, double y, double r)
{
	double d = r * 0.9;

	fputs("<path class=\"dot\" d=\"", f);
	switch (shape % FILCHI_SHAPES) {
	case 0: /* circle */
		fprintf(f, "M%.1f %.1fa%.1f %.1f 0 1 0 %.1f 0a%.1f %.1f 0 1 0 %.1f 0z", x - r, y, r, r, 2 * r, r, r,
			-2 * r);
		break;
	case 1: /* square */
		fprintf(f, "M%.1f %.1fh%.1fv%.1fh%.1fz", x - d, y - d, 2 * d, 2 * d, -2 * d);
		break;
	case 2: /* triangle, up or down */
	case 4:
		d = shape % FILCHI_SHAPES == 2 ? r : -r;
		fprintf(f, "M%.1f %.1fL%.1f %.1fL%.1f %.1fz", x, y - 1.2 * d, x + 1.15 * r, y + 0.9 * d, x - 1.15 * r,
			y + 0.9 * d);
		break;
	case 3: /* diamond */
	case 7: /* the same, flat */
		d = shape % FILCHI_SHAPES == 3 ? 1.3 * r : 0.8 * r;
		fprintf(f, "M%.1f %.1fL%.1f %.1fL%.1f %.1fL%.1f %.1fz", x, y - d, x + 1.3 * r, y, x, y + d, x - 1.3 * r,
			y);
		break;
	case 5: /* bar, horizontal or vertical */
	case 6:
		r *= shape % FILCHI_SHAPES == 5 ? 1.3 : 0.6;
		d = 0.78 * 3.6 * 3.6 / r;
		fprintf(f, "M%.1f %.1fh%.1fv%.1fh%.1fz", x - r, y - d, 2 * r, 2 * d, -2 * r);
		break;
	}
	fputs("\">", f);
}

static void draw_y(const struct filchi_canvas *c)
{
	char text[FILCHI_NUMBER_SIZE];

	for (size_t i = 0; i < c->y.tick_count; i++) {
		double y = filchi_axis_at(&c->y, c->y.ticks[i]);

		fprintf(c->f, "<path class=\"%s\" d=\"M%.1f %.1fH%.1f\"/>\n",
			!c->y.log && c->y.ticks[i] == 0 ? "zero" : "grid", c->left, y, c->right);
		filchi_axis_label(&c->y, i, text);
		put_text(c->f, "tick", "end", c->left - 7, y + 4, text);
	}
	if (c->panel->base != 0 && filchi_axis_has(&c->y, c->panel->base))
		fprintf(c->f, "<path class=\"reference\" d=\"M%.1f %.1fH%.1f\"/>\n", c->left,
			filchi_axis_at(&c->y, c->panel->base), c->right);
	if (c->panel->y_name && *c->panel->y_name)
		put_fit(c->f, "axis", "start", 0, c->top - (c->panel->plot == FILCHI_PLOT_LINES ? 12 : 20),
			c->panel->y_name, FILCHI_TEXT_SIZE, c->width);
}

/* Ticks of numbers. A tick that would touch the one before has no text. */
static void draw_x(const struct filchi_canvas *c)
{
	char text[FILCHI_NUMBER_SIZE];
	double free = -1e9;

	for (size_t i = 0; i < c->x.tick_count; i++) {
		double x = filchi_axis_at(&c->x, c->x.ticks[i]), half;

		fprintf(c->f, "<path class=\"mark\" d=\"M%.1f %.1fv5\"/>\n", x, c->bottom);
		filchi_axis_label(&c->x, i, text);
		half = filchi_text_width(text, FILCHI_TICK_SIZE) / 2;
		if (x - half < free)
			continue;
		put_text(c->f, "tick", "middle", x, c->bottom + 18, text);
		free = x + half + 6;
	}
}

static void draw_names(const struct filchi_canvas *c)
{
	double length = c->slope > 0 ? FILCHI_SLOPE_LENGTH : c->slot;
	char fit[FILCHI_FIT_SIZE];

	for (size_t i = 0; i < c->slots; i++) {
		double x = c->left + ((double)i + 0.5) * c->slot;

		filchi_text_fit(fit, filchi_canvas_name(c, i), FILCHI_TICK_SIZE, length);
		fprintf(c->f, "<g><title>");
		filchi_text_put(c->f, filchi_canvas_name(c, i));
		fputs("</title>", c->f);
		if (c->slope > 0)
			fprintf(c->f,
				"<text class=\"tick\" text-anchor=\"end\" "
				"transform=\"translate(%.1f %.1f) rotate(-%.0f)\">",
				x + 4, c->bottom + (c->slope < 90 ? 14 : 8), c->slope);
		else
			fprintf(c->f, "<text class=\"tick\" text-anchor=\"middle\" x=\"%.1f\" y=\"%.1f\">", x,
				c->bottom + 17);
		filchi_text_put(c->f, fit);
		fputs("</text></g>\n", c->f);
	}
}

static void draw_frame(const struct filchi_canvas *c)
{
	const struct filchi_panel *p = c->panel;
	double middle = (c->left + c->right) / 2;

	if (p->title && *p->title)
		put_fit(c->f, "title", "start", 0, 15, p->title, FILCHI_TITLE_SIZE * 1.1, c->width);
	if (c->legend > 0)
		filchi_legend(c, c->legend, c->f);
	draw_y(c);
	fprintf(c->f, "<path class=\"base\" d=\"M%.1f %.1fH%.1f\"/>\n", c->left, c->bottom, c->right);
	if (p->plot == FILCHI_PLOT_LINES)
		draw_x(c);
	else
		draw_names(c);
	if (p->x_name && *p->x_name)
		put_fit(c->f, "axis", "middle", middle, c->height - 6, p->x_name, FILCHI_TEXT_SIZE,
			2 * fmin(middle, c->width - middle));
}

void filchi_canvas_draw(struct filchi_canvas *c, FILE *f)
{
	c->f = f;
	draw_frame(c);
	if (c->y.empty) {
		put_text(f, "none", "middle", (c->left + c->right) / 2, (c->top + c->bottom) / 2, "no values");
		return;
	}
	switch (c->panel->plot) {
	case FILCHI_PLOT_LINES:
		filchi_lines_draw(c);
		if (c->end_labels)
			filchi_legend_ends(c);
		break;
	case FILCHI_PLOT_BARS:
		filchi_bars_draw(c);
		break;
	case FILCHI_PLOT_VIOLINS:
		filchi_violins_draw(c);
		break;
	case FILCHI_PLOT_NONE:
		break;
	}
}

void filchi_canvas_describe(const struct filchi_panel *panel, FILE *f)
{
	static const char *const kinds[] = {"Nothing", "Lines", "Bars", "Distributions"};

	fprintf(f, "%s: ", kinds[panel->plot]);
	filchi_text_put(f, panel->y_name);
	if (panel->x_name && *panel->x_name) {
		fputs(" over ", f);
		filchi_text_put(f, panel->x_name);
	}
	for (size_t s = 0; s < panel->series_count; s++) {
		fputs(s ? ", " : ". Of ", f);
		filchi_text_put(f, panel->series[s].name);
		fputs(panel->series[s].published ? " (published)" : "", f);
	}
	fputs(". The numbers are in the tables.", f);
}
