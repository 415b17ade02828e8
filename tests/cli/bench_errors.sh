#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# bench_errors.sh FILCH: bad options, files that cannot be written, and interrupts: a clear message, the right exit
# code,
# and no files left behind.
set -eu
. "$(dirname "$0")/lib.sh"

command=bench
try="filch help bench"

for value in 0 -1 10001 99999999999999999999 1.5 1x x '' ' 1' +1; do
	refuses "--runs must be a whole number from 1 to 10000, not '$value'" --runs "$value"
done
for value in 0 65 -1 two; do
	refuses "--thieves must be a whole number from 1 to 64, not '$value'" --thieves "$value"
done
for value in 0 -1 61 nan inf -inf 1e999 '' 1s; do
	refuses "--seconds must be a number from 0.001 to 60, not '$value'" --seconds "$value"
done
for value in nonsense '' ',' 'split,' 'split,nonsense' SPLIT plain; do
	refuses "--kinds: unknown deque '" --kinds "$value"
done
err_has "known: all, locked, "
refuses "unrecognized option '--fast'" --fast
refuses "requires an argument" --runs
refuses "unknown workload 'split'; known: queue, bulk, wake, spawn, search, fiber, dupes, dd, ufp, ranks, all, fib, queens, " split
refuses "unknown workload 'nonsense'" --quick nonsense

# A file that cannot be written is reported before the measurement.
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

# The disk is full at the end. /dev/full is not replaced by a file.
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
# A build with a sanitizer may need other files.
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

# After an interrupt or a kill it ends by the signal and leaves no file.
for name in INT TERM HUP KILL; do ends_by $name $name.json bench --seconds 1; done
exit $failed
