/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The page. One file has all of it, and it is readable without its script. Identifiers with a _ belong to no
 * figure.
 */
#include "page.h"

#include "plot.h"
#include "text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void write_badge(const struct filchi_figure *figure, FILE *f)
{
	fprintf(f, "<span class=\"badge %s\"><span aria-hidden=\"true\">%s</span> ",
		filchi_badges[figure->agreement].class, filchi_badges[figure->agreement].sign);
	filchi_text_put(f, filchi_badge_text(figure));
	fputs("</span>", f);
}

static void write_head(const struct filchi_report *r, FILE *f)
{
	fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	      "<meta name=\"color-scheme\" content=\"light dark\">\n"
	      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
	      "script-src 'unsafe-inline'; img-src data:\">\n"
	      "<link rel=\"icon\" href=\"data:,\">\n",
	      f);
	filchi_text_within(f, "<title>", r->title ? r->title : "Report", "</title>\n");
	fprintf(f, "<style>\n%s%s</style>\n", filchi_page_css, filchi_plot_css);
	/* The script switches it by its media. */
	fprintf(f, "<style id=\"_dark\" media=\"screen and (prefers-color-scheme: dark)\">\n%s%s</style>\n",
		filchi_page_dark_css, filchi_plot_dark_css);
	fprintf(f, "<script>\n%s</script>\n</head>\n", filchi_page_js);
}

static void write_notes(const struct filchi_report *r, FILE *f)
{
	if (r->quick)
		fputs("<p class=\"note\"><strong>A quick run.</strong> Few samples of small inputs: a first "
		      "impression, "
		      "not a result.</p>\n",
		      f);
	if (r->busy > 0)
		fprintf(f,
			"<p class=\"note\"><strong>A busy machine.</strong> Other programs took the CPU up to %.0f "
			"times a second: measure again when they are done.</p>\n",
			r->busy);
	filchi_text_within(f, "<p class=\"note\"><strong>Not complete.</strong> ", r->left_out, "</p>\n");
}

static void write_top(const struct filchi_report *r, FILE *f)
{
	fputs("<body>\n<a class=\"skip\" href=\"#_figures\">Skip to the figures</a>\n<header class=\"top\">\n"
	      "<div class=\"bar\"><h1>",
	      f);
	filchi_text_put(f, r->title);
	fputs("</h1>\n<button type=\"button\" id=\"_theme\" hidden>Theme: auto</button></div>\n<dl class=\"facts\">\n",
	      f);
	if (r->finished && *r->finished) {
		filchi_text_within(f, "<div><dt>Measured</dt><dd>", r->finished, "");
		filchi_text_within(f, ", with ", r->command, "");
		fputs("</dd></div>\n", f);
	}
	filchi_text_within(f, "<div><dt>Machine</dt><dd>", r->machine, "</dd></div>\n");
	filchi_text_within(f, "<div><dt>Build</dt><dd>", r->build, "</dd></div>\n");
	fputs("</dl>\n", f);
	write_notes(r, f);
	fputs("</header>\n", f);
}

/* Draws the panel twice: for a screen, and narrow. The style shows the one that fits. */
static void write_panel(const struct filchi_figure *figure, size_t panel, const struct filchi_style *styles, FILE *f)
{
	static const char *const classes[] = {"wide", "narrow"};
	const struct filchi_panel *p = &figure->panels[panel];
	const double widths[] = {figure->panel_count > 1 ? FILCHI_WIDTH_HALF : FILCHI_WIDTH_FULL, FILCHI_WIDTH_PHONE};

	for (size_t i = 0; i < 2; i++) {
		struct filchi_canvas c;

		filchi_canvas_plan(&c, p, styles, widths[i]);
		fprintf(f,
			"<svg class=\"plot %s\" viewBox=\"0 0 %.0f %.0f\" style=\"max-width:%.0fpx\" role=\"img\" "
			"aria-labelledby=\"_t%zu%s%s _d%zu%s%s\">\n",
			classes[i], c.width, c.height, i ? c.width * 1.5 : c.width, panel, classes[i], figure->id,
			panel, classes[i], figure->id);
		fprintf(f, "<title id=\"_t%zu%s%s\">", panel, classes[i], figure->id);
		filchi_text_put(f, p->title && *p->title ? p->title : figure->title);
		fprintf(f, "</title><desc id=\"_d%zu%s%s\">", panel, classes[i], figure->id);
		filchi_canvas_describe(p, f);
		fputs("</desc>\n", f);
		filchi_canvas_draw(&c, f);
		fputs("</svg>\n", f);
	}
}

/* Explains marks that no legend names. */
static void write_key(const struct filchi_figure *figure, FILE *f)
{
	bool published = false, bands = false, whiskers = false, violins = false;

	for (size_t p = 0; p < figure->panel_count; p++)
		for (size_t s = 0; s < figure->panels[p].series_count; s++) {
			const struct filchi_series *series = &figure->panels[p].series[s];
			enum filchi_plot plot = figure->panels[p].plot;
			bool interval = series->low && series->high;

			published = published || series->published;
			violins = violins || plot == FILCHI_PLOT_VIOLINS;
			bands = bands || (interval && plot == FILCHI_PLOT_LINES && series->count > 2);
			whiskers = whiskers || (interval && (plot == FILCHI_PLOT_BARS || series->count < 3));
		}
	fputs("<span class=\"key\">", f);
	if (violins)
		fputs("Violins: the density of the samples, which are the dots; boxes: the quartiles; rings: the "
		      "medians, "
		      "with their values above. ",
		      f);
	if (bands || whiskers)
		fprintf(f, "%s: the interval of each value. ",
			bands && whiskers ? "Bands and whiskers"
			: bands		  ? "Bands"
					  : "Whiskers");
	if (published)
		fputs("Dashed and hollow: published values.", f);
	fputs("</span>", f);
}

static int write_panels(const struct filchi_figure *figure, FILE *f)
{
	const struct filchi_style *styles;
	struct filchi_style *all;

	if (!filchi_picture_any(figure))
		return 0;
	all = filchi_styles(figure);
	if (!all)
		return -ENOMEM;
	styles = all;
	fprintf(f, "<figure>\n<div class=\"panels%s\">\n", figure->panel_count > 1 ? " several" : "");
	for (size_t i = 0; i < figure->panel_count; i++) {
		if (figure->panels[i].plot != FILCHI_PLOT_NONE)
			write_panel(figure, i, styles, f);
		styles += figure->panels[i].series_count;
	}
	fputs("</div>\n<figcaption>", f);
	filchi_text_within(f, "", figure->about, " ");
	write_key(figure, f);
	fputs("</figcaption>\n</figure>\n", f);
	free(all);
	return 0;
}

/* Several figures may have the same data. The page has the data once, with the first of these figures. */
static const struct filchi_figure *first_with(const struct filchi_report *r, const char *json)
{
	const struct filchi_figure *figure = r->figures;

	while (!figure->json || strcmp(figure->json, json))
		figure++;
	return figure;
}

/* Breaks lines only between words. Without memory, they break anywhere. */
static void write_command(const char *command, FILE *f)
{
	char *copy = strdup(command), *word = copy;

	while (word) {
		char *blank = strchr(word, ' ');

		if (blank)
			*blank = 0;
		filchi_text_within(f, "<span>", word, "</span>");
		fputs(blank ? " " : "", f);
		word = blank ? blank + 1 : NULL;
	}
	if (!copy)
		filchi_text_put(f, command);
	free(copy);
}

static void write_tools(const struct filchi_report *r, const struct filchi_figure *figure, FILE *f)
{
	const struct filchi_figure *first = figure->json ? first_with(r, figure->json) : NULL;

	if (figure->command) {
		fputs("<div class=\"command\"><span class=\"label\">Repeat with</span><pre><code>", f);
		write_command(figure->command, f);
		fputs("</code></pre><button type=\"button\" class=\"copy\" hidden>Copy</button></div>\n", f);
	}
	fputs("<p class=\"downloads\">", f);
	if (first)
		fprintf(f, "<button type=\"button\" class=\"json\" data-of=\"_j%s\" hidden>Download JSON</button> ",
			first->id);
	if (figure->table_count)
		fputs("<button type=\"button\" class=\"csv\" hidden>Download CSV</button>", f);
	fputs("</p>\n", f);
	if (first == figure && first) {
		fprintf(f, "<script type=\"application/json\" id=\"_j%s\">\n", figure->id);
		filchi_text_put_json(f, figure->json);
		fputs("</script>\n", f);
	}
}

static int write_figure(const struct filchi_report *r, const struct filchi_figure *figure, FILE *f)
{
	int err;

	fprintf(f,
		"<article id=\"%s\" class=\"%s\" aria-labelledby=\"_h%s\">\n<header><h2 id=\"_h%s\"><a href=\"#%s\">",
		figure->id, filchi_badges[figure->agreement].class, figure->id, figure->id, figure->id);
	filchi_text_put(f, figure->title);
	fputs("</a></h2>\n<p class=\"source\">", f);
	filchi_text_put(f, figure->source);
	fputs("</p>", f);
	write_badge(figure, f);
	fputs("</header>\n", f);
	filchi_result_write(figure->result, f);
	if (!filchi_picture_any(figure))
		filchi_text_within(f, "<p class=\"about\">", figure->about, "</p>\n");
	err = write_panels(figure, f);
	for (size_t i = 0; i < figure->table_count; i++)
		filchi_page_table_write(&figure->tables[i], figure->title, f);
	write_tools(r, figure, f);
	fputs("</article>\n", f);
	return err;
}

static void write_documents(const struct filchi_report *r, FILE *f)
{
	if (!r->document_count)
		return;
	fputs("<section class=\"headline\" aria-labelledby=\"_documents\"><h2 id=\"_documents\">Documents</h2>\n<dl>\n",
	      f);
	for (size_t i = 0; i < r->document_count; i++) {
		filchi_text_within(f, "<dt>", r->documents[i].name, "</dt>\n");
		filchi_text_within(f, "<dd>", r->documents[i].reference, "</dd>\n");
	}
	fputs("</dl>\n</section>\n", f);
}

/* The result comes first. */
static void write_headline(const struct filchi_report *r, FILE *f)
{
	if (!r->headline.rows || !r->headline.columns)
		return;
	fputs("<section class=\"headline result\" aria-labelledby=\"_headline\"><h2 id=\"_headline\">In short</h2>\n",
	      f);
	filchi_text_within(f, "<p>", r->summary, "</p>\n");
	filchi_page_table_write(&r->headline, "Headline", f);
	filchi_text_within(f, "<p class=\"about\">", r->key, ".</p>\n");
	fputs("</section>\n", f);
}

int filchi_html_write(const struct filchi_report *r, FILE *f)
{
	int err = 0;

	write_head(r, f);
	write_top(r, f);
	fputs("<main class=\"page\">\n", f);
	write_headline(r, f);
	filchi_contents_write(r, f);
	fputs("<div id=\"_figures\">\n", f);
	for (size_t i = 0; !err && i < r->figure_count; i++)
		err = write_figure(r, &r->figures[i], f);
	write_documents(r, f);
	fputs("</div>\n</main>\n<p id=\"_said\" class=\"unseen\" role=\"status\"></p>\n</body>\n</html>\n", f);
	return err;
}
