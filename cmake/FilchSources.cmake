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
		if(file MATCHES "_single\\.c$" AND FILCH_THREADS OR file MATCHES "^os/.*_linux\\.c$" AND NOT FILCH_THREADS)
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
	add_library(${target} ${type} ${sources})
	# A containing project builds only the libraries that it links with. Installed libraries must be built, too.
	if(NOT PROJECT_IS_TOP_LEVEL AND NOT FILCH_INSTALL)
		set_target_properties(${target} PROPERTIES EXCLUDE_FROM_ALL ON)
	endif()
	target_include_directories(${target} PUBLIC
		$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
	if(arg_CHECKED)
		filch_compile(${target} GNU)
		target_compile_definitions(${target} PUBLIC FILCH_CHECKED)
		target_link_libraries(${target} PUBLIC filch_chk)
	else()
		filch_compile(${target} VARIANT "${arg_VARIANT}")
		target_link_libraries(${target} PUBLIC Threads::Threads)
		if(type STREQUAL "STATIC")
			target_compile_definitions(${target} PRIVATE FILCHI_BUILD_STATIC)
		endif()
	endif()
endfunction()
