/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The search of the thesis: a fiber for each directory and each file. A file is read in blocks of 4,096 bytes, and its
 * hash goes into a map. In the end, files with the same hash are compared block by block with the first of them. Fibers
 * may go on in another worker after they have waited for the disk.
 */
#define _GNU_SOURCE
#include "dupes.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <filch/fiber.h>
#include <filch/io.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK 4096u
#define BUCKETS 4096u

struct file {
	struct file *next; /* in its bucket */
	struct finder *finder;
	struct file *original; /* to compare with */
	uint64_t hash, size;
	char path[];
};

struct dir {
	struct finder *finder;
	char path[];
};

struct finder {
	struct filch_pool *pool;
	unsigned load;
	struct filch_fiber_mutex mutex; /* of pending */
	struct filch_fiber_cond done;
	size_t pending;
	pthread_mutex_t lock; /* of all below; held for some instructions, never over a wait */
	int error;
	uint64_t files, duplicates, sink;
	struct file *map[BUCKETS];
};

static void note_error(struct finder *f, int err)
{
	pthread_mutex_lock(&f->lock);
	if (!f->error)
		f->error = err;
	pthread_mutex_unlock(&f->lock);
}

/* ---- fibers ---- */

static void end_fiber(struct finder *f)
{
	filch_fiber_mutex_lock(&f->mutex);
	if (!--f->pending)
		filch_fiber_cond_signal(&f->done);
	filch_fiber_mutex_unlock(&f->mutex);
}

static void start_fiber(struct finder *f, filch_job_fn *fn, void *arg)
{
	int err;

	filch_fiber_mutex_lock(&f->mutex);
	f->pending++;
	filch_fiber_mutex_unlock(&f->mutex);
	err = filch_fiber_start(NULL, f->pool, fn, arg, NULL);
	if (err) {
		note_error(f, err);
		free(arg);
		end_fiber(f);
	}
}

static void wait_for_all(struct finder *f)
{
	filch_fiber_mutex_lock(&f->mutex);
	while (f->pending)
		filch_fiber_cond_wait(&f->done, &f->mutex);
	filch_fiber_mutex_unlock(&f->mutex);
}

/* ---- files ---- */

static uint64_t mix(uint64_t h, const unsigned char *bytes, size_t n)
{
	uint64_t word;

	for (size_t i = 0; i < n; i += 8) {
		word = 0;
		memcpy(&word, bytes + i, n - i < 8 ? n - i : 8);
		h = (h ^ word) * 0x9e3779b97f4a7c15u;
		h ^= h >> 29;
	}
	return h;
}

/* The artificial load: each round depends on the one before. */
static uint64_t work(unsigned rounds, uint64_t h)
{
	for (unsigned i = 0; i < rounds; i++)
		h = h * 6364136223846793005u + 1442695040888963407u;
	return h;
}

static void put_into_map(struct file *file)
{
	struct finder *f = file->finder;
	struct file **bucket = &f->map[file->hash % BUCKETS];

	pthread_mutex_lock(&f->lock);
	file->next = *bucket;
	*bucket = file;
	f->files++;
	pthread_mutex_unlock(&f->lock);
}

static int hash_file(void *arg, void **result)
{
	struct file *file = arg;
	struct finder *f = file->finder;
	unsigned char block[BLOCK];
	uint64_t load = 0;
	int fd = filch_io_openat(AT_FDCWD, file->path, O_RDONLY | O_CLOEXEC, 0);
	ssize_t n = fd;

	(void)result;
	while (fd >= 0 && (n = filch_io_read(fd, block, sizeof(block), (int64_t)file->size)) > 0) {
		file->hash = mix(file->hash, block, (size_t)n);
		file->size += (uint64_t)n;
		load += work(f->load, file->hash);
	}
	if (fd >= 0)
		(void)filch_io_close(fd);
	if (n < 0) {
		note_error(f, (int)n);
		free(file);
	} else {
		put_into_map(file);
	}
	pthread_mutex_lock(&f->lock);
	f->sink += load;
	pthread_mutex_unlock(&f->lock);
	end_fiber(f);
	return 0;
}

static bool same(int a, int b)
{
	unsigned char blocks[2][BLOCK];
	int64_t at = 0;
	ssize_t n, m;

	do {
		n = filch_io_read(a, blocks[0], BLOCK, at);
		m = filch_io_read(b, blocks[1], BLOCK, at);
		at += n;
	} while (n > 0 && n == m && !memcmp(blocks[0], blocks[1], (size_t)n));
	return n == 0 && m == 0;
}

static int compare_file(void *arg, void **result)
{
	struct file *file = arg;
	struct finder *f = file->finder;
	int a = filch_io_openat(AT_FDCWD, file->original->path, O_RDONLY | O_CLOEXEC, 0);
	int b = filch_io_openat(AT_FDCWD, file->path, O_RDONLY | O_CLOEXEC, 0);
	bool equal = a >= 0 && b >= 0 && same(a, b);

	(void)result;
	if (a < 0 || b < 0)
		note_error(f, a < 0 ? a : b);
	if (a >= 0)
		(void)filch_io_close(a);
	if (b >= 0)
		(void)filch_io_close(b);
	pthread_mutex_lock(&f->lock);
	f->duplicates += equal;
	pthread_mutex_unlock(&f->lock);
	end_fiber(f);
	return 0;
}

/* ---- directories ---- */

struct entry { /* of getdents64(2) */
	uint64_t ino;
	int64_t off;
	uint16_t length;
	uint8_t type;
	char name[];
};

static int visit(void *arg, void **result);

static void add_entry(struct finder *f, const char *path, const struct entry *e)
{
	size_t length = strlen(path) + strlen(e->name) + 2;
	struct file *file;
	struct dir *dir;

	if (e->type == DT_REG && (file = calloc(1, sizeof(*file) + length))) {
		file->finder = f;
		snprintf(file->path, length, "%s/%s", path, e->name);
		start_fiber(f, hash_file, file);
	} else if (e->type == DT_DIR && (dir = malloc(sizeof(*dir) + length))) {
		dir->finder = f;
		snprintf(dir->path, length, "%s/%s", path, e->name);
		start_fiber(f, visit, dir);
	} else if (e->type == DT_REG || e->type == DT_DIR) {
		note_error(f, -ENOMEM);
	}
}

static int visit(void *arg, void **result)
{
	struct dir *dir = arg;
	struct finder *f = dir->finder;
	_Alignas(8) char entries[8192];
	int fd = filch_io_openat(AT_FDCWD, dir->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
	ssize_t n = fd;

	(void)result;
	while (fd >= 0 && (n = filch_io_getdents(fd, entries, sizeof(entries))) > 0)
		for (ssize_t at = 0; at < n;) {
			const struct entry *e = (const void *)(entries + at);

			if (strcmp(e->name, ".") != 0 && strcmp(e->name, "..") != 0)
				add_entry(f, dir->path, e);
			at += e->length;
		}
	if (fd >= 0)
		(void)filch_io_close(fd);
	if (n < 0)
		note_error(f, (int)n);
	free(dir);
	end_fiber(f);
	return 0;
}

/* ---- the whole ---- */

/* The first file of each hash and size is the original of the others. */
static void compare_all(struct finder *f)
{
	for (size_t i = 0; i < BUCKETS; i++)
		for (struct file *file = f->map[i]; file; file = file->next)
			for (struct file *other = file->next; other && !file->original; other = other->next)
				if (!other->original && other->hash == file->hash && other->size == file->size) {
					other->original = file;
				}
	for (size_t i = 0; i < BUCKETS; i++)
		for (struct file *file = f->map[i]; file; file = file->next)
			if (file->original)
				start_fiber(f, compare_file, file);
	wait_for_all(f);
}

int filchi_dupes_find(struct filch_pool *pool, const char *path, unsigned load, struct filchi_dupes_answer *answer)
{
	struct finder *f = calloc(1, sizeof(*f));
	struct dir *dir = f ? malloc(sizeof(*dir) + strlen(path) + 1) : NULL;
	int err;

	if (!dir) {
		free(f);
		return -ENOMEM;
	}
	*f = (struct finder){.pool = pool, .load = load};
	pthread_mutex_init(&f->lock, NULL);
	dir->finder = f;
	strcpy(dir->path, path);
	start_fiber(f, visit, dir);
	wait_for_all(f);
	if (!f->error)
		compare_all(f);
	*answer = (struct filchi_dupes_answer){f->files, f->duplicates};
	err = f->error;
	for (size_t i = 0; i < BUCKETS; i++)
		for (struct file *file = f->map[i], *next; file; file = next) {
			next = file->next;
			free(file);
		}
	pthread_mutex_destroy(&f->lock);
	free(f);
	return err;
}
