# SPDX-License-Identifier: Apache-2.0
#
# cmake --toolchain cmake/toolchains/s390x.cmake: builds for Linux on s390x with the cross compiler of Debian.

set(CMAKE_SYSTEM_PROCESSOR s390x)
include(${CMAKE_CURRENT_LIST_DIR}/linux.cmake)
