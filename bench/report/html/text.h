/* SPDX-License-Identifier: Apache-2.0 */
/* Text for pictures and pages: escaped, no wider than its place, and with short numbers. */
#ifndef FILCHI_BENCH_PAGE_TEXT_H
#define FILCHI_BENCH_PAGE_TEXT_H

#include <stddef.h>
#include <stdio.h>

enum { FILCHI_NUMBER_SIZE = 32, FILCHI_FIT_SIZE = 256 };

/*
 * Escapes text for XML and HTML, inside and outside of quotes. NULL writes nothing. Bytes that are not UTF-8, or
 * not allowed in XML, become U+FFFD.
 */
void filchi_text_put(FILE *f, const char *text);

/* Writes the text between open and close; nothing if there is no text. */
void filchi_text_within(FILE *f, const char *open, const char *text, const char *close);

/* Writes JSON for a script element of HTML: the same JSON, but no text that could end the element. */
void filchi_text_put_json(FILE *f, const char *json);

/* Returns an upper bound of the width of a text, in the units of the size, with common fonts. */
double filchi_text_width(const char *text, double size);

/* Writes the text, or its beginning and an ellipsis if it is wider. */
void filchi_text_fit(char out[FILCHI_FIT_SIZE], const char *text, double size, double width);

/* Writes a number for people: 0.25, 0.00001, 1,000, 2.5M; with an exponent only below 1e-12 and from 1e18 on. */
void filchi_text_number(char out[FILCHI_NUMBER_SIZE], double value, int digits);

#endif
