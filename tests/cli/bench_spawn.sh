#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# bench_spawn.sh FILCH: all cases with all programs, in short samples: answers are right, tables and JSON are complete.
# Selections of cases, runtimes and flags. Programs that answer wrongly, crash or are not there. Wrong command lines.
set -eu
. "$(dirname "$0")/lib.sh"
unset FILCH_WORKERS FILCH_DEQUE FILCH_VICTIM
# A spinning OpenMP takes long on a busy machine.
export OMP_WAIT_POLICY=passive

# All cases of filch and the serial program, with all flags that are there.
exits 0 bench spawn $short --runtimes serial,filch --json "$work/all.json"
silent err
no_escapes "$work/out"
out_has "All answers were right."
valid_json "$work/all.json"
grep -q '"suite": "spawn"' "$work/all.json" || fail "not the suite spawn"
bodies="0 16 30 45 90 170 300 450 1000 10000"
cases="fib/int fib/long fib/float fib/bool fib/void fib/struct tree/2 tree/4 tree/16 runs/1000"
for count in 1 2 3 4 5 6 7 8; do cases="$cases params/$count"; done
for count in 64 1000; do
	for body in $bodies; do cases="$cases loop/$count/$body spawn_n/$count/$body"; done
done
for name in $cases; do
	grep -qE "^$name +serial-O2( +[0-9.-]+){13}\$" "$work/out" || fail "no row of $name, serial-O2"
	grep -qE "^$name +filch-O2( +[0-9.-]+){13}\$" "$work/out" || fail "no row of $name, filch-O2"
	for workers in 1 2; do
		grep -q "\"measure\": \"$name/$workers\"" "$work/all.json" || fail "no measure $name/$workers"
	done
done
for key in ns_per_spawn cpu_per_spawn body_ns ns cpu_ns spawns voluntary involuntary tasks steals leapfrogs; do
	grep -q "\"$key\": {" "$work/all.json" || fail "no $key in the JSON"
done
for key in workers loops cases base not_there; do
	grep -q "\"$key\": " "$work/all.json" || fail "no $key in the JSON"
done
# The compiler makes a difference only without a body.
grep -qE '^fib/int +filch-O3 ' "$work/out" || fail "no fib with -O3"
grep -qE '^loop/64/0 +filch-O3 ' "$work/out" || fail "no empty loop with -O3"
if grep -qE '^loop/64/30 +filch-O3 ' "$work/out"; then fail "a body with -O3"; fi

# The same answers with all other runtimes; more workers; as JSON.
exits 0 bench spawn $short --cases fib,params/8,tree,loop/64/0,spawn_n/64/0,runs --runtimes tbb,libgomp,libomp,serial \
	--workers 3 --json -
valid_json "$work/out"
err_has "3 workers, ns a spawn"
grep -q '"measure": "fib/void/3"' "$work/out" || grep -q '"not_there": \[$' "$work/out" || fail "no three workers"

# Only the requested ones, each once; groups of cases.
exits 0 bench spawn $short --cases loop/64/30,loop/64,loop/64/0 --runtimes filch --flags O2,O2
if [ "$(grep -cE '^loop/64/[0-9]+ +filch-O2 ' "$work/out")" != 10 ]; then fail "not ten rows"; fi
if grep -qE '^(fib|loop/1000)' "$work/out"; then fail "measured what was not asked for"; fi
exits 0 bench spawn $short --quick --cases fib/int --runtimes filch
if grep -q 'filch-O3' "$work/out"; then fail "quick with -O3"; fi
exits 0 bench spawn $short --cases loop/64/30 --runtimes serial --flags O3,O2
grep -qE '^loop/64/30 +serial-O3 ' "$work/out" || fail "not the first flags"

# Programs that fail.
mkdir "$work/programs"
program() { # NAME LINE...: a program that runs these lines of shell
	printf '#!/bin/sh\ncase $1 in calibrate) echo "right loops 30 "; exit ;; esac\n%s\n' "$2" \
		>"$work/programs/bench-spawn-$1"
	chmod +x "$work/programs/bench-spawn-$1"
}
own="bench spawn --cases fib/int --runs 2 --programs $work/programs"
program filch-O2 'echo "right ns 1000 cpu_ns 500 spawns 100 "'
exits 0 $own --runtimes filch,serial --flags O2
grep -qE '^fib/int +filch-O2 +- +10\.0 ' "$work/out" || fail "not 10 ns a spawn"
out_has "serial-O2 is not there"
program filch-O2 'echo "wrong answer: 1 instead of 2" >&2; exit 1'
exits 1 $own --runtimes filch --flags O2 --json "$work/none.json"
silent out
err_has "wrong answer: 1 instead of 2"
nothing_left none.json
program filch-O2 'kill -SEGV $$'
exits 1 $own --runtimes filch --flags O2
err_has "the program ended by signal 11"

command="bench spawn"
try="filch bench spawn --help"
exits 0 bench spawn --help
out_has "usage: filch bench spawn"
for value in nonsense '' FIB 'fib,' ',fib' fi fib/ fib/int/ loop/65; do
	refuses "--cases: unknown case '" --cases "$value"
done
err_has "known: all, fib, params, tree, loop, spawn_n, runs"
refuses "--runtimes: unknown runtime 'go'" --runtimes go
refuses "--flags: unknown flags 'O1'" --flags O1
for value in 0 1 1025 x ''; do
	refuses "--workers must be a whole number from 2 to 1024, not '$value'" --workers "$value"
done
refuses "--runtimes: none of their programs is in $work" --programs "$work"
refuses "--runtimes: none of their programs is in " --runtimes libgomp --flags clang
refuses "unexpected argument 'fib'" fib
exits 2 bench spawn --thieves 1
exits 1 bench spawn $short --json "$work/no/such/folder"
err_has "filch bench spawn: cannot write $work/no/such/folder: "
exit $failed
