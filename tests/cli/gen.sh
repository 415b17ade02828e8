#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# gen.sh FILCH: random instances of each problem, which filch solve accepts.
set -eu
. "$(dirname "$0")/lib.sh"

for problem in knapsack misp max2sat maxcut tsptw golomb sop ufp; do
	for size in 2 5; do
		exits 0 gen $problem --seed 7 --size $size
		silent err
		cp "$work/out" "$work/instance"
		exits 0 gen $problem --seed 7 --size $size
		cmp -s "$work/out" "$work/instance" || fail "another instance for the same seed"
		exits 0 solve $problem "$work/instance"
		out_has "status     optimal"
	done
	exits 0 gen $problem
	test -s "$work/out" || fail "no instance"
	if [ $problem != golomb ]; then
		cp "$work/out" "$work/instance"
		exits 0 gen $problem --seed 2
		if cmp -s "$work/out" "$work/instance"; then fail "the same instance for another seed"; fi
	fi
done
exits 0 gen misp --size 10 --density 1
out_has "p edge 10 45"
exits 0 gen misp --size 10 --density 0 --range 5
out_has "p edge 10 0"
out_has "n 10 "

command=gen
try="filch help gen"
refuses "filch gen: needs a problem"
refuses "unknown problem 'sat'; known: knapsack, misp, max2sat, maxcut, tsptw, golomb, sop, ufp" sat
refuses "unexpected argument 'misp'" knapsack misp
refuses "--size must be a whole number from 2 to 24 for golomb, not '25'" golomb --size 25
refuses "--size must be a whole number" misp --size 1
refuses "--density must be a number from 0 to 1, not '2'" misp --density 2
refuses "--seed must be a whole number" misp --seed x
refuses "--arcs and --scenarios are for ufp only, not for misp" misp --arcs 3
refuses "--size times --scenarios must be at most 16777216" ufp --size 4096 --scenarios 65536
exits 0 gen ufp --size 9 --arcs 17 --scenarios 3
out_has "p ufp 9 17 "
exits 0 gen --help
out_has "usage: filch gen"
exit $failed
