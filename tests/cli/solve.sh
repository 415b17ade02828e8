#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# solve.sh FILCH ROOT OBJECT: filch solve: results, JSON, exit codes, limits, interrupts, checkpoints, pictures, and the
# problem of a shared object.
set -eu
. "$(dirname "$0")/lib.sh"
object=$3

# gen FILE ARGUMENT...: writes an instance.
gen() {
	file=$work/$1
	shift
	"$filch" gen "$@" >"$file"
}
# member NAME: its value in the JSON of the last run. Only for members on a line of their own.
member() {
	sed -n "s/^	\"$1\": \(.*[^,]\),*\$/\1/p" "$work/out"
}
# has NAME VALUE: the JSON of the last run has this member.
has() {
	if [ "$(member "$1")" != "$2" ]; then fail "$1 is $(member "$1"), not $2"; fi
}

# A knapsack by hand, with Windows line ends and a solution behind it.
printf '4 6\r\n7 3\r\n6 2\r\n5 2\r\n4 2\r\n0 1 1 1\r\n' >"$work/kp"
exits 0 solve knapsack "$work/kp" --solution
silent err
out_has "status     optimal"
out_has "objective  15"
out_has "bound      15"
out_has "gap        0 %"
out_has "solution   0 1 1 1"
code=0
"$filch" solve knapsack - --json --solution --workers 1 <"$work/kp" >"$work/out" 2>"$work/err" || code=$?
if [ $code != 0 ]; then fail "standard input: exit code $code"; fi
silent err
valid_json "$work/out"
has problem '"knapsack"'
has file '"-"'
has status '"optimal"'
has end '"done"'
has objective 15
has bound 15
has gap 0
has workers 1
has ranks 1
for name in nodes dd_nodes seconds cpu_seconds peak_memory_bytes version options solution; do
	grep -q "^	\"$name\": " "$work/out" || fail "no member $name"
done

# Fractions, and an order instead of a file.
printf '3 0 10 20 10 0 5.5 20 5.5 0 0 40 12 15 0 30' >"$work/tw"
exits 0 solve tsptw "$work/tw" --json
has objective 37.5
exits 0 solve golomb 6 --json --solution
has objective 17

# No solution.
printf '3 0 10 20 10 0 5 20 5 0 0 40 12 15 0 3' >"$work/late"
exits 5 solve tsptw "$work/late"
out_has "status     infeasible"
exits 5 solve tsptw "$work/late" --json --solution
valid_json "$work/out"
has status '"infeasible"'
has objective null
has solution null

# Every order, cutset, and the deterministic mode give the same value.
gen sop sop --size 14 --seed 5
exits 0 solve sop "$work/sop" --json
optimum=$(member objective)
for options in "--order depth" "--order mixture" "--cutset layer" "--width 3" "--cache 0" "--deterministic --workers 1" \
	"--deterministic --workers 2" "--memory 50M"; do
	exits 0 solve sop "$work/sop" --json $options
	has objective "$optimum"
	valid_json "$work/out"
done

# Limits. The instance takes hours.
gen hard misp --size 700 --seed 1 --density 0.2
exits 3 solve misp "$work/hard" --nodes 1 --json --solution
valid_json "$work/out"
has status '"feasible"'
has end '"nodes"'
exits 3 solve misp "$work/hard" --time 0.2 --json
has end '"time"'
exits 3 solve misp "$work/hard" --gap 1000 --json
has end '"gap"'
exits 3 solve misp "$work/hard" --memory 8M --time 20 --json
has status '"feasible"'
# Diagrams that do not fit get narrower, with the default memory as well.
for mode in --quiet --deterministic; do
	exits 3 solve misp "$work/hard" --memory 8M --nodes 3 --json $mode
	has end '"nodes"'
done
code=0
(ulimit -v 100000 && exec "$filch" solve misp "$work/hard" --time 0.3 --workers 2 --json) >"$work/out" 2>"$work/err" || code=$?
if [ $code != 3 ]; then fail "little address space: exit code $code: $(head -1 "$work/err")"; fi
has status '"feasible"'

# An interrupt ends with the best solution. env: a shell starts a background job with SIGINT ignored; this undoes that.
for signal in INT TERM; do
	env --default-signal "$filch" solve misp "$work/hard" --json --solution >"$work/out" 2>"$work/err" &
	pid=$!
	sleep 1
	kill -s $signal $pid
	code=0
	wait $pid || code=$?
	if [ $code != 3 ]; then fail "SIG$signal: exit code $code"; fi
	valid_json "$work/out"
	has end '"interrupted"'
	has status '"feasible"'
done

# Checkpoint and resume.
gen long sop --size 20 --seed 3 --density 0.02
exits 0 solve sop "$work/long" --json
optimum=$(member objective)
exits 3 solve sop "$work/long" --nodes 20 --width 10 --checkpoint "$work/saved" --json
err_has "to go on: filch solve sop $work/long --resume $work/saved --checkpoint $work/saved"
exits 3 solve sop "$work/long" --nodes 20 --width 10 --checkpoint "$work/it's here" --json
err_has "to go on: filch solve sop $work/long --resume '$work/it'\\''s here' --checkpoint '$work/it'\\''s here'"
grep -q '^		"gap": null,$' "$work/out" || fail "the option gap is not null"
member cpu_seconds | grep -Eq '^[0-9]+(\.[0-9]{1,6})?$' || fail "cpu_seconds is $(member cpu_seconds)"
exits 0 solve sop "$work/long" --resume "$work/saved" --json
has objective "$optimum"
exits 6 solve sop "$work/sop" --resume "$work/saved"
err_has "it is a checkpoint of another instance"
exits 6 solve sop "$work/long" --resume "$work/missing"
err_has "cannot resume from $work/missing: No such file or directory"
head -c 100 "$work/saved" >"$work/cut"
exits 6 solve sop "$work/long" --resume "$work/cut"
err_has "it is damaged, or no checkpoint"
# A limit of time ends the compile of a diagram: the checkpoint is written all the same.
gen dense misp --size 150 --density 0.1
exits 3 solve misp "$work/dense" --time 0.3 --checkpoint "$work/timed"
if [ ! -s "$work/timed" ]; then fail "no checkpoint after a limit of time"; fi
exits 3 solve misp "$work/dense" --time 0.1 --resume "$work/timed"
# A checkpoint that cannot be written is an error before the run.
exits 1 solve sop "$work/long" --checkpoint "$work/missing/saved"
err_has "cannot write $work/missing/saved: No such file or directory"
exits 1 solve sop "$work/long" --checkpoint "$work"
err_has "cannot write $work: Is a directory"
exits 0 solve sop "$work/long" --checkpoint "$work/done"
exits 0 solve sop "$work/long" --resume "$work/done" --json
has objective "$optimum"

# Pictures.
for kind in exact restricted relaxed; do
	exits 0 solve knapsack "$work/kp" --draw "$work/$kind.svg" --diagram $kind --width 2
	silent out
	grep -q '<svg' "$work/$kind.svg" || fail "no picture"
	exits 0 solve knapsack "$work/kp" --draw "$work/$kind.dot" --diagram $kind --width 2
	grep -q 'digraph' "$work/$kind.dot" || fail "no graph"
done
exits 1 solve knapsack "$work/kp" --draw "$work/no/where.svg"
err_has "cannot write $work/no/where.svg: No such file or directory"

# A large picture: a warning with its size, and what makes it smaller.
gen wide misp --size 60 --density 0.2
exits 0 solve misp "$work/wide" --draw "$work/wide.svg" --width 500
err_has "; for a smaller picture use --width 8"
exits 0 solve misp "$work/wide" --draw "$work/wide.svg" --width 500 --quiet
silent err
exits 0 solve misp "$work/wide" --draw "$work/wide.svg" --width 8
silent err
exits 0 solve knapsack "$work/kp" --draw "$work/exact.svg" --diagram exact
silent err

# Too large a picture: it is not written, and a file that is there stays as it is.
echo old >"$work/huge.svg"
exits 1 solve golomb 9 --draw "$work/huge.svg" --diagram exact
err_has "$work/huge.svg is not written: the diagram has 2"
err_has "nodes and arcs after 3 of 8 variables: more than 200000; for a smaller picture use a smaller instance, or \
--diagram relaxed --width 8"
if [ "$(cat "$work/huge.svg")" != old ]; then fail "the file was written"; fi

# No text.
head -c 100000 /dev/zero >"$work/zeros"
exits 6 solve misp "$work/zeros"
err_has "$work/zeros: line 1: the file has a byte 0: this is no text"
exits 6 solve "$object" "$work/zeros"
err_has "$work/zeros: the file has a byte 0: this is no text"

# shown TERM: progress on a terminal of this type with 40 columns. The longer the run, the surer there is some.
shown() {
	for seconds in 1 4 16 64; do
		TERM=$1 seconds=$seconds script -qec 'stty cols 40; "$filch" solve misp "$work/hard" --time $seconds >"$work/out"' \
			/dev/null </dev/null >"$work/shown" || code=$?
		if grep -q " s  best " "$work/shown"; then return; fi
	done
	fail "no progress"
}
export filch work
if command -v script >/dev/null && script -qec true /dev/null >/dev/null 2>&1; then
	shown dumb
	no_escapes "$work/shown"
	tr '\r' '\n' <"$work/shown" | awk 'length > 39' >"$work/long_lines"
	if [ -s "$work/long_lines" ]; then fail "too long for the terminal: $(head -1 "$work/long_lines")"; fi
	shown xterm
	tr '\r' '\n' <"$work/shown" | grep -q "$(printf '\033')\[K" || fail "no escape codes"
	tr '\r' '\n' <"$work/shown" | sed 's/\x1b\[K//' | awk 'length > 39' >"$work/long_lines"
	if [ -s "$work/long_lines" ]; then fail "too long for the terminal: $(head -1 "$work/long_lines")"; fi
else
	echo "skipped: no script(1)"
fi

# A problem of one's own.
echo "163 70 9 45 5 12 2 1 1" >"$work/letter"
exits 0 solve "$object" "$work/letter" --json --solution
has objective 20
echo "163 70 9 45" >"$work/letter"
exits 6 solve "$object" "$work/letter"
err_has "filch solve: $work/letter: it must have a postage"
echo "16300 7 1" >"$work/letter"
exits 5 solve "$object" "$work/letter"
exits 1 solve "$work/none.so" "$work/letter"
err_has "filch solve: cannot load the problem: $work/none.so"
exits 1 solve "$work/kp" "$work/letter"
err_has "filch solve: cannot load the problem"

command=solve
try="filch help solve"
refuses "filch solve: needs a problem and a file"
refuses "filch solve: needs a problem and a file" knapsack
refuses "unknown problem 'sat'; known: knapsack, misp, max2sat, maxcut, tsptw, golomb, sop" sat file
refuses "unexpected argument 'c'" knapsack b c
refuses "--order: unknown order 'worst'; known: best, depth, mixture" knapsack "$work/kp" --order worst
refuses "--cutset: unknown cutset 'x'; known: frontier, layer" knapsack "$work/kp" --cutset x
refuses "--memory must be a number of bytes from 1 on, such as 500M, not '0'" knapsack "$work/kp" --memory 0
refuses "--memory must be a number of bytes from 1 on, such as 500M, not '9X'" knapsack "$work/kp" --memory 9X
refuses "--draw needs a file that ends in .svg or .dot, not 'x.png'" knapsack "$work/kp" --draw x.png
refuses "--diagram needs --draw" knapsack "$work/kp" --diagram exact
refuses "--checkpoint-every needs --checkpoint" knapsack "$work/kp" --checkpoint-every 5
refuses "--workers must be a whole number from 1 to 1024, not '0'" knapsack "$work/kp" --workers 0
refuses "--time must be a number" knapsack "$work/kp" --time 0
exits 0 solve --help
out_has "usage: filch solve"
exit $failed
