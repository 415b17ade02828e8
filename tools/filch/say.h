/* SPDX-License-Identifier: Apache-2.0 */
/* Messages of several commands, on standard error. */
#ifndef FILCHI_TOOL_SAY_H
#define FILCHI_TOOL_SAY_H

#include <stddef.h>

/* Room for the beginning of a wrong value, with dots and the final 0. */
enum { FILCHI_SHORT = 36 };

/*
 * Returns the value, up to that length: all of it, or its beginning in whole characters and dots. So a long value
 * does not hide the rest of the message.
 */
const char *filchi_short(char out[FILCHI_SHORT], const char *value, size_t length);

/* Says that the file ("-": standard output) cannot be written, and why; err is -errno. Returns the exit code. */
int filchi_say_cannot_write(const char *command, const char *path, int err);

#endif
