# SPDX-License-Identifier: Apache-2.0
#
# Section 3 of the manual. A page describes several functions. For each of them, man finds a page of its name that
# includes the page of the family.

file(GLOB filch_pages CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/man/*.3)
set(filch_links)
foreach(page IN LISTS filch_pages)
	set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${page})
	get_filename_component(page_name ${page} NAME)
	file(STRINGS ${page} names REGEX "^[.]Nm [A-Za-z_]+")
	foreach(name IN LISTS names)
		string(REGEX REPLACE "^[.]Nm ([A-Za-z_]+).*" "\\1.3" link "${name}")
		if(NOT link STREQUAL page_name)
			file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/man3/${link} CONTENT ".so man3/${page_name}\n" @ONLY)
			list(APPEND filch_links ${PROJECT_BINARY_DIR}/man3/${link})
		endif()
	endforeach()
endforeach()
install(FILES ${filch_pages} ${filch_links} DESTINATION ${CMAKE_INSTALL_MANDIR}/man3)
