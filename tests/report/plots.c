/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of plots: axes and ticks, shared colours, densities, and positions. */
#include "../../bench/report/html/density.h"
#include "../../bench/report/html/plot.h"
#include "../../bench/report/html/text.h"
#include "../fixtures/test.h"
#include "reports.h"

#include <math.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* Returns the ticks of an axis of two values, as text. */
static void expect_ticks(bool log, double low, double high, unsigned wanted, bool round, const char *expected)
{
	struct filchi_axis a;
	char text[FILCHI_NUMBER_SIZE], got[1000] = "";

	filchi_axis_start(&a, log);
	filchi_axis_take(&a, low);
	filchi_axis_take(&a, high);
	filchi_axis_fit(&a, wanted, round);
	for (size_t i = 0; i < a.tick_count; i++) {
		filchi_axis_label(&a, i, text);
		strcat(strcat(got, i ? " " : ""), text);
	}
	if (strcmp(got, expected))
		fprintf(stderr, "%g to %g: got %s, not %s\n", low, high, got, expected);
	TEST_CHECK(!strcmp(got, expected));
}

static void ticks(void)
{
	expect_ticks(false, 0, 97, 6, true, "0 20 40 60 80 100");
	expect_ticks(false, 0, 1.96, 6, true, "0 0.5 1.0 1.5 2.0");
	expect_ticks(false, 0.4123, 0.58, 6, true, "0.40 0.45 0.50 0.55 0.60");
	expect_ticks(false, -3, 4, 6, true, "-4 -2 0 2 4");
	expect_ticks(false, 0, 0, 6, true, "0 1");
	expect_ticks(false, NAN, INFINITY, 6, true, "0 1");
	expect_ticks(false, 0, 3e6, 6, true, "0 500,000 1M 1.5M 2M 2.5M 3M");
	expect_ticks(false, 1, 32, 12, false, "1 32");
	expect_ticks(false, 0.5, 8.5, 8, false, "1 2 3 4 5 6 7 8");
	expect_ticks(true, 3, 80, 6, true, "2 5 10 20 50 100");
	expect_ticks(true, 1, 1e6, 6, true, "1 10 100 1,000 10,000 100,000 1M");
	expect_ticks(true, 0.5, 4096, 7, false, "0.5 2 8 32 128 512 2,048");
	expect_ticks(true, 1346268, 1134903169, 8, false, "10M 100M 1G");
	expect_ticks(true, -1, 0, 6, true, "1 2 5 10");
	expect_ticks(true, 7, 7, 6, true, "2 5 10 20");
	expect_ticks(true, 1e-90, 1e90, 6, true, "1e-90 1e-67 1e-44 1e-21 100 1e25 1e48 1e71");
}

static void places(void)
{
	struct filchi_axis a;

	filchi_axis_start(&a, true);
	filchi_axis_take(&a, 1);
	filchi_axis_take(&a, 100);
	filchi_axis_fit(&a, 6, true);
	a.from = 200;
	a.to = 0;
	TEST_CHECK(fabs(filchi_axis_at(&a, 10) - 100) < 1e-9);
	TEST_CHECK(filchi_axis_at(&a, -5) == 200 && filchi_axis_at(&a, 1e9) == 0);
	TEST_CHECK(!filchi_axis_has(&a, 0) && !filchi_axis_has(&a, NAN) && filchi_axis_has(&a, 1e-3));
}

/* A published series has the colour of the measured one, in this panel and in the next. */
static void colors(void)
{
	static const struct filchi_series first[] = {{.name = "split"}, {.name = "abp (1)"}, {.name = "abp (2)"}};
	static const struct filchi_series second[] = {{.name = "other"},
						      {.name = "split (thesis)", .published = true},
						      {.name = "abp (1)", .published = true},
						      {.name = NULL}};
	static const struct filchi_panel panels[] = {{.series_count = COUNT(first), .series = first},
						     {.series_count = COUNT(second), .series = second}};
	static const struct filchi_figure figure = {.panel_count = 2, .panels = panels};
	static const unsigned expected[] = {0, 1, 2, 3, 0, 1, 4};
	struct filchi_style *styles = filchi_styles(&figure);

	TEST_CHECK(styles);
	for (size_t i = 0; i < COUNT(expected); i++)
		TEST_CHECK(styles[i].color == expected[i] && !styles[i].again);
	free(styles);
}

static void density(void)
{
	static const double samples[] = {1, 2, 3, 4, 5, NAN, 21, 22, 23, 24, 25}, same[] = {4, 4, 4};
	struct filchi_density d;
	struct filchi_axis a;

	filchi_axis_start(&a, false);
	TEST_CHECK(!filchi_density_make(&d, &a, samples, COUNT(samples)));
	TEST_CHECK(d.count == 10 && filchi_density_quantile(&d, 0.5) == 13 && filchi_density_quantile(&d, 0) == 1);
	TEST_CHECK(filchi_density_quantile(&d, 1) == 25 && filchi_density_quantile(&d, 0.25) == 3.25);
	TEST_CHECK(filchi_density_at(&d, 3) > filchi_density_at(&d, 13));
	TEST_CHECK(fabs(filchi_density_at(&d, 3) - filchi_density_at(&d, 23)) < 1e-6);
	filchi_density_free(&d);
	TEST_CHECK(!filchi_density_make(&d, &a, same, COUNT(same)));
	TEST_CHECK(d.bandwidth == 0 && filchi_density_at(&d, 4) == 1);
	filchi_density_free(&d);
	TEST_CHECK(!filchi_density_make(&d, &a, NULL, 0));
	TEST_CHECK(!d.count);
	filchi_density_free(&d);
}

/* For each drawing and width: the data have room inside the picture. */
static void layouts(void)
{
	static const double widths[] = {FILCHI_WIDTH_FULL, FILCHI_WIDTH_HALF, FILCHI_WIDTH_PHONE};
	const struct filchi_report *reports[] = {sample_report(), awkward_report()};
	size_t planned = 0;

	for (size_t r = 0; r < 2; r++)
		for (size_t i = 0; i < reports[r]->figure_count; i++) {
			const struct filchi_figure *figure = &reports[r]->figures[i];
			struct filchi_style *styles = filchi_styles(figure);
			size_t first = 0;

			for (size_t p = 0; p < figure->panel_count; first += figure->panels[p++].series_count)
				for (size_t w = 0; w < COUNT(widths); w++, planned++) {
					struct filchi_canvas c;

					filchi_canvas_plan(&c, &figure->panels[p], styles + first, widths[w]);
					TEST_CHECK(c.left > 0 && c.right - c.left > 100 && c.right <= c.width);
					TEST_CHECK(c.top >= 0 && c.bottom - c.top >= 200 && c.bottom < c.height);
					TEST_CHECK(!c.slots || c.slot >= 13.9);
				}
			free(styles);
		}
	TEST_CHECK(planned > 50);
}

/* Draws bars of these values, that many to a name. */
static char *draw_bars(size_t series_count, const double *y, const double *low, const double *high)
{
	static const char *const labels[] = {"one", "two", "three", "four", "five"};
	struct filchi_series series[8];
	struct filchi_panel panel = {FILCHI_PLOT_BARS, .labels = labels, .series_count = series_count,
				     .series = series};
	struct filchi_figure figure = {.panel_count = 1, .panels = &panel};
	struct filchi_style *styles;
	struct filchi_canvas c;
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	for (size_t i = 0; i < series_count; i++)
		series[i] = (struct filchi_series){"bars", false, COUNT(labels), NULL, y, low, high};
	styles = filchi_styles(&figure);
	filchi_canvas_plan(&c, &panel, styles, FILCHI_WIDTH_FULL);
	filchi_canvas_draw(&c, f);
	fclose(f);
	free(styles);
	return text;
}

/* The value of a bar is above its whisker. Where bars are narrow, the value is shorter. */
static void values(void)
{
	static const double y[] = {20, 97.84, 99.8, 112.3, 2.36}, low[] = {10, 90, 90, 90, 1};
	static const double high[] = {120, 100, 100, 120, 3};
	char *text = draw_bars(2, y, low, high), *value = strstr(text, "class=\"value\"");
	char *whisker = strstr(text, "class=\"whisker");

	TEST_CHECK(strstr(text, ">97.8<") && strstr(text, ">2.36<"));
	TEST_CHECK(value && (value = strstr(value, " y=\"")) && whisker && (whisker = strchr(whisker, 'V')));
	TEST_CHECK(strtod(value + 4, NULL) < strtod(whisker + 1, NULL));
	free(text);
	text = draw_bars(6, y, low, high);
	TEST_CHECK(strstr(text, ">98<") && strstr(text, ">100<") && strstr(text, ">112<") && strstr(text, ">2.4<"));
	free(text);
}

int main(void)
{
	static const struct test_scenario scenarios[] = {
		{"ticks", ticks},     {"places", places},   {"colors", colors},
		{"density", density}, {"layouts", layouts}, {"values", values},
	};

	test_run(scenarios, COUNT(scenarios));
	return TEST_PASS;
}
