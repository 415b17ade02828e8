/* SPDX-License-Identifier: Apache-2.0 */
/* The result in order: groups by the size of their files, the largest first, and files by path. */
#define _GNU_SOURCE
#include "dupes.h"

#include "print.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- order ---- */

struct named {
	struct filchi_dupes_file *file;
	char *path;
};

static int by_path(const void *a, const void *b)
{
	const struct named *f = a, *g = b;
	uint32_t r = f->file->dir->root, s = g->file->dir->root;

	return r != s ? (r > s) - (r < s) : strcmp(f->path, g->path);
}

/* Sorts files by path. NULL in path: no memory. */
static int sort_files(struct filchi_dupes_file **files, size_t count)
{
	struct named *names = calloc(count ? count : 1, sizeof(*names));
	int err = names ? 0 : -ENOMEM;

	for (size_t i = 0; i < count && !err; i++) {
		names[i] = (struct named){files[i], filchi_dupes_path_new(files[i]->dir, files[i]->name)};
		err = names[i].path ? 0 : -ENOMEM;
	}
	if (!err)
		qsort(names, count, sizeof(*names), by_path);
	for (size_t i = 0; names && i < count; i++) {
		if (!err)
			files[i] = names[i].file;
		free(names[i].path);
	}
	free(names);
	return err;
}

/* Sorts the names of one file. The first one in order becomes the file. */
static int sort_links(struct filchi_dupes_file **file)
{
	struct filchi_dupes_file **names, *f;
	size_t count = 0, i = 0;
	int err;

	if (!(*file)->link)
		return 0;
	for (f = *file; f; f = f->link)
		count++;
	names = malloc(count * sizeof(struct filchi_dupes_file *));
	if (!names)
		return -ENOMEM;
	for (f = *file; f; f = f->link)
		names[i++] = f;
	err = sort_files(names, count);
	for (i = 0; !err && i < count; i++)
		names[i]->link = i + 1 < count ? names[i + 1] : NULL;
	if (!err)
		*file = names[0];
	free(names);
	return err;
}

static int by_size(const void *a, const void *b)
{
	const struct filchi_dupes_file *f = ((const struct filchi_dupes_group *)a)->files[0];
	const struct filchi_dupes_file *g = ((const struct filchi_dupes_group *)b)->files[0];
	struct named first = {(struct filchi_dupes_file *)(uintptr_t)f, NULL},
		     second = {(struct filchi_dupes_file *)(uintptr_t)g, NULL};
	int r;

	if (f->size != g->size)
		return f->size < g->size ? 1 : -1;
	first.path = filchi_dupes_path_new(f->dir, f->name);
	second.path = filchi_dupes_path_new(g->dir, g->name);
	r = first.path && second.path ? by_path(&first, &second) : 0; /* without memory the order is any */
	free(first.path);
	free(second.path);
	return r;
}

int filchi_dupes_sort(struct filchi_dupes_run *run)
{
	int err = 0;

	for (size_t i = 0; i < run->found.count && !err; i++) {
		struct filchi_dupes_group *g = &run->found.groups[i];

		for (size_t k = 0; k < g->count && !err; k++)
			err = sort_links(&g->files[k]);
		err = err ? err : sort_files(g->files, g->count);
	}
	if (!err && run->found.count)
		qsort(run->found.groups, run->found.count, sizeof(*run->found.groups), by_size);
	return err;
}

/* ---- totals ---- */

/* With --isolate the files of the first DIR stay, all of them. */
uint64_t filchi_dupes_could_go(const struct filchi_dupes_run *run, const struct filchi_dupes_group *g)
{
	size_t stay = 1;

	while (run->set->isolate && stay < g->count && g->files[stay]->dir->root == g->files[0]->dir->root)
		stay++;
	return g->count - stay;
}

void filchi_dupes_sum(const struct filchi_dupes_run *run, struct filchi_dupes_sum *sum)
{
	*sum = (struct filchi_dupes_sum){.groups = run->found.count};
	for (size_t i = 0; i < run->found.count; i++) {
		const struct filchi_dupes_group *g = &run->found.groups[i];

		sum->files += g->count;
		sum->could_go += filchi_dupes_could_go(run, g);
		sum->bytes += filchi_dupes_could_go(run, g) * g->files[0]->size;
	}
}

/* ---- formats ---- */

/* A name with a control character, or one that could be read as something else, is printed as $'...' of the shell. */
static bool is_plain(const char *path)
{
	if (*path == ' ' || !strncmp(path, "$'", 2) || !filchi_dupes_is_utf8(path))
		return false;
	for (const unsigned char *p = (const unsigned char *)path; *p; p++)
		if (*p < 0x20 || *p == 0x7f || (*p == 0xc2 && p[1] < 0xa0)) /* C1 controls too */
			return false;
	return true;
}

void filchi_dupes_print_path(FILE *out, const char *path)
{
	if (is_plain(path)) {
		fputs(path, out);
		return;
	}
	fputs("$'", out);
	for (const unsigned char *p = (const unsigned char *)path; *p; p++)
		if (*p == '\\' || *p == '\'')
			fprintf(out, "\\%c", *p);
		else if (*p < 0x20 || *p >= 0x7f)
			fprintf(out, "\\%03o", *p);
		else
			putc(*p, out);
	fputs("'", out);
}

void filchi_dupes_print_bytes(FILE *out, uint64_t bytes)
{
	static const char units[] = "KMGTPE";
	double value = (double)bytes / 1024;
	int unit = 0;

	fprintf(out, "%" PRIu64 " bytes", bytes);
	if (bytes < 1024)
		return;
	for (; value >= 1024; unit++)
		value /= 1024;
	fprintf(out, " (%.1f %ciB)", value, units[unit]);
}

static void print_text(const struct filchi_dupes_group *g, char *path, struct filchi_dupes_file *f, bool other)
{
	if (f == g->files[0] && !other) {
		printf("# %zu files of ", g->count);
		filchi_dupes_print_bytes(stdout, f->size);
		putchar('\n');
	}
	if (other)
		fputs("  = ", stdout);
	filchi_dupes_print_path(stdout, path);
	putchar('\n');
}

/* RFC 4180: quotes around each path, and quotes in it twice. */
static void print_csv(size_t group, size_t file, uint64_t size, const char *path)
{
	printf("%zu,%zu,%" PRIu64 ",\"", group + 1, file + 1, size);
	for (; *path; path++) {
		if (*path == '"')
			putchar('"');
		putchar(*path);
	}
	fputs("\"\r\n", stdout);
}

static int print_file(struct filchi_dupes_run *run, size_t group, size_t file)
{
	const struct filchi_dupes_group *g = &run->found.groups[group];

	for (struct filchi_dupes_file *f = g->files[file]; f; f = f->link) {
		char *path = filchi_dupes_path_new(f->dir, f->name);

		if (!path)
			return -ENOMEM;
		if (run->set->format == FILCHI_DUPES_CSV)
			print_csv(group, file, f->size, path);
		else if (run->set->format == FILCHI_DUPES_TEXT)
			print_text(g, path, f, f != g->files[file]);
		else if (f == g->files[file])
			fwrite(path, strlen(path) + 1, 1, stdout);
		free(path);
	}
	return 0;
}

static void print_totals(struct filchi_dupes_run *run, bool complete)
{
	struct filchi_dupes_sum sum;

	filchi_dupes_sum(run, &sum);
	printf("# %" PRIu64 " files looked at, ", run->totals.files);
	filchi_dupes_print_bytes(stdout, run->totals.bytes);
	printf("; %" PRIu64 " groups of duplicates\n# %" PRIu64 " files could go, ", sum.groups, sum.could_go);
	filchi_dupes_print_bytes(stdout, sum.bytes);
	fputs(" saved\n", stdout);
	if (run->problem_count)
		printf("# %zu could not be read or have changed\n", run->problem_count);
	if (!complete)
		fputs("# stopped early: there may be more\n", stdout);
}

int filchi_dupes_print(struct filchi_dupes_run *run, bool complete)
{
	enum filchi_dupes_format format = run->set->format;
	int err = 0;

	if (format == FILCHI_DUPES_JSON)
		return filchi_dupes_print_json(run, complete);
	if (format == FILCHI_DUPES_CSV)
		fputs("group,file,size,path\r\n", stdout);
	for (size_t i = 0; i < run->found.count && format != FILCHI_DUPES_SUMMARY && !err; i++) {
		for (size_t k = 0; k < run->found.groups[i].count && !err; k++)
			err = print_file(run, i, k);
		if (format == FILCHI_DUPES_TEXT)
			putchar('\n');
		else if (format == FILCHI_DUPES_NULL)
			putchar(0);
	}
	if (format == FILCHI_DUPES_TEXT || format == FILCHI_DUPES_SUMMARY)
		print_totals(run, complete);
	return err;
}

const char *filchi_dupes_why(int why)
{
	return why == FILCHI_DUPES_CHANGED ? "changed while it was read"
	       : why == ENOENT		   ? "vanished, or does not exist"
					   : strerror(why);
}

void filchi_dupes_print_problems(struct filchi_dupes_run *run, const char *command)
{
	for (size_t i = 0; i < run->problem_count; i++) {
		const struct filchi_dupes_problem *p = &run->problems[i];
		char *path = filchi_dupes_path_new(p->dir, p->name);

		fprintf(stderr, "%s: ", command);
		filchi_dupes_print_path(stderr, path ? path : "(no memory for the path)");
		fprintf(stderr, ": %s\n", filchi_dupes_why(p->why));
		free(path);
	}
}
