/* SPDX-License-Identifier: Apache-2.0 */
/* Limits of the system that workers can meet: on memory, and on threads. docs/environment.md has the rules. */
#ifndef FILCHI_OS_LIMITS_H
#define FILCHI_OS_LIMITS_H

#include <stddef.h>

/* What each thread takes by default, if nothing limits it. */
#define FILCHI_LIMITS_STACK ((size_t)256 << 20)

/*
 * How large the stack of each of so many threads should be, if the program asks for no size. Files are looked for below
 * root, NULL for the true one.
 */
size_t filchi_limits_stack(unsigned threads, const char *root);

/* Which limits may be the reason for -ENOMEM or -EAGAIN: words in parentheses after a blank, or none. */
#define FILCHI_LIMITS_TEXT 128
void filchi_limits_text(char text[FILCHI_LIMITS_TEXT], int err);

#endif
