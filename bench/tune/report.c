/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE

#include "../harness/report.h"
#include "../harness/stats.h"
#include "tune.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BUSY 0.1     /* a spread of times that a quiet machine does not have */
#define FEW 10	     /* samples */
#define THRIFTY 0.9  /* saved share of the CPU time that is worth a note */
#define AS_FAST 1.05 /* largest ratio of times that counts as equal */

/* One row: a setting and its numbers. */
struct row {
	const struct filchi_tune_setting *setting;
	struct filchi_stats ns, cpu;
	struct filchi_ratio ratio, cpu_ratio; /* to the defaults, in the same rounds */
};

static int fill_row(struct row *row, const struct filchi_tune *t, const struct filchi_tune_setting *s)
{
	row->setting = s;
	if (filchi_stats(&row->ns, s->count ? &s->samples->ns : NULL, s->count, FILCHI_TUNE_STRIDE) ||
	    filchi_stats(&row->cpu, s->count ? &s->samples->cpu_ns : NULL, s->count, FILCHI_TUNE_STRIDE) ||
	    filchi_tune_compare(s, t->settings, false, false, &row->ratio) ||
	    filchi_tune_compare(s, t->settings, true, false, &row->cpu_ratio))
		return -ENOMEM;
	return 0;
}

/* The defaults come first, then settings by their ratio to the defaults, then failed settings. */
static int by_rank(const void *a, const void *b)
{
	const struct row *x = a, *y = b;
	bool x_broken = filchi_tune_broken(x->setting), y_broken = filchi_tune_broken(y->setting);

	if (x_broken != y_broken)
		return x_broken - y_broken;
	return (x->ratio.ratio > y->ratio.ratio) - (x->ratio.ratio < y->ratio.ratio);
}

static const char *word_for(const struct filchi_tune *t, const struct filchi_tune_setting *s)
{
	static const char *const words[] = {
		[FILCHI_TUNE_STAYED] = "-",
		[FILCHI_TUNE_DROPPED] = "dropped",
		[FILCHI_TUNE_FAILED] = "failed",
		[FILCHI_TUNE_LATE] = "timed out",
		[FILCHI_TUNE_DIFFERS] = "output differs",
	};

	if (s == t->settings)
		return "defaults";
	if (s == t->best && !filchi_tune_broken(s))
		return filchi_tune_found(t) ? "winner" : "best";
	return words[s->outcome];
}

static void print_row(struct filchi_table *table, const struct filchi_tune *t, const struct row *row)
{
	const struct filchi_tune_setting *s = row->setting;

	filchi_table_cell(table, "%s", filchi_tune_value(t, s, FILCHI_TUNE_DEQUE));
	filchi_table_cell(table, "%s", filchi_tune_value(t, s, FILCHI_TUNE_VICTIM));
	filchi_table_cell(table, "%s", filchi_tune_value(t, s, FILCHI_TUNE_WAIT));
	filchi_table_cell(table, "%s", filchi_tune_value(t, s, FILCHI_TUNE_WORKERS));
	filchi_table_cell(table, "%zu", s->count);
	filchi_report_cell(table, row->ns.median / 1e6);
	filchi_report_cell(table, row->ns.low / 1e6);
	filchi_report_cell(table, row->ns.high / 1e6);
	filchi_report_cell(table, row->cpu.median / 1e6);
	filchi_report_cell(table, row->ratio.ratio);
	filchi_report_cell(table, row->ratio.low);
	filchi_report_cell(table, row->ratio.high);
	filchi_table_cell(table, "%s", word_for(t, s));
}

static int print_rows(const struct filchi_tune *t, const struct row *rows, FILE *f, bool color)
{
	static const struct filchi_table_column columns[] = {
		{"", "deque"},
		{"", "victim"},
		{"", "wait"},
		{"", "workers"},
		{"", "runs"},
		{"wall, ms", "median"},
		{"wall, ms", "from"},
		{"wall, ms", "to"},
		{"", "CPU, ms"},
		{"times defaults", "wall"},
		{"times defaults", "from"},
		{"times defaults", "to"},
		{"", "outcome"},
	};
	struct filchi_table table;

	filchi_table_init(&table, columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t i = 0; i < t->setting_count; i++)
		print_row(&table, t, &rows[i]);
	return filchi_table_print(&table, f, color);
}

static void print_broken(const struct filchi_tune *t, FILE *f)
{
	char name[128];

	for (size_t i = 0; i < t->setting_count; i++) {
		const struct filchi_tune_setting *s = &t->settings[i];

		if (!filchi_tune_broken(s))
			continue;
		filchi_tune_name(t, s, name, sizeof(name));
		fprintf(f, "\nWith %s the program %s%s\n", name,
			s->outcome == FILCHI_TUNE_FAILED    ? "failed: "
			: s->outcome == FILCHI_TUNE_DIFFERS ? "writes something else: "
							    : "",
			s->why);
	}
}

/* ---- what to set ---- */

static void print_word(const char *word, FILE *f)
{
	const char *plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-";

	if (*word && !word[strspn(word, plain)]) {
		fputs(word, f);
		return;
	}
	fputc('\'', f);
	for (; *word; word++) {
		if (*word == '\'')
			fputs("'\\''", f);
		else
			fputc(*word, f);
	}
	fputc('\'', f);
}

static void print_command(const struct filchi_tune *t, const struct filchi_tune_setting *s, FILE *f)
{
	char variables[256];

	filchi_tune_variables(t, s, variables, sizeof(variables));
	fprintf(f, "\n  %s", variables);
	for (char **arg = t->options.argv; *arg; arg++) {
		fputc(' ', f);
		print_word(*arg, f);
	}
	fputs("\n", f);
}

static void print_ratio(const struct filchi_ratio *r, FILE *f)
{
	fprintf(f, "%.3g times the time of the defaults (%.3g to %.3g with 95 %%)", r->ratio, r->low, r->high);
}

static const struct row *find_row(const struct filchi_tune *t, const struct row *rows,
				  const struct filchi_tune_setting *s)
{
	size_t i = 0;

	while (i + 1 < t->setting_count && rows[i].setting != s)
		i++;
	return &rows[i];
}

static void print_winner(const struct filchi_tune *t, const struct row *rows, FILE *f, bool color)
{
	const struct row *row = find_row(t, rows, t->best);
	char name[128];

	filchi_tune_name(t, t->best, name, sizeof(name));
	fprintf(f, "\n%sWinner: %s%s\n", color ? "\033[1m" : "", name, color ? "\033[0m" : "");
	print_ratio(&t->last, f);
	fprintf(f, ", and %.3g times the CPU time.\nFaster with a probability of ", row->cpu_ratio.ratio);
	if (t->last.less > 0.99)
		fprintf(f, "more than 99 %%");
	else
		fprintf(f, "%.0f %%", t->last.less * 100);
	fprintf(f, ", by %zu new run%s of both. To have it:\n", t->last.count, t->last.count == 1 ? "" : "s");
	print_command(t, t->best, f);
}

static void print_brief(const char *what, const struct row *rows, FILE *f)
{
	fprintf(f,
		"\n%s: a run takes %.2g ms, and too much of that is the start of the process.\n"
		"Give the program more to do, some tenths of a second, and tune again.\n",
		what, rows[0].ns.median / 1e6);
}

static void print_none(const struct filchi_tune *t, const struct row *rows, FILE *f)
{
	char name[128];

	if (filchi_tune_brief(t))
		print_brief("No winner", rows, f);
	else
		fprintf(f, "\nNo setting is clearly better than the defaults: there is nothing to set.\n");
	if (!t->decided)
		return;
	filchi_tune_name(t, t->best, name, sizeof(name));
	fprintf(f, "The best, %s, took ", name);
	print_ratio(&t->last, f);
	fprintf(f, "\nin %zu new run%s of both.\n", t->last.count, t->last.count == 1 ? "" : "s");
}

/* Returns the fastest setting with enough samples. Without new runs, its time is partly luck. */
static void print_so_far(const struct filchi_tune *t, const struct row *rows, FILE *f)
{
	char name[128];

	fprintf(f, "\nInterrupted. ");
	if (!t->settings[0].count) {
		fprintf(f, "No setting was measured so far.\n");
		return;
	}
	if (t->setting_count < 2 || rows[1].ratio.count == 0 || !(rows[1].ratio.ratio < 1)) {
		fprintf(f, "Nothing was faster than the defaults so far.\n");
		return;
	}
	filchi_tune_name(t, rows[1].setting, name, sizeof(name));
	fprintf(f, "The best so far is %s, with %.3g times the time of the defaults, by %zu run%s%s.\nTo try it:\n",
		name, rows[1].ratio.ratio, rows[1].ratio.count, rows[1].ratio.count == 1 ? "" : "s",
		filchi_ratio_is_less(&rows[1].ratio) ? "" : ", which may be chance");
	print_command(t, rows[1].setting, f);
}

/*
 * Returns a setting with equal time but less CPU time. Other programs can use that time, and a battery lasts
 * longer.
 */
static void print_thrifty(const struct filchi_tune *t, const struct row *rows, FILE *f)
{
	const struct row *least = NULL;
	char name[128];

	for (size_t i = 1; i < t->setting_count; i++) {
		const struct row *row = &rows[i];

		if (row->setting->outcome == FILCHI_TUNE_STAYED && row->ratio.high < AS_FAST &&
		    row->cpu_ratio.high < THRIFTY && filchi_ratio_is_less(&row->cpu_ratio) &&
		    (!least || row->cpu_ratio.ratio < least->cpu_ratio.ratio))
			least = row;
	}
	if (!least)
		return;
	filchi_tune_name(t, least->setting, name, sizeof(name));
	fprintf(f, "\nThrifty: %s takes no longer than the defaults, with %.2f times their CPU time\n(%.2f to %.2f).\n",
		name, least->cpu_ratio.ratio, least->cpu_ratio.low, least->cpu_ratio.high);
	print_command(t, least->setting, f);
}

static void print_notes(const struct filchi_tune *t, const struct row *rows, FILE *f)
{
	if (*t->unset)
		fprintf(f, "\nNote: %s was set, and is not for these runs.\n", t->unset);
	for (size_t i = 0; i < FILCHI_TUNE_AXES; i++)
		if (t->met && !t->axes[i].heard)
			fprintf(f, "\nNote: the program does not mind %s: it sets that itself.\n", t->axes[i].variable);
	if (t->options.ignore_output)
		fprintf(f, "\nNote: the output of the program was not checked, so its results may be wrong.\n");
	if (t->options.runs < FEW)
		fprintf(f, "\nNote: with fewer than %d runs small differences do not show; with fewer than 6, none.\n",
			FEW);
	if (filchi_stats_spread(&rows[0].ns) > BUSY)
		fprintf(f,
			"\nNote: runs with the defaults differ much, by +-%.0f %% the middle half of them. If other "
			"programs "
			"are\nrunning, tune again when they are done.\n",
			filchi_stats_spread(&rows[0].ns) * 100);
	if (t->signal && filchi_tune_brief(t))
		print_brief("Note", rows, f);
}

static int print_all(const struct filchi_tune *t, const struct row *rows, FILE *f, bool color)
{
	int err = print_rows(t, rows, f, color);

	if (err)
		return err;
	fprintf(f,
		"\nfrom and to: the median is in there with 95 %%. times defaults: in the rounds in which both ran.\n"
		"CPU: user and system. dropped: clearly slower than the fastest of its race.\n");
	print_broken(t, f);
	if (t->signal)
		print_so_far(t, rows, f);
	else if (filchi_tune_found(t))
		print_winner(t, rows, f, color);
	else
		print_none(t, rows, f);
	if (!t->signal && !filchi_tune_found(t) && !filchi_tune_brief(t))
		print_thrifty(t, rows, f);
	print_notes(t, rows, f);
	return 0;
}

int filchi_tune_table(const struct filchi_tune *t, const struct filchi_machine *m, FILE *f, bool color)
{
	struct row *rows = calloc(t->setting_count, sizeof(*rows));
	int err = rows ? 0 : -ENOMEM;

	if (!err && t->signal && !(t->first_ns > 0)) {
		fprintf(f, "Interrupted before the first run ended.\n");
		free(rows);
		return 0;
	}
	for (size_t i = 0; i < t->setting_count && !err; i++)
		err = fill_row(&rows[i], t, &t->settings[i]);
	if (!err) {
		qsort(rows + 1, t->setting_count - 1, sizeof(*rows), by_rank);
		fprintf(f, "filch %s tune: %s, %zu setting%s, at most %u interleaved runs of each in a race\n",
			m->version, t->options.argv[0], t->setting_count, t->setting_count == 1 ? "" : "s",
			t->options.runs);
		filchi_report_machine(m, f);
		fputc('\n', f);
		err = print_all(t, rows, f, color);
	}
	free(rows);
	return err;
}

size_t filchi_tune_failures(const struct filchi_tune *t)
{
	size_t count = 0;

	for (size_t i = 0; i < t->setting_count; i++)
		count += filchi_tune_broken(&t->settings[i]);
	return count;
}
