#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# compare.sh FILCH: runs that are faster, slower or the same, by samples that are made up; runs of other machines and
# builds; files that are no JSON, or not of filch bench; errors on the command line.
set -eu
. "$(dirname "$0")/lib.sh"

# bench FILE FACTOR [FROM TO]...: a file of a run with all numbers times the factor, and then with texts replaced.
bench() {
	file=$work/$1 factor=$2
	shift 2
	awk -v factor="$factor" '
		function metric(name, unit, base,    i) {
			printf "\"%s\": {\"unit\": \"%s\", \"samples\": [", name, unit
			for (i = 0; i < 12; i++)
				printf "%s%g", (i ? ", " : ""), (base + (i * 7) % 12 / 10) * factor
			printf "]}"
		}
		function result(subject, measure) {
			printf "{\"subject\": \"%s\", \"measure\": \"%s\", \"metrics\": {", subject, measure
			metric("items", "items", 50)
			printf ", "
			metric(measure ~ /rate/ ? "ops_per_s" : "ns", measure ~ /rate/ ? "1/s" : "ns", 100)
			printf ", "
			metric("peak_bytes", "bytes", 3e6)
			printf "}}"
		}
		BEGIN {
			printf "{\"schema\": \"filch-bench-1\", \"suite\": \"programs\", \"finished\": \"now\",\n"
			printf "\"machine\": {\"cpu\": \"Good CPU\", \"cpus_online\": 2, \"cpus_usable\": 2,"
			printf "\"kernel\": \"Linux 6\", \"governor\": null},\n"
			printf "\"build\": {\"version\": \"0.2.0\", \"commit\": \"c0ffee\", \"compiler\": \"gcc 12\","
			printf "\"flags\": \"-O2\", \"optimized\": true},\n"
			printf "\"options\": {\"quick\": false, \"runs\": 12, \"thieves\": 1, \"subjects\": []},\n"
			printf "\"results\": [\n"
			result("serial", "fib/30/1"); printf ",\n"
			result("filch", "fib/30/1"); printf ",\n"
			result("filch", "fib/30/2"); printf ",\n"
			result("filch", "rate/1"); printf "]}\n"
		}' >"$file"
	while [ $# -gt 0 ]; do
		sed "s|$1|$2|g" "$file" >"$file.new"
		mv "$file.new" "$file"
		shift 2
	done
	valid_json "$file"
}
bench old.json 1
bench same.json 1.0001
bench slow.json 1.2
old=$work/old.json

exits 0 compare "$old" "$work/same.json"
silent err
no_escapes "$work/out"
out_has "4 comparisons: 0 better, 0 worse, 4 the same."
out_has "commit c0ffee"
if [ "$(grep -cE '^filch .* same$' "$work/out")" != 3 ]; then fail "not three rows that are the same"; fi
if grep -qi "machine" "$work/out"; then fail "speaks of machines"; fi

# Longer times are slower, higher rates are faster, and equal values have one result less.
exits 0 compare "$old" "$work/slow.json"
out_has "4 comparisons: 1 better, 3 worse, 0 the same."
grep -qE '^filch +fib/30/2 +ns +10[01] ns +12[01] ns +1\.200 +1\.1[0-9]+ +1\.2[0-9]+ +slower$' "$work/out" ||
	fail "no row that is slower"
grep -qE '^filch +rate/1 +ops_per_s .* 1\.200 .* faster$' "$work/out" || fail "no row that is faster"
out_has "Note: serial differs, too, which has no filch in it"
exits 4 compare --gate "$old" "$work/slow.json"
# A file without filch never fails the gate.
for other in serial plain libgomp libomp tbb; do
	bench old_$other.json 1 '"subject": "filch"' '"subject": "'$other'"'
	bench slow_$other.json 1.2 '"subject": "filch"' '"subject": "'$other'"'
	exits 0 compare --gate "$work/old_$other.json" "$work/slow_$other.json"
	out_has "3 worse"
	out_has "Note: serial differs, which has no filch in it"
done
exits 0 compare --gate "$old" "$work/same.json"
exits 0 compare "$work/slow.json" "$old"
out_has "4 comparisons: 3 better, 1 worse, 0 the same."

exits 0 compare --metric peak_bytes,items "$old" "$work/slow.json"
out_has "8 comparisons: 0 better, 4 worse, 0 the same, 4 neither better nor worse."
grep -qE '^filch .* items .* more$' "$work/out" || fail "no row of items"
exits 0 compare --metric all "$old" "$work/slow.json"
out_has "12 comparisons:"

# Few samples make nothing clear, not even that there is no difference; nor do many that vary much.
for factor in 1 2; do
	bench few.json $factor '\(\[[0-9.e+]*, [0-9.e+]*, [0-9.e+]*\)[^]]*' '\1'
	exits 0 compare "$old" "$work/few.json"
	out_has "0 better, 0 worse, 0 the same, 4 unclear"
	out_has "Note: with fewer than 10 samples"
	if [ "$(grep -cE '^filch .* unclear$' "$work/out")" != 3 ]; then fail "not three rows that are unclear"; fi
	if grep -q "serial differs" "$work/out"; then fail "what is unclear differs"; fi
done
vary='"samples": [80, 120, 80, 120, 80, 120, 80, 120, 80, 120, 80, 120'
bench vary.json 1 '"samples": \[[^]]*' "$vary"
bench vary_old.json 1 '"samples": \[[^]]*' "$vary"
exits 0 compare --gate "$work/vary_old.json" "$work/vary.json"
out_has "0 better, 0 worse, 0 the same, 4 unclear"

# Entries that only one file has; numbers that were not measured.
bench other.json 1 '"fib/30/2"' '"fib/31/2"' '"thieves": 1' '"thieves": 3' '"runs": 12' '"runs": 9'
exits 0 compare "$old" "$work/other.json"
out_has "3 comparisons:"
out_has "Note: 1 result is only in the old file, 1 only in the new one."
out_has "Note: not the same option: thieves: 1, and then 3."
if grep -q "option: runs" "$work/out"; then fail "speaks of runs"; fi
bench null.json 1 '"ns", "samples": \[[^]]*' '"ns", "samples": [null'
exits 0 compare "$old" "$work/null.json"
grep -qE '^filch +fib/30/1 +peak_bytes ' "$work/out" || fail "does not take the next metric"
exits 1 compare --metric x "$old" "$old"
silent out
err_has "filch compare: the files have nothing in common that can be compared; metrics of the old one are: items, ns, peak_bytes, ops_per_s"

# Other machines and builds.
refused() { # FROM TO TEXT
	bench differs.json 1 "$1" "$2"
	exits 3 compare "$old" "$work/differs.json"
	silent out
	err_has "filch compare: not compared: the runs are of different machines or builds:"
	err_has "  $3"
	err_has "Use --across-machines to compare them."
	exits 0 compare --across-machines "$old" "$work/differs.json"
	silent err
	if [ "$(grep -c 'NOT THE SAME MACHINE OR BUILD' "$work/out")" != 2 ]; then fail "does not say so twice"; fi
	out_has "fib (of different machines or builds)"
	out_has "rate (of different machines or builds)"
	out_has "  $3"
}
refused '"Good CPU"' '"Better CPU"' "cpu: Good CPU, and then Better CPU"
refused '"cpus_usable": 2' '"cpus_usable": 1' "cpus_usable: 2, and then 1"
refused '"cpus_online": 2' '"cpus_online": 8' "cpus_online: 2, and then 8"
refused 'Linux 6' 'Linux 7' "kernel: Linux 6, and then Linux 7"
refused '"governor": null' '"governor": "powersave"' "governor: not known, and then powersave"
refused 'gcc 12' 'clang 14' "compiler: gcc 12, and then clang 14"
refused '-O2' '-O0' "flags: -O2, and then -O0"
refused '"optimized": true' '"optimized": false' "optimized: yes, and then no"
refused '"machine"' '"computer"' "cpu: Good CPU, and then not known"
bench commit.json 1 c0ffee decade
exits 0 compare "$old" "$work/commit.json"

# Files that cannot be read, in either place.
broken() { # FILE TEXT
	for order in "$old $1" "$1 $old"; do
		exits 1 compare $order
		silent out
		err_has "filch compare: $2"
	done
}
broken "$work/missing.json" "$work/missing.json: No such file or directory"
head -c 900 "$old" >"$work/cut.json"
broken "$work/cut.json" "$work/cut.json:7:"
printf '{"schema": "filch-bench-1",\n "results": [1,]}' >"$work/comma.json"
broken "$work/comma.json" "$work/comma.json:2:"
: >"$work/empty.json"
broken "$work/empty.json" "$work/empty.json:1:1: "
foreign() { # TEXT JSON
	echo "$2" >"$work/foreign.json"
	broken "$work/foreign.json" "$work/foreign.json:1:1: not a file of filch bench --json: $1"
}
foreign "it has no schema" '[1, 2]'
foreign "it has no schema" '{"schema": 1}'
foreign "its schema is 'filch-tune-1', not 'filch-bench-1'" '{"schema": "filch-tune-1"}'
foreign "it has no results" '{"schema": "filch-bench-1", "results": {}}'
foreign "a result without subject or measure" '{"schema": "filch-bench-1", "results": [{"subject": "x"}]}'
foreign "a result without metrics" '{"schema": "filch-bench-1", "results": [{"subject": "x", "measure": "y"}]}'
foreign "a metric without samples" \
	'{"schema": "filch-bench-1", "results": [{"subject": "x", "measure": "y", "metrics": {"ns": {}}}]}'

# filch compare reads the output of filch bench.
exits 0 bench $short --kinds split --json "$work/real.json"
exits 0 compare "$work/real.json" "$work/real.json"
out_has "0 better, 0 worse"

command=compare
try="filch help compare"
refuses "filch compare: needs two files, OLD.json and NEW.json"
refuses "filch compare: needs two files" "$old"
refuses "unexpected argument" "$old" "$old" "$old"
refuses "--metric must be 1 to 32 names" --metric '' "$old" "$old"
refuses "--metric must be 1 to 32 names" --metric ns, "$old" "$old"
refuses "unrecognized option '--fast'" --fast
exits 0 compare --help
out_has "usage: filch compare"
exit $failed
