/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the entries of one directory, and asks for the status of its files. */
#define _GNU_SOURCE
#include "walk.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <filch/io.h>
#include <string.h>

struct entry { /* of getdents64(2) */
	uint64_t ino;
	int64_t off;
	uint16_t length;
	uint8_t type;
	char name[];
};

static int64_t nanoseconds(struct statx_timestamp t)
{
	return t.tv_sec * 1000000000 + (int64_t)t.tv_nsec;
}

static bool add_file(struct filchi_dupes_arena *arena, struct filchi_dupes_dir *d, struct filchi_dupes_listing *l,
		     const char *name, const struct statx *s)
{
	const struct filchi_dupes_settings *set = d->run->set;
	size_t length = strlen(name);
	struct filchi_dupes_file *f;

	l->totals.files++;
	l->totals.bytes += s->stx_size;
	if (s->stx_size < set->min_size || s->stx_size > set->max_size)
		return true;
	if (set->one_file_system && filchi_dupes_device(s) != d->dev) /* a file can be mounted as well */
		return true;
	f = filchi_dupes_alloc(arena, sizeof(*f) + length + 1);
	if (!f)
		return false;
	*f = (struct filchi_dupes_file){.size = s->stx_size,
					.ino = s->stx_ino,
					.mtime = nanoseconds(s->stx_mtime),
					.ctime = nanoseconds(s->stx_ctime),
					.dir = d,
					.link = l->files,
					.dev = filchi_dupes_device(s)};
	memcpy(f->name, name, length + 1);
	l->files = f;
	return true;
}

struct filchi_dupes_dir *filchi_dupes_new_dir(struct filchi_dupes_arena *arena, struct filchi_dupes_dir *parent,
					      const char *name)
{
	size_t length = strlen(name);
	struct filchi_dupes_dir *d = filchi_dupes_alloc(arena, sizeof(*d) + length + 1);

	if (!d)
		return NULL;
	*d = (struct filchi_dupes_dir){.parent = parent, .fd = -1, .length = (uint32_t)length};
	if (parent) {
		d->run = parent->run;
		d->root = parent->root;
		d->depth = parent->depth + 1;
	}
	memcpy(d->name, name, length + 1);
	return d;
}

static bool add_dir(struct filchi_dupes_arena *arena, struct filchi_dupes_dir *d, struct filchi_dupes_listing *l,
		    const char *name)
{
	unsigned most = d->run->set->depth;
	struct filchi_dupes_dir *child;

	if ((most && d->depth + 1 >= most) || !filchi_dupes_wants_name(d->run->set, d, name, true))
		return true;
	child = filchi_dupes_new_dir(arena, d, name);
	if (!child)
		return false;
	child->next = l->dirs;
	l->dirs = child;
	d->opens++;
	return true;
}

/* false: no memory. */
static bool add_entry(struct filchi_dupes_arena *arena, struct filchi_dupes_dir *d, int fd,
		      struct filchi_dupes_listing *l, const struct entry *e)
{
	const char *name = e->name;
	struct statx s;
	int err;

	if (name[0] == '.' && (!name[1] || (name[1] == '.' && !name[2])))
		return true;
	if (e->type == DT_DIR)
		return add_dir(arena, d, l, name);
	if (e->type != DT_REG && e->type != DT_UNKNOWN) {
		l->totals.special++;
		return true;
	}
	if (e->type == DT_REG && !filchi_dupes_wants_name(d->run->set, d, name, false))
		return true;
	err = filch_io_statx(fd, name, AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT, FILCHI_DUPES_STATUS, &s);
	if (err) {
		char *copy = filchi_dupes_alloc(arena, strlen(name) + 1);

		if (copy)
			filchi_dupes_problem(d->run, d, strcpy(copy, name), -err);
		return copy;
	}
	if (S_ISDIR(s.stx_mode))
		return add_dir(arena, d, l, name);
	if (!S_ISREG(s.stx_mode)) {
		l->totals.special++;
		return true;
	}
	if (e->type != DT_REG && !filchi_dupes_wants_name(d->run->set, d, name, false))
		return true;
	return add_file(arena, d, l, name, &s);
}

int filchi_dupes_list(struct filchi_dupes_arena *arena, struct filchi_dupes_dir *d, int fd,
		      struct filchi_dupes_listing *l)
{
	char *entries = filchi_dupes_arena_entries(arena);
	ssize_t n;

	while ((n = filch_io_getdents(fd, entries, FILCHI_DUPES_ENTRIES)) > 0) {
		for (ssize_t at = 0; at < n;) {
			const struct entry *e = (const void *)(entries + at);

			if (!add_entry(arena, d, fd, l, e))
				return -ENOMEM;
			at += e->length;
		}
		if (filchi_dupes_stopped(d->run))
			break;
	}
	return (int)n;
}
