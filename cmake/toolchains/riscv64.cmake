# SPDX-License-Identifier: Apache-2.0
#
# cmake --toolchain cmake/toolchains/riscv64.cmake: builds for Linux on riscv64 with the cross compiler of Debian.

set(CMAKE_SYSTEM_PROCESSOR riscv64)
include(${CMAKE_CURRENT_LIST_DIR}/linux.cmake)
