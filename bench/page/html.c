/* SPDX-License-Identifier: Apache-2.0 */
/* The page: all of it in one file, which reads as well without its script. Identifiers with a _ are of no figure. */
#include "page.h"

#include "plot.h"
#include "text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* By enum filchi_agreement: a class, what a badge says of one and of several, the sign before it. */
static const struct {
	const char *class, *text, *texts, *sign;
} badges[] = {
	[FILCHI_AGREES] = {"agrees", "agrees", "agree", "✓"},
	[FILCHI_DIFFERS] = {"differs", "differs", "differ", "✗"},
	[FILCHI_PARTLY] = {"partly", "partly agrees", "partly agree", "≈"},
	[FILCHI_NOT_MEASURED] = {"not", "not measured", "not measured", "–"},
	[FILCHI_OWN] = {"own", "own figure", "own figures", "•"},
	[FILCHI_MET] = {"agrees", "own aim met", "own aims met", "✓"},
	[FILCHI_MISSED] = {"differs", "own aim missed", "own aims missed", "✗"},
	[FILCHI_UNTOLD] = {"own", "cannot be told", "cannot be told", "?"},
};
enum { BADGES = sizeof(badges) / sizeof(badges[0]) };

static const char *badge_text(const struct filchi_figure *figure)
{
	return figure->badge ? figure->badge : badges[figure->agreement].text;
}

/* The text in an element, if there is any. */
static void put(FILE *f, const char *open, const char *text, const char *close)
{
	if (!text || !*text)
		return;
	fputs(open, f);
	filchi_text_put(f, text);
	fputs(close, f);
}

static void write_badge(const struct filchi_figure *figure, FILE *f)
{
	fprintf(f, "<span class=\"badge %s\"><span aria-hidden=\"true\">%s</span> ", badges[figure->agreement].class,
		badges[figure->agreement].sign);
	filchi_text_put(f, badge_text(figure));
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
	put(f, "<title>", r->title ? r->title : "Report", "</title>\n");
	fprintf(f, "<style>\n%s%s</style>\n", filchi_page_css, filchi_plot_css);
	/* The script switches it by its media. */
	fprintf(f, "<style id=\"_dark\" media=\"screen and (prefers-color-scheme: dark)\">\n%s%s</style>\n",
		filchi_page_dark_css, filchi_plot_dark_css);
	fprintf(f, "<script>\n%s</script>\n</head>\n", filchi_page_js);
}

static void write_top(const struct filchi_report *r, FILE *f)
{
	fputs("<body>\n<a class=\"skip\" href=\"#_main\">Skip to the figures</a>\n<header class=\"top\">\n"
	      "<div class=\"bar\"><h1>",
	      f);
	filchi_text_put(f, r->title);
	fputs("</h1>\n<button type=\"button\" id=\"_theme\" hidden>Theme: auto</button></div>\n<dl class=\"facts\">\n",
	      f);
	put(f, "<div><dt>Machine</dt><dd>", r->machine, "</dd></div>\n");
	put(f, "<div><dt>Build</dt><dd>", r->build, "</dd></div>\n");
	put(f, "<div><dt>Finished</dt><dd>", r->finished, "</dd></div>\n");
	fputs("</dl>\n", f);
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
	fputs("</header>\n", f);
}

/* The document that a figure is from: its source up to the first comma. */
static size_t document_length(const struct filchi_figure *figure)
{
	return figure->source ? strcspn(figure->source, ",") : 0;
}

static bool same_document(const struct filchi_figure *a, const struct filchi_figure *b)
{
	size_t length = document_length(a);

	return length == document_length(b) && (!length || !memcmp(a->source, b->source, length));
}

static void write_document(const struct filchi_figure *figure, FILE *f)
{
	char text[FILCHI_FIT_SIZE];
	size_t length = document_length(figure);

	if (length >= sizeof(text))
		length = sizeof(text) - 1;
	if (length)
		memcpy(text, figure->source, length);
	text[length] = 0;
	put(f, "<p class=\"document\">", text, "</p>\n");
}

static void write_contents(const struct filchi_report *r, FILE *f)
{
	size_t counts[BADGES] = {0};

	for (size_t i = 0; i < r->figure_count; i++)
		counts[r->figures[i].agreement]++;
	fputs("<nav aria-labelledby=\"_contents\">\n<h2 id=\"_contents\">Figures</h2>\n<p class=\"counts\">", f);
	for (size_t i = 0; i < BADGES; i++)
		if (counts[i])
			fprintf(f, "<span class=\"badge %s\"><span aria-hidden=\"true\">%s</span> %zu %s</span> ",
				badges[i].class, badges[i].sign, counts[i],
				counts[i] == 1 ? badges[i].text : badges[i].texts);
	fputs("</p>\n", f);
	for (size_t i = 0; i < r->figure_count; i++) {
		const struct filchi_figure *figure = &r->figures[i];
		bool first = !i || !same_document(figure, figure - 1);
		bool last = i + 1 == r->figure_count || !same_document(figure, figure + 1);

		if (first)
			write_document(figure, f);
		fprintf(f,
			"%s<li class=\"%s\"><a href=\"#%s\"><span class=\"sign\" aria-hidden=\"true\">%s</span><span>",
			first ? "<ul>\n" : "", badges[figure->agreement].class, figure->id,
			badges[figure->agreement].sign);
		filchi_text_put(f, figure->title);
		put(f, "<span class=\"unseen\"> (", badge_text(figure), ")</span></span></a></li>\n");
		fputs(last ? "</ul>\n" : "", f);
	}
	fputs("</nav>\n", f);
}

/* Twice: for the page as it is on a screen, and narrow. The style shows the one that fits. */
static void write_panel(const struct filchi_figure *figure, size_t panel, const struct filchi_look *looks, FILE *f)
{
	static const char *const classes[] = {"wide", "narrow"};
	const struct filchi_panel *p = &figure->panels[panel];
	const double widths[] = {figure->panel_count > 1 ? FILCHI_WIDTH_HALF : FILCHI_WIDTH_FULL, FILCHI_WIDTH_PHONE};

	for (size_t i = 0; i < 2; i++) {
		struct filchi_canvas c;

		filchi_canvas_plan(&c, p, looks, widths[i]);
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

/* What the marks mean that no legend names. */
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
	const struct filchi_look *looks;
	struct filchi_look *all;

	if (!filchi_picture_any(figure))
		return 0;
	all = filchi_looks(figure);
	if (!all)
		return -ENOMEM;
	looks = all;
	fprintf(f, "<figure>\n<div class=\"panels%s\">\n", figure->panel_count > 1 ? " several" : "");
	for (size_t i = 0; i < figure->panel_count; i++) {
		if (figure->panels[i].plot != FILCHI_PLOT_NONE)
			write_panel(figure, i, looks, f);
		looks += figure->panels[i].series_count;
	}
	fputs("</div>\n<figcaption>", f);
	put(f, "", figure->about, " ");
	write_key(figure, f);
	fputs("</figcaption>\n</figure>\n", f);
	free(all);
	return 0;
}

/* Figures may be of the same data, which are in the page once: with the first of them. */
static const struct filchi_figure *first_with(const struct filchi_report *r, const char *json)
{
	const struct filchi_figure *figure = r->figures;

	while (!figure->json || strcmp(figure->json, json))
		figure++;
	return figure;
}

/* Word by word: a line ends between them only. Without memory, wherever it does. */
static void write_command(const char *command, FILE *f)
{
	char *copy = strdup(command), *word = copy;

	while (word) {
		char *blank = strchr(word, ' ');

		if (blank)
			*blank = 0;
		put(f, "<span>", word, "</span>");
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
	if (figure->sheet_count)
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
		figure->id, badges[figure->agreement].class, figure->id, figure->id, figure->id);
	filchi_text_put(f, figure->title);
	fputs("</a></h2>\n<p class=\"source\">", f);
	filchi_text_put(f, figure->source);
	fputs("</p>", f);
	write_badge(figure, f);
	fputs("</header>\n", f);
	filchi_verdict_write(figure->verdict, f);
	if (!filchi_picture_any(figure))
		put(f, "<p class=\"about\">", figure->about, "</p>\n");
	err = write_panels(figure, f);
	for (size_t i = 0; i < figure->sheet_count; i++)
		filchi_sheet_write(&figure->sheets[i], figure->title, f);
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
		put(f, "<dt>", r->documents[i].name, "</dt>\n");
		put(f, "<dd>", r->documents[i].reference, "</dd>\n");
	}
	fputs("</dl>\n</section>\n", f);
}

int filchi_html_write(const struct filchi_report *r, FILE *f)
{
	int err = 0;

	write_head(r, f);
	write_top(r, f);
	fputs("<div class=\"page\">\n", f);
	write_contents(r, f);
	fputs("<main id=\"_main\">\n", f);
	if (r->headline.rows && r->headline.columns) {
		fputs("<section class=\"headline\" aria-labelledby=\"_headline\"><h2 id=\"_headline\">In short</h2>\n",
		      f);
		filchi_sheet_write(&r->headline, "Headline", f);
		fputs("</section>\n", f);
	}
	for (size_t i = 0; !err && i < r->figure_count; i++)
		err = write_figure(r, &r->figures[i], f);
	write_documents(r, f);
	fputs("</main>\n</div>\n<p id=\"_said\" class=\"unseen\" role=\"status\"></p>\n</body>\n</html>\n", f);
	return err;
}
