#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# solve_mpi_instances.sh FILCH ROOT openmpi|mpich: public instances with known optima on 2 ranks, one of each problem.
# FILCH_DEEP: all of them on 1, 2 and 4 ranks. The folder is FILCH_INSTANCES, or shared/instances beside the sources.
# FILCH_PART=K/N takes every N-th instance, from the K-th on. Exit 77: there is no such folder, or not this MPI.
set -eu
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/lib_mpi.sh"
folder=${FILCH_INSTANCES:-$2/../shared/instances}
deep=${FILCH_DEEP:-}
part=${FILCH_PART:-1/1}
if [ ! -f "$folder/optima.csv" ]; then
	echo "skipped: no instances: set FILCH_INSTANCES"
	exit 77
fi
find_launcher "$3"

# solve PROBLEM FILE OPTIMUM: on all numbers of ranks.
solve() {
	for ranks in $counts; do
		ranks "$ranks" 0 "$1" "$2" --json --workers 1
		grep -q "^	\"objective\": $3,\$" "$work/out" || fail "$2, $ranks ranks: the optimum is $3"
		grep -q "^	\"status\": \"optimal\",\$" "$work/out" || fail "$2, $ranks ranks: not optimal"
		solved=$((solved + 1))
	done
}

counts=2
if [ -n "$deep" ]; then counts="1 2 4"; fi
seen=
solved=0
number=0
while IFS=, read -r name optimum; do
	problem=${name%%/*}
	if [ "$problem" = mcp ]; then problem=maxcut; fi
	case $problem in
	knapsack | misp | max2sat | maxcut | tsptw | sop | ufp) ;;
	*) continue ;;
	esac
	number=$((number + 1))
	if [ $((number % ${part#*/})) != $((${part%/*} % ${part#*/})) ]; then continue; fi
	if [ -z "$deep" ]; then
		case "$seen" in *" $problem "*) continue ;; esac
		seen="$seen $problem "
	fi
	solve "$problem" "$folder/$name" "$optimum"
done <"$folder/optima.csv"
echo "$solved runs"
if [ $solved = 0 ]; then fail "there were no instances"; fi
exit $failed
