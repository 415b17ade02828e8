# SPDX-License-Identifier: Apache-2.0
#
# cmake --install: libraries, headers, pkg-config file, CMake package; the programs, if they are built. Another project
# that contains this one gets no manual, documents and examples.

include(CMakePackageConfigHelpers)
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME filch)

set(filch_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/filch)

install(TARGETS ${filch_libraries} EXPORT filch-targets
	ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
	LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(EXPORT filch-targets NAMESPACE filch:: DESTINATION ${filch_package_dir})

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/filch-config.cmake.in
	${PROJECT_BINARY_DIR}/package/filch-config.cmake INSTALL_DESTINATION ${filch_package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/package/filch-config-version.cmake
	COMPATIBILITY SameMinorVersion)
install(FILES
	${PROJECT_BINARY_DIR}/package/filch-config.cmake
	${PROJECT_BINARY_DIR}/package/filch-config-version.cmake
	DESTINATION ${filch_package_dir})

# The directories are written relative to the file, so that an installed tree can be moved.
file(RELATIVE_PATH filch_pc_prefix
	/prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
foreach(package filch filch-search filch-search-mpi filch-dd filch-fiber)
	configure_file(${PROJECT_SOURCE_DIR}/cmake/${package}.pc.in ${PROJECT_BINARY_DIR}/package/${package}.pc @ONLY)
	install(FILES ${PROJECT_BINARY_DIR}/package/${package}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()

foreach(flavour openmpi mpich)
	if(TARGET filch_search_mpi_${flavour})
		install(TARGETS filch_search_mpi_${flavour} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/filch)
	endif()
endforeach()

if(FILCH_TOOLS)
	install(TARGETS filch_tool RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
if(PROJECT_IS_TOP_LEVEL)
	include(FilchManual)
	foreach(section 1 7)
		file(GLOB pages CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/man/*.${section})
		install(FILES ${pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man${section})
	endforeach()
	# The files have the same places relative to each other as in the sources, because they name each other.
	install(FILES ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/CHANGELOG.md ${PROJECT_SOURCE_DIR}/LICENSE
		DESTINATION ${CMAKE_INSTALL_DOCDIR})
	install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs ${PROJECT_SOURCE_DIR}/examples DESTINATION ${CMAKE_INSTALL_DOCDIR}
		FILES_MATCHING PATTERN "*.md" PATTERN "*.svg" PATTERN "*.c" PATTERN "*.cpp")
	include(FilchPackage)
endif()
