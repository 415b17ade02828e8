/* SPDX-License-Identifier: Apache-2.0 */
/* The order of the result: groups by the size of their files, the largest first, and files by path. */
#include "dupes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

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
