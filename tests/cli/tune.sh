#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# tune.sh FILCH SUBJECT: a program that works; programs that fail, crash, hang or print another answer, with the defaults
# or with one setting; programs that ignore settings; an interrupt; errors on the command line.
set -eu
. "$(dirname "$0")/lib.sh"
subject=$2
unset FILCH_WORKERS FILCH_DEQUE FILCH_VICTIM FILCH_WAIT

# Few settings. The number of workers without the variable is the machine's, so 1 and 2 need not be others.
few="--runs 3 --workers 1,2 --deque split,abp --victim random --wait balanced"

# Hangs in its first run, while the rest of this goes on: looked at in the end.
env --default-signal "$filch" tune $few --json "$work/first.json" -- "$subject" hang split "$work/first_pids" \
	>"$work/first_out" 2>"$work/first_err" </dev/null &
first=$!
trap 'kill $first 2>/dev/null || true; rm -rf "$work"' EXIT

# On a machine that is slow enough the runs are not too short to name a winner, but there is none.
no_winner() {
	grep -qE "^(No winner: a run takes .* ms|No setting is clearly better than the defaults)" "$work/out" ||
		fail "names a winner, or says nothing"
}

# All settings, with the names of the library.
exits 0 tune --runs 3 --json "$work/all.json" -- "$subject" plain
silent err
no_escapes "$work/out"
no_winner
out_has "Note: with fewer than 10 runs"
valid_json "$work/all.json"
for row in 'split +random +balanced +[0-9]+ .* defaults$' 'chase_lev +random +balanced +[0-9]+ +[1-9]'; do
	grep -qE "^$row" "$work/out" || fail "no row $row"
done
for option in deque victim wait; do
	exits 2 tune --$option x -- true
	for name in $(sed -n 's/.*known: all, //p' "$work/err" | tr -d ,); do
		grep -q "\"$name\"" "$work/all.json" || fail "does not try $name"
	done
done
for key in '"schema": "filch-tune-1"' '"victim": "random"' '"cpu": ' '"commit": ' '"command": ' '"runs": 3' '"timeout": ' '"heard": true' \
	'"outcome": "stayed"' '"to_defaults": ' '"probability_faster": ' '"peak_bytes": {' '"cpu_ns": {' '"clear": false'; do
	grep -qF "$key" "$work/all.json" || fail "no $key in the JSON"
done

# The winner is the one that does not sleep; the line to paste is right for a shell.
exits 0 tune --quick --deque split,chase_lev,locked --victim random --wait balanced --json - -- "$subject" slow chase_lev \
	"it's" ''
valid_json "$work/out"
grep -q '"clear": true' "$work/out" || fail "the JSON has no winner"
grep -q '"FILCH_DEQUE": "chase_lev"' "$work/out" || fail "the JSON does not say what to set"
err_has "Winner: "
err_has "deque chase_lev"
grep -qE "^chase_lev +random +balanced .* winner$" "$work/err" || fail "no row of the winner"
grep -qE "^  (FILCH_WORKERS=[0-9]+ )?FILCH_DEQUE=chase_lev $subject slow chase_lev 'it'\\\\''s' ''$" "$work/err" ||
	fail "no line to paste"
# Without --, and with variables that are set.
export FILCH_DEQUE=locked FILCH_WAIT=nonsense
exits 0 tune $few "$subject" plain --runs
out_has "Note: FILCH_DEQUE, FILCH_WAIT was set, and is not for these runs."
unset FILCH_DEQUE FILCH_WAIT

# With the defaults nothing may go wrong.
hopeless() { # TEXT ARGUMENT...
	text=$1
	shift
	exits 1 tune $few --json "$work/failed.json" "$@"
	silent out
	err_has "filch tune: $text"
	if [ -e "$work/failed.json" ]; then fail "a file of a run that failed"; fi
}
touch "$work/not_executable"
mkdir "$work/folder"
hopeless "cannot run '$work/missing': No such file" -- "$work/missing"
hopeless "cannot run '$work/not_executable': Permission denied" -- "$work/not_executable"
hopeless "cannot run '$work/folder': Permission denied" -- "$work/folder"
hopeless "the program fails with the default settings: exit status 3; it said: last word" -- "$subject" fail
hopeless "the program fails with the default settings: signal 6 (Abort" -- "$subject" crash
hopeless "the program fails with the default settings: did not end within 0.3 s" --timeout 0.3 -- \
	"$subject" hang split "$work/pids"
hopeless "the output differs from run to run with the same settings: line 1 was '" -- "$subject" clock
err_has "with --output ignore it is not looked at"
hopeless "the program does not seem to use filch" -- "$subject" serial
hopeless "the program does not seem to use filch" -- "$subject" fallback
hopeless "the program fails with the default settings: did not end within 0.3 s" --timeout 0.3 -- yes
exits 0 tune $few --output ignore -- "$subject" clock
out_has "Note: the output of the program was not checked"
exits 0 tune $few --force -- "$subject" fallback
exits 0 tune $few -- "$subject" many
exits 0 tune $few --deque split,locked -- "$subject" own
out_has "Note: the program does not mind FILCH_DEQUE: it sets that itself."
if grep -q '^locked' "$work/out"; then fail "a setting that the program does not mind"; fi
exits 0 tune $few -- sh -c "cat; \"$subject\"" # which has nothing to read

# With another setting the others go on.
some_fail() { # WORD TEXT ARGUMENT...
	word=$1 text=$2
	shift 2
	exits 3 tune $few --json "$work/some.json" "$@"
	grep -qE "^abp .* $word$" "$work/out" || fail "no row of abp that says $word"
	grep -qE "^With (workers [0-9]+, )?deque abp the program $text" "$work/out" || fail "does not say why"
	no_winner
	valid_json "$work/some.json"
}
some_fail failed "failed: exit status 3; it said: last word" -- "$subject" fail abp
some_fail failed "failed: signal 6 [(]Abort" -- "$subject" crash abp
some_fail "output differs" "writes something else: line 1 was '499500', and then '499501'" -- "$subject" differ abp
grep -q '"outcome": "differs"' "$work/some.json" || fail "the JSON does not know that it differs"
some_fail "timed out" "did not end within 8 s" --timeout 8 -- "$subject" hang abp "$work/pids"
for pid in $(cat "$work/pids"); do
	if kill -0 "$pid" 2>/dev/null; then fail "a process of the program is left"; fi
done

# Interrupted: the program and its children end, the table so far is printed, and there is no file. Killed: no file.
for signal in INT:130 TERM:143 KILL:137; do
	rm -f "$work/pids"
	env --default-signal "$filch" tune $few --timeout 900 --json "$work/signal.json" -- "$subject" hang abp "$work/pids" \
		>"$work/out" 2>"$work/err" &
	pid=$!
	tries=0
	while [ ! -s "$work/pids" ] && [ $tries -lt 6000 ]; do
		tries=$((tries + 1))
		sleep 0.1
	done
	kill -s ${signal%:*} $pid || fail "it is gone"
	code=0
	wait $pid || code=$?
	if [ $code != ${signal#*:} ]; then fail "SIG${signal%:*}: exit code $code"; else echo "ok: $signal"; fi
	nothing_left signal.json
	if [ $signal = KILL:137 ]; then
		kill -9 $(cat "$work/pids")
		continue
	fi
	out_has "Interrupted."
	for pid in $(cat "$work/pids"); do
		if kill -0 "$pid" 2>/dev/null; then fail "a process of the program is left"; fi
	done
done

# On a terminal: progress and color, unless told not to.
if command -v script >/dev/null && script -qec true /dev/null >/dev/null 2>&1; then
	export TERM=xterm filch subject few
	script -qec '"$filch" tune $few -- "$subject"' /dev/null </dev/null >"$work/color" || fail "exit code $?"
	LC_ALL=C grep -q "$(printf '\033')\[1m" "$work/color" || fail "no color on a terminal"
	LC_ALL=C grep -q 'of [0-9]*: deque, .*; about [0-9]* s left' "$work/color" || fail "no progress on a terminal"
	NO_COLOR=1 script -qec '"$filch" tune $few -- "$subject" 2>/dev/null' /dev/null </dev/null >"$work/plain"
	no_escapes "$work/plain"
fi

command=tune
try="filch help tune"
refuses "filch tune: no program is named"
refuses "filch tune: no program is named" --quick --
refuses "filch tune: no program is named" ''
for value in 0 2 1001 x ''; do
	refuses "--runs must be a whole number from 3 to 1000, not '$value'" --runs "$value" -- true
done
for value in 1025 -1 x '' 1, ,1; do
	refuses "--workers must be a whole number from 0 to 1024, not '" --workers "$value" -- true
done
refuses "--deque: unknown deque 'x'; known: all, " --deque x -- true
refuses "--victim: unknown policy 'x'; known: all, random, " --victim x -- true
refuses "--wait: unknown policy 'warm'; known: all, " --wait warm -- true
refuses "--timeout must be a number from 0.001 to 86400, not '0'" --timeout 0 -- true
refuses "--output: unknown value 'some'; known: same, ignore" --output some -- true
refuses "unrecognized option '--fast'" --fast -- true
refuses "unrecognized option '--policy'" --policy random -- true # its name is --victim, as in FILCH_VICTIM
exits 1 tune --json "$work/missing/x.json" -- true
silent out
err_has "filch tune: cannot write $work/missing/x.json: "
exits 1 tune $few --json /dev/full -- "$subject"
err_has "cannot write /dev/full: No space left on device"
exits 0 tune --help
out_has "usage: filch tune"

# A program that hangs, interrupted: there is no result, and the report claims nothing.
tries=0
while [ ! -s "$work/first_err" ] && [ $tries -lt 6000 ]; do
	tries=$((tries + 1))
	sleep 0.1
done
kill -s TERM $first || fail "it is gone"
code=0
wait $first || code=$?
trap 'rm -rf "$work"' EXIT
if [ $code != 143 ]; then fail "in the first run: exit code $code, not 143"; fi
mv "$work/first_out" "$work/out"
mv "$work/first_err" "$work/err"
err_has "filch tune: the program is still in its first run, after 10 s; it is given up after 600 s (--timeout)"
if [ "$(cat "$work/out")" != "Interrupted before the first run ended." ]; then fail "says more than that"; fi
for pid in $(cat "$work/first_pids"); do
	if kill -0 "$pid" 2>/dev/null; then fail "a process of the program is left"; fi
done
exit $failed
