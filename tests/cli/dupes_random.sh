#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# dupes_random.sh FILCH [GENERATOR]: filch dupes finds the same groups as sha256sum and sort, on random trees. GENERATOR, or
# the variable FILCH_GEN_TREE, is a program that makes a tree of corner cases and checks an answer.
set -eu
. "$(dirname "$0")/lib.sh"
generator=${2:-${FILCH_GEN_TREE:-}}
LC_ALL=C
export LC_ALL

"$filch" dupes --summary "$work" >"$work/out" 2>"$work/err" || true
if grep -q 'built without xxHash' "$work/err"; then
	echo "skipped: no xxHash"
	exit 77
fi

# make_tree SEED: up to 120 files of few sizes and contents, hard links and symbolic links.
make_tree() {
	awk -v seed="$1" '
	function below(n) { return int(rand() * n) }
	function text(size, kind,    s, at) { # equal but for one letter
		for (s = "0"; length(s) < size; s = s s)
			;
		s = substr(s, 1, size)
		if (kind) {
			at = kind % 3 == 1 ? 1 : kind % 3 == 2 ? size : int(size / 2) + 1
			s = substr(s, 1, at - 1) (kind > 3 ? "b" : "a") substr(s, at + 1)
		}
		return s
	}
	BEGIN {
		srand(seed)
		split("1 2 100 4096 5000 16384 16385 40000 70000 300000", sizes, " ")
		dirs = 1 + below(12)
		dir[0] = "."
		for (i = 1; i < dirs; i++) {
			dir[i] = dir[below(i)] "/" (below(4) ? "d" : ".d") i
			system("mkdir " dir[i])
		}
		few = 1 + below(10)
		files = 1 + below(120)
		for (i = 0; i < files; i++) {
			name[i] = dir[below(dirs)] "/f" i
			if (i && below(10) == 0)
				links = links "ln " name[below(i)] " " name[i] "; "
			else if (i && below(15) == 0)
				links = links "ln -s f0 " name[i] "; "
			else {
				size = sizes[1 + below(few)]
				printf "%s", text(size, below(7)) >name[i]
				close(name[i])
			}
		}
		if (links != "")
			system(links "true")
	}'
}

# The groups by sha256sum: names of one file count once, by the first name in order.
reference() {
	find . -type f -printf '%p %i\n' | sort | awk '!seen[$2]++ { print $1 }' | xargs -r sha256sum |
		awk '{ g[$1] = g[$1] " " $2; n[$1]++ } END { for (h in g) if (n[h] > 1) print g[h] }' | sort
}

trees=20
if [ -n "${FILCH_DEEP:-}" ]; then trees=200; fi
for seed in $(seq $trees); do
	rm -rf "$work/t"
	mkdir "$work/t"
	cd "$work/t"
	make_tree "$seed"
	reference >"$work/expected"
	"$filch" dupes -0 --workers $((seed % 3 + 1)) . >"$work/null" 2>"$work/err" || fail "seed $seed: exit code $?"
	tr '\0' '\n' <"$work/null" | awk 'BEGIN { RS = "" } { gsub(/\n/, " "); print " " $0 }' | sort >"$work/out"
	if ! cmp -s "$work/out" "$work/expected"; then fail "seed $seed: not as the reference"; fi
	grep -c . "$work/expected" >>"$work/counts" || true
done
# A generator that makes no duplicates would test nothing.
awk '{ n += $1 } END { print n " groups"; exit n < '$trees' }' "$work/counts" || fail "too few groups"

if [ -n "$generator" ]; then
	cd "$work"
	python3 "$generator" corner "$work/corner" >/dev/null
	as=
	if [ "$(id -u)" = 0 ]; then as=--root; fi
	"$filch" dupes -0 corner 2>"$work/err" | python3 "$generator" check corner.json $as >"$work/out" || fail "corner cases"
	cat "$work/out"
	chmod -R u+rwx "$work/corner"
fi
exit $failed
