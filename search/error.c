/* SPDX-License-Identifier: Apache-2.0 */
/* The texts that failed calls leave for filch_error_message(). */
#include "error.h"

#include "../src/base/sized.h"

#include <errno.h>
#include <filch/base.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define MAX_TEXT 256

int filchi_search_error(int err, const char *format, ...)
{
	char text[MAX_TEXT];
	va_list list;

	va_start(list, format);
	vsnprintf(text, sizeof(text), format, list);
	va_end(list);
	return filch_error_set(err, text);
}

int filchi_search_error_null(const char *argument)
{
	return filchi_search_error(-EINVAL, "%s is NULL", argument);
}

int filchi_search_error_busy(void)
{
	return filchi_search_error(-EBUSY, "the search is running");
}

int filchi_search_error_sized(const char *type, const void *theirs)
{
	size_t size = filchi_sized_size(theirs);

	if (filchi_sized_makes_sense(size))
		return filchi_search_error(-EINVAL, "%s: a field is set that this library does not know", type);
	return filchi_search_error(-EINVAL, "%s: struct_size is %zu; set it to sizeof(%s)", type, size, type);
}

int filchi_search_error_name(const char *option, const char *name, const char *const *names)
{
	char known[MAX_TEXT] = "";

	for (unsigned n = 0; names[n]; n++) {
		size_t used = strlen(known);

		snprintf(known + used, sizeof(known) - used, "%s%s", n ? ", " : "", names[n]);
	}
	return filchi_search_error(-ENOENT, "%s is %.32s: must be one of %s", option, name, known);
}

int filchi_search_error_save(int err, const char *path)
{
	if (!path)
		return filchi_search_error(err, "cannot make a part of a checkpoint: %s", strerror(-err));
	return filchi_search_error(err, "cannot write the checkpoint %s: %s", path, strerror(-err));
}

int filchi_search_error_load(int err, const char *path)
{
	const char *why = strerror(-err);

	if (err == -EBADMSG)
		why = "it is damaged, or no checkpoint";
	else if (err == -EPROTONOSUPPORT)
		why = "it has another version, or the byte order of another machine";
	else if (err == -EXDEV)
		why = "it belongs to another problem";
	return filchi_search_error(err, "cannot load the checkpoint %s: %s", path, why);
}
