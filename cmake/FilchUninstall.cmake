# SPDX-License-Identifier: Apache-2.0
#
# cmake -DMANIFEST=<file> -P FilchUninstall.cmake
# Removes the files that the manifest lists, below DESTDIR if it is set. Removes the folders of filch that are then empty.
# A folder that filch shares with other programs stays. So does a folder with a file that is not in the manifest.

if(NOT EXISTS ${MANIFEST})
	message(FATAL_ERROR "nothing to uninstall: there is no ${MANIFEST}. Give the PREFIX and DESTDIR of make install.")
endif()
file(STRINGS ${MANIFEST} files)
list(REMOVE_DUPLICATES files)
set(folders)
foreach(file IN LISTS files)
	set(path $ENV{DESTDIR}${file})
	if(EXISTS ${path} OR IS_SYMLINK ${path})
		message("-- Removing: ${path}")
		file(REMOVE ${path})
	endif()
	# lib/cmake/filch and all folders below belong to filch; lib/cmake does not.
	get_filename_component(folder ${file} DIRECTORY)
	while(folder MATCHES "/filch(/|$)")
		list(APPEND folders ${folder})
		get_filename_component(folder ${folder} DIRECTORY)
	endwhile()
endforeach()
list(REMOVE_DUPLICATES folders)
list(SORT folders ORDER DESCENDING) # what is inside a folder comes before it
foreach(folder IN LISTS folders)
	set(path $ENV{DESTDIR}${folder})
	file(GLOB inside ${path}/* ${path}/.*)
	list(FILTER inside EXCLUDE REGEX "/\\.\\.?$")
	if(IS_DIRECTORY ${path} AND NOT IS_SYMLINK ${path} AND NOT inside)
		file(REMOVE_RECURSE ${path})
	endif()
endforeach()
file(REMOVE ${MANIFEST})
