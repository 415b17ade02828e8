/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From files to groups of duplicates. Files of one size are compared by their bytes at once if they are few, or short
 * enough for one buffer. Otherwise hashes separate them first: of their first block, then of all bytes.
 */
#include "dupes.h"

#include <errno.h>
#include <filch/algo.h>
#include <stdlib.h>
#include <string.h>

static int order(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

/* Large files first: they take longest. */
static int by_size(const void *a, const void *b, void *arg)
{
	const struct filchi_dupes_file *f = *(struct filchi_dupes_file *const *)a;
	const struct filchi_dupes_file *g = *(struct filchi_dupes_file *const *)b;
	int r = order(g->size, f->size);

	(void)arg;
	r = r ? r : order(f->dev, g->dev);
	r = r ? r : order(f->ino, g->ino);
	return r;
}

static int by_hash(const void *a, const void *b, void *arg)
{
	const struct filchi_dupes_file *f = *(struct filchi_dupes_file *const *)a;
	const struct filchi_dupes_file *g = *(struct filchi_dupes_file *const *)b;
	int r = order(g->size, f->size);

	(void)arg;
	r = r ? r : order(f->hash[0], g->hash[0]);
	r = r ? r : order(f->hash[1], g->hash[1]);
	return r;
}

static int by_place(const void *a, const void *b, void *arg)
{
	const struct filchi_dupes_file *f = *(struct filchi_dupes_file *const *)a;
	const struct filchi_dupes_file *g = *(struct filchi_dupes_file *const *)b;
	int r = order(f->dev, g->dev);

	(void)arg;
	return r ? r : order(f->ino, g->ino);
}

/* With --isolate, files of one DIR are no duplicates of each other. */
static bool counts(const struct filchi_dupes_run *run, struct filchi_dupes_file *const *files, size_t count)
{
	if (count < 2 || !run->set->isolate)
		return count >= 2;
	for (size_t i = 0; i < count; i++)
		for (const struct filchi_dupes_file *f = files[i]; f; f = f->link)
			if (f->dir->root != files[0]->dir->root)
				return true;
	return false;
}

/* Names of one file become one entry. Returns the number of entries. */
static size_t merge_links(struct filchi_dupes_file **files, size_t count)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++) {
		struct filchi_dupes_file *last = kept ? files[kept - 1] : NULL;

		if (last && last->dev == files[i]->dev && last->ino == files[i]->ino && last->size == files[i]->size) {
			files[i]->link = last->link;
			last->link = files[i];
		} else {
			files[kept++] = files[i];
		}
	}
	return kept;
}

/* The end of the files that are equal to the one at `from`. */
static size_t run_end(struct filchi_dupes_file **files, size_t from, size_t count, filch_compare_fn *compare)
{
	size_t to = from + 1;

	while (to < count && !compare(&files[from], &files[to], NULL))
		to++;
	return to;
}

static int same_size(const void *a, const void *b, void *arg)
{
	(void)arg;
	return (*(struct filchi_dupes_file *const *)a)->size != (*(struct filchi_dupes_file *const *)b)->size;
}

/* ---- comparison of groups, in fibers ---- */

static void emit(struct filchi_dupes_run *run, struct filchi_dupes_file **files, size_t count)
{
	if (counts(run, files, count))
		filchi_dupes_found(run, files, count);
}

static void compare_few(struct filchi_dupes_run *run, const struct filchi_dupes_group *g, unsigned char *buffer)
{
	struct filchi_dupes_file *equal[FILCHI_DUPES_MANY];
	unsigned class[FILCHI_DUPES_MANY];

	filchi_dupes_compare(run, g->files, g->count, buffer, class);
	for (size_t i = 0; i < g->count; i++) {
		unsigned this = class[i];
		size_t count = 0;

		for (size_t k = i; this && k < g->count; k++)
			if (class[k] == this) {
				equal[count++] = g->files[k];
				class[k] = 0;
			}
		emit(run, equal, count);
	}
}

/* Compares the first file with all others, some at a time. Files that equal it move to the front: returns how many. */
static size_t compare_first(struct filchi_dupes_run *run, struct filchi_dupes_file **files, size_t count,
			    unsigned char *buffer)
{
	struct filchi_dupes_file *some[FILCHI_DUPES_TOGETHER], *first = files[0];
	unsigned class[FILCHI_DUPES_TOGETHER];
	size_t equal = 1;

	some[0] = first;
	for (size_t at = 1; at < count && !filchi_dupes_stopped(run);) {
		size_t n = count - at < FILCHI_DUPES_TOGETHER - 1 ? count - at : FILCHI_DUPES_TOGETHER - 1;

		memcpy(some + 1, files + at, n * sizeof(struct filchi_dupes_file *));
		filchi_dupes_compare(run, some, n + 1, buffer, class);
		for (size_t i = 1; i <= n; i++, at++)
			if (class[0] && class[i] == class[0]) {
				files[at] = files[equal];
				files[equal++] = some[i];
			}
	}
	return equal;
}

static void compare_many(struct filchi_dupes_run *run, const struct filchi_dupes_group *g, unsigned char *buffer)
{
	struct filchi_dupes_file **files = g->files;
	size_t count = g->count;

	while (count >= 2 && !filchi_dupes_stopped(run)) {
		size_t equal = compare_first(run, files, count, buffer);

		emit(run, files, equal);
		files += equal;
		count -= equal;
	}
}

static void compare_group(struct filchi_dupes_run *run, void *arg, size_t item, unsigned char *buffer)
{
	const struct filchi_dupes_group *g = &((struct filchi_dupes_groups *)arg)->groups[item];

	if (filchi_dupes_fits(g->files[0]->size, g->count))
		compare_few(run, g, buffer);
	else
		compare_many(run, g, buffer);
}

static uint64_t need_of_group(const void *arg, size_t item)
{
	const struct filchi_dupes_group *g = &((const struct filchi_dupes_groups *)arg)->groups[item];
	uint64_t size = g->files[0]->size;

	return size > FILCHI_DUPES_BUFFER / g->count ? FILCHI_DUPES_BUFFER : size * g->count;
}

/* ---- hashes, in fibers ---- */

struct list {
	struct filchi_dupes_file **files;
	size_t count, room;
};
struct hashing {
	struct list *list;
	bool all;
};

static void hash_file(struct filchi_dupes_run *run, void *arg, size_t item, unsigned char *buffer)
{
	struct hashing *h = arg;
	struct filchi_dupes_file **f = &h->list->files[item];

	if (filchi_dupes_cache_get(run, *f, h->all))
		return;
	if (filchi_dupes_hash(run, *f, h->all, buffer)) {
		filchi_dupes_cache_put(run, *f, h->all);
		return;
	}
	filchi_dupes_advance(run, 0, (*f)->size);
	*f = NULL;
}

static uint64_t need_of_hash(const void *arg, size_t item)
{
	const struct hashing *h = arg;
	uint64_t size = h->list->files[item]->size;

	return h->all ? size : size < FILCHI_DUPES_HEAD ? size : FILCHI_DUPES_HEAD;
}

/* Hashes the files of a list, drops those that cannot be read, and sorts it by hash. */
static int hash_files(struct filchi_dupes_run *run, struct list *list, bool all)
{
	struct hashing h = {list, all};
	size_t kept = 0;
	int err = filch_sort(run->pool, list->files, list->count, sizeof(*list->files), by_place, NULL);

	err = err ? err : filchi_dupes_each(run, list->count, hash_file, need_of_hash, &h);
	if (err)
		return err;
	for (size_t i = 0; i < list->count; i++)
		if (list->files[i])
			list->files[kept++] = list->files[i];
	list->count = kept;
	return filch_sort(run->pool, list->files, kept, sizeof(*list->files), by_hash, NULL);
}

/* ---- the steps ---- */

static bool add_group(struct filchi_dupes_groups *to, struct filchi_dupes_file **files, size_t count)
{
	if (!filchi_dupes_grow((void **)&to->groups, &to->room, to->count, sizeof(*to->groups)))
		return false;
	to->groups[to->count++] = (struct filchi_dupes_group){files, count};
	return true;
}

static bool add_files(struct list *to, struct filchi_dupes_file **files, size_t count)
{
	if (!filchi_dupes_grow((void **)&to->files, &to->room, to->count + count, sizeof(*to->files)))
		return false;
	memcpy(to->files + to->count, files, count * sizeof(*files));
	to->count += count;
	return true;
}

/*
 * Whether a group is ready for the comparison: it is small, or a hash of all bytes has separated it already. With a
 * cache, all groups are separated by the hash of the first block: in the next run, these blocks need not be read.
 */
static bool ready(const struct filchi_dupes_run *run, uint64_t size, size_t count, int hashed)
{
	if (run->cache && !hashed)
		return false;
	return filchi_dupes_fits(size, count) || hashed == 2 || (hashed == 1 && size <= FILCHI_DUPES_HEAD);
}

/*
 * Finds the groups in a sorted list. Those that are ready for the comparison go to `to` and the files of others to
 * `rest`. hashed: 0: the files have no hash; 1: of the first block; 2: of all bytes.
 */
static int separate(struct filchi_dupes_run *run, const struct list *list, int hashed, struct filchi_dupes_groups *to,
		    struct list *rest)
{
	for (size_t from = 0, end; from < list->count; from = end) {
		struct filchi_dupes_file **files = list->files + from;
		uint64_t size = files[0]->size;
		size_t count;
		bool good = true;

		end = run_end(list->files, from, list->count, hashed ? by_hash : same_size);
		count = end - from;
		if (!counts(run, files, count))
			filchi_dupes_advance(run, 0, size * count);
		else if (!size)
			emit(run, files, count);
		else if (ready(run, size, count, hashed))
			good = add_group(to, files, count);
		else
			good = add_files(rest, files, count);
		if (!good)
			return -ENOMEM;
	}
	return 0;
}

static void plan_bytes(struct filchi_dupes_run *run, const struct list *list)
{
	pthread_mutex_lock(&run->lock);
	for (size_t i = 0; i < list->count; i++)
		run->totals.to_compare += list->files[i]->size;
	pthread_mutex_unlock(&run->lock);
}

static int compare_groups(struct filchi_dupes_run *run, struct filchi_dupes_groups *groups)
{
	int err = filchi_dupes_each(run, groups->count, compare_group, need_of_group, groups);

	groups->count = 0;
	return err;
}

int filchi_dupes_group(struct filchi_dupes_run *run)
{
	struct list by_hash_1 = {0}, by_hash_2 = {0}, none = {0}, all = {run->files, run->file_count, 0};
	struct filchi_dupes_groups groups = {0};
	int err = filch_sort(run->pool, all.files, all.count, sizeof(*all.files), by_size, NULL);

	if (!err) {
		all.count = merge_links(all.files, all.count);
		plan_bytes(run, &all);
		err = separate(run, &all, 0, &groups, &by_hash_1);
	}
	err = err ? err : compare_groups(run, &groups);
	if (!err && by_hash_1.count && !filchi_dupes_stopped(run)) {
		err = hash_files(run, &by_hash_1, false);
		err = err ? err : separate(run, &by_hash_1, 1, &groups, &by_hash_2);
	}
	if (!err && by_hash_2.count && !filchi_dupes_stopped(run)) {
		plan_bytes(run, &by_hash_2); /* they are read twice */
		err = hash_files(run, &by_hash_2, true);
		err = err ? err : separate(run, &by_hash_2, 2, &groups, &none);
	}
	err = err ? err : compare_groups(run, &groups);
	free(groups.groups);
	free(by_hash_1.files);
	free(by_hash_2.files);
	return err;
}
