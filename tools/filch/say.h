/* SPDX-License-Identifier: Apache-2.0 */
/* What several commands say on standard error. */
#ifndef FILCHI_TOOL_SAY_H
#define FILCHI_TOOL_SAY_H

#include <stddef.h>

/* What there is room for of a value that is wrong, with the dots and the end. */
enum { FILCHI_SHORT = 36 };

/*
 * Of a value that the user gave, up to that length: all of it, or its beginning in whole characters, and then dots. The
 * rest of the message must not be hidden by it.
 */
const char *filchi_short(char out[FILCHI_SHORT], const char *value, size_t length);

/* The file, or standard output for "-", and why it cannot be written: err is -errno. The exit code. */
int filchi_say_cannot_write(const char *command, const char *path, int err);

#endif
