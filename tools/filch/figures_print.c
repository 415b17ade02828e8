/* SPDX-License-Identifier: Apache-2.0 */
#include "../../bench/harness/table.h"
#include "figures_run.h"

#include <string.h>

static int print_table(const struct filchi_page_table *s, bool color)
{
	struct filchi_table_column columns[FILCHI_FIGURE_MAX_COLUMNS];
	struct filchi_table t;

	for (size_t i = 0; i < s->columns; i++)
		columns[i] = (struct filchi_table_column){"", s->heads[i]};
	filchi_table_init(&t, columns, s->columns);
	for (size_t i = 0; i < s->rows * s->columns; i++)
		filchi_table_cell(&t, "%s", s->cells[i]);
	printf("%s\n", s->title);
	return filchi_table_print(&t, stdout, color);
}

int filchi_figures_print(const struct filchi_report *report, const char *out, bool pictures, bool color)
{
	static const char *const words[FILCHI_AGREEMENTS] = {"agrees", "differs", "in part", "not measured",
							     "own",    "met",	  "missed",  "cannot be told"};
	unsigned counts[FILCHI_AGREEMENTS] = {0};
	bool more = strcmp(report->headline.heads[0], "figure") != 0; /* the list below has the rest */
	int err = more ? print_table(&report->headline, color) : 0;

	if (err)
		return err;
	if (more && report->key)
		printf("%s\n", report->key);
	printf("%s%s\n%s\n\n", more ? "\n" : "", report->machine, report->build);
	for (size_t i = 0; i < report->figure_count; i++) {
		const struct filchi_figure *f = &report->figures[i];

		counts[f->agreement]++;
		printf("%-12s %-20s %s\n", f->id, f->badge ? f->badge : words[f->agreement], f->title);
	}
	printf("\n%zu figure%s: %u agree%s, %u in part, %u differ%s, %u not measured", report->figure_count,
	       report->figure_count == 1 ? "" : "s", counts[FILCHI_AGREES], counts[FILCHI_AGREES] == 1 ? "s" : "",
	       counts[FILCHI_PARTLY], counts[FILCHI_DIFFERS], counts[FILCHI_DIFFERS] == 1 ? "s" : "",
	       counts[FILCHI_NOT_MEASURED]);
	if (counts[FILCHI_UNTOLD])
		printf(", %u cannot be told", counts[FILCHI_UNTOLD]);
	if (counts[FILCHI_OWN])
		printf(", %u with nothing published", counts[FILCHI_OWN]);
	if (counts[FILCHI_MET] + counts[FILCHI_MISSED])
		printf(", %u of %u own aims met", counts[FILCHI_MET], counts[FILCHI_MET] + counts[FILCHI_MISSED]);
	putchar('\n');
	if (report->quick)
		printf("measured with --quick: a first impression only\n");
	if (report->left_out)
		printf("%s\n", report->left_out);
	if (!pictures)
		printf("no PNG: rsvg-convert, which makes them of SVG, is missing or fails\n");
	if (report->busy > 0)
		printf("Note: other programs took the CPU up to %.0f times a second; measure again when they are "
		       "done\n",
		       report->busy);
	printf("report: %s/index.html\n", out);
	return 0;
}
