# SPDX-License-Identifier: Apache-2.0
#
# cmake --toolchain cmake/toolchains/aarch64.cmake: builds for Linux on aarch64 with the cross compiler of Debian.

set(CMAKE_SYSTEM_PROCESSOR aarch64)
include(${CMAKE_CURRENT_LIST_DIR}/linux.cmake)
