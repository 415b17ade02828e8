/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A file that appears whole or not at all. It has no name until it is complete, so that a killed program leaves
 * nothing. On file systems without unnamed files, the contents stay in memory until they are complete.
 */
#ifndef FILCHI_BENCH_OUTPUT_H
#define FILCHI_BENCH_OUTPUT_H

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

struct filchi_output {
	FILE *file;
	char path[PATH_MAX]; /* with links resolved; "": written directly, as standard output ("-"), a pipe or a device
			      */
	bool there;	     /* replaces an existing file, which has this mode */
	mode_t mode;
};

/* Opens the file and checks that it can be written. 0 or -errno. */
int filchi_output_open(struct filchi_output *out, const char *path);
/* Gives the file its name. 0, or -errno (such as a full disk), and then nothing is written. */
int filchi_output_commit(struct filchi_output *out);
/* Discards the file. An existing file stays unchanged. */
void filchi_output_abandon(struct filchi_output *out);
/* Returns the path for messages: "-" is standard output. */
const char *filchi_output_name(const char *path);

#endif
