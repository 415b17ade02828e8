# SPDX-License-Identifier: Apache-2.0
#
# cmake -DSOURCE=<tree> -DHEADER=<file> -P FilchCommit.cmake
# Writes the commit that the tree is at, "" if it is not in git, into a header; touches it only when it has changed.

execute_process(COMMAND git -C ${SOURCE} describe --always --dirty --abbrev=40 --exclude=*
	OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
if(failed)
	set(commit "")
endif()
file(CONFIGURE OUTPUT ${HEADER} CONTENT "#define FILCHI_COMMIT \"${commit}\"\n")
