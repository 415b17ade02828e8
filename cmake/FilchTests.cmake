# SPDX-License-Identifier: Apache-2.0
#
# Makes and registers tests. Exit code 0 is a pass, 77 a skip, any other a failure. Each test has a time limit.

include(ProcessorCount)
ProcessorCount(FILCH_PROCESSORS)

# Time limits in seconds for each kind of test. A limit ends a test that hangs. Each limit is more than ten times the
# duration of the longest test of its kind on a quiet machine, because tests are that much slower on a busy machine.
# Sanitizers get three times this, a deep run twenty times.
set(FILCH_TIMEOUT_unit 600)
set(FILCH_TIMEOUT_stress 1200)
set(FILCH_TIMEOUT_hostile 1200)
set(FILCH_TIMEOUT_model 3000)
set(FILCH_TIMEOUT_checker 1200)
set(FILCH_TIMEOUT_mutation 6000)
set(FILCH_TIMEOUT_fuzz 1200)
set(FILCH_TIMEOUT_cli 1800)
set(FILCH_TIMEOUT_example 600)
set(FILCH_TIMEOUT_lint 1200)
set(FILCH_TIMEOUT_package 6000)

# Sanitizers of gcc 12 fail at random if the kernel randomizes addresses more than they expect, so fix the addresses.
execute_process(COMMAND setarch -R true RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
if(failed)
	set(FILCH_LAUNCH_SANITIZED)
else()
	set(FILCH_LAUNCH_SANITIZED setarch -R)
endif()

# The tests of a system without threads (FILCH_THREADS=OFF). The others start threads, or need workers.
set(FILCH_TESTS_SINGLE
	unit_algo_define unit_algo_keys unit_algo_memory unit_algo_sort unit_backoff unit_bulk
	unit_bulk_list unit_dd unit_dd_problems unit_dd_properties unit_deque_abp unit_deque_bwos_fifo
	unit_deque_bwos_lifo unit_deque_chase_lev unit_deque_global unit_deque_locked unit_deque_private
	unit_deque_split unit_injector unit_mem unit_models unit_policy unit_problems unit_rng unit_search_modes
	unit_search_sized unit_single unit_splitter unit_version)

# Programs for node: one file each, which may use the files of the host, and end when main() returns.
if(EMSCRIPTEN)
	set(FILCH_TEST_LINK -sSINGLE_FILE=1 -sNODERAWFS=1 -sEXIT_RUNTIME=1 -sALLOW_MEMORY_GROWTH=1 -sINITIAL_MEMORY=64MB)
endif()

# Tests that cannot pass under qemu-user 7.2, with the reason: FILCH_EMULATED_<test>.
set(FILCH_EMULATED_unit_fork_local "qemu-user aborts if a child of a process with threads goes on")
set(FILCH_EMULATED_unit_fork_process ${FILCH_EMULATED_unit_fork_local})
set(FILCH_EMULATED_unit_fiber_io_many "the test counts the threads of the process, and qemu-user has one of its own")
set(FILCH_EMULATED_unit_fiber_process ${FILCH_EMULATED_unit_fork_local})
set(FILCH_EMULATED_unit_fiber_stack "qemu-user ignores guards by madvise, which the test expects of the system")
set(FILCH_EMULATED_unit_limits "qemu-user ignores setrlimit of memory")
set(FILCH_EMULATED_unit_os "qemu-user ignores madvise, by which the test turns huge pages off")
set(FILCH_EMULATED_unit_pool "the test counts the threads of the process, and qemu-user has one of its own")
set(FILCH_EMULATED_unit_threads "qemu-user writes a line of its own if a program aborts")
set(FILCH_EMULATED_unit_topology "the test runs itself again with exec, which leaves the emulator")
set(FILCH_EMULATED_stress_search_kill ${FILCH_EMULATED_unit_topology})
set(FILCH_EMULATED_stress_task "qemu-user never forgets address space that was reserved, and many pools fill the memory")
set(FILCH_EMULATED_stress_deque_abp "on x86 qemu-user lets a load of seq_cst pass a store of seq_cst")

# filch_emulate(<test> <command>): changes the variable <command> for a machine that this one emulates. CMake calls the
# emulator only if the command begins with the name of a target. A command that runs no program of the target alone is
# left out: <command> is then empty.
function(filch_emulate test command)
	list(GET ${command} 0 program)
	if(NOT program MATCHES "^[$]<TARGET_FILE:(.+)>$" OR NOT CMAKE_CROSSCOMPILING_EMULATOR)
		set(${command} "" PARENT_SCOPE)
		return()
	endif()
	list(REMOVE_AT ${command} 0)
	list(PREPEND ${command} ${CMAKE_MATCH_1})
	if(FILCH_EMULATED_${test})
		set(${command} sh -c "echo 'skipped: ${FILCH_EMULATED_${test}}' && exit 77")
	endif()
	set(${command} ${${command}} PARENT_SCOPE)
endfunction()

# filch_register(<test> <label> [TIMEOUT <seconds>] [PARALLEL] [VARIANT <variant>] COMMAND ...)
# PARALLEL: the test uses all processors itself, so it runs alone.
function(filch_register test label)
	cmake_parse_arguments(PARSE_ARGV 2 arg "PARALLEL" "TIMEOUT;VARIANT" "COMMAND")
	if(NOT arg_TIMEOUT)
		set(arg_TIMEOUT ${FILCH_TIMEOUT_${label}})
	endif()
	if(NOT arg_VARIANT)
		set(arg_VARIANT "${FILCH_SANITIZE}")
	endif()
	set(environment
		"ASAN_OPTIONS=allocator_may_return_null=1"
		"UBSAN_OPTIONS=print_stacktrace=1"
		"TSAN_OPTIONS=allocator_may_return_null=1:halt_on_error=1")
	if(arg_VARIANT)
		math(EXPR arg_TIMEOUT "${arg_TIMEOUT} * 3")
		list(PREPEND arg_COMMAND ${FILCH_LAUNCH_SANITIZED})
	endif()
	if(FILCH_DEEP)
		math(EXPR arg_TIMEOUT "${arg_TIMEOUT} * 20")
		list(APPEND environment "FILCH_DEEP=1")
	endif()
	if(CMAKE_CROSSCOMPILING)
		filch_emulate(${test} arg_COMMAND)
		if(NOT arg_COMMAND)
			return()
		endif()
	endif()
	add_test(NAME ${test} COMMAND ${arg_COMMAND} WORKING_DIRECTORY ${PROJECT_BINARY_DIR})
	set_tests_properties(${test} PROPERTIES
		LABELS ${label}
		TIMEOUT ${arg_TIMEOUT}
		SKIP_RETURN_CODE 77
		ENVIRONMENT "${environment}")
	if(arg_PARALLEL)
		set_tests_properties(${test} PROPERTIES PROCESSORS ${FILCH_PROCESSORS})
	endif()
endfunction()

# filch_executable(<target> <source> [VARIANT <variant>] [SUPPORT <file>...] [LINK <library>...])
# Assertions are always on in a test.
function(filch_executable target source)
	cmake_parse_arguments(PARSE_ARGV 2 arg "" "VARIANT" "SUPPORT;LINK")
	add_executable(${target} ${source} ${arg_SUPPORT})
	filch_compile(${target} GNU VARIANT "${arg_VARIANT}")
	target_compile_options(${target} PRIVATE -UNDEBUG)
	target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
	target_link_libraries(${target} PRIVATE ${arg_LINK})
	target_link_options(${target} PRIVATE ${FILCH_TEST_LINK})
	if(CMAKE_SYSTEM_PROCESSOR STREQUAL "riscv64") # gcc calls a function for an atomic byte
		target_link_libraries(${target} PRIVATE atomic)
	endif()
	set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
endfunction()

# filch_test(<folder> <name> [LABEL <label>] [TIMEOUT <seconds>] [SUPPORT <file>...] [LINK <library>...] [ARGS ...]
#            [PARALLEL] [VARIANTS <variant>...])
# Compiles tests/<folder>/<name>.c and registers it as <folder>_<name>; for each variant again, as
# <folder>_<name>.<variant>.
function(filch_test folder name)
	cmake_parse_arguments(PARSE_ARGV 2 arg "PARALLEL" "LABEL;TIMEOUT" "SUPPORT;LINK;ARGS;VARIANTS")
	string(REPLACE "/" "_" test "${folder}_${name}")
	if(NOT FILCH_THREADS AND NOT test IN_LIST FILCH_TESTS_SINGLE)
		return()
	endif()
	if(NOT arg_LABEL)
		string(REGEX REPLACE "/.*" "" arg_LABEL ${folder})
	endif()
	set(how TIMEOUT "${arg_TIMEOUT}")
	if(arg_PARALLEL)
		list(APPEND how PARALLEL)
	endif()

	filch_executable(${test} ${folder}/${name}.c SUPPORT ${arg_SUPPORT} LINK ${arg_LINK})
	filch_register(${test} ${arg_LABEL} ${how} COMMAND $<TARGET_FILE:${test}> ${arg_ARGS})

	foreach(variant IN LISTS arg_VARIANTS)
		if(TARGET filch_${variant})
			list(TRANSFORM arg_LINK REPLACE "^(filch|filch_search|filch_search_mpi|filch_search_sim|filch_dd|filch_problems|filch_fiber|filch_ufp)$" "\\1_${variant}" OUTPUT_VARIABLE link)
			filch_executable(${test}.${variant} ${folder}/${name}.c VARIANT ${variant}
				SUPPORT ${arg_SUPPORT} LINK ${link})
			filch_register(${test}.${variant} ${arg_LABEL} ${how} VARIANT ${variant}
				COMMAND $<TARGET_FILE:${test}.${variant}> ${arg_ARGS})
		else()
			filch_register(${test}.${variant} ${arg_LABEL}
				COMMAND sh -c "echo 'skipped: this compiler has no ${variant}'; exit 77")
		endif()
	endforeach()
endfunction()

# filch_script(<label> <test> <script> [args...]): registers a shell script of tests/ as a test.
function(filch_script label test script)
	filch_register(${test} ${label} COMMAND sh ${PROJECT_SOURCE_DIR}/tests/${script} ${ARGN})
endfunction()
