/* SPDX-License-Identifier: Apache-2.0 */
#include "plot.h"

#include "text.h"

#include <math.h>
#include <string.h>

/* Names at a slope of 35 degrees need this much space; upright names need less. */
static const double sloped_pitch = 22, upright_pitch = 14;

static bool has_slots(const struct filchi_panel *p)
{
	return p->plot == FILCHI_PLOT_BARS || p->plot == FILCHI_PLOT_VIOLINS;
}

const char *filchi_canvas_name(const struct filchi_canvas *c, size_t slot)
{
	const struct filchi_panel *p = c->panel;
	const char *name = NULL;

	if (p->plot == FILCHI_PLOT_VIOLINS)
		name = p->series[slot].name;
	else if (p->labels)
		name = p->labels[slot];
	return name ? name : "";
}

static void take_series(struct filchi_canvas *c, const struct filchi_series *s)
{
	for (size_t i = 0; i < s->count; i++) {
		if (c->panel->plot == FILCHI_PLOT_LINES) {
			/* A value without a position on one axis does not extend the other. */
			if (!s->x || !filchi_axis_has(&c->x, s->x[i]) || !filchi_axis_has(&c->y, s->y[i]))
				continue;
			filchi_axis_take(&c->x, s->x[i]);
		}
		filchi_axis_take(&c->y, s->y[i]);
		if (c->panel->plot == FILCHI_PLOT_VIOLINS || !filchi_axis_has(&c->y, s->y[i]))
			continue;
		if (s->low)
			filchi_axis_take(&c->y, s->low[i]);
		if (s->high)
			filchi_axis_take(&c->y, s->high[i]);
	}
}

/* Axes of lengths begin at zero. Axes of distributions do so only if the samples come near zero. */
static void take_origin(struct filchi_canvas *c)
{
	struct filchi_axis *y = &c->y;

	if (y->empty)
		return;
	if (c->panel->base != 0)
		filchi_axis_take(y, c->panel->base);
	if (!y->log) {
		if (c->panel->plot != FILCHI_PLOT_VIOLINS || (y->low > 0 && y->low < 0.35 * y->high))
			filchi_axis_take(y, 0);
	} else if (c->panel->plot == FILCHI_PLOT_BARS && !filchi_axis_has(y, c->panel->base)) {
		filchi_axis_take(y, y->low / 1.5); /* the smallest bar has a length, too */
	}
}

static void plan_axes(struct filchi_canvas *c)
{
	const struct filchi_panel *p = c->panel;

	filchi_axis_start(&c->x, p->x_log);
	filchi_axis_start(&c->y, p->y_log);
	for (size_t s = 0; s < p->series_count; s++)
		take_series(c, &p->series[s]);
	take_origin(c);
	c->y.whole = false;
	filchi_axis_fit(&c->y, c->width < 400 ? 5 : 6, true);
	filchi_axis_fit(&c->x, c->width < 400 ? 6 : c->width < 600 ? 8 : 12, false);
}

static double tick_width(const struct filchi_axis *a)
{
	char text[FILCHI_NUMBER_SIZE];
	double width = 0;

	for (size_t i = 0; i < a->tick_count; i++) {
		filchi_axis_label(a, i, text);
		width = fmax(width, filchi_text_width(text, FILCHI_TICK_SIZE));
	}
	return width;
}

static double name_width(const struct filchi_canvas *c, size_t slot)
{
	return filchi_text_width(filchi_canvas_name(c, slot), FILCHI_TICK_SIZE);
}

/* Slots for names are wide enough for their marks. If there are more than fit, the plot becomes wider. */
static double plan_slots(struct filchi_canvas *c)
{
	const struct filchi_panel *p = c->panel;
	double least = p->plot == FILCHI_PLOT_BARS ? fmax(upright_pitch, 4 * (double)p->series_count) : upright_pitch,
	       widest = 0;

	c->slots = p->plot == FILCHI_PLOT_VIOLINS ? p->series_count : 0;
	for (size_t s = 0; p->plot == FILCHI_PLOT_BARS && s < p->series_count; s++)
		if (p->series[s].count > c->slots)
			c->slots = p->series[s].count;
	if (!c->slots)
		return 6;
	if (c->right - c->left < least * (double)c->slots) {
		c->width += least * (double)c->slots - (c->right - c->left);
		c->right = c->left + least * (double)c->slots;
	}
	c->slot = (c->right - c->left) / (double)c->slots;
	for (size_t i = 0; i < c->slots; i++)
		widest = fmax(widest, name_width(c, i));
	if (widest <= c->slot - 6)
		return 16;
	c->slope = c->slot < sloped_pitch ? 90 : 35;
	widest = fmin(widest, FILCHI_SLOPE_LENGTH);
	/* The first name goes to the left of the axis. */
	if (c->slope < 90)
		c->left = fmax(c->left, fmin(name_width(c, 0), FILCHI_SLOPE_LENGTH) * 0.82 - c->slot / 2 + 4);
	c->slot = (c->right - c->left) / (double)c->slots;
	return c->slope < 90 ? widest * 0.574 + 18 : widest + 12;
}

void filchi_canvas_plan(struct filchi_canvas *c, const struct filchi_panel *panel, const struct filchi_style *styles,
			double width)
{
	double inner = width < 400 ? 210 : width < 600 ? 240 : 290, below = 0;

	*c = (struct filchi_canvas){.panel = panel, .styles = styles, .width = width};
	plan_axes(c);
	c->left = tick_width(&c->y) + 12;
	c->right = width - 14;
	c->end_labels = panel->plot == FILCHI_PLOT_LINES && width >= 440 && filchi_legend_fits_ends(c, inner);
	if (c->end_labels)
		c->right = width - filchi_legend_ends_width(c);
	below = has_slots(panel) ? plan_slots(c) : 20;
	c->top = panel->title && *panel->title ? 24 : 4;
	if (!c->end_labels && panel->plot != FILCHI_PLOT_VIOLINS && panel->series_count > 1) {
		c->legend = c->top;
		c->top += filchi_legend(c, 0, NULL) + 4;
	}
	c->top += panel->y_name && *panel->y_name ? 26 : 10;
	if (has_slots(panel))
		c->top += 8; /* values are above the marks */
	c->bottom = c->top + inner;
	c->height = c->bottom + below + (panel->x_name && *panel->x_name ? 20 : 2) + 4;
	/* Points at the ends of the axis are drawn whole. */
	c->x.from = c->left + 10;
	c->x.to = c->right - 10;
	c->y.from = c->bottom;
	c->y.to = c->top;
}
