# SPDX-License-Identifier: Apache-2.0
#
# The common part of the toolchains, for CMAKE_SYSTEM_PROCESSOR: compilers, libraries, and qemu-user for the tests.
# A compiler that is set already (CC, -DCMAKE_C_COMPILER) is kept.

set(CMAKE_SYSTEM_NAME Linux)
set(filch_triplet ${CMAKE_SYSTEM_PROCESSOR}-linux-gnu)

if(NOT CMAKE_C_COMPILER)
	set(CMAKE_C_COMPILER ${filch_triplet}-gcc)
endif()
# Without this CMake would take the C++ compiler of the host.
if(NOT CMAKE_CXX_COMPILER)
	find_program(filch_cxx NAMES ${filch_triplet}-g++)
	mark_as_advanced(filch_cxx)
	if(filch_cxx)
		set(CMAKE_CXX_COMPILER ${filch_cxx})
	else()
		set(CMAKE_CXX_COMPILER "")
	endif()
endif()

# Headers and libraries of the host are of no use.
set(CMAKE_FIND_ROOT_PATH /usr/${filch_triplet})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)

find_program(filch_qemu NAMES qemu-${CMAKE_SYSTEM_PROCESSOR} qemu-${CMAKE_SYSTEM_PROCESSOR}-static)
mark_as_advanced(filch_qemu)
if(filch_qemu AND NOT CMAKE_CROSSCOMPILING_EMULATOR)
	set(CMAKE_CROSSCOMPILING_EMULATOR ${filch_qemu};-L;/usr/${filch_triplet})
endif()
