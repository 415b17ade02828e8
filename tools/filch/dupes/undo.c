/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Takes the actions of a log back, the last one first. The name gets a file of its own again: a copy of the kept file,
 * with the mode, owner and time that it had. Nothing is done if the name or the kept file are not as the action has
 * left them. Reflinks need no undo: each file has its own name and content.
 */
#define _GNU_SOURCE
#include "act.h"

#include "../command.h"
#include "print.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EXIT_PROBLEMS 3
#define COPIED (1u << 20)  /* bytes at a time */
#define NEVER_DONE INT_MIN /* a reason: the process ended before the action changed anything */

static int open_root(const char *path)
{
	int fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

/* The directory of a path below a DIR; *name becomes the last part of the path. */
static int open_dir_of(const char *root, char *below, char **name)
{
	int root_fd = open_root(root), fd;
	char *slash = strrchr(below, '/');

	*name = slash ? slash + 1 : below;
	if (root_fd < 0 || !slash)
		return root_fd;
	*slash = 0;
	fd = filchi_dupes_open_below(root_fd, below, O_PATH | O_DIRECTORY);
	*slash = '/';
	close(root_fd);
	return fd;
}

/* Opens the kept file, if it is still what it was. */
static int open_kept(const struct filchi_dupes_entry *e)
{
	int root = open_root(e->kept_root),
	    fd = root < 0 ? root : filchi_dupes_open_below(root, e->kept_below, O_RDONLY);
	struct statx s;

	if (root >= 0)
		close(root);
	if (fd < 0)
		return fd;
	if (statx(fd, "", AT_EMPTY_PATH, STATX_BASIC_STATS, &s) || !S_ISREG(s.stx_mode) || s.stx_size != e->size ||
	    s.stx_mtime.tv_sec * 1000000000 + (int64_t)s.stx_mtime.tv_nsec != e->kept_mtime ||
	    !filchi_dupes_same_id((struct filchi_dupes_id){s.stx_ino, s.stx_dev_major, s.stx_dev_minor}, e->kept)) {
		close(fd);
		return -ESTALE;
	}
	return fd;
}

static int copy_bytes(int from, int to, uint64_t size)
{
	char *buf = malloc(COPIED);
	int err = buf ? 0 : ENOMEM;

	for (uint64_t at = 0; at < size && !err;) {
		ssize_t n = pread(from, buf, COPIED, (off_t)at),
			done = n > 0 ? pwrite(to, buf, (size_t)n, (off_t)at) : n;

		if (n < 0 || done < 0)
			err = errno == EINTR ? 0 : errno;
		else if (!n || !done)
			err = EIO; /* the file has become shorter */
		else
			at += (uint64_t)done;
	}
	free(buf);
	return err;
}

/* The owner first: a change of it clears bits of the mode. */
static int copy_aside(const struct filchi_dupes_aside *a, const struct filchi_dupes_entry *e, int kept)
{
	struct timespec times[2] = {{.tv_nsec = UTIME_NOW}, {e->mtime / 1000000000, e->mtime % 1000000000}};
	int fd = openat(a->fd, FILCHI_DUPES_FILE, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	int err;

	if (fd < 0)
		return errno;
	if (times[1].tv_nsec < 0) { /* before 1970 */
		times[1].tv_sec--;
		times[1].tv_nsec += 1000000000;
	}
	err = copy_bytes(kept, fd, e->size);
	if (!err && ((fchown(fd, e->uid, e->gid) && errno != EPERM) || fchmod(fd, e->mode) || futimens(fd, times)))
		err = errno;
	if (!err && fsync(fd) && errno != EINVAL)
		err = errno;
	close(fd);
	if (err)
		unlinkat(a->fd, FILCHI_DUPES_FILE, 0);
	return err;
}

/* The name, if it is as the action has left it: a link of the kept file, or gone. */
static int check_name(const struct filchi_dupes_entry *e, int dir, const char *name, struct filchi_dupes_id *id)
{
	struct filchi_dupes_id target;
	struct statx s;
	bool exists = !statx(dir, name, AT_SYMLINK_NOFOLLOW, STATX_TYPE, &s);

	if (!strcmp(e->action, "delete"))
		return exists ? EEXIST : 0;
	if (!exists || !filchi_dupes_identify(dir, name, AT_SYMLINK_NOFOLLOW, id) ||
	    !filchi_dupes_identify(dir, name, 0, &target) || !filchi_dupes_same_id(target, e->kept) ||
	    S_ISLNK(s.stx_mode) != !strcmp(e->action, "symlink"))
		return ESTALE;
	return 0;
}

static int restore(const struct filchi_dupes_entry *e, int kept, int dir, const char *name, struct filchi_dupes_id old)
{
	struct filchi_dupes_aside a;
	struct filchi_dupes_id new = {0};
	int reason = filchi_dupes_aside_make(&a, dir);

	if (reason)
		return reason;
	reason = copy_aside(&a, e, kept);
	if (!reason && !filchi_dupes_identify(a.fd, FILCHI_DUPES_FILE, AT_SYMLINK_NOFOLLOW, &new))
		reason = errno;
	if (!reason && strcmp(e->action, "delete") != 0) {
		reason = filchi_dupes_replace(&a, name, old, new);
	} else if (!reason && renameat2(a.fd, FILCHI_DUPES_FILE, dir, name, RENAME_NOREPLACE)) {
		reason = errno;
		unlinkat(a.fd, FILCHI_DUPES_FILE, 0);
	}
	filchi_dupes_aside_end(&a);
	return reason;
}

/* finished: the log has the end of the action. Otherwise the name may still be as it was before. */
static int undo_entry(struct filchi_dupes_entry *e, bool finished, bool yes)
{
	struct filchi_dupes_id old = {0};
	char *name;
	int dir = open_dir_of(e->root, e->below, &name), kept, reason;

	if (dir < 0)
		return -dir;
	kept = open_kept(e);
	reason = kept < 0 ? -kept : check_name(e, dir, name, &old);
	if (kept >= 0 && reason && !finished)
		reason = NEVER_DONE;
	if (!reason && yes)
		reason = restore(e, kept, dir, name, old);
	if (kept >= 0)
		close(kept);
	close(dir);
	return reason;
}

/* ---- the log ---- */

struct counts {
	size_t restored, problems;
};

static void print_entry(const struct filchi_dupes_entry *e, bool yes)
{
	char *path = malloc(strlen(e->root) + strlen(e->below) + 2);

	if (path) {
		sprintf(path, "%s/%s", strcmp(e->root, "/") ? e->root : "", e->below);
		fputs(yes ? "restored " : "restore ", stdout);
		filchi_dupes_print_path(stdout, path);
		putchar('\n');
	}
	free(path);
}

static void undo_line(const char *command, char *line, bool finished, bool yes, struct counts *counts)
{
	struct filchi_dupes_entry e;
	int reason;

	if (!filchi_dupes_log_read(line, &e)) {
		fprintf(stderr, "%s: a line of the log is damaged, and was skipped\n", command);
		counts->problems++;
		return;
	}
	if (!strcmp(e.action, "reflink"))
		return;
	reason = undo_entry(&e, finished, yes);
	if (reason == NEVER_DONE)
		return;
	if (!reason) {
		counts->restored++;
		print_entry(&e, yes);
		return;
	}
	counts->problems++;
	fprintf(stderr, "%s: ", command);
	filchi_dupes_print_path(stderr, e.root);
	fputs(" : ", stderr);
	filchi_dupes_print_path(stderr, e.below);
	fprintf(stderr, ": not restored: %s\n",
		reason == ESTALE   ? "it, or the kept file, has changed since the action"
		: reason == EEXIST ? "the name exists again"
				   : filchi_dupes_why(reason));
}

/* From the last line to the first. After an action without "done" or "left", its name tells whether it was done. */
static void undo_lines(const char *command, char *text, size_t length, bool yes, struct counts *counts)
{
	bool left = false, done = false;

	for (char *end = text + length; end > text;) {
		char *line = memrchr(text, '\n', (size_t)(end - text));

		line = line ? line + 1 : text;
		*end = 0;
		if (!strcmp(line, "left")) {
			left = true;
		} else if (!strcmp(line, "done")) {
			done = true;
		} else if (*line && strcmp(line, FILCHI_DUPES_LOG_FIRST) != 0) {
			if (!left)
				undo_line(command, line, done, yes, counts);
			left = done = false;
		}
		end = line > text ? line - 1 : text;
	}
}

static char *read_log(const char *path, size_t *length)
{
	FILE *in = fopen(path, "re");
	char *text = NULL;
	FILE *out = in ? open_memstream(&text, length) : NULL;
	char buf[4096];
	size_t n;
	bool good = out;

	while (good && (n = fread(buf, 1, sizeof(buf), in)) > 0)
		good = fwrite(buf, 1, n, out) == n;
	good = good && !ferror(in);
	if (out && fclose(out))
		good = false;
	if (in)
		fclose(in);
	if (!good) {
		free(text);
		return NULL;
	}
	return text;
}

int filchi_dupes_undo(const char *command, const struct filchi_dupes_settings *set)
{
	size_t length = 0, first = strlen(FILCHI_DUPES_LOG_FIRST "\n");
	struct counts counts = {0};
	char *text;

	errno = 0;
	text = read_log(set->undo, &length);
	if (!text) {
		fprintf(stderr, "%s: cannot read %s: %s\n", command, set->undo, strerror(errno ? errno : EIO));
		return FILCHI_EXIT_FAILED;
	}
	if (length < first || strncmp(text, FILCHI_DUPES_LOG_FIRST "\n", first) != 0) {
		fprintf(stderr, "%s: %s is no log of filch dupes\n", command, set->undo);
		free(text);
		return FILCHI_EXIT_FAILED;
	}
	undo_lines(command, text, length, set->yes, &counts);
	free(text);
	printf("# %zu files %s\n", counts.restored, set->yes ? "restored" : "could be restored; --yes does it");
	return counts.problems ? EXIT_PROBLEMS : FILCHI_EXIT_OK;
}
