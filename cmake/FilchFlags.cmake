# SPDX-License-Identifier: Apache-2.0
#
# The language, warnings and sanitizers of all targets.

set(FILCH_WARNINGS
	-Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wconversion -Wpointer-arith -Wvla -Wundef)
if(EMSCRIPTEN)
	# clang warns of each index that becomes a size. Indices have 64 bits, but count things in memory.
	list(APPEND FILCH_WARNINGS -Wno-shorten-64-to-32)
endif()
if(FILCH_WERROR)
	list(APPEND FILCH_WARNINGS -Werror)
endif()

# A variant is another way to compile a target. Assertions are on in all variants.
set(FILCH_FLAGS_asan -O1 -g -UNDEBUG -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all)
set(FILCH_LINK_asan -fsanitize=address,undefined)
set(FILCH_FLAGS_tsan -O1 -g -UNDEBUG -fno-omit-frame-pointer -fsanitize=thread)
set(FILCH_LINK_tsan -fsanitize=thread)
if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
	# gcc warns that TSan does not see fences. Therefore no edge may depend on a fence under TSan.
	list(APPEND FILCH_FLAGS_tsan -Wno-tsan)
endif()

# filch_compile(<target> [GNU] [VARIANT <variant>])
# Sets language, warnings and flags. GNU: allows GNU extensions, which shipped sources may not use.
function(filch_compile target)
	cmake_parse_arguments(PARSE_ARGV 1 arg "GNU" "VARIANT" "")
	if(NOT arg_VARIANT)
		set(arg_VARIANT "${FILCH_SANITIZE}")
	endif()
	set_target_properties(${target} PROPERTIES
		C_STANDARD 11
		C_STANDARD_REQUIRED ON
		C_EXTENSIONS ${arg_GNU}
		C_VISIBILITY_PRESET hidden)
	target_compile_options(${target} PRIVATE ${FILCH_WARNINGS} ${FILCH_FLAGS_${arg_VARIANT}})
	target_link_options(${target} PRIVATE ${FILCH_LINK_${arg_VARIANT}})
endfunction()

# filch_variant_works(<variant> <result>): checks that this compiler can build and link the variant.
include(CheckCSourceCompiles)
function(filch_variant_works variant result)
	list(JOIN FILCH_LINK_${variant} " " CMAKE_REQUIRED_FLAGS)
	set(CMAKE_REQUIRED_QUIET ON)
	check_c_source_compiles("int main(void) { return 0; }" FILCH_HAVE_${variant})
	set(${result} ${FILCH_HAVE_${variant}} PARENT_SCOPE)
endfunction()
