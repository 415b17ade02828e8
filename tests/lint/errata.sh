#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# errata.sh ROOT PROGRAM...: the programs of the printed algorithms print the traces of ROOT/docs/errata.md.
#
# A quoted trace is a block of code that starts with the first line of the trace, "name: what is wrong". One of the
# programs prints the trace with --print. Each line of the block must be a line of this trace, but the block may leave
# lines out. Blanks and the places of assertions do not count. In "(file.c:12)" only the line number counts, so
# "(...:12)" will do.
set -eu
document=$1/docs/errata.md
shift

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for program in "$@"; do
	"$program" --print >>"$work/printed" || {
		echo "${program##*/} --print fails"
		exit 1
	}
done

awk '
function normal(line) {
	if (line ~ /: assertion failed: /)
		sub(/ \([a-z_0-9]*\.[ch]:[0-9]+\)$/, "", line)
	gsub(/\([a-z_0-9.]*:/, "(:", line)
	gsub(/[ \t]+/, " ", line)
	sub(/^ /, "", line)
	sub(/ $/, "", line)
	return line
}

# The first line of a trace: the name of a printed algorithm, a colon, and the failure.
function starts(line) {
	return line ~ /^[a-z_0-9]+: [a-z]/
}

FILENAME != document {
	if (starts($0))
		trace = normal($0)
	if (/^$/)
		trace = ""
	else if (trace != "")
		printed[trace, normal($0)] = 1
	next
}

/^ *```/ {
	inside = !inside
	trace = ""
	next
}
inside && starts($0) {
	trace = normal($0)
	traces++
	wrong = !((trace, trace) in printed)
	if (wrong)
		print "docs/errata.md:" FNR ": no printed algorithm prints a trace with this first line: " $0
	bad = bad || wrong
	next
}
inside && trace != "" && !wrong && !((trace, normal($0)) in printed) {
	print "docs/errata.md:" FNR ": this line is not in the trace " trace ": " $0
	bad = 1
}

END {
	if (!traces) {
		print "docs/errata.md: no traces found"
		bad = 1
	}
	exit bad
}
' document="$document" "$work/printed" "$document"
