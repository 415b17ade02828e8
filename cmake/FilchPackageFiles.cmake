# SPDX-License-Identifier: Apache-2.0
#
# cpack runs this before it makes a package. Debian wants the manual and the list of changes compressed, and no symbols in
# programs. cpack itself strips only the programs that are targets of CMake.

function(filch_run)
	execute_process(COMMAND ${ARGN} RESULT_VARIABLE failed)
	if(failed)
		list(GET ARGN 0 program)
		message(FATAL_ERROR "${program} failed")
	endif()
endfunction()

if(CPACK_GENERATOR STREQUAL "DEB")
	file(GLOB_RECURSE files ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/*)
	set(programs ${files})
	list(FILTER files INCLUDE REGEX "/man/man[137]/|/changelog$")
	list(FILTER programs INCLUDE REGEX "/libexec/filch/bench-")
	if(files)
		filch_run(gzip -9n ${files})
	endif()
	if(programs AND CPACK_FILCH_STRIP)
		filch_run(${CPACK_FILCH_STRIP} ${programs})
	endif()
endif()
