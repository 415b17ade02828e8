#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# solve_files.sh FILCH: files that are wrong: exit code 6, and a message with the line and the mistake.
set -eu
. "$(dirname "$0")/lib.sh"

# wrong PROBLEM TEXT MESSAGE: the text, with printf's escapes, is refused with the message.
wrong() {
	printf -- "$2" >"$work/file"
	exits 6 solve "$1" "$work/file"
	silent out
	err_has "filch solve: $work/file: $3"
	exits 6 solve "$1" "$work/file" --json
	silent out
}
wrong knapsack '' "line 1: the file ends before the number of items"
wrong knapsack '3 10\n5 4\n' "line 3: the file ends after 1 of 3 items"
wrong knapsack '-3 10\n' "line 1: the number of items must be a whole number from 1 to 1000000, not '-3'"
wrong knapsack '1 1\r\n9999999999999999999 1\r\n' "line 2: the profit must be a whole number from 0 to 9007199254740992"
wrong misp 'p edge 3 2\r\ne 1 2\r\ne 2 1\r\n' "line 3: the edge 2 1 comes twice"
wrong misp 'p edge 99999999999 2\n' "line 1: the number of vertices must be a whole number from 1 to 16384"
wrong max2sat 'p wcnf 3 1\n1 1 2 3 0\n' "line 2: the clause has more than two literals"
wrong maxcut '3 2\n1 2 1\n' "line 3: the file ends after 1 of 2 edges"
wrong tsptw '2\n0 1\n1 0\n5 4\n' "line 4: the window of place 0 ends before it starts"
wrong sop 'DIMENSION: 3\nEDGE_WEIGHT_SECTION\n2\n' "line 3: the number of jobs is 2, but the DIMENSION is 3"
exits 6 solve golomb 1
err_has "filch solve: the number of marks must be a whole number from 2 to 24, not '1'"
exits 6 solve golomb 99999999999999999999999

exits 6 solve knapsack "$work/missing"
err_has "filch solve: $work/missing: No such file or directory"
exits 6 solve knapsack "$work"
err_has "filch solve: $work: Is a directory"

# 10 GB of zeros, bytes and digits: little memory, and a message. A file of zeros takes no place on the disk.
truncate -s 10G "$work/zeros"
for problem in knapsack misp max2sat maxcut tsptw golomb sop; do
	(
		ulimit -v 4000000
		exits 6 solve $problem "$work/zeros"
		err_has "$work/zeros: line 1: "
		exit $failed
	) || failed=1
done
rm "$work/zeros"
code=0
head -c 300000000 /dev/zero | tr '\0' 0 | "$filch" solve knapsack - >"$work/out" 2>"$work/err" || code=$?
if [ $code != 6 ]; then fail "many digits: exit code $code"; fi
err_has "filch solve: -: line 1: "
exit $failed
