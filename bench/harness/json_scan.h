/* SPDX-License-Identifier: Apache-2.0 */
/* Part of json_read.c: the words of JSON. */
#ifndef FILCHI_BENCH_JSON_SCAN_H
#define FILCHI_BENCH_JSON_SCAN_H

#include "json_read.h"

/* The text ends with a 0, which is no part of it: to look one byte ahead is always allowed. */
struct filchi_scan {
	struct filchi_json_file *file;
	const char *name;
	const char *at, *end;
	unsigned depth;
	struct {
		struct filchi_json_value *value;
		const struct filchi_json_value **tail; /* where the next member goes */
	} open[FILCHI_JSON_DEPTH];
};

/* Says what is wrong, here or there. -EINVAL */
int filchi_scan_wrong(struct filchi_scan *r, const char *what);
int filchi_scan_wrong_at(struct filchi_scan *r, const char *at, const char *what);
int filchi_scan_no_memory(struct filchi_scan *r); /* -ENOMEM */

void filchi_scan_blanks(struct filchi_scan *r);
bool filchi_scan_word(struct filchi_scan *r, const char *word); /* is it there? */
/* 0 or -errno. Of a string from the quote on. */
int filchi_scan_string(struct filchi_scan *r, const char **out);
int filchi_scan_number(struct filchi_scan *r, double *out);

#endif
