#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# readme.sh ROOT: the program in ROOT/README.md is examples/deque.c, but for the first line, which names the licence.
set -eu
cd "$1"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

awk '/^```/ { inside = /^```c$/; next } inside' README.md >"$work/shown"
tail -n +2 examples/deque.c >"$work/example"
if ! diff "$work/shown" "$work/example"; then
	echo "the program in README.md (<) is not examples/deque.c (>)"
	exit 1
fi
