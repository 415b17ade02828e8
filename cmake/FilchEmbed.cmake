# SPDX-License-Identifier: Apache-2.0
#
# filch_embed(<source> <prefix> <file>...): makes a C source that defines each file, name.ext, as the string
# <prefix>name_ext, and again when a file changes. As a script: cmake -DOUT=<source> -DPREFIX=<prefix> -DFILES=<file>|...

if(CMAKE_SCRIPT_MODE_FILE)
	set(text "/* Made by cmake/FilchEmbed.cmake. */\n")
	string(REPLACE "|" ";" FILES "${FILES}")
	foreach(file IN LISTS FILES)
		get_filename_component(name ${file} NAME)
		string(MAKE_C_IDENTIFIER ${name} name)
		file(READ ${file} bytes HEX)
		string(REGEX REPLACE "(..)" "'\\\\x\\1'," bytes "${bytes}")
		string(APPEND text "extern const char ${PREFIX}${name}[];\nconst char ${PREFIX}${name}[] = {${bytes}0};\n")
	endforeach()
	file(WRITE ${OUT} "${text}")
	return()
endif()

function(filch_embed source prefix)
	list(JOIN ARGN "|" files)
	add_custom_command(OUTPUT ${source}
		COMMAND ${CMAKE_COMMAND} -DOUT=${source} -DPREFIX=${prefix} "-DFILES=${files}"
			-P ${PROJECT_SOURCE_DIR}/cmake/FilchEmbed.cmake
		DEPENDS ${ARGN} ${PROJECT_SOURCE_DIR}/cmake/FilchEmbed.cmake
		VERBATIM)
endfunction()
