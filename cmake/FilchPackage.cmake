# SPDX-License-Identifier: Apache-2.0
#
# cpack (make package): packages for Debian and archives. The package filch has the library, its headers and manual, and
# the filch program. The package filch-bench has the programs that filch bench compares, so that only that package
# depends on other runtimes.

set(CPACK_GENERATOR "DEB;TGZ")
set(CPACK_COMPONENTS_ALL filch bench)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_ARCHIVE_COMPONENT_INSTALL ON)
# The maintainer of a package is who builds it, by the variables of Debian. The project has no address of its own, and a
# name under .example belongs to nobody.
set(maintainer "filch maintainers <maintainers@filch.example>")
if(DEFINED ENV{DEBEMAIL} AND DEFINED ENV{DEBFULLNAME})
	set(maintainer "$ENV{DEBFULLNAME} <$ENV{DEBEMAIL}>")
endif()
set(CPACK_PACKAGE_CONTACT ${maintainer} CACHE STRING "Maintainer of the packages")
set(CPACK_PACKAGE_VENDOR filch)
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGE_CHECKSUM SHA256)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_ARCHIVE_FILCH_FILE_NAME filch-${PROJECT_VERSION}-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_ARCHIVE_BENCH_FILE_NAME filch-bench-${PROJECT_VERSION}-${CMAKE_SYSTEM_PROCESSOR})

set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/FilchPackageFiles.cmake)
set(CPACK_FILCH_STRIP ${CMAKE_STRIP})
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
if(CMAKE_CROSSCOMPILING) # otherwise cpack asks dpkg
	string(REPLACE aarch64 arm64 CPACK_DEBIAN_PACKAGE_ARCHITECTURE ${CMAKE_SYSTEM_PROCESSOR})
	set(CPACK_DEBIAN_FILCH_PACKAGE_DEPENDS libc6)
endif()
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_FILCH_PACKAGE_NAME filch)
set(CPACK_DEBIAN_FILCH_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_BENCH_PACKAGE_NAME filch-bench)
set(CPACK_DEBIAN_BENCH_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_FILCH_PACKAGE_SUGGESTS filch-bench)
set(CPACK_DEBIAN_BENCH_PACKAGE_DEPENDS "filch (= ${PROJECT_VERSION})")
if(CMAKE_CROSSCOMPILING)
	string(APPEND CPACK_DEBIAN_BENCH_PACKAGE_DEPENDS ", libc6")
endif()
set(CPACK_COMPONENT_FILCH_DESCRIPTION "Tasks with spawn and sync, pools, futures, parallel loops and sorts, and
the work-stealing deques that they are built on.")
set(CPACK_COMPONENT_BENCH_DESCRIPTION "The programs that the command filch bench compares: the same with filch, with
OpenMP, with oneTBB, and without any runtime.")
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
file(WRITE ${PROJECT_BINARY_DIR}/package/triggers "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_FILCH_PACKAGE_CONTROL_EXTRA ${PROJECT_BINARY_DIR}/package/triggers)
find_program(FILCH_SHLIBDEPS dpkg-shlibdeps)
mark_as_advanced(FILCH_SHLIBDEPS)
if(FILCH_SHLIBDEPS AND NOT CMAKE_CROSSCOMPILING)
	set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
	set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR}/src)
endif()

# Debian wants two more files in each package.
set(filch_more ${PROJECT_BINARY_DIR}/package)
file(WRITE ${filch_more}/copyright
	"filch\n\nCopyright 2026 the authors of filch\n\nLicense: Apache-2.0\n On Debian the license is in /usr/share/common-licenses/Apache-2.0.\n")
string(TIMESTAMP filch_date "%a, %d %b %Y %H:%M:%S +0000" UTC)
foreach(package filch filch-bench)
	string(REPLACE "filch-" "" component ${package})
	file(WRITE ${filch_more}/${component}/changelog
		"${package} (${PROJECT_VERSION}) unstable; urgency=medium\n\n  * CHANGELOG.md lists the changes.\n\n -- ${CPACK_PACKAGE_CONTACT}  ${filch_date}\n")
	install(FILES ${filch_more}/copyright ${filch_more}/${component}/changelog
		DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package} COMPONENT ${component})
endforeach()
include(CPack)
