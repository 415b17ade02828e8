# SPDX-License-Identifier: Apache-2.0
#
# cmake --toolchain cmake/toolchains/wasm.cmake: builds for WebAssembly with emscripten, which is in Debian. The same as
# emcmake cmake, which finds emscripten in other places. node runs the tests.

find_program(filch_emcc NAMES emcc REQUIRED)
get_filename_component(filch_emcc ${filch_emcc} REALPATH)
get_filename_component(filch_emscripten ${filch_emcc} DIRECTORY)
include(${filch_emscripten}/cmake/Modules/Platform/Emscripten.cmake)
