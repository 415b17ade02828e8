#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# figures.sh FILCH: a report of two cheap figures, made again from its data; broken, foreign and missing data, and data
# of
# another machine; wrong command lines. A failure leaves no file.
set -eu
. "$(dirname "$0")/lib.sh"
unset FILCH_WORKERS FILCH_DEQUE FILCH_VICTIM
report=$work/report

exits 0 figures --list
silent err
cp "$work/out" "$work/list"
for id in peers growth spawn search search-dag dd ufp ranks bulk-6 bulk-7 bulk-8 bulk-9 bulk-10 thesis-5.2 thesis-5.3 thesis-5.4 thesis-5.5 thesis-5.6 thesis-5.7 \
	thesis-5.8 thesis-5.9 thesis-5.10 thesis-5.11 thesis-5.12 thesis-t5.1 thesis-t5.2 thesis-t5.3 thesis-t5.4 thesis-t5.5 \
	lace-5 lace-6 lace-7 lace-8; do
	grep -q "^$id  *[^ ]" "$work/list" || fail "no $id in the list"
done
if grep -q @ "$work/list"; then fail "a variable that is not replaced"; fi
# Enough samples: ten for each comparison, three with --quick.
few() { # LEAST: numbers of samples below it in what was printed
	sed -n 's/.* --runs \([0-9]*\).*/\1/p' "$work/out" | awk -v least="$1" '$1 < least' | sort -u
}
if [ -n "$(few 10)" ]; then fail "too few samples: $(few 10)"; fi
exits 0 figures --list --quick
if [ -n "$(few 3)" ]; then fail "too few samples with --quick: $(few 3)"; fi
out_has "--runs "
exits 0 figures --list --only bulk-6 --quick --runs 7
out_has "filch bench bulk --runs 5 --quick --runs 7"

# Three figures.
exits 0 figures --only bulk-6,thesis-5.7,thesis-t5.5,bulk-6 --quick --runs 1 --out "$report"
silent err
no_escapes "$work/out"
out_has "3 measurements, about "
grep -qE '^bulk-6 +(agrees|in part|differs) ' "$work/out" || fail "no result of bulk-6"
grep -qE '^thesis-5.7 +(agrees|in part|differs) ' "$work/out" || fail "no result of thesis-5.7"
grep -qE '^thesis-t5.5 +(agrees|in part|differs) ' "$work/out" || fail "no result of thesis-t5.5"
out_has "3 figures: "
out_has "report: $report/index.html"
for file in index.html bulk-6.svg thesis-5.7.svg data/bulk.json data/queue-max-2.json data/dupes.json; do
	test -s "$report/$file" || fail "no $file"
done
if [ "$(ls "$report/data" | wc -l)" != 3 ]; then fail "not three files of data: $(ls "$report/data")"; fi
for file in "$report"/data/*.json; do valid_json "$file"; done
for text in bulk-6 thesis-5.7 "from the page cache" 823.0 filch-bench-1; do
	grep -qF "$text" "$report/index.html" || fail "not in the page: $text"
done

# The page is a function of the data.
exits 0 figures --only bulk-6,thesis-5.7,thesis-t5.5 --from "$report" --out "$work/again"
silent err
cmp -s "$report/index.html" "$work/again/index.html" || fail "another page of the same data"
exits 0 figures --only bulk-6,thesis-5.7,thesis-t5.5 --from "$report/data" --out "$work/again"
cmp -s "$report/index.html" "$work/again/index.html" || fail "another page of the same folder"
exits 0 figures --only bulk-6 --from "$report" --out "$work/again"
out_has "1 figure: "
# Missing data give a figure that is not measured, unless --only names it.
exits 0 figures --from "$report" --out "$work/all"
grep -qE '^lace-5 +not measured ' "$work/out" || fail "lace-5 was measured"
grep -qE '^bulk-8 +(agrees|in part|differs) ' "$work/out" || fail "no bulk-8"

# refuses_data TEXT: the message has the file and the reason, and there is no report.
mkdir -p "$work/bad"
refuses_data() {
	rm -rf "$work/none"
	exits 1 figures --only bulk-6 --from "$work/bad" --out "$work/none"
	silent out
	err_has "filch figures: $work/bad/bulk.json$1"
	if [ -e "$work/none" ]; then fail "a report of it"; fi
}
bad=$work/bad/bulk.json
refuses_data ": No such file or directory"
head -c 1000 "$report/data/bulk.json" >"$bad"
refuses_data ":"
grep -qE 'bulk\.json:[0-9]+:[0-9]+: (the file ends too early|a string without an end|not a value)' "$work/err" || fail "no place"
: >"$bad"
refuses_data ":1:1: the file ends too early"
printf '{"schema": "filch-bench-1",\n "suite": "bulk" "x"}' >"$bad"
refuses_data ":2:18: ',' or '}' is missing"
printf '\377' >"$bad"
refuses_data ":1:1: not a value"
echo '[1, 2]' >"$bad"
refuses_data ": the schema is 'missing', not 'filch-bench-1'"
sed 's/filch-bench-1/filch-bench-2/' "$report/data/bulk.json" >"$bad"
refuses_data ": the schema is 'filch-bench-2', not 'filch-bench-1'"
cp "$report/data/queue-max-2.json" "$bad"
refuses_data ": the suite is 'queue', not 'bulk'"
echo '{"schema": "filch-bench-1", "suite": "bulk", "results": [{"subject": 1}]}' >"$bad"
refuses_data ": the results are 'incomplete'"
rm "$bad"
mkdir "$bad"
refuses_data ": Is a directory"
rmdir "$bad"

# Missing numbers are no error, because another version may lack them.
echo '{"schema": "filch-bench-1", "suite": "bulk", "results": []}' >"$bad"
exits 0 figures --only bulk-6 --from "$work/bad" --out "$work/empty"
grep -qE '^bulk-6 +not measured ' "$work/out" || fail "a result of nothing"
rm -r "$work/bad"

# Data of another machine, and of another build.
mkdir -p "$work/mixed/data"
for change in 's/"cpu": "[^"]*"/"cpu": "Another"/' 's/"commit": [^,]*/"commit": "0000"/'; do
	cp "$report/data/bulk.json" "$work/mixed/data"
	sed "$change" "$report/data/queue-max-2.json" >"$work/mixed/data/queue-max-2.json"
	exits 3 figures --only bulk-6,thesis-5.7 --from "$work/mixed" --out "$work/mixed"
	err_has "filch figures: queue-max-2.json was measured otherwise than the first"
	out_has "report: "
	grep -q "SOME FIGURES ARE OF ANOTHER MACHINE" "$work/mixed/index.html" || fail "the page does not say so"
	grep -q "NOT MEASURED LIKE THE FIRST" "$work/mixed/index.html" || fail "the figure does not say so"
done

# A folder that cannot be written is reported before the measurement.
mkdir -p "$work/taken/index.html" "$work/taken_data/data/bulk.json"
for file in taken/index.html taken_data/data/bulk.json; do
	exits 1 figures --only bulk-6 --quick --out "$work/${file%%/*}"
	silent out
	err_has "filch figures: cannot write $work/$file: Is a directory"
done
: >"$work/file"
for out in "$work/file" "$work/file/x" "$work/no/such"; do
	exits 1 figures --only bulk-6 --quick --out "$out"
	silent out
	err_has "filch figures: cannot make $out: "
done
if [ "$(id -u)" != 0 ]; then
	mkdir -m 500 "$work/closed"
	exits 1 figures --only bulk-6 --quick --out "$work/closed"
	err_has "$work/closed"
fi

# An interrupted run leaves no file, and ends its children.
"$filch" figures --only lace-8 --quick --runs 100 --out "$work/ended" >"$work/out" 2>"$work/err" &
pid=$!
tries=0
while [ -z "$(ps -o pid= --ppid $pid 2>/dev/null)" ] && [ $tries -lt 6000 ]; do
	sleep 0.05
	tries=$((tries + 1))
done
child=$(ps -o pid= --ppid $pid 2>/dev/null || true)
sleep 0.3
kill -TERM $pid
code=0
wait $pid || code=$?
if [ $code != 143 ]; then fail "ended by a signal: exit code $code, not 143"; fi
if [ -n "$child" ] && kill -0 $child 2>/dev/null; then fail "what it has started goes on"; fi
if [ "$(find "$work/ended" -type f | wc -l)" != 0 ]; then fail "files are left: $(find "$work/ended" -type f)"; fi

command=figures
try="filch help figures"
refuses "filch figures: --only: unknown figure 'bulk-5'; known: peers, growth, spawn, search, search-dag, dd, ufp, ranks, bulk-6, " --only bulk-6,bulk-5
refuses "unknown figure ''" --only bulk-6,
refuses "--runs must be a whole number from 1 to 10000, not '0'" --runs 0
refuses "--quick and --full exclude each other" --quick --full
refuses "--from measures nothing" --from "$report" --quick
refuses "--from measures nothing" --from "$report" --runs 3
refuses "--out needs the path of a folder" --out ''
refuses "--from needs the path of a folder" --from ''
refuses "unexpected argument 'bulk-6'" bulk-6
refuses "unrecognized option" --figures
exits 1 figures --from "$work/nowhere"
err_has "filch figures: --from: cannot read $work/nowhere: No such file or directory"
exits 1 figures --from "$work/file"
err_has "filch figures: --from: cannot read $work/file: Not a directory"
mkdir "$work/hollow"
exits 1 figures --from "$work/hollow" --out "$work/none"
err_has "no measurements in $work/hollow"
if [ -e "$work/none" ]; then fail "a report of nothing"; fi
exit $failed
