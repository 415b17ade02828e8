#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# musl.sh SOURCE BUILD: the libraries compile with the C library musl, with warnings as errors. Some unit tests pass, and
# an example that is linked statically. All unit tests and examples with FILCH_DEEP.
set -eu
source=$1
build=$2

if ! command -v musl-gcc >/dev/null; then
	echo "skipped: no musl-gcc"
	exit 77
fi
# One test for each part of src/os, then tasks, pools, waits and a search.
tests='os mem process limits signals topology task_run spawn_n future group blocking algo_pool search'
cmake -S "$source" -B "$build" -G "Unix Makefiles" -DCMAKE_TOOLCHAIN_FILE="$source/cmake/toolchains/musl.cmake" \
	-DCMAKE_BUILD_TYPE=Release -DFILCH_TESTS=ON -DFILCH_WERROR=ON -DFILCH_VARIANTS= -DFILCH_TOOLS=OFF \
	-DFILCH_CHECKS=OFF -DCMAKE_RULE_MESSAGES=OFF -DCMAKE_TARGET_MESSAGES=OFF >/dev/null
if [ -n "${FILCH_DEEP:-}" ]; then
	cmake --build "$build" -j "$(nproc)"
	cd "$build" && ctest --output-on-failure --no-label-summary -L 'unit|example' --no-tests=error
else
	targets=$(for name in $tests; do echo "unit_$name"; done)
	# Unquoted: a list of targets.
	cmake --build "$build" -j "$(nproc)" --target filch filch_shared filch_search $targets
	cd "$build" && ctest --output-on-failure --no-label-summary --no-tests=error \
		-R "^unit_($(echo "$tests" | tr ' ' '|'))\$"
fi
musl-gcc -static -O2 -I "$source/include" "$source/examples/fib.c" "$build/src/libfilch.a" -o "$build/fib"
"$build/fib"
