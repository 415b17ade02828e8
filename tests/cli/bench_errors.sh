#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# bench_errors.sh FILCH: bad options, files that cannot be written, and being interrupted: a clear message, the right
# exit code, nothing left behind.
set -eu
. "$(dirname "$0")/lib.sh"

# refuses TEXT ARGUMENT...: a usage error that says so.
refuses() {
	text=$1
	shift
	exits 2 bench "$@"
	silent out
	err_has "$text"
	err_has "Try 'filch help bench'."
}

for value in 0 -1 10001 99999999999999999999 1.5 1x x '' ' 1' +1; do
	refuses "--runs wants a whole number from 1 to 10000, not '$value'" --runs "$value"
done
for value in 0 65 -1 two; do
	refuses "--thieves wants a whole number from 1 to 64, not '$value'" --thieves "$value"
done
for value in 0 -1 61 nan inf -inf 1e999 '' 1s; do
	refuses "--seconds wants a number from 0.001 to 60, not '$value'" --seconds "$value"
done
for value in nonsense '' ',' 'split,' 'split,nonsense' SPLIT plain; do
	refuses "--deque: there is no deque '" --deque "$value"
done
err_has "there are: all, locked, "
refuses "unrecognized option '--fast'" --fast
refuses "requires an argument" --runs
refuses "there is no workload 'split'; there are: all, fib, queens, " split
refuses "there is no workload 'nonsense'" --quick nonsense

# Files that cannot be written are found out before anything is measured.
mkdir "$work/folder"
for path in "$work/missing/x.json" "$work/folder" /proc/filch.json ''; do
	exits 1 bench --json "$path"
	silent out
	err_has "filch bench: cannot write ${path:-''}: "
done
if [ "$(id -u)" != 0 ]; then
	touch "$work/readonly.json"
	chmod 444 "$work/readonly.json"
	exits 1 bench --json "$work/readonly.json"
	err_has "cannot write"
fi

# A disk that is full in the end. /dev/full is not replaced by a file.
exits 1 bench $short --json /dev/full
err_has "cannot write /dev/full: No space left on device"
if [ ! -c /dev/full ]; then fail "/dev/full is gone"; fi
for output in "" "--json -"; do
	code=0
	"$filch" bench $short $output >/dev/full 2>"$work/err" || code=$?
	if [ $code != 1 ]; then fail "standard output is full: exit code $code, not 1"; fi
	grep -qE '^filch( bench)?: cannot write standard output: No space left on device$' "$work/err" || fail "does not say so"
done
echo old >"$work/old.json"
# A build with a sanitizer may need files of its own.
if (
	ulimit -f 0
	"$filch" --version
) >/dev/null 2>&1; then
	(
		ulimit -f 0
		exec "$filch" bench $short --json "$work/old.json"
	) 2>&1 >/dev/null | cat >"$work/err"
	err_has "cannot write $work/old.json: File too large"
fi
if [ "$(cat "$work/old.json")" != old ]; then fail "what was there is gone"; fi
nothing_left old.json.

# Interrupted, or killed: it ends by the signal, and the unfinished file goes with it.
for signal in INT TERM HUP KILL; do
	# env: a shell starts what runs in the background with SIGINT ignored; this takes that back.
	env --default-signal "$filch" bench --seconds 1 --json "$work/$signal.json" >"$work/out" 2>"$work/err" &
	pid=$!
	started $pid
	kill -s $signal $pid
	code=0
	wait $pid || code=$?
	if [ "$code" -le 128 ]; then fail "SIG$signal: exit code $code"; fi
	nothing_left "$signal.json"
	echo "ok: SIG$signal: exit code $code"
done
exit $failed
