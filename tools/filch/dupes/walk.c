/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The walk: a fiber per directory. It opens the directory through the descriptor of the parent, reads all entries, asks
 * for the status of files, and then starts a fiber for each directory in it. A directory stays open, so that the files
 * and directories in it are opened quickly. If many are open, a directory is closed after its directories are opened.
 * At the limit it is closed at once, and its directories are opened from the DIR on.
 */
#define _GNU_SOURCE
#include "walk.h"

#include <errno.h>
#include <fcntl.h>
#include <filch/io.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

struct filchi_dupes_walk {
	struct filch_fiber_mutex mutex; /* of pending */
	struct filch_fiber_cond done;
	size_t pending; /* directories that are not done */
	/* Under the lock of the run: directories that were seen, as a table with free places, and open ones. */
	struct place {
		uint64_t ino;
		uint32_t dev;
		bool used;
	} * seen;
	size_t seen_count, seen_room, open, open_most;
	struct filchi_dupes_dir *kept; /* open directories */
};

#define OPEN_MOST 8192u /* directories: more of them would fill the memory of the system */

/* ---- directories that were seen ---- */

static struct place *find_place(struct filchi_dupes_walk *w, uint32_t dev, uint64_t ino)
{
	size_t i = (size_t)((ino ^ (uint64_t)dev << 40) * 0x9e3779b97f4a7c15u >> 20);

	for (;; i++) {
		struct place *p = &w->seen[i & (w->seen_room - 1)];

		if (!p->used || (p->ino == ino && p->dev == dev))
			return p;
	}
}

static int make_room(struct filchi_dupes_walk *w)
{
	struct place *old = w->seen;
	size_t old_room = w->seen_room;

	if (w->seen_room && w->seen_count < w->seen_room / 2)
		return 0;
	w->seen_room = old_room ? 2 * old_room : 256;
	w->seen = calloc(w->seen_room, sizeof(*w->seen));
	if (!w->seen) {
		w->seen = old;
		w->seen_room = old_room;
		return -ENOMEM;
	}
	for (size_t i = 0; i < old_room; i++)
		if (old[i].used)
			*find_place(w, old[i].dev, old[i].ino) = old[i];
	free(old);
	return 0;
}

/* 1: it is new. A DIR inside of another, or a directory that is mounted twice, is visited once. */
static int is_new(struct filchi_dupes_run *run, const struct filchi_dupes_dir *d)
{
	struct filchi_dupes_walk *w = run->walk;
	struct place *p;
	int r;

	pthread_mutex_lock(&run->lock);
	r = make_room(w);
	if (!r) {
		p = find_place(w, d->dev, d->ino);
		r = !p->used;
		w->seen_count += !p->used;
		*p = (struct place){d->ino, d->dev, true};
	}
	pthread_mutex_unlock(&run->lock);
	return r;
}

/* ---- opening ---- */

/* Under the lock, when all directories in d are opened. Returns the descriptor to close, or -1. */
static int keep_or_close(struct filchi_dupes_walk *w, struct filchi_dupes_dir *d)
{
	int fd = d->fd;

	if (w->open <= w->open_most / 2) {
		d->next = w->kept;
		w->kept = d;
		return -1;
	}
	d->fd = -1;
	w->open--;
	return fd;
}

void filchi_dupes_walk_end(struct filchi_dupes_run *run)
{
	for (struct filchi_dupes_dir *d = run->walk ? run->walk->kept : NULL; d; d = d->next) {
		close(d->fd);
		d->fd = -1;
	}
	if (run->walk)
		run->walk->kept = NULL;
}

/* One directory in d is opened, or given up. */
static void release(struct filchi_dupes_run *run, struct filchi_dupes_dir *d)
{
	int fd = -1;

	pthread_mutex_lock(&run->lock);
	if (!--d->opens && d->parent && d->fd >= 0)
		fd = keep_or_close(run->walk, d);
	pthread_mutex_unlock(&run->lock);
	if (fd >= 0)
		filch_io_close(fd);
}

static int identify(struct filchi_dupes_dir *d, int fd)
{
	struct statx s;
	int err = filch_io_statx(fd, "", AT_EMPTY_PATH, FILCHI_DUPES_STATUS, &s);

	if (err)
		return err;
	d->dev = filchi_dupes_device(&s);
	d->ino = s.stx_ino;
	return 0;
}

static int open_dir(struct filchi_dupes_dir *d)
{
	struct filchi_dupes_dir *parent = d->parent;
	int fd, err;

	if (parent->fd >= 0) /* d counts in parent->opens, so that it stays */
		fd = filch_io_openat(parent->fd, d->name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK,
				     0);
	else
		fd = filchi_dupes_open(parent, d->name, O_RDONLY | O_DIRECTORY);
	if (fd < 0)
		return fd;
	err = identify(d, fd);
	if (err) {
		filch_io_close(fd);
		return err;
	}
	return fd;
}

static bool keep_files(struct filchi_dupes_run *run, struct filchi_dupes_listing *l)
{
	bool kept = true;

	pthread_mutex_lock(&run->lock);
	run->totals.files += l->totals.files;
	run->totals.bytes += l->totals.bytes;
	run->totals.special += l->totals.special;
	run->totals.directories++;
	for (struct filchi_dupes_file *f = l->files, *next; f && kept; f = next) {
		next = f->link;
		f->link = NULL;
		kept = filchi_dupes_grow((void **)&run->files, &run->file_room, run->file_count, sizeof(*run->files));
		if (kept)
			run->files[run->file_count++] = f;
	}
	pthread_mutex_unlock(&run->lock);
	return kept;
}

/* ---- the fibers ---- */

static void add_pending(struct filchi_dupes_walk *w, size_t count)
{
	filch_fiber_mutex_lock(&w->mutex);
	w->pending += count;
	filch_fiber_mutex_unlock(&w->mutex);
}

static void end_pending(struct filchi_dupes_walk *w)
{
	filch_fiber_mutex_lock(&w->mutex);
	if (!--w->pending)
		filch_fiber_cond_signal(&w->done);
	filch_fiber_mutex_unlock(&w->mutex);
}

static int visit(void *arg, void **result);

static void start_dirs(struct filchi_dupes_run *run, struct filchi_dupes_dir *first, size_t count)
{
	int err = 0;

	add_pending(run->walk, count);
	for (struct filchi_dupes_dir *d = first, *next; d; d = next) {
		next = d->next; /* before its fiber runs */
		err = err ? err : filch_fiber_start(NULL, run->pool, visit, d, NULL);
		if (err) {
			filchi_dupes_fail(run, err);
			release(run, d->parent);
			end_pending(run->walk);
		}
	}
}

/* Reads the directory, and starts the fibers of those in it. */
static void list(struct filchi_dupes_run *run, struct filchi_dupes_dir *d, int fd)
{
	struct filchi_dupes_arena *arena = filchi_dupes_arena_take(run);
	struct filchi_dupes_listing l = {0};
	int err = arena ? filchi_dupes_list(arena, d, fd, &l) : -ENOMEM;
	size_t count = d->opens;
	int to_close = d->parent ? fd : -1;

	if (arena)
		filchi_dupes_arena_give(run, arena);
	if (err == -ENOMEM || !keep_files(run, &l))
		filchi_dupes_fail(run, -ENOMEM);
	else if (err < 0)
		filchi_dupes_problem(run, d, NULL, -err);
	pthread_mutex_lock(&run->lock);
	if (d->parent && run->walk->open < run->walk->open_most) {
		run->walk->open++;
		d->fd = fd;
		to_close = count ? -1 : keep_or_close(run->walk, d);
	}
	pthread_mutex_unlock(&run->lock);
	if (to_close >= 0)
		filch_io_close(to_close);
	if (count)
		start_dirs(run, l.dirs, count);
}

static int visit(void *arg, void **result)
{
	struct filchi_dupes_dir *d = arg;
	struct filchi_dupes_run *run = d->run;
	int fd = filchi_dupes_stopped(run) ? -ECANCELED : open_dir(d);

	(void)result;
	release(run, d->parent);
	if (fd >= 0) {
		bool other = run->set->one_file_system && d->dev != run->roots[d->root]->dev;
		int fresh = other ? 0 : is_new(run, d);

		if (fresh < 0)
			filchi_dupes_fail(run, fresh);
		if (fresh > 0)
			list(run, d, fd);
		else
			filch_io_close(fd);
	} else if (fd != -ECANCELED) {
		filchi_dupes_problem(run, d, NULL, -fd);
	}
	end_pending(run->walk);
	return 0;
}

/* ---- the DIRs ---- */

/* A trailing slash, or a DIR that is a symbolic link, is the user's wish. A DIR given twice is visited once. */
static int open_roots(struct filchi_dupes_run *run, struct filchi_dupes_arena *arena)
{
	for (unsigned i = 0; i < run->set->dir_count; i++) {
		struct filchi_dupes_dir *d = filchi_dupes_new_dir(arena, NULL, run->set->dirs[i]);
		int err;

		if (!d)
			return -ENOMEM;
		d->run = run;
		d->root = i;
		run->roots[i] = d;
		d->fd = filch_io_openat(AT_FDCWD, d->name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK, 0);
		err = d->fd < 0 ? d->fd : identify(d, d->fd);
		err = err ? err : is_new(run, d);
		if (err < 0)
			filchi_dupes_problem(run, d, NULL, -err);
		if (err <= 0 && d->fd >= 0) {
			filch_io_close(d->fd);
			d->fd = -1;
		}
	}
	return 0;
}

int filchi_dupes_walk(struct filchi_dupes_run *run)
{
	/* The last fiber may still leave the mutex when the walk is over, so the run frees it. */
	struct filchi_dupes_walk *w = run->walk = calloc(1, sizeof(*w));
	struct filchi_dupes_arena *arena = w ? filchi_dupes_arena_take(run) : NULL;
	struct rlimit limit;
	int err;

	if (!arena)
		return -ENOMEM;
	w->pending = 1;
	w->open_most = !getrlimit(RLIMIT_NOFILE, &limit) ? (size_t)limit.rlim_cur / 4 : 64;
	if (w->open_most > OPEN_MOST)
		w->open_most = OPEN_MOST;
	err = open_roots(run, arena);
	filchi_dupes_arena_give(run, arena);
	for (unsigned i = 0; !err && i < run->set->dir_count; i++)
		if (run->roots[i]->fd >= 0)
			list(run, run->roots[i], run->roots[i]->fd);
	end_pending(w);
	filch_fiber_mutex_lock(&w->mutex);
	while (w->pending)
		filch_fiber_cond_wait(&w->done, &w->mutex);
	filch_fiber_mutex_unlock(&w->mutex);
	free(w->seen);
	w->seen = NULL;
	return err;
}
