/* SPDX-License-Identifier: Apache-2.0 */
/* Text as pictures and pages need it: escaped, no wider than its place, and numbers short enough for an axis. */
#ifndef FILCHI_BENCH_PAGE_TEXT_H
#define FILCHI_BENCH_PAGE_TEXT_H

#include <stddef.h>
#include <stdio.h>

enum { FILCHI_NUMBER_SIZE = 32, FILCHI_FIT_SIZE = 256 };

/* For XML and HTML, inside and outside of quotes. NULL is nothing; what is no UTF-8 or not in XML becomes U+FFFD. */
void filchi_text_put(FILE *f, const char *text);

/* The same, with what opens and closes an element around it; nothing at all if there is no text. */
void filchi_text_within(FILE *f, const char *open, const char *text, const char *close);

/* JSON for the inside of a script element of HTML: the same JSON, but with nothing in it that could end the element. */
void filchi_text_put_json(FILE *f, const char *json);

/* How wide a text is at most, in the units of the size, with the fonts that pages are usually seen with. */
double filchi_text_width(const char *text, double size);

/* The text, or as much of its beginning as the width has room for, and then an ellipsis. */
void filchi_text_fit(char out[FILCHI_FIT_SIZE], const char *text, double size, double width);

/* For people: 0.25, 0.00001, 1,000, 2.5M; with an exponent only below 1e-12 and from 1e18 on. */
void filchi_text_number(char out[FILCHI_NUMBER_SIZE], double value, int digits);

#endif
