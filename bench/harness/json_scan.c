/* SPDX-License-Identifier: Apache-2.0 */
#include "json_scan.h"

#include "utf8.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- errors ---- */

int filchi_scan_wrong_at(struct filchi_scan *r, const char *at, const char *what)
{
	unsigned long line = 1, column = 1;

	for (const char *c = r->file->text; c < at; c++) {
		column = *c == '\n' ? 1 : column + 1;
		line += *c == '\n';
	}
	snprintf(r->file->error, sizeof(r->file->error), "%.1024s:%lu:%lu: %s", r->name, line, column, what);
	return -EINVAL;
}

int filchi_scan_wrong(struct filchi_scan *r, const char *what)
{
	return filchi_scan_wrong_at(r, r->at, r->at == r->end ? "the file ends too early" : what);
}

int filchi_scan_no_memory(struct filchi_scan *r)
{
	snprintf(r->file->error, sizeof(r->file->error), "%.1024s: no memory", r->name);
	return -ENOMEM;
}

/* ---- strings and numbers ---- */

void filchi_scan_blanks(struct filchi_scan *r)
{
	while (r->at < r->end && (*r->at == ' ' || *r->at == '\t' || *r->at == '\n' || *r->at == '\r'))
		r->at++;
}

/* Returns the number of the four hexadecimal digits, or -1. At least four bytes must follow. */
static long hex4(const char *at)
{
	long value = 0;

	for (int i = 0; i < 4; i++) {
		const char *digits = "0123456789abcdef0123456789ABCDEF", *found = at[i] ? strchr(digits, at[i]) : NULL;

		if (!found)
			return -1;
		value = value * 16 + (found - digits) % 16;
	}
	return value;
}

static char *put_utf8(char *to, unsigned long code)
{
	if (code < 0x80) {
		*to++ = (char)code;
	} else if (code < 0x800) {
		*to++ = (char)(0xc0 | code >> 6);
	} else if (code < 0x10000) {
		*to++ = (char)(0xe0 | code >> 12);
		*to++ = (char)(0x80 | (code >> 6 & 0x3f));
	} else {
		*to++ = (char)(0xf0 | code >> 18);
		*to++ = (char)(0x80 | (code >> 12 & 0x3f));
		*to++ = (char)(0x80 | (code >> 6 & 0x3f));
	}
	if (code >= 0x80)
		*to++ = (char)(0x80 | (code & 0x3f));
	return to;
}

/* Reads the digits after "\u", and the other half of a surrogate pair. */
static int read_unicode(struct filchi_scan *r, char **to)
{
	long code = hex4(r->at + 2), low;

	if (code < 0)
		return filchi_scan_wrong(r, "\\u wants four hexadecimal digits");
	if (!code)
		return filchi_scan_wrong(r, "a string with a 0 in it");
	if (code >= 0xd800 && code < 0xe000) {
		low = code < 0xdc00 && r->at[6] == '\\' && r->at[7] == 'u' ? hex4(r->at + 8) : -1;
		if (low < 0xdc00 || low >= 0xe000)
			return filchi_scan_wrong(r, "half of a surrogate pair");
		code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
		r->at += 6;
	}
	r->at += 6;
	*to = put_utf8(*to, (unsigned long)code);
	return 0;
}

static int read_escape(struct filchi_scan *r, char **to)
{
	static const char names[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
	const char *found = r->at[1] ? strchr(names, r->at[1]) : NULL;

	if (r->at[1] == 'u')
		return read_unicode(r, to);
	if (!found) {
		r->at += r->at + 1 < r->end; /* this tells the end of the text from a letter */
		return filchi_scan_wrong(r, "no such escape");
	}
	*(*to)++ = values[found - names];
	r->at += 2;
	return 0;
}

/* Starts at the quote. No character becomes longer than its source text. */
int filchi_scan_string(struct filchi_scan *r, const char **out)
{
	const char *quote = r->at + 1;
	size_t length = 0;
	char *text, *to;
	int err;

	while (quote + length < r->end && quote[length] != '"')
		length += quote[length] == '\\' && quote + length + 1 < r->end ? 2 : 1;
	text = to = filchi_arena_alloc(&r->file->arena, length + 1);
	if (!text)
		return filchi_scan_no_memory(r);
	for (r->at = quote; r->at < r->end && *r->at != '"';) {
		unsigned bytes = filchi_utf8_length((const unsigned char *)r->at);

		if (*r->at == '\\') {
			err = read_escape(r, &to);
			if (err)
				return err;
			continue;
		}
		if ((unsigned char)*r->at < 0x20)
			return filchi_scan_wrong(r, "a control character in a string");
		if (!bytes)
			return filchi_scan_wrong(r, "not UTF-8");
		memcpy(to, r->at, bytes);
		to += bytes;
		r->at += bytes;
	}
	if (r->at == r->end)
		return filchi_scan_wrong_at(r, quote - 1, "a string without an end");
	r->at++;
	*out = text;
	return 0;
}

static const char *skip_digits(const char *at)
{
	while (*at >= '0' && *at <= '9')
		at++;
	return at;
}

/* Checks the syntax by hand, because strtod accepts more than JSON allows. The locale is "C". */
int filchi_scan_number(struct filchi_scan *r, double *out)
{
	const char *start = r->at, *at = start + (*start == '-'), *digits = at;

	at = *at == '0' ? at + 1 : skip_digits(at);
	if (at == digits)
		return filchi_scan_wrong(r, "not a value");
	if (*at == '.') {
		digits = ++at;
		at = skip_digits(at);
	}
	if (at > digits && (*at == 'e' || *at == 'E')) {
		at += at[1] == '+' || at[1] == '-' ? 2 : 1;
		digits = at;
		at = skip_digits(at);
	}
	if (at == digits) {
		r->at = at;
		return filchi_scan_wrong(r, "a digit is missing");
	}
	*out = strtod(start, NULL);
	if (!isfinite(*out))
		return filchi_scan_wrong(r, "too large a number");
	r->at = at;
	return 0;
}

bool filchi_scan_word(struct filchi_scan *r, const char *word)
{
	size_t length = strlen(word);

	if ((size_t)(r->end - r->at) < length || memcmp(r->at, word, length) != 0)
		return false;
	r->at += length;
	return true;
}
