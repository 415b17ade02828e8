#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# help.sh FILCH: the help texts, and the messages for unknown words.
set -eu
. "$(dirname "$0")/lib.sh"

exits 0 --help
silent err
out_has "usage: filch"
out_has "  bench "
out_has "  compare "
out_has "  dupes "
out_has "  gen "
out_has "  solve "
out_has "  tune "
out_has "exit codes:"
out_has "  3 and more: see the help of the command"
cp "$work/out" "$work/help"
for same in help -h; do
	exits 0 $same
	cmp -s "$work/out" "$work/help" || fail "not the same as filch --help"
done

exits 0 --version
silent err
grep -qE '^filch [0-9]+\.[0-9]+\.[0-9]+$' "$work/out" || fail "not a version"

for command in bench compare dupes gen solve tune; do
	exits 0 help $command
	out_has "usage: filch $command"
	cp "$work/out" "$work/help"
	for same in --help -h; do
		exits 0 $command $same
		cmp -s "$work/out" "$work/help" || fail "not the same as filch help $command"
	done
done

exits 0 tune --help
out_has "does not seem to use filch"

exits 2
silent out
err_has "usage: filch"
exits 2 steal
silent out
err_has "unknown command 'steal'"
exits 2 help steal
silent out
err_has "unknown command 'steal'"
exits 2 help bench bench
exits 2 --version extra
silent out
err_has "unexpected argument 'extra'"
exits 2 --steal
err_has "unknown option '--steal'"

# A message shows 32 characters of a long value, so that the rest of the message stays visible.
long=$(printf '%05000d' 0 | tr 0 9)
short_enough() { # TEXT ARGUMENT...
	text=$1
	shift
	exits 2 "$@" >/dev/null
	grep -qE "'(fib:)?9{27,32}\\.\\.\\.'" "$work/err" || fail "does not show the beginning"
	err_has "$text"
	if [ "$(wc -c <"$work/err")" -gt 600 ]; then fail "too long"; fi
}
short_enough "unknown command" $long
short_enough "unexpected argument" --version $long
short_enough "Try 'filch help bench'." bench --runs $long
short_enough "known: queue, bulk, wake, spawn, search, fiber, dupes, dd, ufp, ranks, all, fib, " bench $long
for command in "bench --kinds" "bench queue --kinds" "bench wake --wait" "bench spawn --cases" "bench search --cases" "bench dd --cases" "bench fib --runtimes" "bench fib --join" \
	"tune --wait" "tune --deque" "figures --only"; do
	short_enough "; known: " $command $long
done
short_enough "known: knapsack, misp, " gen $long
short_enough "known: knapsack, misp, " solve $long file
short_enough "must be a number of bytes" solve knapsack file --memory $long
short_enough "known: best, depth, " solve knapsack file --order $long
short_enough "known: same, ignore" tune --output $long
short_enough "must be a whole number" tune --workers $long -- true
short_enough "must be a whole number" bench fib --workers $long
short_enough "must be a number" bench --seconds $long
short_enough "must be max or whole numbers" bench queue --rate "${long}x"
short_enough "must be 4 or 8" bench queue --payload $long
short_enough "known: all, " bench "fib:$long"
short_enough "sizes are " bench "fib:$(printf '%060d' 0 | tr 0 9)"

# Failed output is an error.
code=0
"$filch" --help >/dev/full 2>"$work/err" || code=$?
if [ $code != 1 ]; then fail "full disk: exit code $code, not 1"; fi
err_has "filch: cannot write standard output: No space left on device"
exit $failed
