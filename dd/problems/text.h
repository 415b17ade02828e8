/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the text of a problem file from memory: words and numbers, line by line. All readers use it, so that all of them
 * accept Windows line ends, and name the line and the mistake in the same words.
 *
 * The first mistake counts: its message stays, and each later call fails. A reader may therefore check once, at its end.
 */
#ifndef FILCHI_PROBLEMS_TEXT_H
#define FILCHI_PROBLEMS_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Sums of costs stay below this: a JSON number has 53 bits, and sums of two bounds never overflow. */
#define FILCHI_TEXT_SUM_MAX ((int64_t)1 << 53)
/* Files are read up to here: 256 MiB. */
#define FILCHI_TEXT_SIZE_MAX ((size_t)1 << 28)

struct filchi_text {
	const char *at, *end;
	size_t line; /* from 1 */
	bool failed;
	const char *cut; /* why the text ends before the file does: one of the two below; NULL: it does not */
	char error[240]; /* "line 3: ...", if failed */
};

extern const char filchi_text_large[], filchi_text_zero[];

/* A word of a line. It points into the text, and has no final zero. */
struct filchi_text_word {
	const char *at;
	size_t size;
};

void filchi_text_begin(struct filchi_text *t, const char *bytes, size_t size);

/* Goes to the next line that is neither empty nor a comment: its first word is, or begins with, the character comment.
 * False at the end of the text. */
bool filchi_text_next_line(struct filchi_text *t, char comment);

/* The next word of this line. False if there is none, or if it has a byte 0, which fails. */
bool filchi_text_word(struct filchi_text *t, struct filchi_text_word *word);
bool filchi_text_is(const struct filchi_text_word *word, const char *text);

/* A whole number of this line. The message calls it by its name. */
bool filchi_text_integer(struct filchi_text *t, const char *name, int64_t min, int64_t max, int64_t *out);

/* Like filchi_text_integer(), for an index or a count. */
bool filchi_text_size(struct filchi_text *t, const char *name, size_t min, size_t max, size_t *out);

/* A number with a fraction, as a whole number of 1/10^decimals. Later digits of the fraction do not count. */
bool filchi_text_decimal(struct filchi_text *t, const char *name, unsigned decimals, int64_t min, int64_t max,
			 int64_t *out);

/* Goes on to later lines if this line has no more words: for tables that may be broken into lines anywhere. */
bool filchi_text_wrap(struct filchi_text *t, char comment, const char *name);

/* The line must have no more words. */
bool filchi_text_line_end(struct filchi_text *t);

/* Adds the absolute value to a sum. Fails if the sum is too large. */
bool filchi_text_sum(struct filchi_text *t, const char *name, int64_t *sum, int64_t value);

/* Fails with a message. Returns false. */
__attribute__((format(printf, 2, 3))) bool filchi_text_fail(struct filchi_text *t, const char *format, ...);

/* The text has ended too early. Says what is missing, or why the file was not read on. Returns false. */
__attribute__((format(printf, 2, 3))) bool filchi_text_ended(struct filchi_text *t, const char *format, ...);

/* Allocates count elements of zeros. Fails with a message if there is no memory. */
void *filchi_text_alloc(struct filchi_text *t, size_t count, size_t size);

#endif
