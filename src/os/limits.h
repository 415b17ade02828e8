/* SPDX-License-Identifier: Apache-2.0 */
/* Limits of the system that workers can meet: on memory, and on threads. docs/environment.md has the rules. */
#ifndef FILCHI_OS_LIMITS_H
#define FILCHI_OS_LIMITS_H

#include <stddef.h>

/* The default size of a thread's stack, if no limit makes it smaller. */
#define FILCHI_LIMITS_STACK ((size_t)256 << 20)

/*
 * The size that the stack of each of so many threads should have, if the program asks for no size. The function looks
 * for files below root; NULL: the true root.
 */
size_t filchi_limits_stack(unsigned threads, const char *root);

/* The limits that may be the reason for -ENOMEM or -EAGAIN: a blank and words in parentheses, or no text. */
#define FILCHI_LIMITS_TEXT 128
void filchi_limits_text(char text[FILCHI_LIMITS_TEXT], int err);

#endif
