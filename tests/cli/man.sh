#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# man.sh FILCH ROOT: the manual pages have no errors, and name exactly the options of the commands. filch(7) has
# exactly the
# variables that the library reads, and its first program is examples/fib.c.
set -eu
. "$(dirname "$0")/lib.sh"
root=$2

# ERRORS comes before EXAMPLES, as in the manual of Linux; mandoc wants the order of BSD.
for path in "$root"/man/*; do
	page=${path##*/}
	if command -v mandoc >/dev/null; then
		mandoc -T lint -W warning "$path" 2>&1 | grep -v 'conventional order: Sh EXAMPLES$' >"$work/out" || true
		if [ -s "$work/out" ]; then fail "mandoc: $page"; fi
	elif command -v groff >/dev/null; then
		groff -mdoc -Tascii -ww -z "$path" >"$work/out" 2>&1 || true
		if [ -s "$work/out" ]; then fail "groff: $page"; fi
	fi
done
for page in filch.1 filch.7 filch-bench.1 filch-compare.1 filch-dupes.1 filch-figures.1 filch-gen.1 filch-simulate.1 filch-solve.1 filch-tune.1; do
	test -s "$root/man/$page" || fail "no man/$page"
done

# same_options PAGE COMMAND...: --name in the help of the commands, ".It Fl -name" in the page.
same_options() {
	page=$1
	shift
	: >"$work/all"
	for command in "$@"; do
		exits 0 $command --help
		cat "$work/out" >>"$work/all"
	done
	sed -n 's/^  --\([a-z-]*\).*/\1/p' "$work/all" | sort -u >"$work/helped"
	sed -n 's/^\.It Fl -\([a-z-]*\).*/\1/p' "$root/man/$page.1" | sort >"$work/documented"
	diff "$work/helped" "$work/documented" || fail "the help (<) and man/$page.1 (>) have different options"
	test -s "$work/helped" || fail "no options in the help"
}
same_options filch-bench bench "bench queue" "bench bulk" "bench wake" "bench spawn" "bench search" "bench dd" "bench all"
same_options filch-compare compare
same_options filch-dupes dupes
same_options filch-figures figures
same_options filch-gen gen
same_options filch-simulate simulate
same_options filch-solve solve
same_options filch-tune tune

: >"$work/out"
grep -oE '"FILCH_[A-Z_]+"' "$root/src/pool/options.c" | tr -d '"' | sort -u >"$work/read"
sed -n 's/^\.It Ev \(FILCH_[A-Z_]*\)$/\1/p' "$root/man/filch.7" | sort >"$work/documented"
diff "$work/read" "$work/documented" || fail "the library (<) and man/filch.7 (>) have different variables"
test -s "$work/read" || fail "no variables in src/pool/options.c"
for option in deque victim wait; do
	exits 2 tune --$option none -- true
	names=$(sed -n 's/.*known: all, //p' "$work/err" | tr -d ,)
	test -n "$names" || fail "no names"
	for name in $names; do
		grep -qE "^\.Cm.* $name( |\$)" "$root/man/filch.7" || fail "no $name in man/filch.7"
	done
done

sed -n 's/^\(FILCH_API\|static inline\).*[ *]\(filch_search[a-z_]*\)(.*/\2/p' "$root/include/filch/search.h" | sort >"$work/read"
sed -n 's/^\.Nm \(filch_search[a-z_]*\).*/\1/p' "$root/man/filch_search.3" | sort >"$work/documented"
diff "$work/read" "$work/documented" || fail "search.h (<) and man/filch_search.3 (>) have different functions"
test -s "$work/read" || fail "no functions in search.h"

sed -n '/^\.Bd/,/^\.Ed/{ p; /^\.Ed/q; }' "$root/man/filch.7" | sed -e '/^\.[BE]d/d' -e 's/\\e/\\/g' >"$work/program"
tail -n +2 "$root/examples/fib.c" | diff "$work/program" - || fail "the program in man/filch.7 (<) is not examples/fib.c (>)"
exit $failed
