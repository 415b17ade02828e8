#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# figures_page.sh FILCH: the title and texts of the page, with programs that print given numbers. With figures of filch
# alone the page names no papers. Numbers have readable units and digits.
set -eu
. "$(dirname "$0")/lib.sh"
unset FILCH_WORKERS FILCH_DEQUE FILCH_VICTIM
mkdir -p "$work/programs" "$work/data"
page_has() {
	grep -qF -e "$1" "$work/report/index.html" || fail "not in the page: $1"
}

for name in serial filch tbb; do
	printf '#!/bin/sh\necho right ns 2544000000 peak_bytes 12000000 items 10 answer 1\n' >"$work/programs/bench-$name"
	chmod +x "$work/programs/bench-$name"
done
exits 0 bench quicksort:10 --workers 1 --runs 2 --programs "$work/programs" --json "$work/data/peers.json"

exits 0 figures --only peers --from "$work/data" --out "$work/report"
page_has "<title>filch on this machine: measured against oneTBB</title>"
page_has "<h1>filch on this machine: measured against oneTBB</h1>"
grep -qE '<dt>Measured</dt><dd>[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2} UTC, with filch figures --only peers</dd>' \
	"$work/report/index.html" || fail "does not say when, and by which command"
page_has "<p class=\"note\"><strong>Not complete.</strong> OpenMP of gcc and OpenMP of clang were not installed when"
# The result is before the list of figures, which is before the figures.
awk '/<section class="headline result"/ { result = NR } /<nav / { list = NR } /<article / { figure = NR }
	END { exit !(result && result < list && list < figure) }' "$work/report/index.html" || fail "the result is not first"
page_has "</span> 1 own figure</span>"
page_has ">2,544<"
# Only in the visible text: not in styles or data.
if sed '/<style/,/<\/style>/d; /<script/,/<\/script>/d; s/<[^>]*>//g' "$work/report/index.html" |
	grep -iE 'document|publish|agree'; then
	fail "speaks of documents"
fi

# With a figure of a document, that one is named, and no other.
exits 0 bench bulk --quick --runs 1 --json "$work/data/bulk.json"
exits 0 figures --only peers,bulk-6 --from "$work/data" --out "$work/report"
page_has "<title>filch on this machine: measured against oneTBB</title>"
page_has "<dt>Bulk queue paper</dt>"
if grep -q "<dt>Lace paper</dt>" "$work/report/index.html"; then fail "names a document that no figure is of"; fi
exits 0 figures --only bulk-6 --from "$work/data" --out "$work/report"
page_has "<title>filch on this machine: published figures, measured again</title>"
page_has ", with filch figures --quick --only bulk-6</dd>"
if grep -q "not installed" "$work/report/index.html"; then fail "speaks of runtimes that this figure is not about"; fi

# Of all figures: the command is make demo. No number has an exponent.
printf '#!/bin/sh\necho right ns 2544000000 tasks 9 steals 3 leapfrogs 1 grows 2 shrinks 2 items 78176337 answer 1\n' \
	>"$work/programs/bench-filch"
exits 0 bench fib:37 --runtimes filch --deque split --join leapfrog --workers 1,2 --no-copies --runs 1 --quick \
	--programs "$work/programs" --json "$work/data/lace.json"
exits 0 figures --from "$work/data" --out "$work/report"
page_has "0.00000384 % of the tasks of fib 37 are stolen (published: 0.00025 %)"
page_has ", with make demo, which is filch figures --quick</dd>"
# The commit may look like one.
sed '/<style/,/<\/style>/d; /<script/,/<\/script>/d; s/<[^>]*>/|/g; s/commit [0-9a-f]*/commit/g' "$work/report/index.html" \
	>"$work/text"
if grep -E '[0-9]e[-+]?[0-9]' "$work/text"; then fail "a number with an exponent"; fi
exit $failed
