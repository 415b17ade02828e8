/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L

#include "say.h"

#include "../../bench/harness/output.h"
#include "command.h"

#include <stdbool.h>
#include <string.h>

const char *filchi_short(char out[FILCHI_SHORT], const char *value, size_t length)
{
	size_t shown = strnlen(value, length), room = FILCHI_SHORT - sizeof("...");
	bool cut = shown > room;

	for (shown = cut ? room : shown; cut && shown && (value[shown] & 0xc0) == 0x80;)
		shown--;
	snprintf(out, FILCHI_SHORT, "%.*s%s", (int)shown, value, cut ? "..." : "");
	return out;
}

int filchi_say_cannot_write(const char *command, const char *path, int err)
{
	fprintf(stderr, "%s: cannot write %s: %s\n", command, filchi_output_name(path), strerror(-err));
	return FILCHI_EXIT_FAILED;
}
