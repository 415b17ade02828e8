#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# solve_instances.sh FILCH ROOT: public instances with known optima, in several modes. The folder is FILCH_INSTANCES, or
# shared/instances beside the sources. It has optima.csv: "problem/file,optimum". Exit 77: there is no such folder.
# Instances that take more than a second are left out, unless FILCH_DEEP is set.
set -eu
. "$(dirname "$0")/lib.sh"
folder=${FILCH_INSTANCES:-$2/../shared/instances}
deep=${FILCH_DEEP:-}
if [ ! -f "$folder/optima.csv" ]; then
	echo "skipped: no instances: set FILCH_INSTANCES"
	exit 77
fi

# solve PROBLEM FILE OPTIMUM OPTION...
solve() {
	problem=$1
	file=$2
	optimum=$3
	shift 3
	exits 0 solve "$problem" "$file" --json "$@"
	grep -q "^	\"objective\": $optimum,\$" "$work/out" || fail "$file: the optimum is $optimum"
}

modes() { # PROBLEM FILE OPTIMUM
	solve "$@"
	case $2 in
	*_g_10_* | *3_2000* | *p0.8*) if [ -z "$deep" ]; then return; fi ;;
	esac
	solve "$@" --workers 1 --order mixture
	solve "$@" --workers 2 --deterministic
	if [ -z "$deep" ]; then return; fi
	for workers in 1 2; do
		for order in best depth mixture; do
			solve "$@" --workers $workers --order $order
			solve "$@" --workers $workers --order $order --deterministic
		done
	done
}

while IFS=, read -r name optimum; do
	file=$folder/$name
	case $name in
	*_g_6_*) # half a minute for each run
		if [ -n "$deep" ]; then
			solve knapsack "$file" "$optimum" --workers 1
			solve knapsack "$file" "$optimum" --workers 2
			solve knapsack "$file" "$optimum" --workers 2 --deterministic
		fi
		continue
		;;
	esac
	case $name in
	mcp/*) modes maxcut "$file" "$optimum" ;;
	ufp/*)
		for workers in 1 2; do
			solve ufp "$file" "$optimum" --workers $workers
		done
		case $name in
		*det_large* | *det_deep*) if [ -z "$deep" ]; then continue; fi ;;
		esac
		solve ufp "$file" "$optimum" --workers 2 --no-share --order mixture
		solve ufp "$file" "$optimum" --workers 2 --move master
		;;
	knapsack/* | misp/* | max2sat/* | tsptw/* | sop/*) modes "${name%%/*}" "$file" "$optimum" ;;
	esac
done <"$folder/optima.csv"
for ruler in 6:17 7:25 8:34 9:44 10:55; do
	modes golomb ${ruler%:*} ${ruler#*:}
done
exit $failed
