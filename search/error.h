/* SPDX-License-Identifier: Apache-2.0 */
/* Errors in words: each function sets the text of filch_error_message(), and returns the error. */
#ifndef FILCHI_SEARCH_ERROR_H
#define FILCHI_SEARCH_ERROR_H

int filchi_search_error(int err, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* An argument must not be NULL. */
int filchi_search_error_null(const char *argument);

/* The call is not for the time of a run. */
int filchi_search_error_busy(void);

/* base/sized.h has refused a struct. */
int filchi_search_error_sized(const char *type, const void *theirs);

/* The name of an option is none of these. NULL ends the names. */
int filchi_search_error_name(const char *option, const char *name, const char *const *names);

/* A checkpoint could not be written, or loaded. */
int filchi_search_error_save(int err, const char *path);
int filchi_search_error_load(int err, const char *path);

#endif
