#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# solve_ufp_mip.sh FILCH: generated instances of unsplittable flow against a MIP solver on the extensive form: 200, or
# 1,000 if FILCH_DEEP is set. Exit 77: there is neither glpsol nor cbc.
set -eu
. "$(dirname "$0")/lib.sh"

if command -v glpsol >/dev/null; then
	peer=glpsol
elif command -v cbc >/dev/null; then
	peer=cbc
else
	echo "skipped: neither glpsol nor cbc (glpk-utils, coinor-cbc)"
	exit 77
fi
last=200
if [ -n "${FILCH_DEEP:-}" ]; then last=1000; fi

# The optimum that the peer has proved, or nothing.
peer_solves() {
	if [ $peer = glpsol ]; then
		glpsol --lp "$1" --tmlim 60 -o "$work/peer" >"$work/peer.log" 2>&1 || return 0
		grep -q "INTEGER OPTIMAL\|^Status:  *OPTIMAL" "$work/peer" && sed -n 's/^Objective:.* = \([-0-9.e+]*\) .*/\1/p' "$work/peer"
	else
		cbc "$1" sec 60 solve solution "$work/peer" >"$work/peer.log" 2>&1 </dev/null || return 0
		sed -n '1s/^Optimal - objective value \([-0-9.e+]*\)$/\1/p' "$work/peer" | tr -d -
	fi
}

compared=0
seed=1
while [ $seed -le $last ]; do
	scenarios=$((1 + seed % 6))
	exits 0 gen ufp --seed $seed --size $((7 + seed % 7)) --arcs $((12 + seed % 14)) --scenarios $scenarios --density 0.$((3 + seed % 7))
	cp "$work/out" "$work/instance"
	exits 0 solve ufp "$work/instance" --extensive "$work/instance.lp"
	exits 0 solve ufp "$work/instance" --json --workers $((1 + seed % 2))
	mine=$(sed -n 's/^	"objective": \(.*\),$/\1/p' "$work/out")
	theirs=$(peer_solves "$work/instance.lp")
	if [ -n "$theirs" ]; then
		compared=$((compared + 1))
		awk -v a="$mine" -v b="$theirs" -v s=$scenarios 'BEGIN { d = a * s - b; exit !(d < 0.01 && d > -0.01) }' ||
			fail "seed $seed: $mine times $scenarios, but $peer has $theirs"
	fi
	seed=$((seed + 1))
done
echo "$compared of $last compared with $peer"
[ $compared -ge $((last * 9 / 10)) ] || fail "$peer has solved only $compared of $last"
exit $failed
