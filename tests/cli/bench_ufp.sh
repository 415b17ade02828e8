#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# bench_ufp.sh FILCH: one generated instance with all ways that are installed: optima agree, table and JSON are complete.
set -eu
. "$(dirname "$0")/lib.sh"

exits 0 gen ufp --size 10 --arcs 20 --scenarios 3
cp "$work/out" "$work/file.ufp"
exits 0 bench ufp --ways all --runs 1 --json "$work/result.json" "$work/file.ufp"
for way in filch-1 filch-2 no-share master cutset weak-cuts; do
	out_has " $way "
	grep -q "\"$way\"" "$work/result.json" || fail "no $way in the JSON"
done
for peer in glpsol cbc; do
	if command -v $peer >/dev/null; then
		out_has " $peer "
	else
		err_has "$peer is not installed"
	fi
done
out_has "All optima agree"
exits 0 bench ufp --cases many-12 --ways filch-2 --quick
out_has "many-12"
command="bench ufp"
try="filch bench ufp --help"
refuses "unknown case 'x'" --cases x
refuses "cannot read $work/nothing" "$work/nothing"
exit $failed
