#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# bench.sh FILCH: a short run of all deques: the table, the JSON, colour, one CPU.
set -eu
. "$(dirname "$0")/lib.sh"

# As make demo runs it, except for the duration of a sample.
exits 0 bench --quick --seconds 0.001 --json "$work/all.json"
silent err
no_escapes "$work/out"
for name in plain locked global abp chase_lev split; do
	grep -q "^$name " "$work/out" || fail "no row of $name"
done
out_has "10 interleaved samples"
out_has "compare their ratios"
out_has "All samples are in $work/all.json."

valid_json "$work/all.json"
for key in schema suite finished machine build options results version commit cpu kernel compiler flags runs \
	seconds thieves subjects ns_per_pair owner_ops_per_s steals_per_s ns_per_steal lost empty median low high samples; do
	grep -q "\"$key\": " "$work/all.json" || fail "no $key in the JSON"
done
if grep '"samples"' "$work/all.json" | grep -vqE '\[([^,]*, ){9}[^,]*\]'; then fail "not 10 samples of each"; fi
if [ "$(ls -A "$work" | tr '\n' ' ')" != "all.json err out " ]; then fail "left a file behind: $(ls -A "$work")"; fi

# The JSON shows that pushes = pops + steals + left in each sample.
cases=$(all_accounted "$work/all.json" with_thieves) || fail "pushes are not pops + steals + left"
if [ "$cases" -lt 3 ]; then fail "only $cases measures"; fi

# With JSON on standard output, the table goes to standard error.
exits 0 bench $short --json -
valid_json "$work/out"
err_has "owner alone"

# An existing file is replaced and keeps its mode; a link stays a link; a pipe is written to.
echo old >"$work/old.json"
chmod 640 "$work/old.json"
ln -s old.json "$work/link.json"
exits 0 bench $short --kinds split --json "$work/link.json"
valid_json "$work/old.json"
case $(ls -l "$work/old.json") in
-rw-r-----*) ;;
*) fail "the mode has changed" ;;
esac
if [ ! -h "$work/link.json" ]; then fail "the link is gone"; fi
mkfifo "$work/pipe"
cat "$work/pipe" >"$work/piped.json" &
exits 0 bench $short --kinds split --json "$work/pipe"
wait
valid_json "$work/piped.json"

# Only the named kinds are measured, each once.
exits 0 bench $short --kinds split,split
if grep -qE '^(locked|chase_lev) ' "$work/out"; then fail "measured what was not asked for"; fi
if [ "$(grep -c '^split ' "$work/out")" != 1 ]; then fail "measured twice"; fi
exits 0 bench $short --kinds all --thieves 3
out_has "with 3 thieves"

# On one CPU owner and thieves take turns, and the run ends.
if command -v taskset >/dev/null && taskset -c 0 true 2>/dev/null; then
	code=0
	taskset -c 0 "$filch" bench --runs 2 --seconds 0.02 --thieves 2 >"$work/out" 2>"$work/err" || code=$?
	if [ $code != 0 ]; then fail "on one CPU: exit code $code"; fi
	out_has "share 1 CPU"
fi

# On a terminal there are colour and progress, unless an option disables them.
if command -v script >/dev/null && script -qec true /dev/null >/dev/null 2>&1; then
	export TERM=xterm filch
	terminal() {
		script -qec "$1 \"\$filch\" bench $short $2" /dev/null </dev/null >"$work/$3" ||
			fail "on a terminal: exit code $?"
	}
	terminal '' '' color
	if grep -q '[0-9] +- *[0-9]*%' "$work/color"; then fail "a spread of one sample"; fi
	LC_ALL=C grep -q "$(printf '\033')\[1m" "$work/color" || fail "no color on a terminal"
	LC_ALL=C grep -q '1 of [0-9]*: ' "$work/color" || fail "no progress on a terminal"
	terminal '' '--no-color 2>/dev/null' no_color_option
	no_escapes "$work/no_color_option"
	terminal 'NO_COLOR=1' '2>/dev/null' no_color_variable
	no_escapes "$work/no_color_variable"
	terminal 'TERM=dumb' '' dumb
	no_escapes "$work/dumb"

	# After an interrupt, the word "interrupted" replaces the line of progress.
	export work
	script -qec 'echo $$ >"$work/pid"; exec env --default-signal "$filch" bench --seconds 1' /dev/null </dev/null >"$work/interrupted" &
	tries=0
	until grep -q '1 of [0-9]*: ' "$work/interrupted" || [ $tries = 3000 ]; do
		tries=$((tries + 1))
		sleep 0.1
	done
	kill -s INT "$(cat "$work/pid")"
	wait
	LC_ALL=C grep -q "$(printf '\033')\[Kinterrupted" "$work/interrupted" || fail "does not say that it was interrupted"
	if grep -q 'owner alone' "$work/interrupted"; then fail "a table of an interrupted run"; fi
fi
exit $failed
