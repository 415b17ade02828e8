/* SPDX-License-Identifier: Apache-2.0 */
#include "text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHOWN 24 /* bytes of a wrong word in a message */

const char filchi_text_large[] = "the file is larger than 268435456 bytes"; /* FILCHI_TEXT_SIZE_MAX */
const char filchi_text_zero[] = "the file has a byte 0: this is no text";

void filchi_text_begin(struct filchi_text *t, const char *bytes, size_t size)
{
	*t = (struct filchi_text){.at = bytes, .end = bytes + size, .line = 1};
	if (size >= 3 && !memcmp(bytes, "\xef\xbb\xbf", 3)) /* byte order mark */
		t->at += 3;
}

static void set_error(struct filchi_text *t, const char *format, va_list list)
{
	int used;

	if (t->failed)
		return;
	t->failed = true;
	used = snprintf(t->error, sizeof(t->error), "line %zu: ", t->line);
	vsnprintf(t->error + used, sizeof(t->error) - (size_t)used, format, list);
}

bool filchi_text_fail(struct filchi_text *t, const char *format, ...)
{
	va_list list;

	va_start(list, format);
	set_error(t, format, list);
	va_end(list);
	return false;
}

bool filchi_text_ended(struct filchi_text *t, const char *format, ...)
{
	va_list list;

	if (t->cut)
		return filchi_text_fail(t, "%s", t->cut);
	va_start(list, format);
	set_error(t, format, list);
	va_end(list);
	return false;
}

void *filchi_text_alloc(struct filchi_text *t, size_t count, size_t size)
{
	void *memory = t->failed ? NULL : calloc(count ? count : 1, size);

	if (!memory)
		filchi_text_fail(t, "no memory for %zu times %zu bytes", count, size);
	return memory;
}

/* ---- lines and words ---- */

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

static void skip_blanks(struct filchi_text *t)
{
	while (t->at < t->end && is_blank(*t->at))
		t->at++;
}

static bool at_line_end(struct filchi_text *t)
{
	skip_blanks(t);
	return t->at == t->end || *t->at == '\n';
}

/* Goes to the start of the next line. False at the end of the text. */
static bool skip_line(struct filchi_text *t)
{
	const char *newline = t->at == t->end ? NULL : memchr(t->at, '\n', (size_t)(t->end - t->at));

	t->at = newline ? newline + 1 : t->end;
	t->line += newline != NULL;
	return t->at < t->end;
}

/* A comment character that is a letter must stand alone: "c text". Others begin the comment: "#text". */
static bool is_comment(const struct filchi_text *t, char comment)
{
	if (!comment || *t->at != comment)
		return false;
	return comment == '#' || t->at + 1 == t->end || is_blank(t->at[1]) || t->at[1] == '\n';
}

/* From the start of a line to the next line with words. */
static bool find_line(struct filchi_text *t, char comment)
{
	while (t->at < t->end) {
		if (!at_line_end(t) && !is_comment(t, comment))
			return true;
		if (!skip_line(t))
			return false;
	}
	return false;
}

bool filchi_text_next_line(struct filchi_text *t, char comment)
{
	if (t->failed)
		return false;
	/* At the start of the text nothing was read of the line. Elsewhere the reader has come to the line's end. */
	if (t->at < t->end && *t->at == '\n')
		skip_line(t);
	return find_line(t, comment);
}

bool filchi_text_word(struct filchi_text *t, struct filchi_text_word *word)
{
	if (t->failed || at_line_end(t))
		return false;
	word->at = t->at;
	while (t->at < t->end && *t->at != '\n' && !is_blank(*t->at))
		t->at++;
	word->size = (size_t)(t->at - word->at);
	if (memchr(word->at, 0, word->size))
		return filchi_text_fail(t, "%s", filchi_text_zero);
	return true;
}

bool filchi_text_is(const struct filchi_text_word *word, const char *text)
{
	return word->size == strlen(text) && !memcmp(word->at, text, word->size);
}

/* The word in a form that a message may print. */
static const char *shown(const struct filchi_text_word *word, char out[SHOWN + 4])
{
	size_t size = word->size < SHOWN ? word->size : SHOWN;

	for (size_t i = 0; i < size; i++)
		out[i] = (char)(word->at[i] >= ' ' && word->at[i] <= '~' ? word->at[i] : '?');
	strcpy(out + size, word->size > SHOWN ? "..." : "");
	return out;
}

bool filchi_text_line_end(struct filchi_text *t)
{
	struct filchi_text_word word;
	char text[SHOWN + 4];

	if (filchi_text_word(t, &word))
		return filchi_text_fail(t, "unexpected '%s' at the end of the line", shown(&word, text));
	return !t->failed;
}

bool filchi_text_wrap(struct filchi_text *t, char comment, const char *name)
{
	if (t->failed)
		return false;
	if (!at_line_end(t) && !is_comment(t, comment))
		return true;
	skip_line(t);
	return find_line(t, comment) || filchi_text_ended(t, "the file ends before %s", name);
}

/* ---- numbers ---- */

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Adds digits to a number. False if it overflows. *digits counts them. */
static bool add_digits(const char **at, const char *end, unsigned most, int64_t *value, unsigned *digits)
{
	for (; *at < end && is_digit(**at) && *digits < most; (*at)++, (*digits)++)
		if (__builtin_mul_overflow(*value, 10, value) || __builtin_add_overflow(*value, **at - '0', value))
			return false;
	return true;
}

enum { GOOD, NO_NUMBER, TOO_LARGE };

/* Reads sign, digits and, if decimals are allowed, a fraction. */
static int convert(const struct filchi_text_word *word, unsigned decimals, int64_t *out)
{
	const char *at = word->at, *end = at + word->size;
	bool negative = *at == '-';
	unsigned whole = 0, fraction = 0;
	int64_t value = 0;

	at += negative;
	if (!add_digits(&at, end, UINT32_MAX, &value, &whole))
		return TOO_LARGE;
	if (decimals && at < end && *at == '.') {
		at++;
		if (!add_digits(&at, end, decimals, &value, &fraction))
			return TOO_LARGE;
		while (at < end && is_digit(*at))
			at++;
	}
	if (at < end || whole + fraction == 0)
		return NO_NUMBER;
	for (; fraction < decimals; fraction++)
		if (__builtin_mul_overflow(value, 10, &value))
			return TOO_LARGE;
	*out = negative ? -value : value;
	return GOOD;
}

static bool number(struct filchi_text *t, const char *name, unsigned decimals, int64_t min, int64_t max, int64_t *out)
{
	struct filchi_text_word word;
	char text[SHOWN + 4];
	int64_t unit = 1;
	int result;

	*out = 0;
	for (unsigned i = 0; i < decimals; i++)
		unit *= 10;
	if (t->failed)
		return false;
	if (!filchi_text_word(t, &word)) {
		if (t->failed)
			return false;
		if (t->at == t->end)
			return filchi_text_ended(t, "the file ends before %s", name);
		return filchi_text_fail(t, "the line ends before %s", name);
	}
	if (t->at == t->end && t->cut) /* perhaps only a part of the number */
		return filchi_text_ended(t, "%s", name);
	result = convert(&word, decimals, out);
	if (result == GOOD && *out >= min && *out <= max)
		return true;
	*out = 0;
	return filchi_text_fail(t, "%s must be a %snumber from %lld to %lld, not '%s'", name, decimals ? "" : "whole ",
				(long long)(min / unit), (long long)(max / unit), shown(&word, text));
}

bool filchi_text_integer(struct filchi_text *t, const char *name, int64_t min, int64_t max, int64_t *out)
{
	return number(t, name, 0, min, max, out);
}

bool filchi_text_size(struct filchi_text *t, const char *name, size_t min, size_t max, size_t *out)
{
	int64_t value;
	bool good = number(t, name, 0, (int64_t)min, (int64_t)max, &value);

	*out = (size_t)value;
	return good;
}

bool filchi_text_decimal(struct filchi_text *t, const char *name, unsigned decimals, int64_t min, int64_t max,
			 int64_t *out)
{
	return number(t, name, decimals, min, max, out);
}

bool filchi_text_sum(struct filchi_text *t, const char *name, int64_t *sum, int64_t value)
{
	*sum += value < 0 ? -value : value; /* both are at most 2^53 */
	if (*sum > FILCHI_TEXT_SUM_MAX)
		return filchi_text_fail(t, "the sum of all %s is more than %lld", name, (long long)FILCHI_TEXT_SUM_MAX);
	return !t->failed;
}
