/* SPDX-License-Identifier: Apache-2.0 */
/* The figure of filch simulate: speed-up by ranks, both axes logarithmic. */
#include "simulate.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>

enum { WIDTH = 640, HEIGHT = 420, LEFT = 80, RIGHT = 20, TOP = 30, BOTTOM = 60 };

static double at_x(double ranks, double decades)
{
	return LEFT + log10(ranks) / decades * (WIDTH - LEFT - RIGHT);
}

static double at_y(double speedup, double decades)
{
	double y = HEIGHT - BOTTOM - log10(speedup) / decades * (HEIGHT - TOP - BOTTOM);

	return y < HEIGHT - BOTTOM ? y : HEIGHT - BOTTOM;
}

static void draw_axes(FILE *f, int decades)
{
	for (int i = 0; i <= decades; i++) {
		double v = pow(10, i), x = at_x(v, decades), y = at_y(v, decades);

		fprintf(f, "<path d=\"M%.1f %d V%d M%d %.1f H%d\" stroke=\"#ccc\"/>\n", x, TOP, HEIGHT - BOTTOM, LEFT,
			y, WIDTH - RIGHT);
		fprintf(f, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%.0f</text>\n", x, HEIGHT - BOTTOM + 18,
			v);
		fprintf(f, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.0f</text>\n", LEFT - 8, y + 4, v);
	}
	fprintf(f, "<path d=\"M%d %d L%d %d\" stroke=\"#888\" stroke-dasharray=\"4 4\"/>\n", LEFT, HEIGHT - BOTTOM,
		WIDTH - RIGHT, TOP);
	fprintf(f, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">ranks</text>\n", (LEFT + WIDTH) / 2, HEIGHT - 16);
	fprintf(f, "<text x=\"%d\" y=\"18\">speed-up; dashed: ideal</text>\n", LEFT);
}

static void draw_line(FILE *f, const struct filchi_simulated *all, size_t count, bool tree, int decades)
{
	const char *colour = tree ? "#d95f02" : "#1b6ca8";
	double x = 0, y = 0;

	fprintf(f, "<polyline fill=\"none\" stroke-width=\"2\" stroke=\"%s\" points=\"", colour);
	for (size_t i = 0; i < count; i++)
		if (all[i].tree == tree)
			fprintf(f, "%.1f,%.1f ", x = at_x(all[i].ranks, decades), y = at_y(all[i].speedup, decades));
	fputs("\"/>\n", f);
	if (x > 0)
		fprintf(f, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\" fill=\"%s\">%s</text>\n", x - 6,
			y + (tree ? -8 : 18), colour, tree ? "tree of coordinators" : "one coordinator");
}

int filchi_simulate_svg(const char *path, const struct filchi_simulated *all, size_t count)
{
	FILE *f = fopen(path, "w");
	int decades = 1, err = 0;

	if (!f)
		return errno;
	for (size_t i = 0; i < count; i++)
		while (pow(10, decades) < all[i].ranks)
			decades++;
	fprintf(f,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" "
		"font-size=\"13\">\n<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n",
		WIDTH, HEIGHT, WIDTH, HEIGHT);
	draw_axes(f, decades);
	draw_line(f, all, count, false, decades);
	draw_line(f, all, count, true, decades);
	fputs("</svg>\n", f);
	if (ferror(f))
		err = EIO;
	if (fclose(f) && !err)
		err = errno;
	return err;
}
