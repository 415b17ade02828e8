/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compares files of one size by their bytes. All are read together, block by block, and each file is read once. After
 * each block the files are in classes of equal content so far; a file that is alone in its class is dropped.
 *
 * A file counts only if, after its last byte was read, it is still what the walk has seen.
 */
#define _GNU_SOURCE
#include "dupes.h"

#include <errno.h>
#include <fcntl.h>
#include <filch/io.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define CHECKED (STATX_TYPE | STATX_SIZE | STATX_INO | STATX_MTIME | STATX_CTIME)

int filchi_dupes_file_open(struct filchi_dupes_run *run, struct filchi_dupes_file *f)
{
	int fd = filchi_dupes_open_near(f->dir, f->name, O_RDONLY);

	/* A symbolic link, or none at all: another process has changed the tree. */
	if (fd < 0)
		filchi_dupes_problem(run, f->dir, f->name, fd == -ELOOP ? FILCHI_DUPES_CHANGED : -fd);
	pthread_mutex_lock(&run->lock);
	run->totals.opened++;
	pthread_mutex_unlock(&run->lock);
	return fd;
}

static int64_t nanoseconds(struct statx_timestamp t)
{
	return t.tv_sec * 1000000000 + (int64_t)t.tv_nsec;
}

bool filchi_dupes_is_same(const struct filchi_dupes_file *f, const struct statx *s)
{
	return S_ISREG(s->stx_mode) && (s->stx_dev_major << 20 | s->stx_dev_minor) == f->dev && s->stx_ino == f->ino &&
	       s->stx_size == f->size && nanoseconds(s->stx_mtime) == f->mtime && nanoseconds(s->stx_ctime) == f->ctime;
}

bool filchi_dupes_file_done(struct filchi_dupes_run *run, struct filchi_dupes_file *f, int fd)
{
	struct statx s;
	int err = filch_io_statx(fd, "", AT_EMPTY_PATH, CHECKED, &s);
	bool same = !err && filchi_dupes_is_same(f, &s);

	filch_io_close(fd);
	if (!same)
		filchi_dupes_problem(run, f->dir, f->name, err ? -err : FILCHI_DUPES_CHANGED);
	return same;
}

/* With an offset, a FIFO in the place of the file is an error and no wait. */
bool filchi_dupes_file_read(struct filchi_dupes_run *run, struct filchi_dupes_file *f, int fd, void *buf, size_t n,
			    uint64_t offset)
{
	ssize_t r = filch_io_read(fd, buf, n, (int64_t)offset);

	if (r == (ssize_t)n)
		return true;
	filchi_dupes_problem(run, f->dir, f->name, r >= 0 || r == -ESPIPE ? FILCHI_DUPES_CHANGED : (int)-r);
	return false;
}

/* A short file is one block. */
static size_t first_block(uint64_t size, size_t count)
{
	if (size <= 2 * FILCHI_DUPES_HEAD && size * count <= FILCHI_DUPES_BUFFER)
		return (size_t)size;
	return FILCHI_DUPES_HEAD;
}

bool filchi_dupes_fits(uint64_t size, size_t count)
{
	return count <= FILCHI_DUPES_TOGETHER ||
	       (count <= FILCHI_DUPES_MANY && first_block(size, count) == size && size * count <= FILCHI_DUPES_BUFFER);
}

/* Files that are being compared. The files before `live` are still in; the place of each is its block in the buffer. */
struct comparison {
	struct filchi_dupes_run *run;
	struct filchi_dupes_file **files;
	unsigned char *buffer;
	uint64_t size, offset;
	unsigned *class;			 /* of all files */
	unsigned at[FILCHI_DUPES_MANY];		 /* the number of the live file */
	unsigned was[FILCHI_DUPES_MANY];	 /* its class before this block */
	int fd[FILCHI_DUPES_MANY];		 /* -1: closed */
	unsigned rep[FILCHI_DUPES_MANY];	 /* the first file of each class; from 1 on */
	unsigned size_of[FILCHI_DUPES_MANY + 1]; /* of each class */
	unsigned live, classes;
};

static void drop(struct comparison *c, unsigned place)
{
	c->class[c->at[place]] = 0;
	if (c->fd[place] >= 0)
		filch_io_close(c->fd[place]);
	c->fd[place] = -1;
}

/* Reads the block of one file. The file is closed after its last block. */
static bool read_block(struct comparison *c, unsigned place, size_t block)
{
	struct filchi_dupes_file *f = c->files[c->at[place]];
	int fd = c->fd[place];

	if (!c->offset)
		fd = c->fd[place] = filchi_dupes_file_open(c->run, f);
	if (fd < 0 || !filchi_dupes_file_read(c->run, f, fd, c->buffer + place * block, block, c->offset))
		return false;
	if (c->offset + block < c->size)
		return true;
	c->fd[place] = -1;
	return filchi_dupes_file_done(c->run, f, fd);
}

/* Splits the classes by this block. */
static void split(struct comparison *c, size_t block)
{
	unsigned count = 0;

	for (unsigned i = 0; i < c->live; i++) {
		unsigned *class = &c->class[c->at[i]];
		unsigned k;

		c->was[i] = *class;
		if (!*class)
			continue;
		for (k = 0; k < count; k++)
			if (c->was[c->rep[k]] == c->was[i] &&
			    !memcmp(c->buffer + c->rep[k] * block, c->buffer + i * block, block))
				break;
		if (k == count) {
			c->rep[count++] = i;
			c->size_of[k + 1] = 0;
		}
		*class = k + 1;
		c->size_of[k + 1]++;
	}
	c->classes = count;
}

/* Drops files that are alone, and moves the others together. */
static void keep_equal(struct comparison *c, size_t block)
{
	unsigned kept = 0;
	uint64_t rest = c->size - c->offset - block, needless = 0;

	for (unsigned i = 0; i < c->live; i++) {
		unsigned class = c->class[c->at[i]];

		if (!class || c->size_of[class] < 2) {
			drop(c, i);
			needless += rest;
			continue;
		}
		c->at[kept] = c->at[i];
		c->fd[kept++] = c->fd[i];
	}
	c->live = kept;
	filchi_dupes_advance(c->run, 0, needless);
}

static void compare_block(struct comparison *c, size_t block)
{
	for (unsigned i = 0; i < c->live; i++)
		if (!read_block(c, i, block))
			drop(c, i);
	split(c, block);
	keep_equal(c, block);
}

static size_t next_block(const struct comparison *c)
{
	uint64_t rest = c->size - c->offset;
	size_t most = FILCHI_DUPES_BUFFER / c->live & ~(size_t)4095;

	return rest < most ? (size_t)rest : most;
}

void filchi_dupes_compare(struct filchi_dupes_run *run, struct filchi_dupes_file **files, size_t count,
			  unsigned char *buffer, unsigned *class)
{
	struct comparison c = {.run = run, .files = files, .buffer = buffer, .size = files[0]->size, .class = class};
	size_t block = first_block(c.size, count);
	bool stop = false;

	for (c.live = 0; c.live < count; c.live++) {
		c.at[c.live] = c.live;
		c.fd[c.live] = -1;
		class[c.live] = 1;
	}
	while (c.live && c.offset < c.size && !stop) {
		unsigned live = c.live;

		compare_block(&c, block);
		c.offset += block;
		stop = filchi_dupes_advance(run, live * block, 0) && c.offset < c.size;
		if (c.live)
			block = next_block(&c);
	}
	for (unsigned i = 0; stop && i < c.live; i++)
		drop(&c, i);
}
