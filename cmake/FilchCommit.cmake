# SPDX-License-Identifier: Apache-2.0
#
# cmake -DSOURCE=<tree> -DHEADER=<file> -P FilchCommit.cmake
# Writes the commit of the tree into a header, or "" outside of git. Leaves a header that is up to date unchanged.

execute_process(COMMAND git -C ${SOURCE} describe --always --dirty --abbrev=40 --exclude=*
	OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
if(failed)
	set(commit "")
endif()
file(CONFIGURE OUTPUT ${HEADER} CONTENT "#define FILCHI_COMMIT \"${commit}\"\n")
