#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# bench_dd.sh FILCH: answers are right, tables and JSON are complete. Selections of instances, a folder of instances. A
# program that answers wrongly or is not there. Wrong command lines.
set -eu
. "$(dirname "$0")/lib.sh"
unset FILCH_WORKERS FILCH_DEQUE FILCH_VICTIM FILCH_INSTANCES

exits 0 bench dd --quick --runs 1 --cases misp/120,tsptw --json "$work/all.json"
silent err
no_escapes "$work/out"
out_has "All answers were right."
valid_json "$work/all.json"
grep -q '"suite": "dd"' "$work/all.json" || fail "not the suite dd"
for name in misp/120 tsptw/40; do
	for way in "solve +1" "solve +2" "copies +2"; do
		grep -qE "^$name +$way +[0-9]+( +[0-9.-]+){7} +yes\$" "$work/out" || fail "no row of $name, $way"
	done
	grep -qE "^$name +[0-9.]+ +[0-9.]+\$" "$work/out" || fail "no nodes of $name"
done
for key in ns cpu_ns nodes dd_nodes nodes_per_second proved peak_bytes gap_100 gap_0; do
	grep -q "\"$key\": {" "$work/all.json" || fail "no $key in the JSON"
done

# The figure, from these measurements.
mkdir -p "$work/from"
(echo '{'; echo '	"command": "filch bench dd",'; sed 1d "$work/all.json") >"$work/from/dd.json"
exits 0 figures --only dd --from "$work/from" --out "$work/report"
grep -q 'gap, %' "$work/report/index.html" || fail "no gap over time in the report"

# A folder with instances: a right optimum, and a wrong one.
mkdir -p "$work/instances/sop"
"$filch" gen sop --size 9 >"$work/instances/sop/nine.sop"
best=$("$filch" solve sop "$work/instances/sop/nine.sop" | sed -n 's/^objective *//p')
printf 'file,optimum\nsop/nine.sop,%s\nother/file,1\n' "$best" >"$work/instances/optima.csv"
exits 0 bench dd --runs 1 --instances "$work/instances" --cases sop/nine.sop --workers 1 --json -
valid_json "$work/out"
grep -qE '^sop/nine\.sop +solve +1 ' "$work/err" || fail "no row of the file"
printf 'sop/nine.sop,%s1\n' "$best" >"$work/instances/optima.csv"
exits 1 bench dd --runs 1 --instances "$work/instances" --cases sop/nine.sop --workers 1
err_has "wrong answer"

# A limit ends a run without proof.
exits 0 bench dd --runs 1 --cases golomb --workers 1 --limit 0.01 --no-nodes
grep -qE '^golomb/11 +solve +1 .* no$' "$work/out" || fail "no limit"

exits 2 bench dd --cases nothing
err_has "unknown instance 'nothing'"
exits 2 bench dd --cases ""
exits 2 bench dd --limit 0
exits 2 bench dd --workers 0
exits 2 bench dd --instances "$work/none"
exits 2 bench dd --programs "$work"
err_has "the program bench-dd is not in"
exits 2 bench dd word
exit $failed
