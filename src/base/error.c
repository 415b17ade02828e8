/* SPDX-License-Identifier: Apache-2.0 */
#include "error.h"

#include "compiler.h"
#include "sized.h"

#include <filch/base.h>

#include <stdarg.h>
#include <stdio.h>

#define MAX_SHOWN 32 /* bytes of an unknown name */

static _Thread_local char buffer[256];
/* Near: filchi_fail_text() is called when there is no memory. */
static FILCHI_TLS_NEAR _Thread_local const char *message;

const char *filch_error_message(void)
{
	return message ? message : "";
}

int filchi_fail_text(int err, const char *text)
{
	message = text;
	return err;
}

int filchi_fail(int err, const char *format, ...)
{
	va_list list;

	va_start(list, format);
	vsnprintf(buffer, sizeof(buffer), format, list);
	va_end(list);
	message = buffer;
	return err;
}

int filch_error_set(int error, const char *text)
{
	const char *from = text ? text : "", *end = memchr(from, 0, sizeof(buffer) - 1);
	size_t length = end ? (size_t)(end - from) : sizeof(buffer) - 1;

	memmove(buffer, from, length); /* the text may be a part of the last one */
	buffer[length] = 0;
	message = buffer;
	return error;
}

int filchi_fail_null(const char *argument)
{
	return filchi_fail(-EINVAL, "%s is NULL", argument);
}

int filchi_fail_sized(const char *type, const void *theirs)
{
	size_t size = filchi_sized_size(theirs);

	if (filchi_sized_makes_sense(size))
		return filchi_fail(-EINVAL, "%s: a field is set that this library does not know", type);
	return filchi_fail(-EINVAL, "%s: struct_size is %zu; set it to sizeof(%s)", type, size, type);
}

/* Bytes of the name that the text shows: whole characters in UTF-8. */
static size_t shown_bytes(const char *name)
{
	size_t bytes = strlen(name);

	for (bytes = bytes < MAX_SHOWN ? bytes : MAX_SHOWN; bytes && (name[bytes] & 0xc0) == 0x80;)
		bytes--;
	return bytes;
}

int filchi_fail_unknown(int err, const char *from, const char *what, const char *name, const char *(*names)(unsigned))
{
	size_t used, shown = shown_bytes(name);

	filchi_fail(err, "%s%.*s%s: no such %s; there are", from, (int)shown, name, name[shown] ? "..." : "", what);
	for (unsigned n = 0; names(n) && (used = strlen(buffer)) < sizeof(buffer); n++)
		snprintf(buffer + used, sizeof(buffer) - used, "%s %s", n ? "," : "", names(n));
	return err;
}
