#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# codegen.sh ROOT [CC]: the atomics layer costs nothing. The hot paths of chase_lev through it (codegen_layer.c) and by
# hand in C11 (codegen_c11.c) compile to the same instructions; and a fence on x86-64 is none of the slow kind.
#
# On x86-64, a task with a small result (codegen_task.c) never loads a word from the stack where it has stored a part of
# a word: such a load waits until the store has reached the cache, and a spawn that is a call takes twice as long. For
# the same reason, a task whose parameter is a large struct never loads two words of it at once.
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

# The places on the stack that are stored in part and loaded as a word: standard input has the instructions. A place that
# is also stored as a word has two variables, one after the other.
torn_words() {
	awk '
		function bytes(op, register) {
			if (register ~ /^%xmm/)
				return op ~ /^mov(ss|d)$/ ? 4 : 8
			return register ~ /^%r([a-d]x|[sd]i|[sb]p|[0-9]+)$/ ? 8 : 4
		}
		$1 ~ /^mov/ && match($2, /^%[a-z0-9]+,/) && $2 ~ /,-?[0-9a-fx]*\(%r[sb]p\)$/ {
			place = substr($2, RLENGTH + 1)
			if (bytes($1, substr($2, 1, RLENGTH - 1)) < 8)
				stored[place] = $0
			else
				whole[place] = 1
		}
		$1 ~ /^mov/ && match($2, /,%[a-z0-9]+$/) && $2 ~ /^-?[0-9a-fx]*\(%r[sb]p\),/ {
			place = substr($2, 1, RSTART - 1)
			if (bytes($1, substr($2, RSTART + 1)) == 8)
				loaded[place] = $0
		}
		END {
			for (place in stored)
				if (place in loaded && !(place in whole))
					print stored[place] "; " loaded[place]
		}'
}

if [ "$("$cc" -dumpmachine | cut -d- -f1)" = x86_64 ]; then
	for level in -O2 -O3; do
		"$cc" -std=c11 $level -I"$root/include" -c "$root/tests/unit/codegen_task.c" -o "$work/task.o"
		for type in int float short bool; do
			instructions "$work/task.o" codegen_${type}_of_filch_enter_ >"$work/task"
			torn=$(torn_words <"$work/task")
			count=$(wc -l <"$work/task")
			if [ "$count" -lt 20 ]; then
				echo "$level task of $type: not found in the disassembly"
				failed=1
			elif [ -n "$torn" ]; then
				echo "$level task of $type: a store of a part, a load of the word: $torn"
				failed=1
			else
				echo "$level task of $type: $count lines, no part of a word is stored and the word loaded"
			fi
		done
		# clang keeps the cold path, which makes a task, in the same function.
		if "$cc" --version | grep -q clang; then
			continue
		fi
		instructions "$work/task.o" codegen_search_filch_enter_ >"$work/task"
		count=$(wc -l <"$work/task")
		if [ "$count" -lt 20 ]; then
			echo "$level task of a struct: not found in the disassembly"
			failed=1
		elif grep -E '^mov(dqa|dqu|aps|ups) +-?[0-9a-fx]*\(%r[sb]p\),%xmm' "$work/task"; then
			echo "$level task of a struct: a load of two words of the stack"
			failed=1
		else
			echo "$level task of a struct: $count lines, no load of two words of the stack"
		fi
	done
fi
exit $failed
