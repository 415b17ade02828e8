/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A file that appears whole or not at all: written under another name beside it and renamed in the end. A signal that
 * ends the program takes the unfinished file with it. One at a time.
 */
#ifndef FILCHI_BENCH_OUTPUT_H
#define FILCHI_BENCH_OUTPUT_H

#include <limits.h>
#include <stdio.h>

struct filchi_output {
	FILE *file;
	char path[PATH_MAX]; /* links followed */
	char temp[PATH_MAX]; /* "" when written to directly: standard output ("-"), and what is no file, such as a pipe
			      */
};

/* 0 or -errno. */
int filchi_output_open(struct filchi_output *out, const char *path);
/* Gives the file its name. 0 or -errno (a full disk), and then it is as if abandoned. */
int filchi_output_commit(struct filchi_output *out);
/* Leaves nothing behind; what was there before is as it was. */
void filchi_output_abandon(struct filchi_output *out);

#endif
