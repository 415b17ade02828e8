/* SPDX-License-Identifier: Apache-2.0 */
#include "reports.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])
#define LONG_NAME                                                                                                      \
	"a_name_that_goes_on_and_on_and_is_far_longer_than_any_place_for_a_name_in_any_plot_or_table_of_a_page"

static const double nothing[] = {NAN, NAN, NAN}, one[] = {3.5}, same[] = {2, 2, 2, 2, 2};
static const double three[] = {1, 2, 3}, gaps[] = {1, NAN, 2, 3, INFINITY, -INFINITY, 4};
static const double seven[] = {1, 2, 3, 4, 5, 6, 7}, negative[] = {-3, 0, 2}, zeros[] = {0, 0, 0};
static const double huge[] = {1e300, 2, -1e300}, wide[] = {DBL_MIN, 1, DBL_MAX}, tiny[] = {1e-9, 2e-9, 3.3e-9};
static const double low[] = {NAN, -1, 2.5, 2, 1, 1, 3}, high[] = {NAN, 9, 3.5, NAN, 9, 9, 5};

enum { MANY = 40 };
static char many_names[MANY][16];
static double many_values[MANY][7];
static struct filchi_series many_series[MANY];

static const struct filchi_series line_series[] = {
	{AWKWARD_NAME, false, 7, seven, gaps, low, high},
	{LONG_NAME, false, 1, one, one, NULL, NULL},
	{LONG_NAME " (published)", true, 3, three, same, NULL, NULL},
	{"nothing", true, 3, three, nothing, nothing, nothing},
	{"empty", false, 0, NULL, NULL, NULL, NULL},
	{"", false, 3, three, negative, NULL, NULL},
	{NULL, false, 1, one, one, one, one},
	{"not UTF-8: \xff\xc3(", false, 3, three, three, NULL, NULL},
};
static const struct filchi_series one_series[] = {{"one point", false, 1, one, one, one, one}};
static const struct filchi_series empty_series[] = {{"nothing", false, 3, three, nothing, NULL, NULL}};
static const struct filchi_series extreme_series[] = {
	{"huge", false, 3, wide, huge, NULL, NULL},
	{"wide", false, 3, wide, wide, NULL, NULL},
	{"tiny", false, 3, tiny, tiny, NULL, NULL},
	{"zeros", false, 3, three, zeros, NULL, NULL},
};
static const struct filchi_series zero_series[] = {{"zeros", false, 3, three, zeros, NULL, NULL}};
static const struct filchi_series seven_series[] = {{"seven", false, 7, NULL, seven, low, high}};
static const struct filchi_panel line_panels[] = {
	{FILCHI_PLOT_LINES, AWKWARD_NAME, AWKWARD_NAME, LONG_NAME, false, false, NULL, COUNT(line_series), line_series,
	 0},
	{FILCHI_PLOT_LINES, LONG_NAME LONG_NAME, LONG_NAME LONG_NAME, NULL, true, true, NULL, COUNT(line_series),
	 line_series, 0},
	{FILCHI_PLOT_LINES, "one", NULL, NULL, false, false, NULL, 1, one_series, 0},
	{FILCHI_PLOT_LINES, "one, log", "", "", true, true, NULL, 1, one_series, 0},
	{FILCHI_PLOT_LINES, "empty", "x", "y", false, false, NULL, 1, empty_series, 0},
	{FILCHI_PLOT_LINES, "none", "x", "y", true, true, NULL, 0, NULL, 0},
	{FILCHI_PLOT_LINES, "extremes", "x", "y", true, true, NULL, COUNT(extreme_series), extreme_series, 0},
	{FILCHI_PLOT_LINES, "extremes", "x", "y", false, false, NULL, COUNT(extreme_series), extreme_series, 0},
	{FILCHI_PLOT_LINES, "zeros", "x", "y", false, false, NULL, 1, zero_series, 0},
	{FILCHI_PLOT_LINES, "many", "x", "y", false, true, NULL, MANY, many_series, 0},
	{FILCHI_PLOT_NONE, NULL, NULL, NULL, false, false, NULL, 0, NULL, 0},
};

static const char *const labels[] = {"short", LONG_NAME, AWKWARD_NAME, NULL, "", "six", "seven"};
static const struct filchi_panel bar_panels[] = {
	{FILCHI_PLOT_BARS, NULL, "x", "y", false, false, labels, COUNT(line_series), line_series, 0},
	{FILCHI_PLOT_BARS, NULL, "x", "y", false, true, labels, COUNT(line_series), line_series, 0},
	{FILCHI_PLOT_BARS, "many", NULL, "y", false, false, labels, MANY, many_series, 0},
	{FILCHI_PLOT_BARS, "no labels", NULL, "y", false, false, NULL, 1, one_series, 0},
	{FILCHI_PLOT_BARS, "empty", NULL, "y", false, true, labels, 1, empty_series, 0},
	{FILCHI_PLOT_BARS, "none", NULL, "y", false, true, NULL, 0, NULL, 0},
	{FILCHI_PLOT_BARS, "zeros", NULL, "y", false, false, labels, 1, zero_series, 0},
	{FILCHI_PLOT_BARS, "base", NULL, "y", false, true, labels, 1, seven_series, 3},
	{FILCHI_PLOT_BARS, "base that has no place", NULL, "y", false, true, labels, 1, seven_series, -1},
};

static const struct filchi_series violin_series[] = {
	{"no samples", false, 0, NULL, NULL, NULL, NULL}, {"all the same", false, COUNT(same), NULL, same, NULL, NULL},
	{"one", false, 1, NULL, one, NULL, NULL},	  {"not numbers", false, 3, NULL, nothing, NULL, NULL},
	{AWKWARD_NAME, true, 7, NULL, gaps, NULL, NULL},  {LONG_NAME, false, 7, NULL, seven, NULL, NULL},
};
static const struct filchi_series outlier_series[] = {{"outliers", false, 3, NULL, huge, NULL, NULL},
						      {"wide", false, 3, NULL, wide, NULL, NULL}};
static const struct filchi_panel violin_panels[] = {
	{FILCHI_PLOT_VIOLINS, NULL, NULL, "y", false, false, NULL, COUNT(violin_series), violin_series, 0},
	{FILCHI_PLOT_VIOLINS, NULL, NULL, "y", false, true, NULL, COUNT(violin_series), violin_series, 0},
	{FILCHI_PLOT_VIOLINS, "many", NULL, "y", false, false, NULL, MANY, many_series, 0},
	{FILCHI_PLOT_VIOLINS, "outliers", NULL, "y", false, true, NULL, COUNT(outlier_series), outlier_series, 0},
	{FILCHI_PLOT_VIOLINS, "none", NULL, "y", false, false, NULL, 0, NULL, 0},
};

static const char *const heads[] = {AWKWARD_NAME, LONG_NAME, NULL};
static const char *const cells[] = {
	AWKWARD_NAME,
	"1,000",
	"\x01\x02 \xed\xa0\x80",
	LONG_NAME LONG_NAME,
	"-2.5e3 ± 1",
	"",
	NULL,
	"–",
	"n/a",
	"a,b\n\"c\"",
	"7",
	"x",
	"thousands",
	"10k",
	"",
	"millions",
	"2M",
	"",
};
static const struct filchi_page_table tables[] = {
	{AWKWARD_NAME, 3, 6, heads, cells},
	{NULL, 3, 1, heads, cells},
	{"empty", 0, 0, NULL, NULL},
	{"no rows", 3, 0, heads, NULL},
};

static const struct filchi_figure figures[] = {
	{"a", AWKWARD_NAME, AWKWARD_NAME, AWKWARD_NAME, AWKWARD_NAME, FILCHI_AGREES, AWKWARD_NAME, COUNT(line_panels),
	 COUNT(tables), line_panels, tables, "{\"</script>\": \"<!-- <script> & ]]>\"}", AWKWARD_NAME},
	{"b.2_c-d", LONG_NAME, LONG_NAME LONG_NAME, LONG_NAME, LONG_NAME, FILCHI_DIFFERS, LONG_NAME LONG_NAME,
	 COUNT(bar_panels), 0, bar_panels, NULL, "[]", ""},
	{"c", "", "", "", "; " FILCHI_HOLDS AWKWARD_NAME "; " FILCHI_FAILS, FILCHI_PARTLY, "", COUNT(violin_panels), 0,
	 violin_panels, NULL, "", NULL},
	{"d", NULL, NULL, NULL, NULL, FILCHI_NOT_MEASURED, NULL, 0, 0, NULL, NULL, NULL, NULL},
	{"e", ",", "only a table", NULL, NULL, FILCHI_AGREES, NULL, 0, 2, NULL, tables, NULL, NULL},
	{"f", ",", "nothing to draw", NULL, NULL, FILCHI_AGREES, NULL, 1, 0, &line_panels[COUNT(line_panels) - 1], NULL,
	 NULL, NULL},
};

const struct filchi_report *awkward_report(void)
{
	static const struct filchi_document documents[] = {{AWKWARD_NAME, LONG_NAME}, {"", NULL}};
	static const struct filchi_report report = {
		AWKWARD_NAME,	LONG_NAME, AWKWARD_NAME,     LONG_NAME, AWKWARD_NAME,
		AWKWARD_NAME,	LONG_NAME, AWKWARD_NAME,     false,	{LONG_NAME, 3, 4, heads, cells},
		COUNT(figures), figures,   COUNT(documents), documents, 1e9,
		NULL,
	};

	for (size_t s = 0; s < MANY; s++) {
		snprintf(many_names[s], sizeof(many_names[s]), "series %zu", s);
		for (size_t i = 0; i < 7; i++)
			many_values[s][i] = 1 + (double)((s * 7 + i * 3) % 11) + (double)s / 10;
		many_series[s] =
			(struct filchi_series){many_names[s], s % 5 == 4, 7, seven, many_values[s], NULL, NULL};
	}
	return &report;
}
