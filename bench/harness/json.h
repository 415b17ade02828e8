/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes JSON. A member of an object has a key; elsewhere the key is NULL. The caller checks the file for errors
 * (ferror) and nests objects and arrays correctly.
 */
#ifndef FILCHI_BENCH_JSON_H
#define FILCHI_BENCH_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct filchi_json {
	FILE *f;
	unsigned depth;
	bool some; /* the innermost object or array is not empty */
};

void filchi_json_start(struct filchi_json *j, FILE *f);
void filchi_json_open(struct filchi_json *j, const char *key, char bracket); /* '{' or '[' */
void filchi_json_close(struct filchi_json *j, char bracket); /* '}' or ']'; the outermost one ends the line */
void filchi_json_string(struct filchi_json *j, const char *key, const char *value); /* null for NULL */
void filchi_json_number(struct filchi_json *j, const char *key,
			double value); /* null unless finite; else the shortest text that is exact */
void filchi_json_integer(struct filchi_json *j, const char *key, uint64_t value);
void filchi_json_bool(struct filchi_json *j, const char *key, bool value);
/* Writes values[0], values[stride], ... as an array on one line. */
void filchi_json_numbers(struct filchi_json *j, const char *key, const double *values, size_t count, size_t stride);

#endif
