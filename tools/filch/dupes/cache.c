/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The cache of hashes, in one file: a first line, and then records of one size with a checksum each. Records are only
 * appended, so a killed process leaves at most a part of the last one, which is cut off. If most records are out of
 * date, the file is written anew beside it and renamed.
 *
 * A hash from the cache only separates files. Files with the same hash are compared byte by byte, as without a cache.
 * So a wrong cache can hide a duplicate, but never cause a wrong one.
 */
#define _GNU_SOURCE
#include "dupes.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define FIRST "filch dupes cache 1\n" /* followed by a word that shows the order of bytes */
#define ORDER 0x0102030405060708u
#define FIRST_SIZE (sizeof(FIRST) - 1 + sizeof(uint64_t))
#define BUFFERED 1024u	     /* records */
#define SETTLED 2000000000ll /* nanoseconds: a younger change may be followed by one with the same time */

struct record {
	uint64_t ino, size;
	int64_t mtime, ctime;
	uint64_t hash[2];
	uint32_t dev, all; /* all: the hash is of all bytes, not of the first block */
	uint64_t sum;	   /* of the words before */
};

struct filchi_dupes_cache {
	int fd;		      /* -1: only for reading */
	struct record *table; /* by device, inode and all; ino 0: free */
	size_t count, room;
	size_t in_file; /* records */
	int64_t begin;	/* of the run */
	int error;
	size_t buffered;
	struct record buffer[BUFFERED];
};

static uint64_t checksum(const struct record *r)
{
	uint64_t words[sizeof(*r) / 8], sum = 0x243f6a8885a308d3u;

	memcpy(words, r, sizeof(*r));
	for (size_t i = 0; i + 1 < sizeof(words) / sizeof(words[0]); i++) {
		sum = (sum ^ words[i]) * 0x9e3779b97f4a7c15u;
		sum ^= sum >> 32;
	}
	return sum;
}

/* ---- the table ---- */

static struct record *find(struct filchi_dupes_cache *c, uint32_t dev, uint64_t ino, bool all)
{
	size_t i = (size_t)((ino ^ (uint64_t)dev << 40 ^ (uint64_t)all << 63) * 0x9e3779b97f4a7c15u >> 20);

	for (;; i++) {
		struct record *r = &c->table[i & (c->room - 1)];

		if (!r->ino || (r->ino == ino && r->dev == dev && r->all == all))
			return r;
	}
}

static int grow(struct filchi_dupes_cache *c)
{
	struct record *old = c->table, *table;
	size_t room = c->room;

	if (c->count < room / 2)
		return 0;
	table = calloc(room ? 2 * room : 1024, sizeof(*table));
	if (!table)
		return -ENOMEM;
	c->table = table;
	c->room = room ? 2 * room : 1024;
	for (size_t i = 0; i < room; i++)
		if (old[i].ino)
			*find(c, old[i].dev, old[i].ino, old[i].all) = old[i];
	free(old);
	return 0;
}

static int keep(struct filchi_dupes_cache *c, const struct record *r)
{
	struct record *to;
	int err = grow(c);

	if (err)
		return err;
	to = find(c, r->dev, r->ino, r->all);
	c->count += !to->ino;
	*to = *r;
	return 0;
}

/* ---- the file ---- */

static int write_all(int fd, const void *bytes, size_t n)
{
	const char *p = bytes;

	while (n) {
		ssize_t r = write(fd, p, n);

		if (r < 0 && errno != EINTR)
			return -errno;
		p += r > 0 ? r : 0;
		n -= r > 0 ? (size_t)r : 0;
	}
	return 0;
}

static int write_first(int fd)
{
	const uint64_t order = ORDER;
	int err = write_all(fd, FIRST, sizeof(FIRST) - 1);

	return err ? err : write_all(fd, &order, sizeof(order));
}

/* Reads all records. -EPROTO: it is another file, or of another kind of machine. */
static int load(struct filchi_dupes_cache *c, FILE *in)
{
	char first[FIRST_SIZE];
	uint64_t order;
	struct record r;
	size_t n = fread(first, 1, sizeof(first), in);
	int err = 0;

	if (!n)
		return c->fd >= 0 ? write_first(c->fd) : 0;
	memcpy(&order, first + sizeof(FIRST) - 1, sizeof(order));
	if (n != sizeof(first) || memcmp(first, FIRST, sizeof(FIRST) - 1) != 0 || order != ORDER)
		return -EPROTO;
	for (; !err && fread(&r, sizeof(r), 1, in) == 1; c->in_file++)
		if (r.sum == checksum(&r) && r.ino)
			err = keep(c, &r);
	/* What follows is a part of a record. */
	if (!err && c->fd >= 0 && ftruncate(c->fd, (off_t)(FIRST_SIZE + c->in_file * sizeof(r))))
		err = -errno;
	return err;
}

/* Another run may use the cache at the same time: then this one only reads. */
int filchi_dupes_cache_open(struct filchi_dupes_run *run)
{
	struct filchi_dupes_cache *c = calloc(1, sizeof(*c));
	int fd = c ? open(run->set->cache, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY, 0600) : -1;
	FILE *in = fd >= 0 ? fdopen(dup(fd), "r") : NULL;
	struct timespec now;
	struct stat s;
	int err = !c ? -ENOMEM : !in ? -errno : 0;

	if (!err && (fstat(fd, &s) || !S_ISREG(s.st_mode)))
		err = -EPROTO;
	if (!err) {
		clock_gettime(CLOCK_REALTIME, &now);
		c->begin = now.tv_sec * 1000000000ll + now.tv_nsec;
		c->fd = flock(fd, LOCK_EX | LOCK_NB) ? -1 : fd;
		err = grow(c);
		err = err ? err : load(c, in);
	}
	if (in)
		fclose(in);
	if (fd >= 0 && (err || c->fd < 0))
		close(fd);
	if (err) {
		if (c)
			free(c->table);
		free(c);
		return err;
	}
	run->cache = c;
	return 0;
}

bool filchi_dupes_cache_get(struct filchi_dupes_run *run, struct filchi_dupes_file *f, bool all)
{
	struct record *r;
	bool found;

	if (!run->cache)
		return false;
	pthread_mutex_lock(&run->lock);
	r = find(run->cache, f->dev, f->ino, all);
	found = r->ino && r->size == f->size && r->mtime == f->mtime && r->ctime == f->ctime;
	if (found)
		memcpy(f->hash, r->hash, sizeof(f->hash));
	pthread_mutex_unlock(&run->lock);
	return found;
}

static void flush(struct filchi_dupes_cache *c)
{
	if (c->fd >= 0 && !c->error)
		c->error = write_all(c->fd, c->buffer, c->buffered * sizeof(c->buffer[0]));
	c->buffered = 0;
}

void filchi_dupes_cache_put(struct filchi_dupes_run *run, const struct filchi_dupes_file *f, bool all)
{
	struct filchi_dupes_cache *c = run->cache;
	struct record r = {
		.ino = f->ino, .size = f->size, .mtime = f->mtime, .ctime = f->ctime, .dev = f->dev, .all = all};

	if (!c || f->ctime > c->begin - SETTLED || !f->ino)
		return;
	memcpy(r.hash, f->hash, sizeof(r.hash));
	r.sum = checksum(&r);
	pthread_mutex_lock(&run->lock);
	if (!keep(c, &r)) {
		c->buffer[c->buffered++] = r;
		c->in_file++;
		if (c->buffered == BUFFERED)
			flush(c);
	}
	pthread_mutex_unlock(&run->lock);
}

/* Writes the records of the table to another file, which then gets the name. */
static int compact(struct filchi_dupes_cache *c, const char *path)
{
	size_t length = strlen(path) + 32;
	char *beside = malloc(length);
	int fd, err = 0;

	if (!beside)
		return -ENOMEM;
	snprintf(beside, length, "%s.new-%ld", path, (long)getpid());
	fd = open(beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	err = fd < 0 ? -errno : write_first(fd);
	for (size_t i = 0; i < c->room && !err; i++)
		if (c->table[i].ino)
			err = write_all(fd, &c->table[i], sizeof(c->table[i]));
	if (!err && (fsync(fd) || rename(beside, path)))
		err = -errno;
	if (fd >= 0) {
		close(fd);
		if (err)
			unlink(beside);
	}
	free(beside);
	return err;
}

int filchi_dupes_cache_close(struct filchi_dupes_run *run)
{
	struct filchi_dupes_cache *c = run->cache;
	int err;

	if (!c)
		return 0;
	flush(c);
	if (c->fd >= 0 && !c->error && c->in_file > 2 * c->count + BUFFERED)
		c->error = compact(c, run->set->cache);
	if (c->fd >= 0)
		close(c->fd);
	err = c->error;
	free(c->table);
	free(c);
	run->cache = NULL;
	return err;
}
