#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# man.sh FILCH ROOT: the pages of the manual have no errors in them, and name every option and no other.
set -eu
. "$(dirname "$0")/lib.sh"
root=$2

for page in filch filch-bench filch-compare filch-figures filch-tune; do
	if [ ! -s "$root/man/$page.1" ]; then
		fail "no man/$page.1"
	elif command -v mandoc >/dev/null; then
		mandoc -T lint -W warning "$root/man/$page.1" >"$work/out" 2>&1 || fail "mandoc: $page.1"
	elif command -v groff >/dev/null; then
		groff -mdoc -Tascii -ww -z "$root/man/$page.1" >"$work/out" 2>&1 || true
		if [ -s "$work/out" ]; then fail "groff: $page.1"; fi
	fi
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
same_options filch-bench bench "bench queue" "bench bulk" "bench wake" "bench all"
same_options filch-compare compare
same_options filch-figures figures
same_options filch-tune tune
exit $failed
