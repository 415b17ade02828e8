#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# bench_fiber.sh FILCH: a short run: the table, the JSON, and wrong command lines.
set -eu
. "$(dirname "$0")/lib.sh"

exits 0 bench fiber --runs 2 --seconds 0.002 --fibers 100 --json "$work/all.json"
silent err
no_escapes "$work/out"
for name in split chase_lev locked abp; do
	grep -qE "^$name +[0-9.]+( +[0-9.]+){5} +[0-9]+" "$work/out" || fail "no row of $name"
done
grep -qE '^ring +[0-9.]+ +[0-9.]+ +-$' "$work/out" || fail "no row of the ring"
grep -qE '^fiber +- +[0-9.]+ +[0-9.]+$' "$work/out" || fail "no row of operations of fibers"
grep -qE '^call( +[0-9.]+){3}$' "$work/out" || fail "no row of system calls"
for name in epoll fibers; do
	grep -qE "^$name( +[0-9]+){6}$" "$work/out" || fail "no row of the echo server with $name"
done
if ! grep -q "boost.fiber is not compared" "$work/out"; then
	grep -qE '^boost.fiber( +[0-9.]+){6} +- +-$' "$work/out" || fail "no row of boost.fiber"
fi
out_has "Sleeping: 100 fibers."
valid_json "$work/all.json"
grep -q '"suite": "fiber"' "$work/all.json" || fail "not the suite fiber"
for measure in switch spawn channel idle nop read open echo_1 echo_64 echo_500; do
	grep -q "\"measure\": \"$measure\"" "$work/all.json" || fail "no $measure"
done
exits 0 bench fiber --runs 1 --seconds 0.001 --fibers 1 --kinds split
FILCH_IO=threads exits 0 bench fiber --runs 1 --seconds 0.001 --fibers 1 --kinds split --programs "$work"
out_has "I/O by threads: FILCH_IO says so."
out_has "boost.fiber is not compared"
if grep -q "^chase_lev " "$work/out"; then fail "measured what was not asked for"; fi

command="bench fiber"
try="filch bench fiber --help"
exits 0 bench fiber --help
out_has "usage: filch bench fiber"
refuses "--kinds: unknown deque 'x'" --kinds x
refuses "--fibers must be a whole number from 1 to 10000000, not '0'" --fibers 0
exit $failed
