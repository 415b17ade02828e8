#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# solve_mpi.sh FILCH openmpi|mpich: filch solve on several ranks: results, limits, output of one rank only, checkpoints,
# ranks that are killed, a launcher that is killed, wrong launchers. FILCH_DEEP: 30 ranks are killed.
set -eu
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/lib_mpi.sh"
find_launcher "$2"

member() {
	sed -n "s/^	\"$1\": \(.*[^,]\),*\$/\1/p" "$work/out"
}
has() {
	if [ "$(member "$1")" != "$2" ]; then fail "$1 is $(member "$1"), not $2"; fi
}

# The right answer, once.
"$filch" gen misp --size 120 --seed 3 >"$work/misp"
"$filch" solve misp "$work/misp" --json --workers 1 >"$work/out"
optimum=$(member objective)
for n in 1 2 4; do
	ranks $n 0 misp "$work/misp" --json --workers 1
	has status '"optimal"'
	has objective "$optimum"
	has ranks $n
	if [ "$(grep -c '"status"' "$work/out")" != 1 ]; then fail "several ranks print"; fi
	valid_json "$work/out"
done
ranks 5 0 golomb 9 --json --workers 1 --group 2
has objective 44
has ranks 5
printf '3 0 10 20 10 0 5 20 5 0 0 40 12 15 0 3' >"$work/late"
ranks 2 5 tsptw "$work/late" --json
has status '"infeasible"'

# Limits, and going on from there with any number of ranks.
ranks 3 3 golomb 10 --json --workers 1 --nodes 2000 --checkpoint "$work/limit"
has status '"feasible"'
err_has "--resume $work/limit"
ranks 2 0 golomb 10 --json --workers 1 --resume "$work/limit"
has objective 55
exits 0 solve golomb 10 --json --workers 1 --resume "$work/limit"
has objective 55
ranks 3 3 golomb 13 --json --workers 1 --time 0.3
if [ "$(member bound)" = null ] || [ "$(member gap)" = null ]; then fail "a run that ends by time has no bound"; fi
if [ "$(member bound)" -gt "$(member objective)" ]; then fail "the bound is too good"; fi
"$filch" gen misp --size 300 --seed 3 >"$work/large"
ranks 2 3 misp "$work/large" --json --workers 1 --nodes 200
if [ "$(member bound)" = null ] || [ "$(member bound)" -lt "$(member objective)" ]; then fail "bound: $(member bound)"; fi
ranks 2 3 golomb 12 --json --workers 1 --gap 0.5
has end '"gap"'

# Errors: one rank speaks, and all end.
ranks 2 - golomb 6 --deterministic
err_has "--deterministic needs a single rank"
ranks 2 - misp "$work/no_such_file"
err_has "no_such_file"
if [ "$(grep -c 'filch solve:' "$work/err")" != 1 ]; then fail "several ranks complain"; fi
echo damaged >"$work/damaged"
ranks 2 - golomb 6 --resume "$work/damaged"
err_has "cannot resume"
ranks 2 - golomb 11 --workers 1 --checkpoint "$work/no_such_folder/file" --checkpoint-every 0.05
err_has "no_such_folder/file: No such file or directory"
if [ $code = 0 ]; then fail "a checkpoint that cannot be written is no failure"; fi
cat >"$work/two" <<END
if [ "\${OMPI_COMM_WORLD_RANK:-\$PMI_RANK}" = 1 ]; then exec "$filch" solve golomb 7; fi
exec "$filch" solve golomb 8
END
code=0
timeout 300 $launcher -n 2 sh "$work/two" >"$work/out" 2>"$work/err" </dev/null || code=$?
if [ $code = 0 ]; then fail "two instances in one job are no failure"; fi
err_has "has another instance than rank 0"

# Without a plug-in for this MPI, or with the plug-in of the other one.
export FILCH_MPI="$work/none.so"
ranks 2 - golomb 6
err_has "started as one of 2 ranks, but"
if [ $code = 0 ] || [ -s "$work/out" ]; then fail "filch solves without a plug-in"; fi
FILCH_MPI=$(ls $plugins/search-mpi-$other.so 2>/dev/null) || FILCH_MPI=
if [ -n "$FILCH_MPI" ]; then
	ranks 2 - golomb 6
	err_has "has promised 2 ranks"
	if [ $code = 0 ] || [ -s "$work/out" ]; then fail "filch solves with the wrong plug-in"; fi
fi
unset FILCH_MPI

# pids: the ranks of this test, and nobody else's.
pids() {
	for pid in $(pgrep -x filch); do
		if tr '\0' ' ' <"/proc/$pid/cmdline" 2>/dev/null | grep -qF -e "$work/killed"; then echo "$pid"; fi
	done
}
# begin N ARGUMENT...: starts a job that writes checkpoints, and waits for one.
begin() {
	n=$1
	shift
	$launcher -n "$n" "$filch" solve golomb 11 --json --workers 1 --checkpoint "$work/killed" \
		--checkpoint-every 0.05 "$@" >"$work/out" 2>"$work/err" </dev/null &
	job=$!
	while [ ! -s "$work/killed" ] && kill -0 $job 2>/dev/null; do sleep 0.05; done
}

# A rank dies. The job ends, and goes on from its last checkpoint.
kills=$(if [ -n "${FILCH_DEEP:-}" ]; then echo 30; else echo 2; fi)
died=0
for i in $(seq "$kills"); do
	rm -f "$work/killed"
	begin $((2 + i % 3))
	sleep "0.$((i * 7 % 10))"
	victim=$(pids | sed -n "$((1 + i * 5 % (2 + i % 3)))p") # rank 0 as well
	if [ -n "$victim" ] && kill -9 "$victim" 2>/dev/null; then died=$((died + 1)); fi
	wait $job || true
	if [ -n "$(pids)" ]; then fail "ranks are left: $(pids)"; fi
	err_has "the first checkpoint is complete"
	ranks $((1 + i % 4)) 0 golomb 11 --json --workers 1 --resume "$work/killed"
	has status '"optimal"'
	has objective 72
done
echo "$died ranks were killed"
if [ $died = 0 ]; then fail "all jobs had ended before a rank was killed"; fi

# Ctrl-C: the launcher of MPICH tells the ranks, and no thread of MPI dies of it.
if [ "$2" = mpich ]; then
	rm -f "$work/killed"
	$launcher -n 2 "$filch" solve golomb 13 --json --workers 1 --checkpoint "$work/killed" >"$work/out" 2>"$work/err" </dev/null &
	job=$!
	while [ "$(pids | wc -l)" -lt 2 ] && kill -0 $job 2>/dev/null; do sleep 0.1; done
	sleep 1.5
	kill -INT $job
	wait $job || true
	has end '"interrupted"'
	if [ ! -s "$work/killed" ]; then fail "Ctrl-C leaves no checkpoint"; fi
fi

# The launcher dies: no rank stays behind.
rm -f "$work/killed"
begin 2
kill -9 $job $(pgrep -P $job) 2>/dev/null || true
wait $job 2>/dev/null || true
for i in $(seq 200); do
	[ -n "$(pids)" ] || break
	sleep 0.1
done
if [ -n "$(pids)" ]; then
	fail "orphans are left: $(pids)"
	kill -9 $(pids)
fi
exit $failed
