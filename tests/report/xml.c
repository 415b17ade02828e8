/* SPDX-License-Identifier: Apache-2.0 */
#include "xml.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

enum { DEEPEST = 64 };

struct reader {
	const char *at, *end;
	const char *wrong;
	struct {
		const char *name;
		size_t length;
	} open[DEEPEST];
	size_t depth;
};

static bool fail(struct reader *r, const char *what)
{
	if (!r->wrong)
		r->wrong = what;
	return false;
}

static bool starts(const struct reader *r, const char *what)
{
	size_t length = strlen(what);

	return (size_t)(r->end - r->at) >= length && !memcmp(r->at, what, length);
}

static size_t read_name(struct reader *r)
{
	const char *from = r->at;

	while (r->at < r->end && (isalnum((unsigned char)*r->at) || strchr("-_:", *r->at)))
		r->at++;
	return (size_t)(r->at - from);
}

static bool read_reference(struct reader *r)
{
	static const char *const known[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (starts(r, known[i])) {
			r->at += strlen(known[i]);
			return true;
		}
	return fail(r, "a & that begins nothing known");
}

/* Reads text up to one of the characters. Attributes with numbers must have numbers: no nan, no inf. */
static bool read_text(struct reader *r, char until, bool numbers)
{
	while (r->at < r->end && *r->at != until) {
		unsigned char c = (unsigned char)*r->at;

		if (c == '<' || (c < ' ' && c != '\n' && c != '\t'))
			return fail(r, "a character that may not be here");
		if (numbers && !isdigit(c) && !strchr(" .-%MLHVhvlmaz", c))
			return fail(r, "not a number");
		if (c == '&') {
			if (!read_reference(r))
				return false;
		} else {
			r->at++;
		}
	}
	return r->at < r->end || fail(r, "no end");
}

static bool has_numbers(const char *name, size_t length)
{
	static const char *const known[] = {"x", "y", "d", "r", "cx", "cy", "rx", "width", "height", "viewBox"};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (strlen(known[i]) == length && !memcmp(known[i], name, length))
			return true;
	return false;
}

static bool read_attribute(struct reader *r)
{
	const char *name = r->at;
	size_t length = read_name(r);

	if (!length || !starts(r, "=\""))
		return fail(r, "an attribute that is none");
	r->at += 2;
	if (!read_text(r, '"', has_numbers(name, length)))
		return false;
	r->at++;
	return true;
}

static bool read_open(struct reader *r)
{
	const char *name = ++r->at;
	size_t length = read_name(r);

	if (!length || r->depth == DEEPEST)
		return fail(r, "an element without a name, or too deep");
	while (starts(r, " ")) {
		r->at++;
		if (!read_attribute(r))
			return false;
	}
	if (starts(r, "/>")) {
		r->at += 2;
		return true;
	}
	if (!starts(r, ">"))
		return fail(r, "the end of an element expected");
	r->at++;
	r->open[r->depth].name = name;
	r->open[r->depth++].length = length;
	return true;
}

static bool read_close(struct reader *r)
{
	size_t length;
	const char *name;

	r->at += 2;
	name = r->at;
	length = read_name(r);
	if (!r->depth || r->open[r->depth - 1].length != length || memcmp(r->open[r->depth - 1].name, name, length))
		return fail(r, "another element is open");
	r->depth--;
	if (!starts(r, ">"))
		return fail(r, "> expected");
	r->at++;
	return true;
}

const char *xml_check(const char *text, size_t length, size_t *where)
{
	struct reader r = {.at = text, .end = text + length};
	bool fine = starts(&r, "<") || fail(&r, "no element");

	while (fine && (r.depth || r.at == text)) {
		if (starts(&r, "</"))
			fine = read_close(&r);
		else if (starts(&r, "<"))
			fine = read_open(&r);
		else
			fine = read_text(&r, '<', false);
	}
	while (fine && r.at < r.end)
		fine = *r.at == '\n' ? r.at++ != NULL : fail(&r, "something after the end");
	*where = (size_t)(r.at - text);
	return r.wrong;
}
