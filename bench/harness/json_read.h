/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads JSON, strictly as RFC 8259 has it: no comments, no commas too many, UTF-8 only, and nothing after the value.
 * What does not fit a double or a C string is an error, too: 1e999, "\u0000". Nesting is limited, and needs no stack.
 */
#ifndef FILCHI_BENCH_JSON_READ_H
#define FILCHI_BENCH_JSON_READ_H

#include "arena.h"

#include <stdbool.h>
#include <stddef.h>

#define FILCHI_JSON_DEPTH 64		      /* arrays and objects in each other, at most */
#define FILCHI_JSON_LARGEST ((size_t)1 << 30) /* bytes of a file */

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
	double number;	    /* of a number; of a bool 1 or 0 */
	size_t count;	    /* what an array or object has */
	const struct filchi_json_value *first;
	const struct filchi_json_value *next; /* in the same array or object */
};

/* A file that was read. All of it is in the arena. */
struct filchi_json_file {
	struct filchi_arena arena;
	const char *text; /* as it was */
	size_t length;
	const struct filchi_json_value *root;
	char error[1280]; /* "FILE:LINE:COLUMN: what is wrong", columns in bytes from 1; "" if nothing is */
};

/* 0; -EINVAL: it is no JSON; -EFBIG; -ENOMEM; or why it cannot be read. Then error says so, and nothing is to free. */
int filchi_json_read(struct filchi_json_file *f, const char *path);
/* Likewise of a text; name is for error. */
int filchi_json_parse(struct filchi_json_file *f, const char *name, const char *text, size_t length);
void filchi_json_file_free(struct filchi_json_file *f);

/*
 * What is in a value. All take NULL, and give NULL, NaN or false where there is no such thing, so that they can be
 * nested. Of members with the same key, the first.
 */
const struct filchi_json_value *filchi_json_get(const struct filchi_json_value *object, const char *key);
const char *filchi_json_text(const struct filchi_json_value *v);
double filchi_json_real(const struct filchi_json_value *v);
bool filchi_json_true(const struct filchi_json_value *v);

#endif
