#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# readme.sh ROOT: each program in ROOT/README.md is the example named last before it (examples/NAME.c), except for the
# first line of the file, which names the licence. README.md has at least one program.
set -eu
cd "$1"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

awk -v work="$work" '
match($0, /examples\/[a-z_]+\.c/) { name = substr($0, RSTART + 9, RLENGTH - 9) }
/^```/ {
	inside = /^```c$/
	if (inside && name == "") {
		print "README.md has a program but names no example"
		exit 1
	}
	if (inside) {
		out = work "/" name
		printf "" >out
	}
	next
}
inside { print >out }
' README.md

shown=$(ls "$work")
if [ -z "$shown" ]; then
	echo "README.md shows no example"
	exit 1
fi
for name in $shown; do
	tail -n +2 "examples/$name" >"$work/example"
	if ! diff "$work/$name" "$work/example"; then
		echo "the program in README.md (<) is not examples/$name (>)"
		exit 1
	fi
done
