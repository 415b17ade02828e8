/* SPDX-License-Identifier: Apache-2.0 */
#include "say.h"

#include "../../bench/harness/output.h"
#include "command.h"

#include <string.h>

int filchi_say_cannot_write(const char *command, const char *path, int err)
{
	fprintf(stderr, "%s: cannot write %s: %s\n", command, filchi_output_name(path), strerror(-err));
	return FILCHI_EXIT_FAILED;
}
