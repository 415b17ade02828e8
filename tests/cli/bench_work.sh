#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# bench_work.sh FILCH: every workload with every contender that is there, on small input: answers are right, tables and
# JSON are complete. Programs that answer wrongly, crash or are not there. What is wrong on the command line.
set -eu
. "$(dirname "$0")/lib.sh"
unset FILCH_WORKERS FILCH_DEQUE FILCH_VICTIM

# The smallest of each; uts only if it was built.
exits 2 bench fib:
works="fib:15 queens:6 matmul:70 quicksort:5000 cilksort:20000 integrate:10 knapsack:15 strassen:128 saxpy:20000"
works="$works dag:3000 histogram:20001 mandelbrot:64"
if grep -q ", uts" "$work/err"; then works="$works uts:small"; fi

exits 0 bench $works --runs 2 --workers 1,3 --json "$work/all.json"
silent err
no_escapes "$work/out"
out_has "All answers were right."
valid_json "$work/all.json"
for given in $works; do
	name=${given%:*} size=${given#*:}
	grep -q "^$name\$" "$work/out" || fail "no table of $name"
	grep -q "\"measure\": \"$name/$size/3\"" "$work/all.json" || fail "no measure $name/$size/3"
done
count=$(echo $works | wc -w)
for row in 'serial +[^ ]+ +1' 'filch +[^ ]+ +1' 'filch +[^ ]+ +3'; do
	if [ "$(grep -cE "^$row .* 0 " "$work/out")" != "$count" ]; then fail "not $count rows of $row"; fi
done
for key in ns ns_per_item items cpu_ns voluntary involuntary peak_bytes tasks steals leaps; do
	grep -q "\"$key\": {" "$work/all.json" || fail "no $key in the JSON"
done
for key in full pinned workers not_there peer_size outliers; do
	grep -q "\"$key\": " "$work/all.json" || fail "no $key in the JSON"
done

# fib is smaller for others, if nothing is said; sizes may be several; options may come first.
if grep -q '"contender": "libgomp"' "$work/all.json"; then
	exits 0 bench --runs 1 --quick fib --contenders filch,libgomp --workers 1
	grep -qE '^filch +35 +1 ' "$work/out" || fail "fib of filch is not 35"
	grep -qE '^libgomp +25 +1 ' "$work/out" || fail "fib of libgomp is not 25"
fi
exits 0 bench fib:10,12 --runs 1 --contenders serial,serial
if [ "$(grep -cE '^serial +1[02] +1 ' "$work/out")" != 2 ]; then fail "not two sizes"; fi
exits 0 bench --runs 1 --workers 2 --contenders filch --deque split,locked --policy last,two queens:5
for deque in split locked; do
	for policy in last two; do
		grep -q "^filch-$deque-$policy " "$work/out" || fail "no filch-$deque-$policy"
	done
done
# dag has its own queues: by default bulk queues, else deques of the kind named.
exits 0 bench --runs 1 --workers 2 --contenders filch --deque all dag:3000
out_has "All answers were right."
exits 0 bench --runs 1 --workers 2 --contenders filch --deque split --join leapfrog,random queens:5
for join in leapfrog random; do
	grep -q "^filch-split-$join " "$work/out" || fail "no filch-split-$join"
done
exits 0 bench fib:10 --runs 1 --contenders filch --json -
valid_json "$work/out"
err_has "All answers were right."

# Other programs. They say what they were called with.
mkdir "$work/programs"
program() { # NAME COMMAND
	printf '#!/bin/sh\n%s\n' "$2" >"$work/programs/bench-$1"
	chmod +x "$work/programs/bench-$1"
}
program filch "echo \"\$*\" >>$work/calls; echo right ns 2000000 items 10 answer 1"
exits 0 bench fib:7 --programs "$work/programs" --runs 1 --workers 2 --deque locked --policy two --join random
out_has "Note: serial is not there"
out_has "Note: tbb is not there: it is built where there is g++ and libtbb-dev."
grep -qE '^filch-locked-two-random +7 +2 +2\.00 .* - ' "$work/out" || fail "not what the program said"
# One is the warm-up.
printf 'fib 7 --workers 2 --deque locked --victim two --join random\n%.0s' 1 2 >"$work/expected"
cmp -s "$work/calls" "$work/expected" || fail "called otherwise: $(cat "$work/calls")"

fails() { # TEXT
	exits 1 bench fib:7 --programs "$work/programs" --runs 1 --json "$work/failed.json"
	silent out
	err_has "filch bench: the run failed: filch, fib/7/"
	err_has "$1"
	if [ -e "$work/failed.json" ]; then fail "a file of a run that failed"; fi
}
program filch 'echo wrong answer: 14 >&2; exit 1'
fails "wrong answer: 14"
program filch 'kill -SEGV $$'
fails "signal 11"
program filch 'true'
fails "no word"
program filch 'echo half a; exit 0'
fails "half a"
rm "$work/programs/bench-filch"
exits 2 bench fib:7 --programs "$work/programs"
err_has "none of the programs that are asked for is in $work/programs"

# A size that there is not is the program's to say.
exits 1 bench fib:99 --runs 1
err_has "fib has no size 99"

# refuses TEXT ARGUMENT...: a usage error that says so.
refuses() {
	text=$1
	shift
	exits 2 bench "$@"
	silent out
	err_has "filch bench: $text"
	err_has "Try 'filch bench all --help'."
}
exits 0 bench all --help
out_has "usage: filch bench WORKLOAD"
for value in 0 1025 x '' 1, ,1; do
	refuses "--workers wants a whole number from 1 to 1024, not '" fib --workers "$value"
done
refuses "--workers takes at most 16 numbers" fib --workers 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17
refuses "--contenders: there is no 'openmp'; there are: all, serial, filch, " fib --contenders openmp
refuses "--join: there is no 'x'; there are: all, transitive, " fib --join x
refuses "--policy: there is no 'x'; there are: all, random, " fib --policy x
refuses "--deque: there is no deque 'x'" fib --deque x
refuses "--programs wants a folder" fib --programs ''
refuses "a sample takes as long as the workload" fib --seconds 1
refuses "there is no workload 'fob'; there are: all, fib, " fib fob
refuses "there is no workload 'fib:'" fib:
exit $failed
