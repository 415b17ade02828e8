/* SPDX-License-Identifier: Apache-2.0 */
#include "page.h"

#include "plot.h"
#include "text.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

enum { MARGIN = 20, GAP = 32, HEAD = 58 };

bool filchi_picture_any(const struct filchi_figure *figure)
{
	for (size_t i = 0; i < figure->panel_count; i++)
		if (figure->panels[i].plot != FILCHI_PLOT_NONE)
			return true;
	return false;
}

struct picture {
	struct filchi_canvas *canvases;
	size_t count;
	size_t columns;
	double width, height; /* without margins */
};

static void plan(struct picture *p, const struct filchi_figure *figure, const struct filchi_style *styles)
{
	double x = 0, row = 0, width = figure->panel_count > 1 ? FILCHI_WIDTH_HALF : FILCHI_WIDTH_FULL;

	p->columns = figure->panel_count > 1 ? 2 : 1;
	for (size_t i = 0; i < figure->panel_count; i++) {
		struct filchi_canvas *c = &p->canvases[p->count];

		if (figure->panels[i].plot != FILCHI_PLOT_NONE) {
			filchi_canvas_plan(c, &figure->panels[i], styles, width);
			if (p->count && p->count % p->columns == 0) {
				p->height += row + GAP;
				x = row = 0;
			}
			x += c->width + (p->count % p->columns ? GAP : 0);
			row = fmax(row, c->height);
			p->width = fmax(p->width, x);
			p->count++;
		}
		styles += figure->panels[i].series_count;
	}
	p->height += row;
}

static void draw(struct picture *p, FILE *f)
{
	double x = MARGIN, y = MARGIN + HEAD, row = 0;

	for (size_t i = 0; i < p->count; i++) {
		if (i && i % p->columns == 0) {
			x = MARGIN;
			y += row + GAP;
			row = 0;
		}
		fprintf(f, "<g transform=\"translate(%.1f %.1f)\">\n", x, y);
		filchi_canvas_draw(&p->canvases[i], f);
		fputs("</g>\n", f);
		x += p->canvases[i].width + GAP;
		row = fmax(row, p->canvases[i].height);
	}
}

static void put_line(FILE *f, const char *class, double y, const char *text, double size, double width)
{
	char fit[FILCHI_FIT_SIZE];

	filchi_text_fit(fit, text, size, width);
	fprintf(f, "<text class=\"%s\" x=\"%d\" y=\"%.1f\">", class, MARGIN, y);
	filchi_text_put(f, fit);
	fputs("</text>\n", f);
}

static void write(struct picture *p, const struct filchi_figure *figure, FILE *f)
{
	double width = p->width + 2 * MARGIN, height = p->height + 2 * MARGIN + HEAD;

	fprintf(f,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"plot\" width=\"%.0f\" height=\"%.0f\" "
		"viewBox=\"0 0 %.0f %.0f\" role=\"img\">\n<title>",
		width, height, width, height);
	filchi_text_put(f, figure->title);
	fputs("</title>\n<desc>", f);
	for (size_t i = 0; i < p->count; i++)
		filchi_canvas_describe(p->canvases[i].panel, f);
	fprintf(f, "</desc>\n<style>\n%s@media screen and (prefers-color-scheme: dark) {\n%s}\n</style>\n",
		filchi_plot_css, filchi_plot_dark_css);
	fputs("<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n", f);
	put_line(f, "head", MARGIN + 14, figure->title, 19, p->width);
	put_line(f, "axis", MARGIN + 34, figure->source, FILCHI_TEXT_SIZE, p->width);
	draw(p, f);
	fputs("</svg>\n", f);
}

int filchi_picture_write(const struct filchi_figure *figure, FILE *f)
{
	struct filchi_style *styles = filchi_styles(figure);
	struct picture p = {.canvases = calloc(figure->panel_count, sizeof(*p.canvases))};
	int err = styles && p.canvases ? 0 : -ENOMEM;

	if (!err) {
		plan(&p, figure, styles);
		write(&p, figure, f);
	}
	free(p.canvases);
	free(styles);
	return err;
}
