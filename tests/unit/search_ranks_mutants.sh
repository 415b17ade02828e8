#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# search_ranks_mutants.sh ROOT CC: plants mistakes in the protocol between ranks, one at a time. The seeds of
# search_ranks.c must find each of them.
set -eu
root=$1
cc=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
seeds=3000
failed=0

# build: compiles the sources in $work.
build() {
	"$cc" -std=gnu11 -O1 -w -I "$root/include" -I "$work/tests" -o "$work/run" "$work"/search/mpi/*.c \
		"$work"/search/mpi/sim/*.c "$work/tests/unit/search_ranks.c" -lm
}
copy() {
	rm -rf "$work/search" "$work/tests"
	mkdir -p "$work/search/mpi/sim" "$work/tests/unit" "$work/tests/fixtures"
	for file in hub.c member.c ranks.c root.c victim.c ranks.h protocol.h net.h; do
		cp "$root/search/mpi/$file" "$work/search/mpi/"
	done
	cp "$root"/search/mpi/sim/*.[ch] "$work/search/mpi/sim/"
	cp "$root/tests/unit/search_ranks.c" "$work/tests/unit/"
	cp "$root"/tests/fixtures/*.h "$work/tests/fixtures/"
}
# mutant NAME FILE SED: the seeds must fail.
mutant() {
	copy
	sed "$3" "$root/search/mpi/$2" >"$work/search/mpi/$2"
	if cmp -s "$root/search/mpi/$2" "$work/search/mpi/$2"; then
		echo "$1: the mistake cannot be planted: $2 has changed"
		failed=1
		return
	fi
	build
	if timeout 300 "$work/run" 1 $seeds >"$work/out" 2>&1; then
		echo "$1: not found in $seeds seeds"
		failed=1
	else
		echo "$1: $(tail -n 1 "$work/out")"
	fi
}

mutant "early end: batches under way are forgotten" root.c 's/!h->active \&\& !h->under_way)/!h->active)/'
mutant "early end: a batch does not end the idle state" member.c 's/r->member.idle = false;//'
mutant "early end: a group forgets its orders" hub.c 's/return !h->active \&\& !h->under_way;/return !h->active;/'
mutant "a batch is counted twice" member.c 's/r->member.received++;/r->member.received += 2;/'
mutant "a receipt is counted twice" hub.c 's/h->under_way--;/h->under_way -= 2;/'
mutant "an ask is lost after an empty batch" hub.c 's/^	enqueue(h, m->who);/	;/'
mutant "an ask is lost while its rank has nodes" hub.c 's/^			enqueue(h, asker);/			;/'
mutant "an ask is lost in a group" hub.c 's/^			to_root(h, &m);$/			(void)m;/'
mutant "a batch is added twice" member.c 's/^		r->member.received++;/&(void)r->host.take(r->host.arg, payload, size, m->count);/'
mutant "a batch is dropped after the end" member.c 's/^	if (r->member.left) {/	if (r->member.left \&\& 0) {/'
mutant "nodes are given after the end" member.c 's/if (!r->member.ending)$/if (1)/'
mutant "a checkpoint does not wait for batches" root.c 's/FILCHI_RANKS_PAUSING \&\& !h->under_way \&\&/FILCHI_RANKS_PAUSING \&\&/'
mutant "orders go on during a checkpoint" hub.c 's/h->asks \&\& !h->paused/h->asks/'
mutant "a best value stays with the root" root.c 's/^	filchi_ranks_spread(r, &to, payload, size);//'
mutant "a bound forgets nodes that are given on" hub.c 's/^		lower_bounds(h, child, m->bound);/		;/'
mutant "a bound forgets nodes on their way" hub.c 's/c->bound = c->getting .*/c->bound = m->bound;/'

copy
build
if ! "$work/run" 1 $seeds >"$work/out" 2>&1; then
	echo "without mistakes: $(cat "$work/out")"
	failed=1
fi
exit $failed
