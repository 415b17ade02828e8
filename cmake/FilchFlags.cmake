# SPDX-License-Identifier: Apache-2.0
#
# The flags of all targets: language, warnings, sanitizers.

set(FILCH_WARNINGS
	-Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wconversion -Wpointer-arith -Wvla -Wundef)
if(FILCH_WERROR)
	list(APPEND FILCH_WARNINGS -Werror)
endif()

# A variant is a way to compile a target beside the tree's own. Assertions are on in all of them.
set(FILCH_FLAGS_asan -O1 -g -UNDEBUG -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all)
set(FILCH_LINK_asan -fsanitize=address,undefined)
set(FILCH_FLAGS_tsan -O1 -g -UNDEBUG -fno-omit-frame-pointer -fsanitize=thread)
set(FILCH_LINK_tsan -fsanitize=thread)
if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
	# gcc warns that TSan does not see fences. That is known: no edge relies on TSan in this.
	list(APPEND FILCH_FLAGS_tsan -Wno-tsan)
endif()

# filch_compile(<target> [GNU] [VARIANT <variant>])
# Sets language, warnings and flags. GNU: with the GNU extensions, which shipped sources may not use.
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

# filch_variant_works(<variant> <result>): true if this compiler can build and link the variant.
include(CheckCSourceCompiles)
function(filch_variant_works variant result)
	list(JOIN FILCH_LINK_${variant} " " CMAKE_REQUIRED_FLAGS)
	set(CMAKE_REQUIRED_QUIET ON)
	check_c_source_compiles("int main(void) { return 0; }" FILCH_HAVE_${variant})
	set(${result} ${FILCH_HAVE_${variant}} PARENT_SCOPE)
endfunction()
