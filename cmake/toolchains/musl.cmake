# SPDX-License-Identifier: Apache-2.0
#
# cmake --toolchain cmake/toolchains/musl.cmake: builds with the C library musl, by the musl-gcc of Debian's musl-tools.
# Add -DCMAKE_EXE_LINKER_FLAGS=-static for programs that need no library of the system.

set(CMAKE_C_COMPILER musl-gcc)
set(CMAKE_CXX_COMPILER "") # there is none for musl

# musl-tools has no headers of the kernel. Those of the host are the same for each C library.
execute_process(COMMAND gcc -print-multiarch OUTPUT_VARIABLE filch_multiarch OUTPUT_STRIP_TRAILING_WHITESPACE)
set(CMAKE_C_FLAGS_INIT "-idirafter /usr/include -idirafter /usr/include/${filch_multiarch}")
set(FILCH_HWLOC OFF CACHE STRING "hwloc.h of the host is for its C library")
