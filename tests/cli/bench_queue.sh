#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# bench_queue.sh FILCH: short runs with thieves at a pace: the tables, the JSON, the equation, one CPU, many thieves, and
# errors on the command line.
set -eu
. "$(dirname "$0")/lib.sh"

exits 2 bench queue none
kinds=$(sed -n 's/,/ /g; s/.*known: all //p' "$work/err")
case $kinds in
*chase_lev*split*) ;;
*) fail "the kinds are not listed" ;;
esac
count=$(echo "$kinds" | wc -w)

exits 0 bench queue --quick --duration 0.001 --json "$work/all.json"
silent err
no_escapes "$work/out"
for name in $kinds; do
	for rate in 0 100k 1M max; do
		if [ "$(grep -cE "^$name +$rate " "$work/out")" != 2 ]; then fail "not two rows of $name at $rate"; fi
	done
done
out_has "1 thief, payload 8 bytes, capacity 1024"
out_has "All samples are in $work/all.json."
valid_json "$work/all.json"
grep -q '"suite": "queue"' "$work/all.json" || fail "not the suite queue"
for measure in throughput_0 throughput_100k throughput_1M throughput_max latency_0 latency_1M latency_max; do
	if [ "$(grep -c "\"measure\": \"$measure\"" "$work/all.json")" != "$count" ]; then fail "not all have $measure"; fi
done
for key in thieves payload capacity block_size timed rates baseline owner_ops_per_s steals_per_s total_ops_per_s ns_per_op \
	ok_share empty_share lost_share owner_voluntary owner_involuntary thief_voluntary thief_involuntary owner_p50 push_p90 \
	pop_p99 steal_p5 steal_max vain_mean clock cycles cache_misses; do
	grep -q "\"$key\": " "$work/all.json" || fail "no $key in the JSON"
done
if grep '"samples"' "$work/all.json" | grep -vqE '\[([^,]*, ){9}[^,]*\]'; then fail "not 10 samples of each"; fi

# The equation, from the JSON: pushes = pops + steals + left, in every sample; and without thieves no steals.
cases=$(all_accounted "$work/all.json" throughput) || fail "pushes are not pops + steals + left"
if [ "$cases" != $((4 * count)) ]; then fail "$cases measures, not $((4 * count))"; fi

exits 0 bench queue chase_lev $short --rate 1k --json -
valid_json "$work/out"
err_has "- push or pop -"
err_has "max, us"

# Each name on the command line is measured once. Without chase_lev the ratio is to the first kind.
exits 0 bench queue split split --kinds abp,split $short --rate 5,5,1500,1.5k,2000k
for row in 'split +5' 'split +1500' 'split +2M' 'abp +5'; do
	if [ "$(grep -cE "^$row " "$work/out")" != 2 ]; then fail "not one row of '$row' in each table"; fi
done
if grep -qE '^(locked|chase_lev) ' "$work/out"; then fail "measured what was not asked for"; fi
grep -qE '^split +5 +[0-9.]+ +1\.00 ' "$work/out" || fail "the first is not the baseline"
out_has "of split at that rate"
exits 0 bench queue all $short --rate 0
grep -q "^bwos_fifo " "$work/out" || fail "all is not all"

# Payload, capacity, blocks; a deque of two items is full at once.
exits 0 bench queue $short --rate 1M --payload 4 --capacity 2 --block-size 1
out_has "payload 4 bytes, capacity 2, blocks of 1,"
exits 0 bench queue $short --rate max --capacity 65536 --block-size 32768
exits 0 bench queue bwos_lifo bwos_fifo $short --rate max --capacity 64 --block-size 64

# More thieves than CPUs, and all on one: it ends.
exits 0 bench queue $short --rate 100k,max --thieves 20
out_has "20 thieves, payload"
if command -v taskset >/dev/null && taskset -c 0 true 2>/dev/null; then
	code=0
	taskset -c 0 "$filch" bench queue --runs 2 --seconds 0.01 --thieves 5 >"$work/out" 2>"$work/err" || code=$?
	if [ $code != 0 ]; then fail "on one CPU: exit code $code"; fi
	out_has "share 1 CPU"
fi

# Interrupted, while thieves wait for a steal that is due in a second: it ends by the signal, the file goes with it.
ends_by INT int.json bench queue split --rate 1 --seconds 60

command="bench queue"
try="filch bench queue --help"
exits 0 bench queue --help
out_has "usage: filch bench queue"
for value in '' x -1 +1 ' 1' 1x 1kk 0.5 1.0001k 0x10 1e3 101M inf nan 1,,2 1, Max; do
	refuses "--rate must be max or whole numbers up to 100M" --rate "$value"
done
refuses "--rate takes at most 16 rates" --rate 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17
for value in 0 2 16 '' 8x; do
	refuses "--payload must be 4 or 8, not '$value'" --payload "$value"
done
for value in 0 1 16777217 x; do
	refuses "--capacity must be a whole number from 2 to 16777216, not '$value'" --capacity "$value"
done
refuses "--capacity must be a power of two, not 1000" --capacity 1000
refuses "--block-size must be a power of two, not 48" --block-size 48
refuses "--block-size must be a whole number from 0 to 32768" --block-size 65536
refuses "--block-size is 2048, more than the capacity of 1024" --block-size 2048
refuses "--thieves must be a whole number from 1 to 64, not '0'" --thieves 0
refuses "--duration must be a number" --duration 61
for value in nonsense '' SPLIT plain 'split,'; do
	refuses "unknown deque '" --kinds "$value"
	refuses "unknown deque '" "$value"
done
err_has "known: all, locked, "
exits 1 bench queue $short --json "$work/no/such/folder"
err_has "filch bench queue: cannot write $work/no/such/folder: "
exit $failed
