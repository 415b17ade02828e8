#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# task_cxx.sh ROOT LIBRARY: unit_task, unit_task_run and unit_spawn_n again, compiled as C++, without and with FILCH_DEBUG,
# and with the warnings that users may have. Then a program of C++ in two files (task_cxx.cpp), which uses each macro
# and has no cast of C: with further warnings, from C++11 to C++23, with each compiler, and with -flto -Wodr.
set -eu
root=$1
library=$2

if ! command -v c++ >/dev/null; then
	echo "skipped: no C++ compiler"
	exit 77
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
warnings="-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror"
for option in "-std=c++17 -O2" "-std=c++17 -O1 -DFILCH_DEBUG" "-std=c++11 -O2 -DFILCH_DEBUG"; do
	for name in task task_run spawn_n; do
		echo "$name, $option"
		# Unquoted: lists of options.
		c++ -x c++ $option $warnings -I "$root/include" -I "$root/tests" "$root/tests/unit/$name.c" \
			"$root/tests/fixtures/task/tasks.c" -x none "$library" -pthread -ldl -o "$scratch/$name"
		"$scratch/$name"
	done
done

# The warnings of the list that this compiler knows.
known() {
	for option in -Wold-style-cast -Wuseless-cast -Wzero-as-null-pointer-constant -Wsign-conversion -Wodr \
		-Wcast-qual -Wcast-align -Wundef -Wredundant-decls; do
		if "$1" -Werror "$option" -x c++ -fsyntax-only - </dev/null 2>/dev/null; then
			echo "$option"
		fi
	done
}

for compiler in g++ clang++; do
	if ! command -v $compiler >/dev/null; then
		echo "no $compiler: left out"
		continue
	fi
	further=$(known $compiler)
	for option in -std=c++11 "-std=c++14 -DFILCH_DEBUG" -std=c++20 "-std=c++2b -O2"; do
		echo "task_cxx.cpp, $compiler $option"
		$compiler $option $warnings $further -I "$root/include" "$root/tests/unit/task_cxx.cpp" \
			"$root/tests/unit/task_cxx_other.cpp" "$library" -pthread -ldl -o "$scratch/program"
		"$scratch/program"
	done
	# The linker of Debian has no plug-in for the objects of clang.
	if [ $compiler = g++ ]; then
		echo "task_cxx.cpp, $compiler -flto"
		$compiler -std=c++11 -flto=2 -O2 $warnings $further -I "$root/include" "$root/tests/unit/task_cxx.cpp" \
			"$root/tests/unit/task_cxx_other.cpp" "$library" -pthread -ldl -o "$scratch/program"
		"$scratch/program"
	fi
done
