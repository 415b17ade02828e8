#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# bench_dupes.sh FILCH: a short run: the table, the JSON, wrong command lines, and no tree that is left behind.
set -eu
. "$(dirname "$0")/lib.sh"
mkdir "$work/tmp"
TMPDIR=$work/tmp
export TMPDIR
nothing_left() { test -z "$(ls -A "$TMPDIR")" || fail "left behind: $(ls -A "$TMPDIR")"; }

exits 0 bench dupes --runs 1 --megabytes 1 --load 10 --workers 2 --json "$work/all.json"
silent err
no_escapes "$work/out"
for name in split chase_lev locked abp; do
	for measure in warm cold; do
		grep -qE "^$measure +$name +[0-9]" "$work/out" || fail "no row of $name, $measure"
	done
done
nothing_left
valid_json "$work/all.json"
grep -q '"suite": "dupes"' "$work/all.json" || fail "not the suite dupes"
for metric in wall cpu fibers stolen stolen_io voluntary involuntary; do
	grep -q "\"$metric\": {" "$work/all.json" || fail "no $metric"
done
for io in threads uring; do
	FILCH_IO=$io exits 0 bench dupes --runs 1 --megabytes 1 --kinds split
	if grep -q " chase_lev " "$work/out"; then fail "measured what was not asked for"; fi
done

# A killed run leaves no tree.
"$filch" bench dupes --runs 1000 --megabytes 1 --kinds split >"$work/out" 2>"$work/err" &
pid=$!
tries=0
while [ -z "$(ls -A "$TMPDIR")" ] && [ $tries -lt 600 ]; do
	tries=$((tries + 1))
	sleep 0.05
done
kill -9 $pid
wait $pid || true
tries=0
while [ -n "$(ls -A "$TMPDIR")" ] && [ $tries -lt 600 ]; do
	tries=$((tries + 1))
	sleep 0.05
done
nothing_left

command="bench dupes"
try="filch bench dupes --help"
exits 0 bench dupes --help
out_has "usage: filch bench dupes"
refuses "--kinds: unknown deque 'x'" --kinds x
refuses "--megabytes must be a whole number" --megabytes 0
TMPDIR=$work/nowhere
exits 1 bench dupes --runs 1 --megabytes 1 --kinds split
exit $failed
