#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# fork_cxx.sh ROOT LIBRARY: unit_fork again, compiled as C++, without and with FILCH_DEBUG.
set -eu
root=$1
library=$2

if ! command -v c++ >/dev/null; then
	echo "skipped: no C++ compiler"
	exit 77
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
for option in -O2 "-O1 -DFILCH_DEBUG"; do
	# Unquoted: a list of options.
	c++ -x c++ -std=c++17 -Wall -Wextra -Werror $option -I "$root/include" -I "$root/tests" \
		"$root/tests/unit/fork.c" "$root/tests/support/fork_tasks.c" -x none "$library" -pthread -ldl \
		-o "$scratch/fork"
	"$scratch/fork"
done
