#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# task_warnings.sh ROOT CC: the macros of task.h are clean C, whatever warnings a user may have: with CC and with clang,
# without and with FILCH_DEBUG. unit_task, unit_task_run and unit_spawn_n have a use of each.
set -eu
root=$1
cc=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
warnings="-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wcast-qual -Wcast-align -Wstrict-aliasing=2
	-Wstrict-prototypes -Wmissing-prototypes -Wredundant-decls -Wundef -Wvla -Wpointer-arith -Wwrite-strings"

for compiler in "$cc" clang; do
	if ! command -v "$compiler" >/dev/null; then
		echo "no $compiler: left out"
		continue
	fi
	for option in -O2 "-O1 -DFILCH_DEBUG"; do
		for file in unit/task.c unit/task_run.c unit/spawn_n.c fixtures/task/tasks.c; do
			echo "$compiler, $option, $file"
			# Unquoted: lists of options.
			"$compiler" -std=c11 -D_DEFAULT_SOURCE $warnings -Werror $option -I "$root/include" -c \
				"$root/tests/$file" -o "$work/object"
		done
	done
done
