/* SPDX-License-Identifier: Apache-2.0 */
#include "text.h"

#include "../../harness/utf8.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

static const uint32_t replacement = 0xfffd;

/* Returns the character at *text, and moves past it; 0 at the end. */
static uint32_t next_char(const char **text)
{
	const unsigned char *s = (const unsigned char *)*text;
	unsigned length = filchi_utf8_length(s);
	uint32_t c = length > 1 ? *s & (0x7fu >> length) : *s;

	if (!*s)
		return 0;
	*text += length ? length : 1;
	if (!length)
		return replacement;
	for (unsigned i = 1; i < length; i++)
		c = c << 6 | (s[i] & 0x3f);
	/* XML allows these in no form. */
	if ((c < 0x20 && c != '\t' && c != '\n' && c != '\r') || (c & 0xfffe) == 0xfffe)
		return replacement;
	return c;
}

static void put_char(FILE *f, uint32_t c)
{
	if (c < 0x80) {
		fputc((int)c, f);
	} else if (c < 0x800) {
		fprintf(f, "%c%c", (int)(0xc0 | c >> 6), (int)(0x80 | (c & 0x3f)));
	} else if (c < 0x10000) {
		fprintf(f, "%c%c%c", (int)(0xe0 | c >> 12), (int)(0x80 | (c >> 6 & 0x3f)), (int)(0x80 | (c & 0x3f)));
	} else {
		fprintf(f, "%c%c%c%c", (int)(0xf0 | c >> 18), (int)(0x80 | (c >> 12 & 0x3f)),
			(int)(0x80 | (c >> 6 & 0x3f)), (int)(0x80 | (c & 0x3f)));
	}
}

void filchi_text_put(FILE *f, const char *text)
{
	uint32_t c;

	if (!text)
		return;
	while ((c = next_char(&text))) {
		switch (c) {
		case '&':
			fputs("&amp;", f);
			break;
		case '<':
			fputs("&lt;", f);
			break;
		case '>':
			fputs("&gt;", f);
			break;
		case '"':
			fputs("&quot;", f);
			break;
		case '\'':
			fputs("&#39;", f);
			break;
		default:
			put_char(f, c);
		}
	}
}

void filchi_text_within(FILE *f, const char *open, const char *text, const char *close)
{
	if (!text || !*text)
		return;
	fputs(open, f);
	filchi_text_put(f, text);
	fputs(close, f);
}

void filchi_text_put_json(FILE *f, const char *json)
{
	uint32_t c;

	/* These occur only in strings, which may escape them. So there is no </script>, <!-- or ]]>. */
	while ((c = next_char(&json))) {
		if (c == '<' || c == '>' || c == '&')
			fprintf(f, "\\u%04x", (unsigned)c);
		else
			put_char(f, c);
	}
}

/* In units of the size of the font, from DejaVu Sans, which is a wide font. */
static double char_width(uint32_t c)
{
	if (c >= 0x1100)
		return c >= 0x2000 && c < 0x2e80 ? 0.85 : 1;
	if (c >= 0x80)
		return 0.66;
	if (strchr("il.,:;'|!Ijtf()[] /\\-", (int)c))
		return 0.4;
	if (strchr("mwMW@%&<>=+~", (int)c))
		return 0.97;
	if ((c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'))
		return c <= '9' ? 0.64 : 0.7;
	return 0.61;
}

double filchi_text_width(const char *text, double size)
{
	double width = 0;
	uint32_t c;

	if (!text)
		return 0;
	while ((c = next_char(&text)))
		width += char_width(c);
	return width * size;
}

void filchi_text_fit(char out[FILCHI_FIT_SIZE], const char *text, double size, double width)
{
	static const char ellipsis[] = "…";
	const char *at = text ? text : "";
	size_t keep = 0; /* bytes that leave room for the ellipsis, in the width and in out */
	double used = 0;
	uint32_t c;

	*out = 0;
	if (!text)
		return;
	if (filchi_text_width(text, size) <= width && strlen(text) < FILCHI_FIT_SIZE) {
		strcpy(out, text);
		return;
	}
	while ((c = next_char(&at))) {
		used += char_width(c) * size;
		if (used + 0.85 * size > width || (size_t)(at - text) + sizeof(ellipsis) > FILCHI_FIT_SIZE)
			break;
		keep = (size_t)(at - text);
	}
	while (keep && text[keep - 1] == ' ')
		keep--;
	memcpy(out, text, keep);
	strcpy(out + keep, ellipsis);
}

/* 12345 to 12,345. */
static void put_thousands(char out[FILCHI_NUMBER_SIZE], double value)
{
	char plain[FILCHI_NUMBER_SIZE];
	int length = snprintf(plain, sizeof(plain), "%.0f", fabs(value));
	char *o = out;

	if (value < 0)
		*o++ = '-';
	for (int i = 0; i < length; i++) {
		if (i && (length - i) % 3 == 0)
			*o++ = ',';
		*o++ = plain[i];
	}
	*o = 0;
}

/* 1e-09 becomes 1e-9, 1e+20 becomes 1e20. */
static void trim_exponent(char *text)
{
	char *to = strchr(text, 'e');
	const char *from = to ? to + 1 : NULL;

	if (!to)
		return;
	to++;
	if (*from == '-')
		*to++ = '-';
	from += strspn(from, "+-0");
	memmove(to, from, strlen(from) + 1);
}

/* 0.0000125, where %g would write 1.25e-05. */
static void put_small(char out[FILCHI_NUMBER_SIZE], double value, int digits)
{
	int length = snprintf(out, FILCHI_NUMBER_SIZE, "%.*f", digits - 1 - (int)floor(log10(fabs(value))), value);

	while (length && out[length - 1] == '0')
		out[--length] = 0;
}

void filchi_text_number(char out[FILCHI_NUMBER_SIZE], double value, int digits)
{
	static const char *const units[] = {"", "M", "G", "T"};
	double size = fabs(value);
	int unit = 0;

	if (!isfinite(value)) {
		strcpy(out, "–");
		return;
	}
	if (size >= 1e-12 && size < 1e-4) {
		put_small(out, value, digits);
		return;
	}
	if ((size >= 999.5 && size < 999999.5) || (size >= 999.5e12 && size < 999999.5e12)) {
		put_thousands(out, size < 1e6 ? value : value / 1e12);
		strcat(out, size < 1e6 ? "" : "T");
		return;
	}
	if (size >= 999999.5 && size < 1e15) {
		value /= 1e6;
		for (unit = 1; unit < 3 && fabs(value) >= 999.5; unit++)
			value /= 1e3;
	}
	snprintf(out, FILCHI_NUMBER_SIZE, "%.*g%s", digits, value, units[unit]);
	trim_exponent(out);
}
