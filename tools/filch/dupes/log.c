/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The log of the actions, as lines of words. Odd bytes of a path are written as % and two hexadecimal digits.
 *
 *   filch dupes log 1
 *   link ROOT BELOW KEPT-ROOT KEPT-BELOW ASIDE ID-ROOT ID-KEPT-ROOT ID-KEPT ID-OLD SIZE KEPT-MTIME MTIME MODE UID GID
 *   done
 *
 * ASIDE is the folder beside the name. An ID is MAJOR MINOR INODE: another user may put another directory into the
 * place of a DIR before the undo, and undo must not touch it. OLD is the file that the name had.
 *
 * The first line of an action is written before it, and done or left after it. If the process is killed in between,
 * undo looks at the file itself. The file is only appended to. A kill, or a full disk, can leave a part of the last
 * line. Undo does not count it, since the line is complete before the action begins.
 */
#define _GNU_SOURCE
#include "act.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct filchi_dupes_log {
	int fd;
};

static int write_all(int fd, const char *text, size_t n)
{
	while (n) {
		ssize_t r = write(fd, text, n);

		if (r < 0 && errno != EINTR)
			return -errno;
		if (r > 0) {
			text += r;
			n -= (size_t)r;
		}
	}
	return 0;
}

/* A file that exists is not touched: it may be a log that is still needed. */
int filchi_dupes_log_open(struct filchi_dupes_run *run)
{
	struct filchi_dupes_log *log = malloc(sizeof(*log));
	int err;

	if (!log)
		return -ENOMEM;
	log->fd = open(run->set->log, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0600);
	err = log->fd < 0 ? -errno
			  : write_all(log->fd, FILCHI_DUPES_LOG_FIRST "\n", strlen(FILCHI_DUPES_LOG_FIRST "\n"));
	if (err) {
		if (log->fd >= 0)
			close(log->fd);
		free(log);
		return err;
	}
	run->log = log;
	return 0;
}

int filchi_dupes_log_close(struct filchi_dupes_run *run)
{
	int err = 0;

	if (run->log) {
		err = fsync(run->log->fd) && errno != EINVAL ? -errno : 0;
		if (close(run->log->fd) && !err)
			err = -errno;
		free(run->log);
		run->log = NULL;
	}
	return err;
}

static void put_word(FILE *out, const char *word)
{
	putc(' ', out);
	for (const unsigned char *p = (const unsigned char *)word; *p; p++)
		if (*p <= 0x20 || *p >= 0x7f || *p == '%')
			fprintf(out, "%%%02x", *p);
		else
			putc(*p, out);
}

static int put_path(FILE *out, const struct filchi_dupes_run *run, const struct filchi_dupes_file *f)
{
	char *root = realpath(run->set->dirs[f->dir->root], NULL);
	char *below = malloc(filchi_dupes_path_below(f->dir, f->name, NULL) + 1);
	int err = root && below ? 0 : errno ? -errno : -ENOMEM;

	if (!err) {
		filchi_dupes_path_below(f->dir, f->name, below);
		put_word(out, root);
		put_word(out, below);
	}
	free(root);
	free(below);
	return err;
}

static int64_t nanoseconds(struct statx_timestamp t)
{
	return t.tv_sec * 1000000000 + (int64_t)t.tv_nsec;
}

static void put_id(FILE *out, uint32_t major, uint32_t minor, uint64_t ino)
{
	fprintf(out, " %" PRIu32 " %" PRIu32 " %" PRIu64, major, minor, ino);
}

static void put_root(FILE *out, const struct filchi_dupes_run *run, const struct filchi_dupes_file *f)
{
	const struct filchi_dupes_dir *d = run->roots[f->dir->root];

	put_id(out, d->dev >> 20, d->dev & 0xfffff, d->ino); /* as list.c has put it together */
}

int filchi_dupes_log_begin(struct filchi_dupes_run *run, const struct filchi_dupes_pair *p,
			   const struct filchi_dupes_file *kept, const struct filchi_dupes_file *name,
			   const char *aside)
{
	const struct statx *k = &p->kept, *s = &p->file;
	char *line = NULL;
	size_t length = 0;
	FILE *out;
	int err;

	if (!run->log)
		return 0;
	out = open_memstream(&line, &length);
	if (!out)
		return -ENOMEM;
	fputs(filchi_dupes_action_word(run->set->action), out);
	err = put_path(out, run, name);
	err = err ? err : put_path(out, run, kept);
	put_word(out, aside);
	put_root(out, run, name);
	put_root(out, run, kept);
	put_id(out, k->stx_dev_major, k->stx_dev_minor, k->stx_ino);
	put_id(out, s->stx_dev_major, s->stx_dev_minor, s->stx_ino);
	fprintf(out, " %llu %" PRId64 " %" PRId64 " %o %u %u\n", (unsigned long long)k->stx_size,
		nanoseconds(k->stx_mtime), nanoseconds(s->stx_mtime), s->stx_mode & 07777u, s->stx_uid, s->stx_gid);
	if (fclose(out) && !err)
		err = -ENOMEM;
	err = err ? err : write_all(run->log->fd, line, length);
	free(line);
	return err;
}

int filchi_dupes_log_end(struct filchi_dupes_run *run, bool done)
{
	return run->log ? write_all(run->log->fd, done ? "done\n" : "left\n", 5) : 0;
}

/* ---- reading ---- */

static int digit(char c)
{
	static const char digits[] = "0123456789abcdef";
	const char *p = c ? strchr(digits, c) : NULL;

	return p ? (int)(p - digits) : -1;
}

/* Replaces %xx in place. A path has no 0. */
static bool decode(char *word)
{
	char *to = word;

	for (; *word; word++) {
		if (*word == '%') {
			int high = digit(word[1]), low = high >= 0 ? digit(word[2]) : -1;

			if (low < 0 || high * 16 + low == 0)
				return false;
			*to++ = (char)(high * 16 + low);
			word += 2;
		} else {
			*to++ = *word;
		}
	}
	*to = 0;
	return true;
}

/* The part of a path below the DIR: no way leads out of it. */
static bool is_below(const char *path)
{
	if (!*path || *path == '/')
		return false;
	for (const char *p = path; p; p = strchr(p, '/'), p = p ? p + 1 : NULL) {
		size_t n = strcspn(p, "/");

		if (!n || (n == 1 && *p == '.') || (n == 2 && p[0] == '.' && p[1] == '.'))
			return false;
	}
	return true;
}

/* Takes the next word off the line. NULL: there is none. */
static char *next_word(char **line)
{
	char *word = *line, *end = strchr(word, ' ');

	if (!end || end == word)
		return NULL;
	*end = 0;
	*line = end + 1;
	return decode(word) ? word : NULL;
}

static bool read_id(char **line, struct filchi_dupes_id *id)
{
	int used = 0;

	if (sscanf(*line, "%" SCNu32 " %" SCNu32 " %" SCNu64 " %n", &id->major, &id->minor, &id->ino, &used) != 3 ||
	    !used)
		return false;
	*line += used;
	return true;
}

bool filchi_dupes_log_read(char *line, struct filchi_dupes_entry *e)
{
	char **const words[] = {&e->action, &e->root, &e->below, &e->kept_root, &e->kept_below, &e->aside};
	struct filchi_dupes_id *const ids[] = {&e->root_id, &e->kept_root_id, &e->kept, &e->old};
	int used = 0;

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (!(*words[i] = next_word(&line)))
			return false;
	for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++)
		if (!read_id(&line, ids[i]))
			return false;
	if (sscanf(line, "%" SCNu64 " %" SCNd64 " %" SCNd64 " %o %u %u%n", &e->size, &e->kept_mtime, &e->mtime,
		   &e->mode, &e->uid, &e->gid, &used) != 6 ||
	    line[used])
		return false;
	return *e->root == '/' && *e->kept_root == '/' && is_below(e->below) && is_below(e->kept_below) &&
	       filchi_dupes_aside_is_name(e->aside) && e->mode <= 07777;
}
