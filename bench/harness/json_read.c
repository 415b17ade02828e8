/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L

#include "json_read.h"

#include "json_scan.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* ---- values ---- */

static int read_scalar(struct filchi_scan *r, struct filchi_json_value *v)
{
	if (*r->at == '"') {
		v->type = FILCHI_JSON_STRING;
		return filchi_scan_string(r, &v->string);
	}
	if (filchi_scan_word(r, "null"))
		return 0;
	if (filchi_scan_word(r, "true") || filchi_scan_word(r, "false")) {
		v->type = FILCHI_JSON_BOOL;
		v->number = r->at[-2] == 'u';
		return 0;
	}
	v->type = FILCHI_JSON_NUMBER;
	return filchi_scan_number(r, &v->number);
}

/* Begins a value, with its key inside an object. Arrays and objects stay open. */
static int begin_value(struct filchi_scan *r)
{
	bool member = r->depth && r->open[r->depth - 1].value->type == FILCHI_JSON_OBJECT;
	struct filchi_json_value *v = filchi_arena_alloc(&r->file->arena, sizeof(*v));
	int err;

	if (!v)
		return filchi_scan_no_memory(r);
	if (member) {
		if (*r->at != '"')
			return filchi_scan_wrong(r, "a name in quotes is missing");
		err = filchi_scan_string(r, &v->key);
		if (err)
			return err;
		filchi_scan_blanks(r);
		if (*r->at != ':')
			return filchi_scan_wrong(r, "':' is missing");
		r->at++;
		filchi_scan_blanks(r);
	}
	if (r->depth) {
		*r->open[r->depth - 1].tail = v;
		r->open[r->depth - 1].tail = &v->next;
		r->open[r->depth - 1].value->count++;
	} else {
		r->file->root = v;
	}
	if (*r->at != '[' && *r->at != '{')
		return read_scalar(r, v);
	if (r->depth == FILCHI_JSON_DEPTH)
		return filchi_scan_wrong(r, "nested too deeply");
	v->type = *r->at++ == '[' ? FILCHI_JSON_ARRAY : FILCHI_JSON_OBJECT;
	r->open[r->depth].value = v;
	r->open[r->depth++].tail = &v->first;
	return 0;
}

/* After a value: closes arrays and objects until a comma says that another value follows. */
static int end_values(struct filchi_scan *r, bool *more)
{
	*more = false;
	for (; r->depth; r->depth--) {
		const struct filchi_json_value *open = r->open[r->depth - 1].value;
		bool array = open->type == FILCHI_JSON_ARRAY;

		filchi_scan_blanks(r);
		if (*r->at == ',' && open->count) {
			r->at++;
			*more = true;
			return 0;
		}
		if (*r->at != (array ? ']' : '}'))
			return filchi_scan_wrong(r, array ? "',' or ']' is missing" : "',' or '}' is missing");
		r->at++;
	}
	return 0;
}

/* The value that was begun last is an empty array or object that is still open. */
static bool just_opened(struct filchi_scan *r, bool deeper)
{
	if (!deeper)
		return false;
	filchi_scan_blanks(r);
	return *r->at != (r->open[r->depth - 1].value->type == FILCHI_JSON_ARRAY ? ']' : '}');
}

static int read_all(struct filchi_scan *r)
{
	bool more = true;
	int err = 0;

	while (more && !err) {
		unsigned depth = r->depth;

		filchi_scan_blanks(r);
		err = begin_value(r);
		if (!err && !just_opened(r, r->depth > depth))
			err = end_values(r, &more);
	}
	filchi_scan_blanks(r);
	return !err && r->at < r->end ? filchi_scan_wrong(r, "something follows the end") : err;
}

/* ---- files ---- */

/* The text ends with a 0 and is in the arena. */
static int parse(struct filchi_json_file *f, const char *name)
{
	struct filchi_scan r = {.file = f, .name = name, .at = f->text, .end = f->text + f->length};
	int err = read_all(&r);

	if (err)
		filchi_json_file_free(f);
	return err;
}

int filchi_json_parse(struct filchi_json_file *f, const char *name, const char *text, size_t length)
{
	struct filchi_scan r = {.file = f, .name = name};

	*f = (struct filchi_json_file){.length = length};
	f->text = filchi_arena_copy(&f->arena, text, length);
	return f->text ? parse(f, name) : filchi_scan_no_memory(&r);
}

static int cannot_read(struct filchi_json_file *f, const char *path, int err)
{
	snprintf(f->error, sizeof(f->error), "%.1024s: %s", path, strerror(-err));
	filchi_arena_free(&f->arena);
	return err;
}

int filchi_json_read(struct filchi_json_file *f, const char *path)
{
	FILE *file = fopen(path, "r");
	struct stat stat;
	char *text = NULL;
	int err = 0;

	*f = (struct filchi_json_file){0};
	if (!file || fstat(fileno(file), &stat))
		err = -errno;
	else if (!S_ISREG(stat.st_mode))
		err = S_ISDIR(stat.st_mode) ? -EISDIR : -EINVAL;
	else if ((size_t)stat.st_size > FILCHI_JSON_LARGEST)
		err = -EFBIG;
	else if (!(text = filchi_arena_alloc(&f->arena, (size_t)stat.st_size + 1)))
		err = -ENOMEM;
	if (!err) {
		f->text = text;
		f->length = fread(text, 1, (size_t)stat.st_size, file);
		err = ferror(file) ? -EIO : 0;
	}
	if (file)
		fclose(file);
	return err ? cannot_read(f, path, err) : parse(f, path);
}

void filchi_json_file_free(struct filchi_json_file *f)
{
	filchi_arena_free(&f->arena);
	f->text = NULL;
	f->root = NULL;
}

/* ---- contents of a value ---- */

const struct filchi_json_value *filchi_json_get(const struct filchi_json_value *object, const char *key)
{
	const struct filchi_json_value *v = object && object->type == FILCHI_JSON_OBJECT ? object->first : NULL;

	while (v && strcmp(v->key, key) != 0)
		v = v->next;
	return v;
}

const char *filchi_json_text(const struct filchi_json_value *v)
{
	return v && v->type == FILCHI_JSON_STRING ? v->string : NULL;
}

double filchi_json_real(const struct filchi_json_value *v)
{
	return v && v->type == FILCHI_JSON_NUMBER ? v->number : NAN;
}

bool filchi_json_true(const struct filchi_json_value *v)
{
	return v && v->type == FILCHI_JSON_BOOL && v->number > 0;
}
