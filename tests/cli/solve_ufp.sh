#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# solve_ufp.sh FILCH: unsplittable flow: options, limits, a checkpoint, wrong files.
set -eu
. "$(dirname "$0")/lib.sh"

cat >"$work/small" <<'END'
c two scenarios; node 1 is in Q
p ufp 4 4 1 2
q 1
s 0 5
d 0 2 3
d 1 2 9
d 1 3 2
a 0 1 5 -1
a 1 2 4 8
a 1 3 6 9
a 0 1 1 0
END
exits 0 solve ufp "$work/small" --solution --workers 2
out_has "status     optimal"
out_has "objective  29"
out_has "solution   1 -1 -1 2"
out_has "cuts  "
exits 0 solve ufp "$work/small" --json --workers 1
for member in '"objective": 29,' '"status": "optimal",' '"gap": 0,' '"cuts": ' '"cuts_learned": ' '"flows": ' '"share": true'; do
	grep -qF "$member" "$work/out" || fail "no $member"
done

exits 0 gen ufp --seed 3 --size 24 --arcs 70 --scenarios 1
cp "$work/out" "$work/large"
exits 0 solve ufp "$work/large" --json
objective=$(grep '"objective"' "$work/out")
for mode in "--order depth" "--order mixture --workers 2" "--cutset layer --width 8" "--cutset frontier" "--width 4" \
	"--move master --workers 2 --no-share" "--weak-cuts"; do
	exits 0 solve ufp "$work/large" --json $mode
	grep -qF "$objective" "$work/out" || fail "another optimum with $mode"
done
exits 3 solve ufp "$work/large" --nodes 2 --checkpoint "$work/checkpoint"
exits 0 solve ufp "$work/large" --resume "$work/checkpoint" --json
grep -qF "$objective" "$work/out" || fail "another optimum after the checkpoint"
exits 6 solve ufp "$work/small" --resume "$work/checkpoint"
err_has "it is a checkpoint of another instance"
exits 0 solve ufp "$work/small" --extensive "$work/small.lp"
grep -q "^Maximize" "$work/small.lp" || fail "no program"

sed 's/^a 0 1 1 0/a 0 0 1 0/' "$work/small" >"$work/wrong"
exits 6 solve ufp "$work/wrong"
err_has "line 11: the arc joins node 0 to itself"
exits 2 solve ufp "$work/small" --deterministic
err_has "--deterministic is not for ufp"
exits 2 solve ufp "$work/small" --draw "$work/x.svg"
err_has "--draw is not for ufp"
exits 2 solve knapsack "$work/small" --no-share
err_has "are for ufp only"
exit $failed
