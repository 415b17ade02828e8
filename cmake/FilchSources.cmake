# SPDX-License-Identifier: Apache-2.0
#
# One list of sources, compiled several times: shipped, checked, and once per sanitizer.
#
#   name_linux.c   only in the shipped library: talks to the system
#   name_check.c   only in the checked library: replaces the system
#   name_single.c  only without FILCH_THREADS: replaces all files os/*_linux.c
#   any other      in both, the same text

# filch_sources(<file>...): adds files, named relative to src/, to the library.
function(filch_sources)
	foreach(file IN LISTS ARGN)
		if((file MATCHES "_single\\.c$" AND FILCH_THREADS) OR (file MATCHES "^os/.*_linux\\.c$" AND NOT FILCH_THREADS))
			continue()
		endif()
		if(NOT file MATCHES "_check\\.c$")
			set_property(GLOBAL APPEND PROPERTY FILCH_SHIPPED_SOURCES ${file})
		endif()
		if(NOT file MATCHES "_linux\\.c$")
			set_property(GLOBAL APPEND PROPERTY FILCH_CHECKED_SOURCES ${file})
		endif()
	endforeach()
endfunction()

# filch_library(<target> STATIC|SHARED [CHECKED] [VARIANT <variant>]): one compilation of the list.
function(filch_library target type)
	cmake_parse_arguments(PARSE_ARGV 2 arg "CHECKED" "VARIANT" "")
	if(arg_CHECKED)
		get_property(sources GLOBAL PROPERTY FILCH_CHECKED_SOURCES)
	else()
		get_property(sources GLOBAL PROPERTY FILCH_SHIPPED_SOURCES)
	endif()
	filch_add_library(${target} ${type} SOURCES ${sources} ${ARGN})
	if(arg_CHECKED)
		target_compile_definitions(${target} PUBLIC FILCH_CHECKED)
		target_link_libraries(${target} PUBLIC filch_chk)
	endif()
endfunction()
