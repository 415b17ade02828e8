#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# dupes_race.sh FILCH RACE KILL: filch dupes loses nothing while other processes change the tree, nor when it is killed.
set -eu
. "$(dirname "$0")/lib.sh"
race=$2
kill=$3
LC_ALL=C
export LC_ALL

"$filch" dupes --summary "$work" >"$work/out" 2>"$work/err" || true
if grep -q 'built without xxHash' "$work/err"; then
	echo "skipped: no xxHash"
	exit 77
fi

seconds=4
times=12
if [ -n "${FILCH_DEEP:-}" ]; then
	seconds=300
	times=100
fi
mkdir "$work/race" "$work/kill"
"$race" "$filch" "$work/race" $seconds || fail "race"
"$kill" "$filch" "$work/kill" $times || fail "kill"
exit $failed
