/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE

#include "page.h"

#include "../../harness/output.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* Runs a program that reads one file and writes the other. 0, -EIO if it failed, or the -errno of its start. */
static int run(int to, const char *from)
{
	static char *const argv[] = {"rsvg-convert", "--format=png", "--zoom=2", NULL};
	posix_spawn_file_actions_t actions;
	int err, status = 0;
	pid_t child;

	err = posix_spawn_file_actions_init(&actions);
	if (err)
		return -err;
	err = posix_spawn_file_actions_addopen(&actions, 0, from, O_RDONLY, 0);
	if (!err)
		err = posix_spawn_file_actions_adddup2(&actions, to, 1);
	if (!err)
		err = posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
	if (!err)
		err = posix_spawnp(&child, argv[0], &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	if (err)
		return -err;
	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return -errno;
	return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : -EIO;
}

int filchi_convert(const char *svg, const char *png, bool *there)
{
	struct filchi_output out;
	int err = filchi_output_open(&out, png);

	*there = false;
	if (err)
		return err;
	if (run(fileno(out.file), svg)) {
		filchi_output_abandon(&out);
		/* A picture of an earlier run would have other numbers. */
		return unlink(png) && errno != ENOENT ? -errno : 0;
	}
	*there = true;
	return filchi_output_commit(&out);
}
