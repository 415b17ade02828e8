/* SPDX-License-Identifier: Apache-2.0 */
/* filch with the command dupes only, so that sanitizers can be compiled into it. */
#include "../../tools/filch/command.h"

#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
	static char name[] = "filch dupes";
	int code;

	if (argc < 2 || strcmp(argv[1], "dupes") != 0)
		return FILCHI_EXIT_USAGE;
	argv[1] = name;
	code = filchi_cmd_dupes.run(argc - 1, argv + 1);
	return (fflush(stdout) || ferror(stdout)) && code == FILCHI_EXIT_OK ? FILCHI_EXIT_FAILED : code;
}
