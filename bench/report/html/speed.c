/* SPDX-License-Identifier: Apache-2.0 */
#include "speed.h"

#include "page.h"
#include "text.h"

#include <math.h>
#include <string.h>

enum {
	MARGIN = 20,
	NAMES = 132, /* width of the column of names */
	PANEL = 330, /* width of a panel */
	GAP = 28,    /* between panels */
	LABEL = 38,  /* room for the number of a bar, on both sides of a panel */
	TOP = 120,   /* above the first bar */
	BAR = 11,    /* height, with the gap to the next bar */
	PAD = 9,     /* between programs */
	BOTTOM = 78  /* below the last bar */
};

struct axis {
	double low, high; /* logarithms of the smallest and the largest speed */
};

static double group_height(const struct filchi_speed *s)
{
	return (double)s->runtime_count * BAR + PAD;
}

static double at(const struct axis *a, double speed)
{
	return LABEL + (log10(speed) - a->low) / (a->high - a->low) * (PANEL - 2 * LABEL);
}

/* All panels share an axis, so that bars can be compared across panels. It has at least 0.5 to 2 on it. */
static struct axis make_axis(const struct filchi_speed *s)
{
	struct axis a = {log10(0.5), log10(2)};

	for (size_t i = 0; i < s->program_count; i++)
		for (size_t p = 0; p < s->panel_count; p++)
			for (size_t r = 0; r < s->runtime_count; r++) {
				double speed = s->programs[i].speed[p][r];

				if (speed > 0 && isfinite(speed)) {
					a.low = fmin(a.low, log10(speed));
					a.high = fmax(a.high, log10(speed));
				}
			}
	return a;
}

static void put_text(FILE *f, const char *class, const char *anchor, double x, double y, const char *text)
{
	fprintf(f, "<text class=\"%s\" text-anchor=\"%s\" x=\"%.1f\" y=\"%.1f\">", class, anchor, x, y);
	filchi_text_put(f, text);
	fputs("</text>\n", f);
}

/* Three digits are more than the measurement is worth. */
static void put_speed(FILE *f, const char *class, const char *anchor, double x, double y, double speed)
{
	char text[FILCHI_NUMBER_SIZE + 4];

	if (speed < 0.095)
		filchi_text_number(text, speed, 2);
	else
		snprintf(text, FILCHI_NUMBER_SIZE, "%.*f", speed < 0.995 ? 2 : speed < 9.95 ? 1 : 0, speed);
	strcat(text, "×");
	put_text(f, class, anchor, x, y, text);
}

/* Powers of ten, and 2, which two workers can reach. */
static void draw_ticks(const struct axis *a, double bottom, FILE *f)
{
	for (int power = (int)ceil(a->low); power <= (int)floor(a->high); power++)
		if (power) {
			double x = at(a, pow(10, power));
			char text[FILCHI_NUMBER_SIZE + 4];

			fprintf(f, "<path class=\"grid\" d=\"M%.1f %d V%.1f\"/>\n", x, TOP - 4, bottom);
			filchi_text_number(text, pow(10, power), 2);
			strcat(text, "×");
			put_text(f, "tick", "middle", x, bottom + 14, text);
		}
	fprintf(f, "<path class=\"grid\" d=\"M%.1f %d V%.1f\"/>\n", at(a, 2), TOP - 4, bottom);
	put_text(f, "tick", "middle", at(a, 1), bottom + 14, "1×");
	put_text(f, "tick", "middle", at(a, 2), bottom + 14, "2×");
}

static void draw_bar(const struct axis *a, double speed, double y, bool ours, FILE *f)
{
	double one = at(a, 1), x = at(a, speed), left = fmin(one, x), width = fmax(fabs(x - one), 1.5);

	fprintf(f, "<rect class=\"bar\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%d\"/>\n", left, y, width,
		BAR - 1);
	put_speed(f, ours ? "tiny value ours" : "tiny value", x < one ? "end" : "start",
		  x < one ? x - 3 : left + width + 3, y + BAR - 2.5, speed);
}

static void draw_panel(const struct filchi_speed *s, size_t panel, const struct axis *a, FILE *f)
{
	double bottom = TOP + (double)s->program_count * group_height(s) - PAD + 4, one = at(a, 1);

	put_text(f, "title", "middle", one, TOP - 30, s->panels[panel]);
	put_text(f, "tick", "end", one - 6, TOP - 12, "← slower");
	put_text(f, "tick", "start", one + 6, TOP - 12, "faster →");
	draw_ticks(a, bottom, f);
	for (size_t i = 0; i < s->program_count; i++)
		for (size_t r = 0; r < s->runtime_count; r++) {
			double speed = s->programs[i].speed[panel][r],
			       y = TOP + (double)i * group_height(s) + (double)r * BAR;

			fprintf(f, "<g class=\"s%zu\">", r);
			if (speed > 0 && isfinite(speed))
				draw_bar(a, speed, y, !r, f);
			else
				put_text(f, "tiny none", "start", one + 4, y + BAR - 2.5, "not measured");
			fputs("</g>\n", f);
		}
	fprintf(f, "<path class=\"one\" d=\"M%.1f %d V%.1f\"/>\n", one, TOP - 22, bottom);
}

static void draw_legend(const struct filchi_speed *s, FILE *f)
{
	double y = TOP;

	for (size_t r = 0; r < s->runtime_count; r++, y += 17) {
		fprintf(f,
			"<g class=\"s%zu\"><rect class=\"bar\" x=\"%d\" y=\"%.1f\" width=\"12\" height=\"12\"/></g>\n",
			r, MARGIN, y - 54);
		put_text(f, r ? "" : "ours", "start", MARGIN + 18, y - 44, s->runtimes[r]);
	}
}

static void draw_names(const struct filchi_speed *s, FILE *f)
{
	for (size_t i = 0; i < s->program_count; i++) {
		const struct filchi_speed_program *p = &s->programs[i];
		double middle = TOP + (double)i * group_height(s) + (double)s->runtime_count * BAR / 2;

		put_text(f, "name", "end", MARGIN + NAMES - 8, middle + (p->about ? -2 : 4), p->name);
		if (p->about)
			put_text(f, "tiny axis", "end", MARGIN + NAMES - 8, middle + 11, p->about);
	}
}

static void describe(const struct filchi_speed *s, FILE *f)
{
	for (size_t p = 0; p < s->panel_count; p++)
		for (size_t i = 0; i < s->program_count; i++) {
			filchi_text_put(f, s->panels[p]);
			fputs(", ", f);
			filchi_text_put(f, s->programs[i].name);
			for (size_t r = 0; r < s->runtime_count; r++) {
				char text[FILCHI_NUMBER_SIZE];

				filchi_text_number(text, s->programs[i].speed[p][r], 2);
				fputs(r ? ", " : ": ", f);
				filchi_text_put(f, s->runtimes[r]);
				fprintf(f, " %s", isnan(s->programs[i].speed[p][r]) ? "not measured" : text);
			}
			fputs(".\n", f);
		}
}

void filchi_speed_write(const struct filchi_speed *s, FILE *f)
{
	double width = 2 * MARGIN + NAMES + (double)s->panel_count * (PANEL + GAP) - GAP;
	double height = TOP + (double)s->program_count * group_height(s) - PAD + BOTTOM;
	struct axis a = make_axis(s);

	fprintf(f,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"plot\" width=\"%.0f\" height=\"%.0f\" "
		"viewBox=\"0 0 %.0f %.0f\" role=\"img\">\n<title>",
		width, height, width, height);
	filchi_text_put(f, s->title);
	fputs("</title>\n<desc>", f);
	describe(s, f);
	fprintf(f,
		"</desc>\n<style>\n%s"
		".plot .tiny { font-size: 10px; }\n"
		".plot .name { font-weight: 600; }\n"
		".plot .ours { font-weight: 700; }\n"
		".plot .one { stroke: #1f2328; stroke-width: 1.4; }\n"
		"@media screen and (prefers-color-scheme: dark) {\n%s.plot .one { stroke: #e6edf3; }\n}\n</style>\n",
		filchi_plot_css, filchi_plot_dark_css);
	fputs("<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n", f);
	put_text(f, "head", "start", MARGIN, 30, s->title);
	put_text(f, "axis", "start", MARGIN, 48, s->explanation);
	draw_names(s, f);
	for (size_t p = 0; p < s->panel_count; p++) {
		fprintf(f, "<g transform=\"translate(%zu 0)\">\n", MARGIN + NAMES + p * (PANEL + GAP));
		draw_panel(s, p, &a, f);
		fputs("</g>\n", f);
	}
	for (size_t i = 0; i < 2; i++)
		if (s->captions[i])
			put_text(f, "tick", "start", MARGIN, height - 28 + 15 * (double)i, s->captions[i]);
	draw_legend(s, f);
	fputs("</svg>\n", f);
}
