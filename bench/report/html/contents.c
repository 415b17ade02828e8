/* SPDX-License-Identifier: Apache-2.0 */
/* The list of figures, with their results. page.js folds the list if it is not beside the figures. */
#include "page.h"

#include "text.h"

#include <string.h>

const struct filchi_badge filchi_badges[FILCHI_AGREEMENTS] = {
	[FILCHI_AGREES] = {"agrees", "agrees", "agree", "✓"},
	[FILCHI_DIFFERS] = {"differs", "differs", "differ", "✗"},
	[FILCHI_PARTLY] = {"partly", "partly agrees", "partly agree", "≈"},
	[FILCHI_NOT_MEASURED] = {"not", "not measured", "not measured", "–"},
	[FILCHI_OWN] = {"own", "own figure", "own figures", "•"},
	[FILCHI_MET] = {"agrees", "own aim met", "own aims met", "✓"},
	[FILCHI_MISSED] = {"differs", "own aim missed", "own aims missed", "✗"},
	[FILCHI_UNTOLD] = {"own", "cannot be told", "cannot be told", "?"},
};

const char *filchi_badge_text(const struct filchi_figure *figure)
{
	return figure->badge ? figure->badge : filchi_badges[figure->agreement].text;
}

/* The document of a figure: its source up to the first comma. */
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
	filchi_text_within(f, "<p class=\"document\">", text, "</p>\n");
}

void filchi_contents_write(const struct filchi_report *r, FILE *f)
{
	size_t counts[FILCHI_AGREEMENTS] = {0};

	for (size_t i = 0; i < r->figure_count; i++)
		counts[r->figures[i].agreement]++;
	fputs("<nav aria-labelledby=\"_contents\">\n<details open>\n"
	      "<summary><h2 id=\"_contents\">Figures</h2></summary>\n<p class=\"counts\">",
	      f);
	for (size_t i = 0; i < FILCHI_AGREEMENTS; i++)
		if (counts[i])
			fprintf(f, "<span class=\"badge %s\"><span aria-hidden=\"true\">%s</span> %zu %s</span> ",
				filchi_badges[i].class, filchi_badges[i].sign, counts[i],
				counts[i] == 1 ? filchi_badges[i].text : filchi_badges[i].texts);
	fputs("</p>\n", f);
	for (size_t i = 0; i < r->figure_count; i++) {
		const struct filchi_figure *figure = &r->figures[i];
		bool first = !i || !same_document(figure, figure - 1);
		bool last = i + 1 == r->figure_count || !same_document(figure, figure + 1);

		if (first)
			write_document(figure, f);
		fprintf(f,
			"%s<li class=\"%s\"><a href=\"#%s\"><span class=\"sign\" aria-hidden=\"true\">%s</span><span>",
			first ? "<ul>\n" : "", filchi_badges[figure->agreement].class, figure->id,
			filchi_badges[figure->agreement].sign);
		filchi_text_put(f, figure->title);
		filchi_text_within(f, "<span class=\"unseen\"> (", filchi_badge_text(figure), ")</span>");
		fprintf(f, "</span></a></li>\n%s", last ? "</ul>\n" : "");
	}
	fputs("</details>\n</nav>\n", f);
}
