#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# bench_wake.sh FILCH: short runs of all wait policies: the tables, the JSON and what must hold in it however loaded the
# machine is, one CPU, many workers, no workers, and errors on the command line.
set -eu
. "$(dirname "$0")/lib.sh"
unset FILCH_WORKERS FILCH_WAIT
short="$short --idle 0.001"

waits="balanced latency power warm"
measures="idle run_apart run_back_to_back submit_apart submit_back_to_back"

exits 0 bench wake --quick --runs 2 --seconds 0.02 --idle 0.01 --json "$work/all.json"
silent err
no_escapes "$work/out"
for name in $waits; do
	grep -qE "^$name +[0-9.]+ +[0-9.]+ +(kept|broken|-) " "$work/out" || fail "no row of $name idle"
	for calls in 'run +apart' 'run +back to back' 'submit +apart' 'submit +back to back'; do
		grep -qE "^$name +$calls( +[0-9.]+){10}\$" "$work/out" || fail "no row of $name, $calls"
	done
done
for name in latency warm; do
	grep -qE "^$name .* - " "$work/out" || fail "a promise for $name, which stays awake"
done
out_has "idle for 0.01 s; calls in 2 interleaved samples of 0.02 s"
out_has "All samples are in $work/all.json."
valid_json "$work/all.json"
grep -q '"suite": "wake"' "$work/all.json" || fail "not the suite wake"
for measure in $measures; do
	if [ "$(grep -c "\"measure\": \"$measure\"" "$work/all.json")" != 4 ]; then fail "not all have $measure"; fi
done
for key in idle_seconds pause load workers cpu_percent cpu seconds voluntary involuntary parks calls start_mean start_p50 \
	start_p90 start_p99 start_max round_mean round_p50 round_p90 round_p99 round_max cpu_per_call; do
	grep -q "\"$key\": " "$work/all.json" || fail "no $key in the JSON"
done
if grep '"samples"' "$work/all.json" | grep -vqE '\[[^,]*, [^,]*\]'; then fail "not 2 samples of each"; fi

# In each sample there are calls, percentiles rise, each call starts before it returns, and the idle time is complete.
awk '
function value(metric, i) { return seen[metric, i] + 0 }
function check(i,    p) {
	if (idle)
		return value("seconds", i) >= 0.01 && value("workers", i) >= 1 && value("cpu_percent", i) >= 0
	for (p in prefix)
		if (value(p "_p50", i) <= 0 || value(p "_p50", i) > value(p "_p90", i) || value(p "_p90", i) > value(p "_p99", i) ||
		    value(p "_p99", i) > value(p "_max", i) || value(p "_mean", i) > value(p "_max", i))
			return 0
	return value("calls", i) >= 1 && value("start_mean", i) <= value("round_mean", i) &&
		value("start_max", i) <= value("round_max", i) && value("cpu_per_call", i) >= 0
}
function finish(    i) {
	for (i = 1; open && i <= 2; i++)
		if (!check(i)) {
			print "wrong: " open ", sample " i
			bad = 1
		}
	cases += open != ""
}
BEGIN { prefix["start"]; prefix["round"] }
/"subject":/ { finish(); open = $2 }
/"measure":/ { open = open " " $2; idle = /"idle"/ }
/": \{/ { name = $1; gsub(/[":]/, "", name) }
/"samples":/ {
	gsub(/.*\[|\].*/, "")
	split($0, number, ",")
	seen[name, 1] = number[1]
	seen[name, 2] = number[2]
}
END { finish(); exit cases != 20 || bad }' "$work/all.json" || fail "samples that cannot be"

exits 0 bench wake $short --wait power --json -
valid_json "$work/out"
err_has "call to start, us"

# Each name on the command line is measured once, and nothing else.
exits 0 bench wake $short --wait power,balanced,power --workers 1
if [ "$(grep -cE '^(power|balanced) ' "$work/out")" != 10 ]; then fail "not five rows of each"; fi
if grep -qE '^(latency|warm) +[a-z0-9]' "$work/out"; then fail "measured what was not asked for"; fi
out_has ": 1 worker, idle for 0.001 s"
exits 0 bench wake $short --wait all
grep -q "^warm " "$work/out" || fail "all is not all"

# More workers than CPUs, and all on one: it ends.
exits 0 bench wake $short --workers 20
out_has ": 20 workers, "
if command -v taskset >/dev/null && taskset -c 0 true 2>/dev/null; then
	code=0
	taskset -c 0 "$filch" bench wake $short --workers 3 >"$work/out" 2>"$work/err" || code=$?
	if [ $code != 0 ]; then fail "on one CPU: exit code $code"; fi
fi

# The environment: the number of workers counts unless it is given; without any there is nothing to measure.
export FILCH_WORKERS=3 FILCH_WAIT=power
exits 0 bench wake $short --wait latency
out_has ": 3 workers, "
FILCH_WORKERS=0
exits 1 bench wake $short
silent out
err_has "filch bench wake: the run failed: "
err_has "there are no workers to wait for"
FILCH_WORKERS=many
exits 1 bench wake $short
err_has "the pool does not start: FILCH_WORKERS=many"
unset FILCH_WORKERS FILCH_WAIT

# Interrupted while the pool is idle: it ends by the signal, the file goes with it.
ends_by INT int.json bench wake --idle 600

command="bench wake"
try="filch bench wake --help"
exits 0 bench wake --help
out_has "usage: filch bench wake"
for value in nonsense '' POWER 'power,' ',power' pow; do
	refuses "--wait: unknown policy '" --wait "$value"
done
err_has "known: all, balanced, "
for value in 0 1025 -1 x ''; do
	refuses "--workers must be a whole number from 1 to 1024, not '$value'" --workers "$value"
done
for value in 0 601 nan x ''; do
	refuses "--idle must be a number from 0.001 to 600, not '$value'" --idle "$value"
done
refuses "--duration must be a number" --duration 61
refuses "unexpected argument 'power'" power
exits 2 bench wake --thieves 1
exits 1 bench wake $short --json "$work/no/such/folder"
err_has "filch bench wake: cannot write $work/no/such/folder: "
exit $failed
