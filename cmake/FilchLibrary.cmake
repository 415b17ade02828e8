# SPDX-License-Identifier: Apache-2.0
#
# How a library is compiled: the core (FilchSources.cmake), and the libraries beside it.

# filch_add_library(<target> STATIC|SHARED SOURCES <file>... [LIBRARIES <library>...] [CHECKED] [VARIANT <variant>])
function(filch_add_library target type)
	cmake_parse_arguments(PARSE_ARGV 2 arg "CHECKED" "VARIANT" "SOURCES;LIBRARIES")
	add_library(${target} ${type} ${arg_SOURCES})
	# A containing project builds only the libraries that it links with. Installed libraries must be built, too.
	if(NOT PROJECT_IS_TOP_LEVEL AND NOT FILCH_INSTALL)
		set_target_properties(${target} PROPERTIES EXCLUDE_FROM_ALL ON)
	endif()
	target_include_directories(${target} PUBLIC
		$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
	target_link_libraries(${target} PUBLIC ${arg_LIBRARIES})
	if(arg_CHECKED)
		filch_compile(${target} GNU)
		return()
	endif()
	filch_compile(${target} VARIANT "${arg_VARIANT}")
	target_link_libraries(${target} PUBLIC Threads::Threads)
	if(type STREQUAL "STATIC")
		target_compile_definitions(${target} PRIVATE FILCHI_BUILD_STATIC)
	endif()
endfunction()

# filch_side_library(<name> <base> SOURCES <file>... [CHECKED <file>...] [LIBRARIES <library>...])
# A library on the library base, which has the same forms: static (NAME) and shared (NAME_shared), and static for each
# variant and for the checker. CHECKED: the sources for the checker; without them there is no such form.
function(filch_side_library name base)
	cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "SOURCES;CHECKED;LIBRARIES")
	set(sources SOURCES ${arg_SOURCES} LIBRARIES ${arg_LIBRARIES}) # the base comes after them
	if(FILCH_SHIPPED)
		filch_add_library(${name} STATIC ${sources} ${base})
		set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
		add_library(filch::${name} ALIAS ${name})
	endif()
	if(FILCH_SHIPPED AND FILCH_THREADS) # WebAssembly has no shared libraries
		filch_add_library(${name}_shared SHARED ${sources} ${base}_shared)
		set_target_properties(${name}_shared PROPERTIES OUTPUT_NAME ${name} VERSION ${PROJECT_VERSION} SOVERSION 0)
		target_link_options(${name}_shared PRIVATE -Wl,-z,nodelete)
		add_library(filch::${name}_shared ALIAS ${name}_shared)
	endif()
	if(FILCH_SHIPPED AND FILCH_TESTS)
		foreach(variant IN LISTS FILCH_VARIANTS)
			if(TARGET filch_${variant})
				filch_add_library(${name}_${variant} STATIC ${sources} ${base}_${variant} VARIANT ${variant})
			endif()
		endforeach()
	endif()
	if(FILCH_CHECKS AND arg_CHECKED)
		filch_add_library(${name}_checked STATIC CHECKED
			SOURCES ${arg_CHECKED} LIBRARIES ${base}_checked ${arg_LIBRARIES})
	endif()
endfunction()
