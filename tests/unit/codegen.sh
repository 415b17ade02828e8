#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# codegen.sh ROOT [CC]: the atomics layer costs nothing. The hot paths of chase_lev compile to the same instructions with
# the layer (codegen_layer.c) and with C11 (codegen_c11.c). A fence on x86-64 is not the slow mfence.
set -eu
root=$1
cc=${2:-cc}

if ! command -v objdump >/dev/null; then
	echo "skipped: no objdump"
	exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The instructions of one function of an object: jump targets relative to the function, no addresses, no padding.
instructions() {
	objdump -dr --no-show-raw-insn "$1" | awk -v "name=<$2>:" '
		# The name in <> identifies a jump or call, not the address before it.
		function without_address(line) {
			if (match(line, /[0-9a-f]+ </))
				line = substr(line, 1, RSTART - 1) substr(line, RSTART + RLENGTH - 1)
			return line
		}
		/^[0-9a-f]+ <.*>:$/ { inside = ($2 == name); next }
		inside && NF {
			sub(/^[ \t]*[0-9a-f]+:[ \t]*/, "")
			sub(/[ \t]+$/, "")
			if ($0 !~ /^(nop|xchg +%ax,%ax|cs nop|data16)/)
				print without_address($0)
		}'
}

failed=0
for level in -O2 -O3; do
	for side in layer c11; do
		"$cc" -std=gnu11 $level -I"$root/include" -c "$root/tests/unit/codegen_$side.c" -o "$work/$side.o"
	done
	for function in codegen_push codegen_pop codegen_steal codegen_size; do
		for side in layer c11; do
			instructions "$work/$side.o" $function >"$work/$side"
		done
		count=$(wc -l <"$work/layer")
		if [ "$count" -lt 5 ]; then
			echo "$level $function: not found in the disassembly"
			failed=1
		elif grep mfence "$work/layer"; then
			echo "$level $function: a slow fence"
			failed=1
		elif diff "$work/layer" "$work/c11" >"$work/diff"; then
			echo "$level $function: $count lines, the same"
		else
			echo "$level $function: DIFFERENT (< layer, > C11)"
			cat "$work/diff"
			failed=1
		fi
	done
done
exit $failed
