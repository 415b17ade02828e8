/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads JSON strictly as RFC 8259 defines it: no comments, no extra commas, only UTF-8, and one value. A number
 * that does not fit a double (1e999) or a string that does not fit a C string ("\u0000") is an error. Nesting is
 * limited and needs no stack.
 */
#ifndef FILCHI_BENCH_JSON_READ_H
#define FILCHI_BENCH_JSON_READ_H

#include "arena.h"

#include <stdbool.h>
#include <stddef.h>

#define FILCHI_JSON_DEPTH 64		      /* depth of arrays and objects, at most */
#define FILCHI_JSON_LARGEST ((size_t)1 << 30) /* size of a file in bytes, at most */

enum filchi_json_type {
	FILCHI_JSON_NULL,
	FILCHI_JSON_BOOL,
	FILCHI_JSON_NUMBER,
	FILCHI_JSON_STRING,
	FILCHI_JSON_ARRAY,
	FILCHI_JSON_OBJECT
};

struct filchi_json_value {
	enum filchi_json_type type;
	const char *key;    /* inside an object; else NULL */
	const char *string; /* of a string */
	double number;	    /* the value of a number; 1 or 0 for a bool */
	size_t count;	    /* first element or member */
	const struct filchi_json_value *first;
	const struct filchi_json_value *next; /* next one of the same array or object */
};

/* A file, with all of its contents in the arena. */
struct filchi_json_file {
	struct filchi_arena arena;
	const char *text; /* as it was */
	size_t length;
	const struct filchi_json_value *root;
	char error[1280]; /* "FILE:LINE:COLUMN: message", columns in bytes from 1; "": no error */
};

/*
 * 0; -EINVAL: not JSON; -EFBIG; -ENOMEM; or the -errno of reading. After an error, error has the message and there
 * is nothing to free.
 */
int filchi_json_read(struct filchi_json_file *f, const char *path);
/* Reads a text in the same way. The name is for error. */
int filchi_json_parse(struct filchi_json_file *f, const char *name, const char *text, size_t length);
void filchi_json_file_free(struct filchi_json_file *f);

/*
 * Access to a value. All functions accept NULL, and return NULL, NaN or false if there is no such value. So calls
 * can be nested. If several members have the same key, the first one counts.
 */
const struct filchi_json_value *filchi_json_get(const struct filchi_json_value *object, const char *key);
const char *filchi_json_text(const struct filchi_json_value *v);
double filchi_json_real(const struct filchi_json_value *v);
bool filchi_json_true(const struct filchi_json_value *v);

#endif
