# SPDX-License-Identifier: Apache-2.0
#
# filch_peer(<name> SOURCES <file>... COMPILER <compiler> <flag>... [FLAGS <flag>...] [ARCHIVES <target>...]
#            [LINK <flag>...] HEADER <header> REASON <package> FOLDER <folder>)
#
# Builds the program bench-<name> in the folder by the target filch_bench_<name>, with a compiler of its own. If a program
# with the header cannot be built, the target is left out, and filch bench reports the missing runtime.
function(filch_peer name)
	cmake_parse_arguments(PARSE_ARGV 1 arg "" "HEADER;REASON;FOLDER" "SOURCES;COMPILER;FLAGS;ARCHIVES;LINK")
	list(GET arg_COMPILER 0 compiler)
	list(GET arg_SOURCES 0 source)
	get_filename_component(suffix ${source} LAST_EXT)
	set(probe ${CMAKE_CURRENT_BINARY_DIR}/probe-${name})
	file(WRITE ${probe}${suffix} "#include <${arg_HEADER}>\nint main(void) { return 0; }\n")
	set(compiles 1)
	if(compiler)
		execute_process(COMMAND ${arg_COMPILER} ${probe}${suffix} ${arg_LINK} -o ${probe}
			RESULT_VARIABLE compiles OUTPUT_QUIET ERROR_QUIET)
	endif()
	if(NOT compiles EQUAL 0)
		message(STATUS "filch bench will have no ${name}: that wants ${arg_REASON}")
		return()
	endif()

	set(flags ${arg_FLAGS} -Wall -Wextra -I${PROJECT_SOURCE_DIR}/include)
	if(FILCH_WERROR)
		list(APPEND flags -Werror)
	endif()
	foreach(source IN LISTS arg_SOURCES)
		string(REPLACE "/" "-" object ${name}-${source}.o)
		string(REPLACE "..-" "" object ${object})
		set(object ${CMAKE_CURRENT_BINARY_DIR}/${object})
		set(depfile)
		if(NOT CMAKE_VERSION VERSION_LESS 3.20) # before, only Ninja reads it: then changed headers need a new build
			set(depfile DEPFILE ${object}.d)
		endif()
		add_custom_command(OUTPUT ${object}
			COMMAND ${arg_COMPILER} ${flags} -MMD -MF ${object}.d -c ${CMAKE_CURRENT_SOURCE_DIR}/${source} -o ${object}
			DEPENDS ${source} ${depfile}
			COMMENT "Building ${name}: ${source}" VERBATIM)
		list(APPEND objects ${object})
	endforeach()
	foreach(target IN LISTS arg_ARCHIVES)
		list(APPEND archives $<TARGET_FILE:${target}>)
	endforeach()
	set(program ${arg_FOLDER}/bench-${name})
	add_custom_command(OUTPUT ${program}
		COMMAND ${arg_COMPILER} ${objects} ${archives} ${arg_LINK} -o ${program}
		DEPENDS ${objects} ${arg_ARCHIVES}
		COMMENT "Linking bench-${name}" VERBATIM)
	add_custom_target(filch_bench_${name} ALL DEPENDS ${program})
	if(FILCH_INSTALL)
		install(PROGRAMS ${program} DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/filch COMPONENT bench)
	endif()
endfunction()
