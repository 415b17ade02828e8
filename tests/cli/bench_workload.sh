#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# bench_workload.sh FILCH: every workload with every runtime that is there, on small input: answers are right, tables and
# JSON are complete. Programs that answer wrongly, crash or are not there. Errors on the command line.
set -eu
. "$(dirname "$0")/lib.sh"
unset FILCH_WORKERS FILCH_DEQUE FILCH_VICTIM

# The smallest of each; uts only if it was built.
exits 2 bench fob
works="fib:15 queens:6 matmul:70 quicksort:5000 cilksort:20000 integrate:10 knapsack:15 strassen:128 saxpy:20000"
works="$works dag:3000 histogram:20001 sort:20000 mandelbrot:64"
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
for row in 'serial +[^ ]+ +1' 'filch +[^ ]+ +1' 'filch +[^ ]+ +3' 'copies +[^ ]+ +3'; do
	if [ "$(grep -cE "^$row .* 0 " "$work/out")" != "$count" ]; then fail "not $count rows of $row"; fi
done
for key in ns ns_per_item items cpu_ns voluntary involuntary peak_bytes tasks steals leapfrogs overlap; do
	grep -q "\"$key\": {" "$work/all.json" || fail "no $key in the JSON"
done
for key in full pinned workers not_there peer_size outliers copies_of; do
	grep -q "\"$key\": " "$work/all.json" || fail "no $key in the JSON"
done

# Speed-ups of filch and other runtimes beside the speed-up of the machine, in a table for each workload. A run that is
# too short says nothing about the machine.
given='[0-9.]+ +[0-9.]+ +[0-9.]+ +[0-9]+% +[0-9]+ +[0-9]+'
if [ "$(grep -cE "^filch +3 +[0-9.]+ +[0-9.]+ +[0-9.]+ +($given|- +- +- +- +- +-)\$" "$work/out")" != "$count" ]; then
	fail "not $count rows of speed-ups"
fi
out_has "the machine gives"

# fib is smaller for others, if nothing is said; sizes may be several; options may come first.
if grep -q '"subject": "libgomp"' "$work/all.json"; then
	exits 0 bench --runs 1 --quick fib --runtimes filch,libgomp --workers 1
	grep -qE '^filch +35 +1 ' "$work/out" || fail "fib of filch is not 35"
	grep -qE '^libgomp +25 +1 ' "$work/out" || fail "fib of libgomp is not 25"
fi
exits 0 bench fib:10,12 --runs 1 --runtimes serial,serial
if [ "$(grep -cE '^serial +1[02] +1 ' "$work/out")" != 2 ]; then fail "not two sizes"; fi
# A workload that is named twice is measured once.
exits 0 bench fib:10,12,10 fib:12 --runs 1 --runtimes filch --workers 1,1 --json "$work/twice.json"
if [ "$(grep -cE '^filch +1[02] +1 ' "$work/out")" != 2 ]; then fail "not two rows"; fi
if [ "$(grep -c '"measure": "fib/10/1"' "$work/twice.json")" != 1 ]; then fail "not one measure"; fi
exits 0 bench --runs 1 --workers 2 --runtimes filch --deque split,locked --victim last,two queens:5
for deque in split locked; do
	for victim in last two; do
		grep -q "^filch-$deque-$victim " "$work/out" || fail "no filch-$deque-$victim"
	done
done
# dag has its own queues: by default bulk queues, else deques of the kind named.
exits 0 bench --runs 1 --workers 2 --runtimes filch --deque all dag:3000
out_has "All answers were right."
exits 0 bench --runs 1 --workers 2 --runtimes filch --deque split --join leapfrog,random queens:5
for join in leapfrog random; do
	grep -q "^filch-split-$join " "$work/out" || fail "no filch-split-$join"
done
exits 0 bench fib:10 --runs 1 --runtimes filch --json -
valid_json "$work/out"
err_has "All answers were right."

# Copies run at once: the program says for how much of their time. A failure of one copy ends all copies.
folder=$(dirname "$filch")/../libexec/filch
if [ -x "$folder/bench-filch" ]; then
	"$folder/bench-filch" fib 25 --copies 3 >"$work/out" 2>"$work/err" || fail "copies: exit code $?"
	grep -qE '^right ns [0-9]+ .* overlap [01]\.[0-9]+ items 121392 answer 75025$' "$work/out" || fail "not one line of copies"
	code=0
	"$folder/bench-filch" fib 99 --copies 3 >"$work/out" 2>"$work/err" || code=$?
	if [ $code != 2 ]; then fail "copies of a size that there is not: exit code $code"; fi
	err_has "fib has no size '99'; sizes are whole numbers from 1 to 90"
	for wrong in "--copies 0" "--copies 9999" "--copies 2 --runs 2"; do
		code=0
		"$folder/bench-filch" fib 10 $wrong >"$work/out" 2>"$work/err" || code=$?
		if [ $code != 2 ]; then fail "$wrong: exit code $code"; fi
	done
fi

# Memory of a run that is repeated is that of the first: the check of the answer needs more. Numbers are pages.
if [ -x "$folder/bench-serial" ]; then
	code=0
	"$folder/bench-serial" fib 10 >/dev/full 2>"$work/err" || code=$?
	if [ $code != 3 ]; then fail "a full disk: exit code $code, not 3"; fi
	err_has "cannot write standard output: No space left on device"
	peak() { "$folder/bench-serial" knapsack 40 "$@" | sed -n '1s/.* peak_bytes \([0-9]*\).*/\1/p'; }
	once=$(peak) often=$(peak --least 100)
	if [ "$often" -gt $((once + 150000)) ]; then fail "repeated runs take $often bytes, one $once"; fi
fi

# Other programs, which print their arguments.
mkdir "$work/programs"
program() { # NAME COMMAND
	printf '#!/bin/sh\n%s\n' "$2" >"$work/programs/bench-$1"
	chmod +x "$work/programs/bench-$1"
}
program filch "echo \"\$*\" >>$work/calls; echo right ns 2000000 items 10 answer 1"
exits 0 bench fib:7 --programs "$work/programs" --runs 1 --workers 2 --deque locked --victim two --join random
out_has "Note: serial is not there"
out_has "Note: tbb is not there: it is built where there is g++ and libtbb-dev."
grep -qE '^filch-locked-two-random +7 +2 +2\.00 .* - ' "$work/out" || fail "not what the program said"
# First it is asked for the size; one run is the warm-up.
echo "--fits -- fib 7" >"$work/expected"
printf 'fib 7 --workers 2 --deque locked --victim two --join random\n%.0s' 1 2 >>"$work/expected"
cmp -s "$work/calls" "$work/expected" || fail "called otherwise: $(cat "$work/calls")"

# The speed-up that the machine gives, with known numbers: two copies take 1.25 times as long as one alone.
program filch "case \"\$*\" in
*'--copies 2'*) echo right ns 125000000 overlap 0.5 items 10 answer 1;;
*'--copies 4'*) echo right ns 9000000 overlap 0.99 items 10 answer 1;;
*'--workers 1'*) echo right ns 100000000 items 10 answer 1;;
*) echo right ns 80000000 items 10 answer 1;;
esac"
exits 0 bench fib:7 --programs "$work/programs" --runtimes filch --workers 1,2,4 --runs 2 --json "$work/copies.json"
grep -qE '^filch +2 +1\.25 +1\.25 +1\.25 +1\.60 +1\.60 +1\.60 +78% +78 +78$' "$work/out" || fail "not 78 % of 1.6"
grep -qE '^copies +7 +2 +125 .* - +- +- ' "$work/out" || fail "no row of copies, or with ratios that mean nothing"
out_has "Note: 2 copies of fib 7 ran together for 50 % of their time"
grep -qE '^filch +4 +1\.25 +1\.25 +1\.25 +- +- +- +- +- +-$' "$work/out" || fail "a share of what is not known"
out_has "Note: a copy of fib 7 takes 9.0 ms: too short"
grep -q '"copies_of": "filch"' "$work/copies.json" || fail "not said what there are copies of"
# Times per item are in a unit that leaves few digits.
grep -qE '^runtime .* us/task ' "$work/out" || fail "not in microseconds"
grep -qE '^filch +7 +2 +80\.0 +80\.0 +80\.0 +0 +8000 ' "$work/out" || fail "not 8 ms for each of 10 items"
# With other options of filch, copies are of the first; without 1, or more than 1, or when not wanted, there are none.
exits 0 bench fib:7 --programs "$work/programs" --runtimes filch --deque split,private --runs 1 --json "$work/copies.json"
grep -q '"copies_of": "filch-split"' "$work/copies.json" || fail "not copies of the first"
for none in "--workers 2" "--workers 1" "--no-copies"; do
	exits 0 bench fib:7 --programs "$work/programs" --runtimes filch --runs 1 $none --json "$work/copies.json"
	if grep -qi "^copies\|the machine gives" "$work/out"; then fail "copies with $none"; fi
	grep -q '"copies_of": null' "$work/copies.json" || fail "copies of something with $none"
done

# A profile of filch where it is slower, with a perf that prints its arguments. A perf that fails is no error.
program serial "echo right ns 100000000 items 10 answer 1"
program tbb "case \"\$*\" in *'--workers 1'*) echo right ns 101000000 items 10 answer 1;; *) echo right ns 70000000 items 10 answer 1;; esac"
mkdir "$work/bin"
cat >"$work/bin/perf" <<END
#!/bin/sh
echo "\$*" >>$work/perf
case \$1 in report) printf '# a comment\n 62.50%% |[.] steal_some   \n 9.10%%  |[k] clear_page\n\n 1%%|[.] a\n 1%%|[.] b\n 1%%|[.] c\n 1%%|[.] d\n';; esac
END
chmod +x "$work/bin/perf"
profiled() {
	code=0
	PATH=$work/bin:$PATH "$filch" bench fib:7 --programs "$work/programs" --runs 1 --no-copies --profile \
		--json "$work/profile.json" >"$work/out" 2>"$work/err" || code=$?
	if [ $code != 0 ]; then fail "with --profile: exit code $code"; fi
	valid_json "$work/profile.json"
}
profiled
out_has "filch with 2 workers is in steal_some 62 %, clear_page 9 %, a 1 %, b 1 %, c 1 % of its time"
if grep -q "with 1 worker is in" "$work/out"; then fail "a profile of what is not slower"; fi
grep -q '"symbol": "steal_some"' "$work/profile.json" || fail "no symbol in the JSON"
if [ "$(grep -c '"profile": ' "$work/profile.json")" != 1 ]; then fail "not one profile"; fi
grep -qF -e "-- $work/programs/bench-filch fib 7 --workers 2 --runs 7" "$work/perf" || fail "not what perf is to run"
printf '#!/bin/sh\necho no permission >&2\nexit 1\n' >"$work/bin/perf"
profiled
silent err
if grep -q "of its time\$" "$work/out"; then fail "a profile of nothing"; fi
rm "$work/programs/bench-serial" "$work/programs/bench-tbb"

fails() { # TEXT
	exits 1 bench fib:7 --programs "$work/programs" --runs 1 --no-copies --json "$work/failed.json"
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
err_has "--runtimes: none of their programs is in $work/programs"

command=bench
try="filch bench all --help"
exits 0 bench all --help
out_has "usage: filch bench WORKLOAD"
for value in 0 1025 x '' 1, ,1; do
	refuses "--workers must be a whole number from 1 to 1024, not '" fib --workers "$value"
done
refuses "--workers takes at most 64 numbers" fib --workers "$(seq -s , 65)"
refuses "--runtimes: unknown runtime 'openmp'; known: all, serial, filch, " fib --runtimes openmp
refuses "--join: unknown policy 'x'; known: all, transitive, " fib --join x
refuses "--victim: unknown policy 'x'; known: all, random, " fib --victim x
refuses "--deque: unknown deque 'x'" fib --deque x
refuses "--programs needs the path of a folder" fib --programs ''
refuses "unrecognized option '--seconds'" fib --seconds 1
refuses "unknown workload 'fob'; known: all, fib, " fib fob
refuses "a size is missing after 'fib:'" fib:
refuses "--quick and --full exclude each other" fib --quick --full
refuses "--quick and --full exclude each other" --full queens:5 --quick
# Sizes that there are not, before anything is run; for each workload, so that all know theirs.
for size in abc 99 0 -1 1.5 30, 30,,31 30,x 9999999999999999999999; do
	refuses "fib has no size '" fib:$size --json "$work/failed.json"
	if [ -e "$work/failed.json" ]; then fail "a file of a size that there is not"; fi
done
refuses "strassen has no size '100'; sizes are powers of two from 2 to 16384" queens:5 strassen:100
for given in $works; do refuses "${given%:*} has no size 'abc'; " "${given%:*}:abc"; done
if grep -q uts: <<END; then refuses "uts has no size 'T4'; there are: T1, T2, T3, T2L, T3L, small" uts:T4; fi
$works
END
for value in 0 10001 x; do
	refuses "--least must be a whole number from 1 to 10000, not '$value'" fib --least "$value"
done
# Short runs are repeated in a sample.
exits 0 bench fib:10 --runs 1 --runtimes serial --least 3 --json "$work/least.json"
grep -q '"least_ms": 3' "$work/least.json" || fail "not said how long samples are"
exit $failed
