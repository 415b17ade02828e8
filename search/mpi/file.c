/* SPDX-License-Identifier: Apache-2.0 */
/* Rank 0 writes the parts of a checkpoint to one file: aside, synced, renamed. */
#define _DEFAULT_SOURCE
#include "job.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int write_all(int file, const unsigned char *bytes, size_t size)
{
	while (size) {
		ssize_t n = write(file, bytes, size);

		if (n < 0 && errno != EINTR)
			return -errno;
		bytes += n > 0 ? n : 0;
		size -= n > 0 ? (size_t)n : 0;
	}
	return 0;
}

static int sync_folder(const char *path)
{
	const char *slash = strrchr(path, '/');
	char name[PATH_MAX];
	int file, err = 0;

	snprintf(name, sizeof(name), "%.*s", slash ? (int)(slash - path) + 1 : 1, slash ? path : ".");
	file = open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (file < 0)
		return -errno;
	if (fsync(file) && errno != EINVAL) /* some file systems cannot sync a folder */
		err = -errno;
	close(file);
	return err;
}

int filchi_ranks_job_write(const char *path, const struct filchi_ranks_bytes *parts, int count)
{
	char name[PATH_MAX];
	int file, err = 0;

	if (snprintf(name, sizeof(name), "%s.tmp", path) >= (int)sizeof(name))
		return -ENAMETOOLONG;
	file = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NONBLOCK, 0666);
	if (file < 0)
		return -errno;
	for (int i = 0; !err && i < count; i++)
		err = write_all(file, parts[i].data, parts[i].size);
	if (!err && fsync(file))
		err = -errno;
	if (close(file) && !err)
		err = -errno;
	if (!err && rename(name, path))
		err = -errno;
	else if (err)
		unlink(name);
	return err ? err : sync_folder(path);
}
