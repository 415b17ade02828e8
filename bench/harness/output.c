/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE

#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#define TRIES 1000 /* attempts to find a free name */

/* Joins the folder of the path and the text. */
static int beside(char out[PATH_MAX], const char *path, const char *text)
{
	const char *slash = strrchr(path, '/');
	int folder = slash ? (int)(slash - path) + 1 : 0;
	int length = snprintf(out, PATH_MAX, "%.*s%s", folder, path, text);

	return length < 0 || length >= PATH_MAX ? -ENAMETOOLONG : 0;
}

/* Finds a free name beside the file. take() creates it, and returns 0, -EEXIST or another -errno. */
static int take_name(struct filchi_output *out, char temp[PATH_MAX], int (*take)(struct filchi_output *, const char *))
{
	char name[64];
	int err = -EEXIST;

	for (unsigned i = 0; err == -EEXIST && i < TRIES; i++) {
		snprintf(name, sizeof(name), ".filch-%ld-%u", (long)getpid(), i);
		err = beside(temp, out->path, name);
		if (!err)
			err = take(out, temp);
	}
	return err;
}

/* Blocks signals from the creation of a name to its removal. Only SIGKILL can come between. */
static void block_signals(sigset_t *before)
{
	sigset_t all;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, before);
}

static void restore_signals(const sigset_t *before)
{
	pthread_sigmask(SIG_SETMASK, before, NULL);
}

/* ---- opening ---- */

static int make_and_remove(struct filchi_output *out, const char *temp)
{
	int fd = open(temp, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);

	(void)out;
	if (fd < 0)
		return -errno;
	close(fd);
	return unlink(temp) ? -errno : 0;
}

/* A file in memory, if the folder allows new files. */
static int open_in_memory(struct filchi_output *out)
{
	char temp[PATH_MAX];
	sigset_t before;
	int err, fd;

	block_signals(&before);
	err = take_name(out, temp, make_and_remove);
	restore_signals(&before);
	if (err)
		return err;
	fd = memfd_create("filch", MFD_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

static int open_unnamed(struct filchi_output *out)
{
	char folder[PATH_MAX];
	int err = beside(folder, out->path, "."), fd;

	if (err)
		return err;
	/* A limit on file sizes then appears as an error of write. */
	signal(SIGXFSZ, SIG_IGN);
	fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
	if (fd < 0)
		fd = open_in_memory(out); /* or the true reason */
	if (fd < 0)
		return fd;
	out->file = out->there && fchmod(fd, out->mode) ? NULL : fdopen(fd, "w");
	if (out->file)
		return 0;
	err = -errno;
	close(fd);
	return err;
}

static int open_directly(struct filchi_output *out)
{
	out->file = fopen(out->path, "w");
	*out->path = '\0';
	return out->file ? 0 : -errno;
}

int filchi_output_open(struct filchi_output *out, const char *path)
{
	struct stat old;

	*out = (struct filchi_output){0};
	if (!strcmp(path, "-")) {
		out->file = stdout;
		return 0;
	}
	if (!*path)
		return -ENOENT;
	if (!realpath(path, out->path)) {
		if (errno != ENOENT)
			return -errno;
		if ((size_t)snprintf(out->path, sizeof(out->path), "%s", path) >= sizeof(out->path))
			return -ENAMETOOLONG;
	}
	if (stat(out->path, &old))
		return errno == ENOENT ? open_unnamed(out) : -errno;
	if (S_ISDIR(old.st_mode))
		return -EISDIR;
	if (access(out->path, W_OK))
		return -errno;
	if (!S_ISREG(old.st_mode))
		return open_directly(out);
	out->there = true;
	out->mode = old.st_mode & 07777;
	return open_unnamed(out);
}

/* ---- the name of the file ---- */

static int link_to(struct filchi_output *out, const char *name)
{
	char file[64];

	snprintf(file, sizeof(file), "/proc/self/fd/%d", fileno(out->file));
	return linkat(AT_FDCWD, file, AT_FDCWD, name, AT_SYMLINK_FOLLOW) ? -errno : 0;
}

/* 0 or -errno. Closes the descriptor. */
static int copy_all(struct filchi_output *out, int to)
{
	int from = fileno(out->file), err = out->there && fchmod(to, out->mode) ? -errno : 0;
	off_t done = 0, size = err ? 0 : lseek(from, 0, SEEK_END);

	while (!err && done < size) {
		ssize_t sent = sendfile(to, from, &done, (size_t)(size - done));

		if (sent <= 0)
			err = sent ? -errno : -EIO;
	}
	if (!err && (size < 0 || fsync(to)))
		err = -errno;
	if (close(to) && !err)
		err = -errno;
	return err;
}

static int copy_to(struct filchi_output *out, const char *name)
{
	int fd = open(name, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
	int err = fd < 0 ? -errno : copy_all(out, fd);

	if (fd >= 0 && err)
		unlink(name);
	return err;
}

/*
 * A link cannot replace a file, but a rename can. A file in memory must be copied, and so must a file without
 * /proc.
 */
static int put_in_place(struct filchi_output *out)
{
	char temp[PATH_MAX];
	sigset_t before;
	int err;

	if (!out->there && !link_to(out, out->path))
		return 0;
	block_signals(&before);
	err = take_name(out, temp, link_to);
	if (err)
		err = take_name(out, temp, copy_to);
	if (!err && rename(temp, out->path)) {
		err = -errno;
		unlink(temp);
	}
	restore_signals(&before);
	return err;
}

int filchi_output_commit(struct filchi_output *out)
{
	int err = fflush(out->file) || ferror(out->file) ? -(errno ? errno : EIO) : 0;

	if (out->file == stdout)
		return err;
	if (!err && *out->path) {
		err = fsync(fileno(out->file)) ? -errno : 0;
		if (!err)
			err = put_in_place(out);
	}
	/* All errors of a file with a name are known by now. */
	if (fclose(out->file) && !err && !*out->path)
		err = -errno;
	out->file = NULL;
	return err;
}

void filchi_output_abandon(struct filchi_output *out)
{
	if (out->file && out->file != stdout)
		fclose(out->file);
	out->file = NULL;
}

const char *filchi_output_name(const char *path)
{
	return !strcmp(path, "-") ? "standard output" : *path ? path : "''";
}
