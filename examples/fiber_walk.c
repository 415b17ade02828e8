/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Walks a directory tree in parallel, and prints the number of directories, files and bytes. A fiber lists each
 * directory. A channel limits the number of open directories.
 *
 *   fiber_walk [DIRECTORY]
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <filch.h>
#include <filch/fiber.h>
#include <filch/io.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define OPEN_AT_ONCE 64

static atomic_ulong directories, files, bytes, failures;
static struct filch_channel *permits; /* holds as many elements as directories are open */

static int list(void *path, void **result);

static void start(const char *parent, const char *name)
{
	char *path;

	if (asprintf(&path, *parent ? "%s/%s" : "%s%s", parent, name) < 0)
		atomic_fetch_add(&failures, 1);
	else if (filch_fiber_start(NULL, NULL, list, path, NULL)) {
		atomic_fetch_add(&failures, 1);
		free(path);
	}
}

static void visit(int fd, const char *path, const struct dirent64 *e)
{
	struct statx st;

	if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, ".."))
		return;
	if (filch_io_statx(fd, e->d_name, AT_SYMLINK_NOFOLLOW, STATX_TYPE | STATX_SIZE, &st)) {
		atomic_fetch_add(&failures, 1);
	} else if (S_ISDIR(st.stx_mode)) {
		start(path, e->d_name);
	} else {
		atomic_fetch_add(&files, 1);
		if (S_ISREG(st.stx_mode))
			atomic_fetch_add(&bytes, st.stx_size);
	}
}

static int list_open(int fd, const char *path)
{
	union {
		char bytes[8192];
		struct dirent64 first; /* aligns the entries */
	} entries;
	ssize_t n;

	while ((n = filch_io_getdents(fd, &entries, sizeof(entries))) > 0)
		for (ssize_t at = 0; at < n;) {
			const struct dirent64 *e = (const void *)(entries.bytes + at);

			visit(fd, path, e);
			at += e->d_reclen;
		}
	return (int)n;
}

static int list(void *path, void **result)
{
	char permit = 0;
	int fd;

	(void)result;
	(void)filch_channel_send(permits, &permit);
	fd = filch_io_openat(AT_FDCWD, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC, 0);
	if (fd >= 0) {
		atomic_fetch_add(&directories, 1);
		if (list_open(fd, path))
			atomic_fetch_add(&failures, 1);
		(void)filch_io_close(fd);
	} else {
		fprintf(stderr, "fiber_walk: %s: %s\n", (char *)path, strerror(-fd));
		atomic_fetch_add(&failures, 1);
	}
	(void)filch_channel_recv(permits, &permit);
	free(path);
	return 0;
}

int main(int argc, char **argv)
{
	if (filch_start(NULL) || filch_channel_create(&permits, 1, OPEN_AT_ONCE)) {
		fprintf(stderr, "fiber_walk: %s\n", filch_error_message());
		return 1;
	}
	start("", argc > 1 ? argv[1] : ".");
	filch_stop(); /* waits for all fibers */
	filch_channel_destroy(permits);
	printf("%lu directories, %lu files, %lu bytes\n", directories, files, bytes);
	return failures != 0;
}
