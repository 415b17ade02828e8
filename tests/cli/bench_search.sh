#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# bench_search.sh FILCH: all cases in small trees: answers are right, tables and JSON are complete. Selections of cases and
# ways. A program that answers wrongly, crashes or is not there. Wrong command lines.
set -eu
. "$(dirname "$0")/lib.sh"
unset FILCH_WORKERS FILCH_DEQUE FILCH_VICTIM

exits 0 bench search --small --runs 1 --cases tree,few,many,knapsack,times,dag,batch --json "$work/all.json"
silent err
no_escapes "$work/out"
out_has "All answers were right."
valid_json "$work/all.json"
grep -q '"suite": "search"' "$work/all.json" || fail "not the suite search"
for name in tree/2 tree/8 tree/irregular dag/2500000; do
	for way in "serial +1" "copies +2" "direct +1" "direct +2" "master +2"; do
		grep -qE "^$name +$way +[0-9]+( +[0-9.-]+){10}\$" "$work/out" || fail "no row of $name, $way"
	done
done
for name in few/2 few/8 many/2 many/8; do
	grep -qE "^$name +best +2 +(8191|4681) " "$work/out" || fail "no row of $name, best"
	grep -qE "^$name +mixture +1 +(8191|4681) " "$work/out" || fail "no row of $name, mixture"
done
grep -qE '^times/balanced +round-64 +2 +341 ' "$work/out" || fail "no rounds"
grep -qE '^knapsack/40 +best +2 ' "$work/out" || fail "no knapsack"
grep -qE '^batch/100000 +direct +1 +1 ' "$work/out" || fail "no batch"
if grep -qE '^batch/100 +direct +2 ' "$work/out"; then fail "a batch with two workers"; fi
for key in ns_per_node cpu_per_node ns cpu_ns nodes idle idle_ns batches moved handed involuntary; do
	grep -q "\"$key\": {" "$work/all.json" || fail "no $key in the JSON"
done
for key in small workers cases; do
	grep -q "\"$key\": " "$work/all.json" || fail "no $key in the JSON"
done

# Only the requested ones, each once; three workers; as JSON.
exits 0 bench search --small --runs 1 --cases tree/2,tree/2 --ways direct,serial --workers 1,3 --json -
valid_json "$work/out"
if [ "$(grep -cE '^tree/2 ' "$work/err")" != 3 ]; then fail "not three rows"; fi

# Programs that fail.
mkdir "$work/programs"
program() { # LINE: a program that runs this line of shell
	printf '#!/bin/sh\n%s\n' "$1" >"$work/programs/bench-search"
	chmod +x "$work/programs/bench-search"
}
own="bench search --cases tree/2 --ways direct --workers 1 --runs 2 --programs $work/programs"
program 'echo "right ns 1000 cpu_ns 500 nodes 100 idle_ns 100 batches 1 moved 2 "'
exits 0 $own
grep -qE '^tree/2 +direct +1 +100 +10\.0 ' "$work/out" || fail "not 10 ns a node"
program 'echo "wrong answer, or no memory" >&2; exit 1'
exits 1 $own --json "$work/none.json"
silent out
err_has "wrong answer, or no memory"
nothing_left none.json
program 'kill -SEGV $$'
exits 1 $own
err_has "the program ended by signal 11"

command="bench search"
try="filch bench search --help"
exits 0 bench search --help
out_has "usage: filch bench search"
for value in nonsense '' TREE 'tree,' ',tree' tre tree/ tree/2/; do
	refuses "--cases: unknown case '" --cases "$value"
done
err_has "known: all, tree, "
refuses "--ways: unknown way 'go'" --ways go
for value in 0 1025 x ''; do
	refuses "--workers must be " --workers "$value"
done
refuses "the program bench-search is not in $work" --programs "$work"
refuses "unexpected argument 'tree'" tree
exits 2 bench search --seconds 1
exits 1 bench search --small --runs 1 --cases batch/100 --json "$work/no/such/folder"
err_has "filch bench search: cannot write $work/no/such/folder: "
refuses "--ways: the cases have none of these ways" --cases batch --ways serial
refuses "--ways: the cases have none of these ways" --ways copies --workers 1
exit $failed
