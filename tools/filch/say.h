/* SPDX-License-Identifier: Apache-2.0 */
/* What several commands say on standard error. */
#ifndef FILCHI_TOOL_SAY_H
#define FILCHI_TOOL_SAY_H

/* The file, or standard output for "-", and why it cannot be written: err is -errno. The exit code. */
int filchi_say_cannot_write(const char *command, const char *path, int err);

#endif
