/* SPDX-License-Identifier: Apache-2.0 */
/* Part of json_read.c: the tokens of JSON. */
#ifndef FILCHI_BENCH_JSON_SCAN_H
#define FILCHI_BENCH_JSON_SCAN_H

#include "json_read.h"

/* A 0 follows the text, so that a look one byte ahead is always allowed. */
struct filchi_scan {
	struct filchi_json_file *file;
	const char *name;
	const char *at, *end;
	unsigned depth;
	struct {
		struct filchi_json_value *value;
		const struct filchi_json_value **tail; /* link to the next member */
	} open[FILCHI_JSON_DEPTH];
};

/* Reports an error at this place. Returns -EINVAL. */
int filchi_scan_wrong(struct filchi_scan *r, const char *what);
int filchi_scan_wrong_at(struct filchi_scan *r, const char *at, const char *what);
int filchi_scan_no_memory(struct filchi_scan *r); /* -ENOMEM */

void filchi_scan_blanks(struct filchi_scan *r);
bool filchi_scan_word(struct filchi_scan *r, const char *word); /* is it there? */
/* 0 or -errno. A string starts at its quote. */
int filchi_scan_string(struct filchi_scan *r, const char **out);
int filchi_scan_number(struct filchi_scan *r, double *out);

#endif
