#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# task_cxx.sh ROOT LIBRARY: unit_task, unit_task_run and unit_spawn_n again, compiled as C++, without and with FILCH_DEBUG, and with the
# warnings that users may have.
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
