/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE

#include "output.h"

#include "interrupt.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The mode that the file has, or that open would give it. */
static mode_t mode_for(const struct stat *old)
{
	mode_t mask;

	if (old)
		return old->st_mode & 07777;
	mask = umask(0);
	umask(mask);
	return 0666 & ~mask;
}

static int open_temp(struct filchi_output *out, mode_t mode)
{
	sigset_t all, before;
	int fd, err;

	if ((size_t)snprintf(out->temp, sizeof(out->temp), "%s.XXXXXX", out->path) >= sizeof(out->temp))
		return -ENAMETOOLONG;
	filchi_interrupt_catch();
	/* A limit on file sizes then shows as an error of write. */
	signal(SIGXFSZ, SIG_IGN);
	/* No signal may come between the file and the note of it. */
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	fd = mkstemp(out->temp);
	err = fd < 0 ? -errno : 0;
	if (!err)
		filchi_interrupt_remove(out->temp);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (err)
		return err;
	out->file = fchmod(fd, mode) ? NULL : fdopen(fd, "w");
	if (out->file)
		return 0;
	err = -errno;
	close(fd);
	filchi_output_abandon(out);
	return err;
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
		return errno == ENOENT ? open_temp(out, mode_for(NULL)) : -errno;
	if (S_ISDIR(old.st_mode))
		return -EISDIR;
	if (access(out->path, W_OK))
		return -errno;
	if (S_ISREG(old.st_mode))
		return open_temp(out, mode_for(&old));
	out->file = fopen(out->path, "w");
	return out->file ? 0 : -errno;
}

int filchi_output_commit(struct filchi_output *out)
{
	int err = fflush(out->file) || ferror(out->file) ? -(errno ? errno : EIO) : 0;

	if (out->file == stdout)
		return err;
	if (!err && *out->temp && fsync(fileno(out->file)))
		err = -errno;
	if (fclose(out->file) && !err)
		err = -errno;
	out->file = NULL;
	if (!err && *out->temp && rename(out->temp, out->path))
		err = -errno;
	if (err)
		filchi_output_abandon(out);
	filchi_interrupt_remove(NULL);
	return err;
}

void filchi_output_abandon(struct filchi_output *out)
{
	if (out->file && out->file != stdout)
		fclose(out->file);
	out->file = NULL;
	if (*out->temp)
		unlink(out->temp);
	filchi_interrupt_remove(NULL);
}
