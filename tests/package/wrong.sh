#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# wrong.sh SOURCE CC: the compiler explains the mistake of a wrong program, in C with CC and clang and in C++. Each file of
# tests/package/wrong has one mistake, and in its second line the text that must be in the compiler's words: in its first
# error, unless the text is a name, which may follow in a note. Files that end in .cpp are for C++ only.
set -eu
source=$1
cc=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# compile LANGUAGE COMPILER FILE: compiles the file, and leaves the messages of the compiler in $work/said.
compile() {
	"$2" -x "$1" -I"$source/include" -fsyntax-only "$3" >"$work/said" 2>&1
}

words() { # TEXT: what of the compiler's words is to have it
	case $1 in
	*' '*) grep -m 1 'error: ' "$work/said" ;;
	*) cat "$work/said" ;;
	esac
}

try() { # LANGUAGE COMPILER
	if ! command -v "$2" >/dev/null; then
		echo "no $2: left out"
		return
	fi
	if ! compile "$1" "$2" "$source/tests/package/consumer/task.c"; then
		cat "$work/said"
		echo "FAILED: $2 refuses a program that is right"
		failed=1
	fi
	for file in "$source"/tests/package/wrong/*.c "$source"/tests/package/wrong/*.cpp; do
		case $1:$file in c:*.cpp) continue ;; esac
		text=$(sed -n '2s,.*says: \(.*\) \*/$,\1,p' "$file")
		if compile "$1" "$2" "$file"; then
			echo "FAILED: $2 takes ${file##*/}"
			failed=1
		elif [ -z "$text" ] || ! words "$text" | grep -qF "$text"; then
			cat "$work/said"
			echo "FAILED: $2 does not say '$text' of ${file##*/}"
			failed=1
		else
			echo "ok: $2, ${file##*/}: $text"
		fi
	done
}

try c "$cc"
try c++ c++
try c clang
try c++ clang++
exit $failed
