/* SPDX-License-Identifier: Apache-2.0 */
#include "compare.h"

#include "../../harness/report.h"

#include <math.h>
#include <string.h>

static const char *or_unknown(const char *text)
{
	return text && *text ? text : "not known";
}

void filchi_compare_differences(const struct filchi_compare *c, FILE *f)
{
	for (size_t i = 0; i < c->difference_count; i++)
		fprintf(f, "  %s: %s, and then %s\n", c->differences[i].what, or_unknown(c->differences[i].old),
			or_unknown(c->differences[i].new));
}

/* ---- numbers ---- */

struct scale {
	double from, unit;
	const char *name;
};

static void print_scaled(struct filchi_table *t, double value, const struct scale *scales)
{
	size_t i = 0;
	double shown;

	while (scales[i].from > 0 && fabs(value) < scales[i].from)
		i++;
	shown = value / scales[i].unit;
	filchi_table_cell(t, "%.*f%s%s",
			  fabs(shown) < 10    ? 2
			  : fabs(shown) < 100 ? 1
					      : 0,
			  shown, *scales[i].name ? " " : "", scales[i].name);
}

/* Chooses a unit that leaves few digits. */
static void print_value(struct filchi_table *t, double value, const char *unit)
{
	static const struct scale times[] = {{1e9, 1e9, "s"}, {1e6, 1e6, "ms"}, {1e4, 1e3, "us"}, {0, 1, "ns"}};
	static const struct scale rates[] = {{1e9, 1e9, "G/s"}, {1e6, 1e6, "M/s"}, {1e4, 1e3, "k/s"}, {0, 1, "1/s"}};
	static const struct scale bytes[] = {{1e9, 1e9, "GB"}, {1e6, 1e6, "MB"}, {1e4, 1e3, "kB"}, {0, 1, "B"}};
	static const struct scale counts[] = {{1e10, 1e9, "G"}, {1e7, 1e6, "M"}, {1e5, 1e3, "k"}, {0, 1, ""}};

	if (isnan(value))
		filchi_table_cell(t, "-");
	else if (!strcmp(unit, "ns"))
		print_scaled(t, value, times);
	else if (!strcmp(unit, "1/s"))
		print_scaled(t, value, rates);
	else if (!strcmp(unit, "bytes"))
		print_scaled(t, value, bytes);
	else
		print_scaled(t, value, counts);
}

/* ---- tables ---- */

/* Times and rates are faster or slower; other metrics are more or less. */
static const char *word_for(const struct filchi_compare_row *row)
{
	bool speed = !strcmp(row->unit, "ns") || !strcmp(row->unit, "s") || !strcmp(row->unit, "1/s");

	if (row->result == FILCHI_COMPARE_SAME)
		return "same";
	if (row->result == FILCHI_COMPARE_UNCLEAR)
		return "unclear";
	if (!speed)
		return row->ratio.ratio < 1 ? "less" : "more";
	return row->result == FILCHI_COMPARE_BETTER ? "faster" : "slower";
}

static void print_row(struct filchi_table *t, const struct filchi_compare_row *row)
{
	filchi_table_cell(t, "%s", row->subject);
	filchi_table_cell(t, "%s", row->measure);
	filchi_table_cell(t, "%s", row->metric);
	print_value(t, row->old_median, row->unit);
	print_value(t, row->new_median, row->unit);
	filchi_table_cell(t, "%.3f", row->ratio.ratio);
	filchi_table_cell(t, "%.3f", row->ratio.low);
	filchi_table_cell(t, "%.3f", row->ratio.high);
	filchi_table_cell(t, "%s", word_for(row));
}

/* The workload or the measure: the part before the first slash. */
static bool same_group(const char *a, const char *b)
{
	size_t length = strcspn(a, "/");

	return length == strcspn(b, "/") && !memcmp(a, b, length);
}

static bool is_first(const struct filchi_compare *c, size_t row)
{
	for (size_t i = 0; i < row; i++)
		if (same_group(c->rows[i].measure, c->rows[row].measure))
			return false;
	return true;
}

static int print_group(const struct filchi_compare *c, const char *measure, FILE *f, bool color)
{
	static const struct filchi_table_column columns[] = {
		{"", "subject"},       {"", "measure"},	    {"", "metric"},
		{"medians", "old"},    {"medians", "new"},  {"new / old", "ratio"},
		{"new / old", "from"}, {"new / old", "to"}, {"", "new is"},
	};
	struct filchi_table t;

	fprintf(f, "%.*s%s\n", (int)strcspn(measure, "/"), measure,
		c->difference_count ? " (of different machines or builds)" : "");
	filchi_table_init(&t, columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t i = 0; i < c->row_count; i++)
		if (same_group(c->rows[i].measure, measure))
			print_row(&t, &c->rows[i]);
	return filchi_table_print(&t, f, color);
}

/* ---- the rest ---- */

static void print_file(const struct filchi_json_file *file, const char *which, FILE *f)
{
	const struct filchi_json_value *build = filchi_json_get(file->root, "build");

	fprintf(f, "%s: %s, filch %s, commit %s\n", which,
		or_unknown(filchi_json_text(filchi_json_get(file->root, "finished"))),
		or_unknown(filchi_json_text(filchi_json_get(build, "version"))),
		or_unknown(filchi_json_text(filchi_json_get(build, "commit"))));
}

static void print_warning(const struct filchi_compare *c, FILE *f)
{
	if (!c->difference_count)
		return;
	fprintf(f, "NOT THE SAME MACHINE OR BUILD: that, and not filch, may be what makes the difference.\n");
	filchi_compare_differences(c, f);
}

static void print_sum(const struct filchi_compare *c, FILE *f)
{
	double chance = 2 * (1 - FILCHI_RATIO_CLEAR) * (double)c->row_count;

	fprintf(f,
		"ratio: of the medians, with from and to for 95 %%. same: these are within %g and %g.\n"
		"unclear: they are not, and yet the difference may be chance; more samples would tell.\n"
		"%zu comparison%s: %zu better, %zu worse, %zu the same",
		FILCHI_COMPARE_FROM, FILCHI_COMPARE_TO, c->row_count, c->row_count == 1 ? "" : "s",
		filchi_compare_count(c, FILCHI_COMPARE_BETTER), filchi_compare_count(c, FILCHI_COMPARE_WORSE),
		filchi_compare_count(c, FILCHI_COMPARE_SAME));
	if (filchi_compare_count(c, FILCHI_COMPARE_UNCLEAR))
		fprintf(f, ", %zu unclear", filchi_compare_count(c, FILCHI_COMPARE_UNCLEAR));
	if (filchi_compare_count(c, FILCHI_COMPARE_OTHER))
		fprintf(f, ", %zu neither better nor worse", filchi_compare_count(c, FILCHI_COMPARE_OTHER));
	fprintf(f, ". Of as many that are really the same, %.*g would seem different.\n", chance < 99.5 ? 2 : 6,
		chance);
}

static bool few_samples(const struct filchi_compare *c)
{
	for (size_t i = 0; i < c->row_count; i++)
		if (c->rows[i].ratio.count < 10)
			return true;
	return false;
}

/* NULL: none of these differs. */
static const char *find_control(const struct filchi_compare *c)
{
	for (size_t i = 0; i < c->row_count; i++)
		if (c->rows[i].result > FILCHI_COMPARE_UNCLEAR && filchi_compare_is_control(&c->rows[i]))
			return c->rows[i].subject;
	return NULL;
}

static bool filch_differs(const struct filchi_compare *c)
{
	return filchi_compare_count_filch(c, FILCHI_COMPARE_BETTER) ||
	       filchi_compare_count_filch(c, FILCHI_COMPARE_WORSE) ||
	       filchi_compare_count_filch(c, FILCHI_COMPARE_OTHER);
}

static void print_notes(const struct filchi_compare *c, FILE *f)
{
	const char *control = find_control(c);

	if (control)
		fprintf(f,
			"\nNote: %s differs%s, which has no filch in it: the machine may have been busier in one of "
			"the "
			"runs.\n",
			control, filch_differs(c) ? ", too" : "");
	for (size_t i = 0; i < c->option_count; i++)
		fprintf(f, "\nNote: not the same option: %s: %s, and then %s.\n", c->options[i].what,
			or_unknown(c->options[i].old), or_unknown(c->options[i].new));
	if (c->old_only || c->new_only)
		fprintf(f, "\nNote: %zu result%s only in the old file, %zu only in the new one.\n", c->old_only,
			c->old_only == 1 ? " is" : "s are", c->new_only);
	if (few_samples(c))
		fprintf(f, "\nNote: with fewer than 10 samples small differences do not show; with fewer than 6 all is "
			   "unclear.\n");
}

int filchi_compare_table(const struct filchi_compare *c, FILE *f, bool color)
{
	int err = 0;

	print_file(&c->old, "old", f);
	print_file(&c->new, "new", f);
	print_warning(c, f);
	fputc('\n', f);
	for (size_t i = 0; i < c->row_count && !err; i++) {
		if (!is_first(c, i))
			continue;
		err = print_group(c, c->rows[i].measure, f, color);
		fputc('\n', f);
	}
	if (err)
		return err;
	print_sum(c, f);
	print_notes(c, f);
	if (c->difference_count) {
		fputc('\n', f);
		print_warning(c, f);
	}
	return 0;
}
