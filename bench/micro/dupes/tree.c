/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A tree of the shape that the thesis names: 256 MiB, 600 directories, 2,500 files. A quarter of the files are copies.
 * Sizes differ by a factor of 1,024. The same bytes: the same tree.
 */
#define _GNU_SOURCE
#include "dupes.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define ORIGINALS (FILCHI_DUPES_FILES - FILCHI_DUPES_COPIES)
#define CHUNK 65536u

static uint64_t next_random(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

/* ---- removal ---- */

static int remove_one(const char *path, const struct stat *s, int flag, struct FTW *ftw)
{
	(void)s, (void)flag, (void)ftw;
	return remove(path), 0;
}

/* Another process removes the tree when this one ends, also after a kill. */
static int start_remover(struct filchi_dupes_tree *t)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC))
		return -errno;
	t->remover = fork();
	if (!t->remover) {
		char byte;

		setsid(); /* Ctrl-C is for the other one */
		signal(SIGTERM, SIG_IGN);
		close(ends[1]);
		while (read(ends[0], &byte, 1) < 0 && errno == EINTR)
			;
		nftw(t->path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
		_exit(0);
	}
	close(ends[0]);
	t->pipe = ends[1];
	if (t->remover < 0) {
		close(ends[1]);
		return -EAGAIN;
	}
	return 0;
}

void filchi_dupes_tree_remove(struct filchi_dupes_tree *t)
{
	if (t->remover <= 0)
		return;
	close(t->pipe);
	while (waitpid(t->remover, NULL, 0) < 0 && errno == EINTR)
		;
	t->remover = 0;
}

/* ---- files ---- */

/* The path of directory n: its parent is an earlier one, so that the tree is a few levels deep. */
static void dir_path(const struct filchi_dupes_tree *t, unsigned n, char *out, size_t size)
{
	char below[128] = "";

	for (; n; n = (n - 1) / 6) {
		char longer[128];

		snprintf(longer, sizeof(longer), "/d%u%.100s", n, below);
		strcpy(below, longer);
	}
	snprintf(out, size, "%s%s", t->path, below);
}

/* The content has its number in each 64 bytes, so that two contents differ in each block. */
static int write_file(const char *path, unsigned content, uint64_t size)
{
	uint64_t state = content;
	unsigned char *chunk = malloc(CHUNK);
	int fd = chunk ? open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600) : -1;
	int err = fd < 0 ? -errno : 0;

	for (uint64_t at = 0; !err && at < size;) {
		size_t n = size - at < CHUNK ? (size_t)(size - at) : CHUNK;
		ssize_t written;

		for (size_t i = 0; i < CHUNK; i += 8) {
			uint64_t word = i % 64 ? state : next_random(&state);

			memcpy(chunk + i, &word, 8);
		}
		written = write(fd, chunk, n);
		if (written != (ssize_t)n)
			err = written < 0 ? -errno : -ENOSPC;
		at += n;
	}
	if (fd >= 0 && close(fd) && !err)
		err = -errno;
	free(chunk);
	return err;
}

/* A copy has the number of its original. */
static unsigned content_of(unsigned file)
{
	return file < ORIGINALS ? file : (file - ORIGINALS) * 7 % ORIGINALS;
}

static uint64_t weight(unsigned content)
{
	uint64_t state = content * 31 + 1;

	return (uint64_t)1 << next_random(&state) % 11;
}

static int make_files(const struct filchi_dupes_tree *t, uint64_t bytes)
{
	uint64_t all = 0, state = 1;
	char dir[256], path[300];
	int err = 0;

	for (unsigned i = 0; i < FILCHI_DUPES_FILES; i++)
		all += weight(content_of(i));
	for (unsigned i = 0; i < FILCHI_DUPES_DIRS && !err; i++) {
		dir_path(t, i + 1, dir, sizeof(dir));
		err = mkdir(dir, 0700) ? -errno : 0;
	}
	for (unsigned i = 0; i < FILCHI_DUPES_FILES && !err; i++) {
		uint64_t size = weight(content_of(i)) * bytes / all;

		dir_path(t, 1 + (unsigned)(next_random(&state) % FILCHI_DUPES_DIRS), dir, sizeof(dir));
		snprintf(path, sizeof(path), "%s/f%u", dir, i);
		err = write_file(path, content_of(i), size < 64 ? 64 : size);
	}
	return err;
}

int filchi_dupes_tree_make(struct filchi_dupes_tree *t, uint64_t bytes)
{
	const char *where = getenv("TMPDIR");
	int err;

	snprintf(t->path, sizeof(t->path), "%.120s/filch-bench-XXXXXX", where && *where ? where : "/tmp");
	if (!mkdtemp(t->path))
		return -errno;
	err = start_remover(t);
	if (err) {
		rmdir(t->path);
		return err;
	}
	err = make_files(t, bytes);
	sync(); /* dirty pages cannot be removed from the cache */
	return err;
}

/* ---- the page cache ---- */

static int evict_one(const char *path, const struct stat *s, int flag, struct FTW *ftw)
{
	int fd, err;

	(void)ftw;
	if (flag != FTW_F || !S_ISREG(s->st_mode))
		return 0;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return errno;
	err = posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	close(fd);
	return err;
}

int filchi_dupes_tree_evict(const struct filchi_dupes_tree *t)
{
	int err = nftw(t->path, evict_one, 16, FTW_PHYS);

	return err < 0 ? -errno : -err;
}
