#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# bench_direct.sh FILCH: the measured loops call nothing through a pointer. The measured operation is inlined, or called
# by its name.
set -eu
. "$(dirname "$0")/lib.sh"

if ! command -v objdump >/dev/null || [ "$(uname -m)" != x86_64 ]; then
	echo "skipped: needs objdump on x86-64"
	exit 77
fi
objdump -d --no-show-raw-insn "$filch" >"$work/code"
# Compilers add suffixes to the names of functions that they changed.
awk '
/^[0-9a-f]+ <.*>:$/ {
	name = $2
	gsub(/[<>:]/, "", name)
	sub(/\..*/, "", name)
	loop = name ~ /^(run_owner|rise_4|rise_8|ebb_4|ebb_8|steals_hurried|steals_paced)$/
	if (loop)
		seen[name]++
	next
}
loop && /(call|jmp)q? +\*/ {
	print name ": " $0
	bad = 1
}
END {
	for (name in seen)
		count++
	if (count != 7) {
		print "found only " count " of the 7 loops"
		bad = 1
	}
	exit bad
}' "$work/code" || fail "a measured loop calls through a pointer"
exit $failed
