# SPDX-License-Identifier: Apache-2.0
#
# FILCH_HWLOC: whether the library asks hwloc which CPUs are near each other. AUTO: if there is an hwloc.h of version 2.5
# or newer. ON: hwloc.h must be there. OFF: never. The build needs only the header. Programs load the library of hwloc at
# run time. So nothing is linked with hwloc, and no installed file depends on it.
#
# FILCH_HWLOC_OPTIONS: compiler options for the file that asks hwloc; empty without hwloc.

set(FILCH_HWLOC AUTO CACHE STRING "Ask hwloc which CPUs are near each other: AUTO, ON or OFF")
set_property(CACHE FILCH_HWLOC PROPERTY STRINGS AUTO ON OFF)

set(FILCH_HWLOC_OPTIONS)
if(FILCH_HWLOC) # AUTO counts as true
	find_path(FILCH_HWLOC_INCLUDE hwloc.h)
	mark_as_advanced(FILCH_HWLOC_INCLUDE)
	set(version 0)
	if(FILCH_HWLOC_INCLUDE)
		file(STRINGS ${FILCH_HWLOC_INCLUDE}/hwloc.h version REGEX "^#define HWLOC_API_VERSION 0x")
		string(REGEX REPLACE ".*(0x[0-9a-fA-F]+).*" "\\1" version "0${version}")
		math(EXPR version "${version} >> 8")
	endif()
	if(version GREATER_EQUAL 0x205 AND version LESS 0x300)
		set(FILCH_HWLOC_OPTIONS -DFILCHI_HWLOC)
		if(NOT FILCH_HWLOC_INCLUDE IN_LIST CMAKE_C_IMPLICIT_INCLUDE_DIRECTORIES)
			list(APPEND FILCH_HWLOC_OPTIONS -isystem ${FILCH_HWLOC_INCLUDE})
		endif()
	elseif(NOT FILCH_HWLOC STREQUAL "AUTO")
		message(FATAL_ERROR "filch: FILCH_HWLOC is ${FILCH_HWLOC}, but there is no hwloc.h of hwloc 2.5 or newer")
	endif()
endif()
