#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# bench_bulk.sh FILCH: a short run of the bulk queues: the table, the JSON, and errors on the command line.
set -eu
. "$(dirname "$0")/lib.sh"

exits 0 bench bulk $short --json "$work/all.json"
silent err
no_escapes "$work/out"
for name in printed optimized chase_lev bulk_list bulk; do
	grep -q "^$name " "$work/out" || fail "no row of $name"
done
out_has "All samples are in $work/all.json."
valid_json "$work/all.json"
grep -q '"suite": "bulk"' "$work/all.json" || fail "not the suite bulk"
for measure in push_1 push_128 push_512 push_1024 singles pop steal_10 steal_50 steal_90; do
	grep -q "\"measure\": \"$measure\"" "$work/all.json" || fail "no $measure in the JSON"
done

exits 0 bench bulk $short --json -
valid_json "$work/out"
err_has "steal of 10,000"

exits 0 bench bulk --help
out_has "usage: filch bench bulk"
exits 2 bench bulk --runs 0
err_has "filch bench bulk"
exits 2 bench bulk --thieves 1
exits 2 bench bulk more
err_has "unexpected argument 'more'"
exits 1 bench bulk $short --json "$work/no/such/folder"
exit $failed
