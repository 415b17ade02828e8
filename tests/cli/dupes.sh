#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# dupes.sh FILCH: filch dupes on corner cases, each by itself. FILCH needs the command dupes only.
set -eu
. "$(dirname "$0")/lib.sh"
command=dupes
try="filch help dupes"
LC_ALL=C
export LC_ALL
unset FILCH_IO

"$filch" dupes --summary "$work" >"$work/out" 2>"$work/err" || true
if grep -q 'built without xxHash' "$work/err"; then
	echo "skipped: no xxHash"
	exit 77
fi

t=$work/t
fresh() {
	rm -rf "$t"
	mkdir "$t"
	cd "$t"
}

# groups ARGUMENT...: the groups that filch finds, one per line, with names separated by |.
groups() {
	code=0
	"$filch" dupes -0 "$@" >"$work/null" 2>"$work/err" || code=$?
	tr '\n\0' '?\n' <"$work/null" | awk 'BEGIN { RS = "" } { gsub(/\n/, "|"); print }' | sort >"$work/out"
}
# finds TEXT ARGUMENT...: exactly these groups; a space in TEXT begins a new one. $status is the exit code, 0 if not set.
status=0
finds() {
	expected=$(printf '%s' "$1" | tr ' ' '\n' | sort)
	shift
	groups "$@"
	if [ "$(cat "$work/out")" != "$expected" ]; then fail "dupes $*: expected: $expected"; else echo "ok: $*"; fi
	if [ $code != $status ]; then fail "dupes $*: exit code $code, not $status"; fi
}

# ---- what counts ----
fresh
echo one >a
cp a b
echo two >c
cd "$work"
ln -sfn t "$work/x"
finds 'x/a|x/b' x
finds 't/a|t/b' t
finds 't/a|t/b' t t
finds 't/a|t/b' t/

fresh # hard links are one file
echo content >a
ln a a2
finds '' .
cp a b
ln b b2
finds './a|./b' .
exits 0 dupes .
out_has '  = ./a2'
exits 0 dupes --csv .
test "$(tr -d '\r' <"$work/out" | tr '\n' ' ')" = 'group,file,size,path 1,1,8,"./a" 1,1,8,"./a2" 1,2,8,"./b" 1,2,8,"./b2" ' ||
	fail "CSV"

fresh # symbolic links and special files
echo content >a
ln -s a link
ln -s . loop
ln -s nowhere dangling
mkfifo fifo1 fifo2
finds '' .
cp a b
finds './a|./b' .

fresh # empty files only if asked for, holes and zeros
: >e1
: >e2
truncate -s 300000 hole
head -c 300000 /dev/zero >zeros
finds './hole|./zeros' .
finds './e1|./e2 ./hole|./zeros' --min-size 0 .

fresh # one byte differs
for size in 1 4095 4096 16383 16384 16385 32767 32768 32769 65537 262144 262145 300001; do
	head -c $size /dev/zero | tr '\0' a >s$size.1
	cp s$size.1 s$size.2
	for at in 0 $((size / 2)) $((size - 1)); do
		cp s$size.1 s$size.at$at
		printf b | dd of=s$size.at$at bs=1 seek=$at conv=notrunc 2>/dev/null
	done
done
rm -f s1.at0 # one byte: the three are the same
finds "$(for size in 1 4095 4096 16383 16384 16385 32767 32768 32769 65537 262144 262145 300001; do
	printf './s%s.1|./s%s.2 ' $size $size; done | sed 's/ $//')" .

# ---- hashes are no proof ----
# Two contents of 1024 bytes, whose XXH3 is the same with 64 and 128 bits: where the low half of a word equals that of the
# secret, the high halves are only added.
collide() { # first or second
	if [ "$1" = first ]; then a=350 b=320; else a=351 b=317; fi
	printf "\\270\\376\\154\\071\\$a\\003\\000\\000"
	head -c 56 /dev/zero | tr '\0' c
	printf "\\174\\001\\201\\054\\$b\\007\\000\\000"
	head -c $(($2 - 72)) /dev/zero | tr '\0' c
}
fresh
collide first 1024 >x
collide second 1024 >y
if command -v xxhsum >/dev/null; then
	test "$(xxhsum -H2 x | cut -d' ' -f1)" = "$(xxhsum -H2 y | cut -d' ' -f1)" || fail "the hashes differ"
fi
finds '' .
# More than 256 files of that size: hashes separate them.
awk 'BEGIN { for (i = 0; i < 300; i++) { f = "f" i; printf "%01024d", i > f; close(f) } }'
finds '' .
# More than 16 files with the same beginning: the hash of all bytes separates them.
fresh
collide first 40000 >x
collide second 40000 >y
for i in $(seq 10 30); do cp x x$i; done
cp y y2
finds "./x$(printf '|./x%s' $(seq 10 30)) ./y|./y2" .
rm y2
finds "./x$(printf '|./x%s' $(seq 10 30))" .

# ---- names and paths ----
fresh
echo 1 >'new
line'
cp 'new
line' plain1
finds './new?line|./plain1' .
exits 0 dupes .
out_has "\$'./new\\012line'"
fresh
for name in '-rf' '--' ' lead' 'quote"' "q'" 'back\slash' '*' '$(touch PWNED)' '.hidden' "$(printf 'bad\377')" \
	"$(printf 'esc\033[31m')" "$(printf 'c1\302\233')" "$(printf '%0255d' 0)"; do
	echo same >"./$name"
done
groups .
test "$(tr '|' '\n' <"$work/out" | wc -l)" = 13 || fail "names"
exits 0 dupes --json .
valid_json "$work/out"
out_has '"path_hex": "2e2f626164ff"'
out_has '"could_go": 12'
exits 0 dupes .
no_escapes "$work/out"
if [ -e PWNED ]; then fail "ran a command"; fi

fresh # a path longer than PATH_MAX
echo deep >top
name=$(printf '%0200d' 0)
mkdir "$name"
echo deep >"$name/f"
for i in $(seq 24); do # from the bottom up: no path is long
	mkdir w
	mv "$name" w
	mv w "$name"
done
groups .
test "$(wc -c <"$work/null")" = $((2 + 25 * 201 + 2 + 6 + 1)) || fail "deep path: $(wc -c <"$work/null") bytes"
test "$(tr '|' '\n' <"$work/out" | wc -l)" = 2 || fail "deep path"

# ---- choice ----
fresh
mkdir -p d/e .h
for f in a.c d/b.c d/e/c.c .h/d.c .e.c f.txt; do echo same >$f; done
finds './.e.c|./.h/d.c|./a.c|./d/b.c|./d/e/c.c|./f.txt' .
finds './a.c|./d/b.c|./d/e/c.c|./f.txt' --no-hidden .
finds './.e.c|./a.c|./f.txt' --depth 1 .
finds './.e.c|./.h/d.c|./a.c|./d/b.c|./f.txt' --depth 2 .
finds './.e.c|./.h/d.c|./a.c|./d/b.c|./d/e/c.c' --include '*.c' .
finds './a.c|./f.txt' --include 'a*' --include '*.txt' .
finds './.e.c|./a.c|./f.txt' --exclude d --exclude .h .
finds './.e.c|./.h/d.c|./a.c|./d/b.c|./f.txt' --exclude 'd/e' .
finds './d/b.c|./d/e/c.c' --include 'd/*' .
finds '' --min-size 6 .
finds '' --max-size 4 .
finds './a.c|./f.txt' --min-size 5 --max-size 5 --exclude '.*' --exclude d .
fresh # overlapping and isolated directories
mkdir -p a/s b
echo 1 >a/1
echo 1 >a/2
echo 2 >a/3
echo 2 >b/3
echo 2 >b/4
finds 'a/1|a/2 a/3|b/3|b/4' a b
finds 'a/3|b/3|b/4' --isolate a b
exits 0 dupes --summary --isolate a b
out_has '2 files could go'
finds 'b/3|b/4|a/3' --isolate b a
exits 0 dupes --summary --isolate b a
out_has '1 file could go'
echo 1 >a/s/5
finds 'a/1|a/2|a/s/5' a a/s a
finds 'a/1|a/2|a/s/5' --isolate a a/s
if [ "$(id -u)" = 0 ] && unshare -m true 2>/dev/null; then
	mkdir m
	groups_of_mount() {
		unshare -m sh -c 'mount -t tmpfs none m && echo 1 >m/1 && exec "$@"' sh "$filch" dupes --summary "$@" >"$work/out" 2>&1 ||
			return 1
	}
	if groups_of_mount a m; then
		out_has '3 files could go'
		groups_of_mount . && out_has '5 files could go'
		groups_of_mount --one-file-system . && out_has '4 files could go'
	fi
fi

# ---- errors ----
fresh
mkdir d
for f in a b c d/e; do echo same >$f; done
chmod 0 a d
as_user() { "$@"; }
if [ "$(id -u)" = 0 ]; then
	as_user() { setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; }
fi
chmod 755 "$work" "$t"
if as_user "$filch" --help >/dev/null 2>&1 || as_user test -x "$filch"; then
	code=0
	as_user "$filch" dupes -0 . >"$work/out" 2>"$work/err" || code=$?
	test $code = 3 || fail "unreadable files: exit code $code"
	test "$(tr '\0' ' ' <"$work/out")" = './b ./c  ' || fail "the first file is not readable"
	err_has "./a: Permission denied"
	err_has "./d: Permission denied"
fi
chmod 755 a d
status=3 # one of two DIRs does not exist
finds './a|./b|./c|./d/e' . nowhere
err_has "nowhere: vanished, or does not exist"
status=0
exits 1 dupes nowhere
exits 1 dupes a
err_has "a: Not a directory"
code=0
"$filch" dupes . >/dev/full 2>"$work/err" || code=$?
test $code = 1 || fail "full disk: exit code $code"

fresh # a file that changes while it is read
truncate -s 1G a b
(while [ -e a ]; do touch -c a; done) 2>/dev/null &
toucher=$!
tries=0
until groups . && [ $code = 3 ]; do
	tries=$((tries + 1))
	if [ $tries = 20 ]; then
		fail "no change was noticed"
		break
	fi
done
rm a
wait $toucher || true
err_has "./a: changed while it was read"
test ! -s "$work/out" || fail "a file that has changed is in a group"

fresh # Ctrl-C
truncate -s 256G a b
for signal in INT TERM; do
	env --default-signal "$filch" dupes . >"$work/out" 2>"$work/err" &
	pid=$!
	tries=0
	until ls -l /proc/$pid/fd 2>/dev/null | grep -q '/t/a$' || [ $tries = 600 ]; do
		sleep 0.05
		tries=$((tries + 1))
	done
	kill -s $signal $pid
	code=0
	wait $pid || code=$?
	test $code -gt 128 || fail "SIG$signal: exit code $code"
	out_has '# stopped early'
done

# ---- many files, few descriptors, all ways ----
fresh
awk 'BEGIN {
	for (i = 0; i < 40; i++)
		system("mkdir -p " (i % 3 ? "a/" i : "a/" int(i / 9) "/b/" i))
}'
for d in $(find . -type d); do
	for i in 1 2 3 4 5 6 7; do
		printf '%05000d' $i >$d/s$i
		printf '%0100d' $i$i >$d/t$i
	done
done
finds "$(for i in 1 2 3 4 5 6 7; do for k in s t; do find . -name $k$i | sort | tr '\n' '|' | sed 's/|$/ /'; done; done | sed 's/ $//')" .
cp "$work/null" "$work/expected"
for how in '--workers 1' '--workers 2' '--workers 5' '--io threads' '--io uring' '--io threads --workers 1'; do
	"$filch" dupes -0 $how . >"$work/null" || fail "$how"
	cmp "$work/null" "$work/expected" || fail "$how: another result"
done
(ulimit -n 40 && "$filch" dupes -0 . >"$work/null") || fail "40 descriptors"
cmp "$work/null" "$work/expected" || fail "40 descriptors: another result"

# ---- the cache ----
fresh
for i in $(seq 10 49); do printf '%0200d' $((i % 30)) >f$i; done
finds "$(for i in $(seq 10 19); do printf './f%s|./f%s ' $i $((i + 30)); done | sed 's/ $//')" .
cp "$work/out" "$work/expected"
sleep 2.1 # a file that has just changed is not kept in the cache
cached() { # OPENED: the same groups, and files were opened so often
	groups --cache "$work/cache" .
	cmp -s "$work/out" "$work/expected" || fail "cache: other groups"
	exits 0 dupes --json --cache "$work/cache" .
	out_has "\"opened\": $1,"
}
rm -f "$work/cache"
exits 0 dupes --json --cache "$work/cache" .
out_has '"opened": 60,'
cached 20
printf 'part of a record' >>"$work/cache" # as after a kill
cached 20
printf '%0200d' 7 >f29 # it has changed: now it is a duplicate
groups --cache "$work/cache" .
grep -q './f29' "$work/out" || fail "cache: a change was not noticed"
printf '%0200d' 29 >f29
cached 21 # f29 is too young for the cache
size=$(wc -c <"$work/cache")
dd if=/dev/zero of="$work/cache" bs=1 seek=$((size / 2)) count=100 conv=notrunc 2>/dev/null
groups --cache "$work/cache" .
cmp -s "$work/out" "$work/expected" || fail "damaged cache: other groups"
for i in 1 2 3 4 5 6; do # killed at any time
	"$filch" dupes -0 --cache "$work/cache" . >"$work/null" 2>&1 &
	pid=$!
	sleep 0.00$i
	kill -9 $pid 2>/dev/null || true
	wait $pid 2>/dev/null || true
	groups --cache "$work/cache" .
	cmp -s "$work/out" "$work/expected" || fail "killed: other groups"
done
(flock 9 && "$filch" dupes -0 --cache "$work/cache" . >"$work/null") 9<>"$work/cache" || fail "a locked cache"
echo 'my letter, which is longer than the first line of a cache' >"$work/letter"
cp "$work/letter" "$work/copy"
exits 1 dupes --cache "$work/letter" .
err_has "it is another kind of file"
cmp "$work/letter" "$work/copy" || fail "overwrote a file that is no cache"
exits 1 dupes --cache "$work" .
err_has "cannot use the cache"

# ---- limits ----
exits 0 dupes --readers 1 --summary .
fresh
truncate -s 256G a b
exits 0 dupes --stop-after 0.2 .
out_has '# stopped early'
refuses "--stop-after must be" --stop-after 0 .

# ---- wrong command lines ----
refuses "no DIR given"
refuses "a DIR must not be empty" ''
refuses "--isolate needs two DIRs or more" --isolate .
refuses "only one of" --json --csv .
refuses "--min-size must be a number of bytes" --min-size 1x .
refuses "--max-size must be a number of bytes" --max-size 99999999t .
refuses "--max-size must be a number of bytes" --max-size -1 .
refuses "--depth must be a whole number" --depth 0 .
refuses "--io must be uring, threads or auto" --io fast .
refuses "--workers must be a whole number" --workers 0 .
cd "$work"
exit $failed
