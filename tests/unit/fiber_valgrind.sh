#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# fiber_valgrind.sh CC TEST...: tests of fibers under valgrind, which has to know each stack: it would warn otherwise. The
# library tells valgrind if it was compiled with the header of valgrind. I/O is by threads, because valgrind does not see
# what a ring writes.
set -eu
cc=$1
shift
if ! command -v valgrind >/dev/null; then
	echo "skipped: no valgrind"
	exit 77
fi
if ! echo '#include <valgrind/valgrind.h>' | "$cc" -E - >/dev/null 2>&1; then
	echo "skipped: no valgrind/valgrind.h"
	exit 77
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export FILCH_IO=threads FILCH_TEST_ONE_WAY=1
for test in "$@"; do
	if ! valgrind -q --error-exitcode=3 --fair-sched=yes --log-file="$scratch/log" "$test" >"$scratch/out" 2>&1; then
		cat "$scratch/out" "$scratch/log"
		echo "$test fails"
		exit 1
	fi
	# Lines with -- are about valgrind itself: it does not know epoll_pwait2(), and says ENOSYS.
	if grep -v '^--' "$scratch/log"; then
		echo "valgrind has something to say on $test"
		exit 1
	fi
	echo "$test passes"
done
