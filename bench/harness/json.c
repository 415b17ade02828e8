/* SPDX-License-Identifier: Apache-2.0 */
#include "json.h"

#include "utf8.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

static void print_string(FILE *f, const char *text)
{
	const unsigned char *s = (const unsigned char *)text;

	fputc('"', f);
	while (*s) {
		unsigned length = filchi_utf8_length(s);

		if (!length) { /* such a byte would make the whole file unreadable */
			fputs("\\ufffd", f);
			s++;
		} else if (*s < 0x20 || *s == 0x7f) {
			fprintf(f, "\\u%04x", (unsigned)*s++);
		} else {
			if (*s == '"' || *s == '\\')
				fputc('\\', f);
			while (length--)
				fputc(*s++, f);
		}
	}
	fputc('"', f);
}

static void print_number(FILE *f, double value)
{
	char text[32];

	if (!isfinite(value)) {
		fputs("null", f);
		return;
	}
	for (int digits = 6; digits <= 17; digits++) {
		snprintf(text, sizeof(text), "%.*g", digits, value);
		if (strtod(text, NULL) == value)
			break;
	}
	fputs(text, f);
}

static void indent(struct filchi_json *j)
{
	fputc('\n', j->f);
	for (unsigned i = 0; i < j->depth; i++)
		fputc('\t', j->f);
}

static void next(struct filchi_json *j, const char *key)
{
	if (j->some)
		fputc(',', j->f);
	if (j->depth)
		indent(j);
	if (key) {
		print_string(j->f, key);
		fputs(": ", j->f);
	}
	j->some = true;
}

void filchi_json_start(struct filchi_json *j, FILE *f)
{
	*j = (struct filchi_json){.f = f};
}

void filchi_json_open(struct filchi_json *j, const char *key, char bracket)
{
	next(j, key);
	fputc(bracket, j->f);
	j->depth++;
	j->some = false;
}

void filchi_json_close(struct filchi_json *j, char bracket)
{
	j->depth--;
	if (j->some)
		indent(j);
	fputc(bracket, j->f);
	j->some = true;
	if (!j->depth)
		fputc('\n', j->f);
}

void filchi_json_string(struct filchi_json *j, const char *key, const char *value)
{
	next(j, key);
	if (value)
		print_string(j->f, value);
	else
		fputs("null", j->f);
}

void filchi_json_number(struct filchi_json *j, const char *key, double value)
{
	next(j, key);
	print_number(j->f, value);
}

void filchi_json_integer(struct filchi_json *j, const char *key, uint64_t value)
{
	next(j, key);
	fprintf(j->f, "%" PRIu64, value);
}

void filchi_json_bool(struct filchi_json *j, const char *key, bool value)
{
	next(j, key);
	fputs(value ? "true" : "false", j->f);
}

void filchi_json_numbers(struct filchi_json *j, const char *key, const double *values, size_t count, size_t stride)
{
	next(j, key);
	fputc('[', j->f);
	for (size_t i = 0; i < count; i++) {
		if (i)
			fputs(", ", j->f);
		print_number(j->f, values[i * stride]);
	}
	fputc(']', j->f);
}
