/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The result as JSON. A path that is not UTF-8 has its wrong bytes replaced by U+FFFD, and the member path_hex has the
 * bytes themselves.
 */
#define _GNU_SOURCE
#include "act.h"
#include "print.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

/* The length of the character at p; 0: it is not UTF-8. Overlong forms and surrogates are wrong. */
static unsigned utf8_length(const unsigned char *p)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	unsigned length = *p < 0x80 ? 1 : *p >> 5 == 6 ? 2 : *p >> 4 == 14 ? 3 : *p >> 3 == 30 ? 4 : 0;
	uint32_t code = length > 1 ? *p & (0x7fu >> length) : *p;

	for (unsigned i = 1; i < length; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (p[i] & 0x3f);
	}
	return length > 1 && (code < least[length] || code > 0x10ffff || code >> 11 == 0x1b) ? 0 : length;
}

bool filchi_dupes_is_utf8(const char *text)
{
	const unsigned char *p = (const unsigned char *)text;

	while (*p) {
		unsigned length = utf8_length(p);

		if (!length)
			return false;
		p += length;
	}
	return true;
}

static void print_string(const char *text)
{
	putchar('"');
	for (const unsigned char *p = (const unsigned char *)text; *p;) {
		unsigned length = utf8_length(p);

		if (!length)
			fputs("\\ufffd", stdout);
		else if (*p == '"' || *p == '\\')
			printf("\\%c", *p);
		else if (*p < 0x20 || *p == 0x7f)
			printf("\\u%04x", *p);
		else
			fwrite(p, length, 1, stdout);
		p += length ? length : 1;
	}
	putchar('"');
}

static int print_name(struct filchi_dupes_dir *dir, const char *name)
{
	char *path = filchi_dupes_path_new(dir, name);

	if (!path)
		return -ENOMEM;
	fputs("\"path\": ", stdout);
	print_string(path);
	if (!filchi_dupes_is_utf8(path)) {
		fputs(", \"path_hex\": \"", stdout);
		for (const unsigned char *p = (const unsigned char *)path; *p; p++)
			printf("%02x", *p);
		putchar('"');
	}
	free(path);
	return 0;
}

static void print_fate(const struct filchi_dupes_run *run, const struct filchi_dupes_file *f)
{
	if (f->fate)
		printf(", \"action\": \"%s\"", filchi_dupes_fate_word(run, f));
}

static int print_file(const struct filchi_dupes_run *run, const struct filchi_dupes_file *f)
{
	int err;

	fputs("{", stdout);
	err = print_name(f->dir, f->name);
	print_fate(run, f);
	if (f->link) {
		fputs(", \"links\": [", stdout);
		for (const struct filchi_dupes_file *l = f->link; l && !err; l = l->link) {
			fputs(l == f->link ? "{" : ", {", stdout);
			err = print_name(l->dir, l->name);
			print_fate(run, l);
			fputs("}", stdout);
		}
		fputs("]", stdout);
	}
	fputs("}", stdout);
	return err;
}

static int print_group(const struct filchi_dupes_run *run, const struct filchi_dupes_group *g)
{
	int err = 0;

	printf("    {\"size\": %" PRIu64 ", \"could_go\": %" PRIu64 ", \"files\": [\n", g->files[0]->size,
	       filchi_dupes_could_go(run, g));
	for (size_t i = 0; i < g->count && !err; i++) {
		fputs("      ", stdout);
		err = print_file(run, g->files[i]);
		fputs(i + 1 < g->count ? ",\n" : "\n    ]}", stdout);
	}
	return err;
}

static int print_problems(const struct filchi_dupes_run *run)
{
	int err = 0;

	fputs("  \"problems\": [", stdout);
	for (size_t i = 0; i < run->problem_count && !err; i++) {
		const struct filchi_dupes_problem *p = &run->problems[i];

		fputs(i ? ",\n    {" : "\n    {", stdout);
		err = print_name(p->dir, p->name);
		fputs(", \"why\": ", stdout);
		print_string(filchi_dupes_why(p->why));
		fputs("}", stdout);
	}
	fputs(run->problem_count ? "\n  ]\n" : "]\n", stdout);
	return err;
}

int filchi_dupes_print_json(struct filchi_dupes_run *run, bool complete)
{
	struct filchi_dupes_sum sum;
	int err = 0;

	filchi_dupes_sum(run, &sum);
	printf("{\n  \"complete\": %s,\n  \"files\": %" PRIu64 ",\n  \"bytes\": %" PRIu64 ",\n  \"opened\": %" PRIu64
	       ",\n",
	       complete ? "true" : "false", run->totals.files, run->totals.bytes, run->totals.opened);
	printf("  \"duplicates\": {\"groups\": %" PRIu64 ", \"files\": %" PRIu64 ", \"could_go\": %" PRIu64
	       ", \"bytes_saved\": %" PRIu64 "},\n  \"groups\": [",
	       sum.groups, sum.files, sum.could_go, sum.bytes);
	for (size_t i = 0; i < run->found.count && !err; i++) {
		fputs(i ? ",\n" : "\n", stdout);
		err = print_group(run, &run->found.groups[i]);
	}
	fputs(run->found.count ? "\n  ],\n" : "],\n", stdout);
	err = err ? err : print_problems(run);
	fputs("}\n", stdout);
	return err;
}
