/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Errors in words. A public function that fails leaves a text for filch_error_message(). The text names the argument
 * that is wrong, its value, and the values that are allowed.
 */
#ifndef FILCHI_BASE_ERROR_H
#define FILCHI_BASE_ERROR_H

/* Sets the text of the calling thread, and returns err. */
int filchi_fail(int err, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Sets a text that stays valid, such as a literal. Takes no time: for failures that happen often. */
int filchi_fail_text(int err, const char *text);

/* Sets the text for an argument that must not be NULL. Returns -EINVAL. */
int filchi_fail_null(const char *argument);

/* Sets the text for a struct that base/sized.h has refused. type: "struct filch_options". Returns -EINVAL. */
int filchi_fail_sized(const char *type, const void *theirs);

/*
 * Sets the text for a name that is unknown, and lists the known names. names(n) is the name with number n, NULL after
 * the last. from: the origin of the name ("FILCH_DEQUE="), or "". what: the kind of thing ("deque"). The text has the
 * first characters of a long name only. Returns err.
 */
int filchi_fail_unknown(int err, const char *from, const char *what, const char *name, const char *(*names)(unsigned));

#endif
