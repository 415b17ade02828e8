#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# figures_page.sh FILCH: what the page says of itself, of programs that say what they are told to: with figures of our own
# alone it speaks of no documents; numbers are in units and digits that people read.
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
page_has "<title>filch, measured on this machine</title>"
page_has "<h1>filch, measured on this machine</h1>"
page_has "</span> 1 own figure</span>"
page_has ">2,544<"
# In what is read: neither styles nor data.
if sed '/<style/,/<\/style>/d; /<script/,/<\/script>/d; s/<[^>]*>//g' "$work/report/index.html" |
	grep -iE 'document|publish|agree'; then
	fail "speaks of documents"
fi

# With a figure of a document, that one is named, and no other.
exits 0 bench bulk --quick --runs 1 --json "$work/data/bulk.json"
exits 0 figures --only peers,bulk-6 --from "$work/data" --out "$work/report"
page_has "<title>filch: published figures, measured on this machine</title>"
page_has "<dt>Bulk queue paper</dt>"
if grep -q "<dt>Lace paper</dt>" "$work/report/index.html"; then fail "names a document that no figure is of"; fi
exit $failed
