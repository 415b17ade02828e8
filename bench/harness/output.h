/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A file that appears whole or not at all. Until then it has no name, so that nothing is left even if the program is
 * killed. Where the file system has no files without a name it stays in memory until it is complete.
 */
#ifndef FILCHI_BENCH_OUTPUT_H
#define FILCHI_BENCH_OUTPUT_H

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

struct filchi_output {
	FILE *file;
	char path[PATH_MAX]; /* links followed; "" when written to directly: standard output ("-"), a pipe, a device */
	bool there;	     /* replaces a file that has this mode */
	mode_t mode;
};

/* Finds out whether the file can be written, too. 0 or -errno. */
int filchi_output_open(struct filchi_output *out, const char *path);
/* Gives the file its name. 0 or -errno (a full disk), and then it is as if abandoned. */
int filchi_output_commit(struct filchi_output *out);
/* Leaves nothing behind; a file that was there before is as it was. */
void filchi_output_abandon(struct filchi_output *out);
/* The path as messages name it: "-" is standard output. */
const char *filchi_output_name(const char *path);

#endif
