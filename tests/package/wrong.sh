#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# wrong.sh SOURCE CC: compilers explain mistakes, in C with CC and clang, and in C++. Each file of tests/package/wrong
# has one
# mistake, and in its second line a text that the first error must contain. If the text is a name, it may be in a note.
# Files that end in .cpp are only for C++. Headers name the reason if the target or the compiler will not do.
set -eu
source=$1
cc=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# compile LANGUAGE COMPILER FILE: checks the file, and leaves the messages of the compiler in $work/said.
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

# refuses TEXT COMPILER OPTION...: the first error of the compiler contains the text, for each header.
refuses() {
	text=$1
	shift
	if ! command -v "$1" >/dev/null; then
		echo "no $1: left out"
		return
	fi
	for header in filch.h filch/base.h filch/task.h filch/deque.h filch/search.h filch/sort.h; do
		echo "#include <$header>" >"$work/header.c"
		if "$@" -I"$source/include" -c "$work/header.c" -o "$work/header.o" >"$work/said" 2>&1 ||
			! grep -m 1 'error:' "$work/said" | grep -qF "$text"; then
			cat "$work/said"
			echo "FAILED: $* does not say '$text' of $header"
			failed=1
			return
		fi
	done
	echo "ok: $*: $text"
}

try c "$cc"
try c++ c++
try c clang
try c++ clang++

refuses 64-bit clang --target=i686-linux-gnu
refuses 64-bit clang --target=armv7-linux-gnueabihf
if [ "$("$cc" -dumpmachine | cut -d- -f1)" = x86_64 ]; then
	refuses 64-bit "$cc" -m32
	refuses 64-bit "$cc" -mx32
fi
refuses 'gcc or clang' "$cc" -U__GNUC__
refuses 'gcc or clang' tcc
exit $failed
