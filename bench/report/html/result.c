/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A result is a sentence, or several statements separated by "; ". Two or three statements without marks stay in
 * one line. Others become a list, and a long list is folded after its beginning.
 */
#include "page.h"

#include "text.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_IN_A_ROW = 3, MOST_IN_SIGHT = 4 };

static size_t count_statements(const char *result)
{
	size_t count = 1;

	while ((result = strstr(result, "; "))) {
		result += 2;
		count++;
	}
	return count;
}

static bool begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

/* Writes the mark at the beginning, for the eye and for screen readers. Returns the rest. */
static const char *write_mark(const char *text, FILE *f)
{
	bool holds = begins(text, FILCHI_HOLDS), fails = begins(text, FILCHI_FAILS);

	if (!holds && !fails)
		return text;
	fprintf(f,
		"<span class=\"mark %s\"><span aria-hidden=\"true\">%s</span><span class=\"unseen\">%s: </span></span>",
		holds ? "agrees" : "differs", holds ? FILCHI_HOLDS : FILCHI_FAILS, holds ? "agrees" : "differs");
	return text + strlen(holds ? FILCHI_HOLDS : FILCHI_FAILS);
}

/* Writes the first statement, and moves past it. */
static void write_statement(const char **result, FILE *f)
{
	const char *end = strstr(*result, "; ");
	size_t length = end ? (size_t)(end - *result) : strlen(*result);
	char *text = malloc(length + 1);

	if (text) {
		memcpy(text, *result, length);
		text[length] = 0;
	}
	/* Without memory, the whole rest is better than nothing. */
	filchi_text_put(f, write_mark(text ? text : *result, f));
	*result = end ? end + 2 : *result + length;
	free(text);
}

static void write_list(const char **result, size_t count, FILE *f)
{
	fputs("<ul>\n", f);
	while (count--) {
		fputs("<li>", f);
		write_statement(result, f);
		fputs("</li>\n", f);
	}
	fputs("</ul>\n", f);
}

static bool has_marks(const char *result)
{
	return strstr(result, "; " FILCHI_HOLDS) || strstr(result, "; " FILCHI_FAILS);
}

void filchi_result_write(const char *result, FILE *f)
{
	size_t count, seen;

	if (!result || !*result)
		return;
	count = count_statements(result);
	fputs("<div class=\"figure-result\"><p>", f);
	if (count <= MOST_IN_A_ROW && !has_marks(result)) {
		filchi_text_put(f, result);
		fputs("</p></div>\n", f);
		return;
	}
	write_statement(&result, f);
	fputs("</p>\n", f);
	count--;
	seen = count > MOST_IN_SIGHT + 1 ? MOST_IN_SIGHT : count;
	write_list(&result, seen, f);
	if (count > seen) {
		fprintf(f, "<details><summary>%zu more</summary>\n", count - seen);
		write_list(&result, count - seen, f);
		fputs("</details>\n", f);
	}
	fputs("</div>\n", f);
}
