#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# dupes_act.sh FILCH: the actions of filch dupes, and the rules which file is kept.
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
	cd "$work"
	rm -rf "$t" "$work/log"
	mkdir "$t"
	cd "$t"
}
# three FILES: the same content, each a second younger than the one before.
three() {
	mkdir -p d e/f
	second=1
	for f in a d/b e/f/c; do
		echo content >$f
		touch -d "2001-01-01 00:00:0$second" $f
		second=$((second + 1))
	done
}
inode() { stat -c %i "$1"; }
same_inode() { test "$(inode "$1")" = "$(inode "$2")" || fail "$1 and $2 are two files"; }
all_same() { for f in a d/b e/f/c; do test "$(cat $f)" = content || fail "$f has other content"; done; }
nothing_aside() { test -z "$(find . -name '*filch-*')" || fail "left behind: $(find . -name '*filch-*')"; }
snapshot() { find . -printf '%p %i %n %m %s %T@ %C@ %l\n' | sort; }

# ---- the plan ----
fresh
three
snapshot >"$work/before"
for action in --link --symlink --delete --reflink; do
	exits 0 dupes $action .
	out_has "keep ./a"
	out_has "${action#--} ./d/b"
	out_has "${action#--} ./e/f/c"
	out_has "# nothing was changed; --yes does it"
done
snapshot >"$work/after"
cmp "$work/before" "$work/after" || fail "the plan has changed something"
exits 0 dupes --link --json .
valid_json "$work/out"
out_has '{"path": "./a", "action": "keep"}'
out_has '{"path": "./d/b", "action": "link"}'
exits 0 dupes --link --csv .
out_has '1,2,8,"./d/b",link'

# ---- the actions ----
exits 0 dupes --link --yes .
out_has "linked ./d/b"
out_has "# 2 files linked, 0 left as they are"
same_inode a d/b
same_inode a e/f/c
all_same
nothing_aside
exits 0 dupes --link --yes . # nothing is left to do
out_has "0 groups"

fresh
three
exits 0 dupes --symlink --yes --keep newest .
test "$(readlink a)" = e/f/c || fail "a is a link to $(readlink a)"
test "$(readlink d/b)" = ../e/f/c || fail "d/b is a link to $(readlink d/b)"
all_same
nothing_aside

fresh
three
mkdir ../other 2>/dev/null || true
echo content >../other/x
cd ..
exits 0 dupes --symlink --yes other t # from one DIR to another
test "$(readlink t/e/f/c)" = ../../../other/x || fail "a link to $(readlink t/e/f/c)"
cd t
all_same
rm -r ../other

fresh
three
exits 0 dupes --delete --yes .
test "$(find . -type f)" = ./a || fail "delete has left $(find . -type f)"
nothing_aside

fresh # all names of a file go
three
ln d/b d/b2
ln a a2
exits 0 dupes --delete --yes .
test "$(find . -type f | sort | tr '\n' ' ')" = './a ./a2 ' || fail "delete has left $(find . -type f)"
fresh
three
ln d/b d/b2
exits 0 dupes --link --yes .
same_inode a d/b
same_inode a d/b2
test "$(stat -c %h a)" = 4 || fail "$(stat -c %h a) links"

fresh # odd names
printf 'x' >"$(printf 'new\nline')"
printf 'x' >' %41 '
printf 'x' >"$(printf 'bad\377')"
printf 'x' >-rf
exits 0 dupes --link --yes --log "$work/log" .
test "$(stat -c %h ./-rf)" = 4 || fail "odd names"
exits 0 dupes --undo "$work/log" --yes
test "$(stat -c %h ./-rf)" = 1 || fail "undo of odd names"
test "$(cat ./*)" = xxxx || fail "undo of odd names: content"

fresh # a path longer than PATH_MAX
name=$(printf '%0200d' 0)
mkdir "$name"
echo deep >"$name/f"
for i in $(seq 24); do
	mkdir w
	mv "$name" w
	mv w "$name"
done
echo deep >1
exits 0 dupes --link --yes .
test "$(stat -c %h 1)" = 2 || fail "deep path"

# ---- which one is kept ----
kept() { # NAME OPTION...
	wanted=$1
	shift
	exits 0 dupes --link "$@"
	test "$(sed -n 's/^keep //p' "$work/out")" = "$wanted" || fail "kept: $(sed -n 's/^keep //p' "$work/out"), not $wanted"
}
fresh
three
kept ./a .
kept ./a --keep oldest .
kept ./e/f/c --keep newest .
kept ./d/b --keep 'glob:d/*' .
kept ./d/b --keep glob:nothing --keep glob:b --keep newest .
kept e/f/c --keep first e d
kept d/b --keep oldest e d
kept e/f/c --keep newest --keep oldest d e
touch -d '2001-01-01' a d/b e/f/c
kept e/f/c --keep oldest --keep first e d
echo content >d/z
exits 0 dupes --isolate --delete --yes d e
test "$(find . -type f | sort | tr '\n' ' ')" = './a ./d/b ./d/z ' || fail "isolate has left $(find . -type f)"

# ---- files that are left as they are ----
fresh
three
exec 3>>d/b # a process could write to it
exits 3 dupes --link --yes .
exec 3>&-
if grep -q 'open for writing' "$work/err"; then
	err_has "./d/b: left as it is: a process has it, or the kept file, open for writing"
	out_has "# 1 file linked, 1 left as they are"
	out_has "left ./d/b"
fi
echo content >g
chmod 600 g
exits 3 dupes --link --yes .
err_has "g: left as it is: owner, group or mode differ from the kept file; --any-owner allows this"
exits 0 dupes --link --yes --any-owner .
same_inode a g
if [ "$(id -u)" = 0 ]; then
	fresh
	three
	chown 12345 d/b
	exits 3 dupes --delete --yes .
	test -e d/b || fail "deleted a file of another user"
	exits 0 dupes --delete --yes --any-owner .
	test ! -e d/b || fail "not deleted with --any-owner"
	if unshare -m true 2>/dev/null; then
		fresh # links do not lead to another device: each keeps a file
		three
		mkdir m
		unshare -m sh -c 'mount -t tmpfs none m && echo content >m/1 && echo content >m/2 && "$@" && stat -c %h m/1 m/2' \
			sh "$filch" dupes --link --yes . >"$work/out" 2>"$work/err" || fail "two devices"
		out_has "keep ./m/1"
		out_has "linked ./m/2"
		test "$(tail -n 2 "$work/out" | tr '\n' ' ')" = '2 2 ' || fail "two devices: links"
		same_inode a d/b
	fi
fi

fresh # a file that changes while it is compared for the action, which has leases then
truncate -s 512M a b
chmod 644 a b
number=$(inode b)
(
	tries=0
	until grep -q "LEASE.*:$number " /proc/locks || [ $tries = 3000 ]; do
		tries=$((tries + 1))
		sleep 0.01
	done
	chmod 600 b
	if grep -q "LEASE.*:$number " /proc/locks; then : >"$work/during"; fi # the comparison is not over
) &
changer=$!
code=0
"$filch" dupes --link --yes . >"$work/out" 2>"$work/err" || code=$?
wait $changer
if [ -e "$work/during" ]; then
	test $code = 3 || fail "a change during the check was not noticed"
	err_has "./b: left as it is: it, or the kept file, has changed since the comparison"
fi
fresh # nothing stays behind without descriptors
three
for n in 8 10 12 14 16 18 20 22 24; do
	sh -c 'ulimit -n "$1" && exec "$2" dupes --link --yes --workers 1 .' sh $n "$filch" >"$work/out" 2>"$work/err" || true
	nothing_aside
	all_same
done
fresh # the plan knows of a directory that cannot be written
three
chmod 777 "$work" . d e/f
as_user() { "$@"; }
if [ "$(id -u)" = 0 ]; then as_user() { setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; }; fi
if as_user test -x "$filch"; then
	chmod 555 d
	code=0
	as_user "$filch" dupes --delete --any-owner . >"$work/out" 2>"$work/err" || code=$?
	test $code = 3 || fail "the plan for a directory that cannot be written: exit code $code"
	err_has "./d/b: Permission denied"
	out_has "left ./d/b"
	out_has "delete ./e/f/c"
	chmod 777 d
fi
if [ "$(id -u)" = 0 ] && unshare -m true 2>/dev/null; then
	fresh # two mounts show one file as two: neither goes
	mkdir low up work all
	echo content >up/a
	for action in --delete --symlink; do
		unshare -m sh -c 'mount -t overlay -o lowerdir=low,upperdir=up,workdir=work none all && "$@"' sh \
			"$filch" dupes $action --yes up all >"$work/out" 2>"$work/err" || true
		test "$(cat up/a)" = content || fail "two mounts of one file: $action has lost it"
	done
fi

# ---- reflinks ----
fresh
three
if ! "$filch" dupes --reflink --yes . >"$work/out" 2>"$work/err"; then
	err_has "left as it is: the file system cannot share blocks"
	test "$(inode a)" != "$(inode d/b)" || fail "a reflink became a link"
fi
for fs in btrfs xfs; do
	if [ "$(id -u)" != 0 ] || ! command -v mkfs.$fs >/dev/null || ! unshare -m true 2>/dev/null; then continue; fi
	cd "$work"
	rm -f disk
	mkdir -p m
	truncate -s 400M disk
	mkfs.$fs -q disk >"$work/out" 2>&1 || continue
	code=0
	unshare -m sh -c '
		mount -o loop disk m || exit 77
		cd m && head -c 20000000 /dev/urandom >a && cp --reflink=never a b && touch -d 2001-01-01 b && stat -c %y b >../time &&
			sync && "$1" dupes --reflink --yes . && echo again && "$1" dupes --reflink . &&
			cmp a b && stat -c %y b | cmp - ../time && test "$(stat -c %h a)" = 1
	' sh "$filch" >"$work/out" 2>"$work/err" || code=$?
	if [ $code = 77 ]; then
		echo "skipped: cannot mount $fs"
		continue
	fi
	test $code = 0 || fail "reflinks on $fs: exit code $code"
	out_has "reflinked ./b"
	sed -n '/^again/,$p' "$work/out" | grep -q '^shared ./b' || fail "$fs: the blocks are not shared"
	echo "ok: reflinks on $fs"
done

# ---- wrong command lines ----
refuses "only one of --link" --link --delete .
refuses "need --link" --yes .
refuses "need --link" --keep oldest .
refuses "--log needs --yes" --link --log x .
refuses "--keep must be oldest, newest, first or glob:GLOB" --link --keep best .
refuses "--null cannot show" --link --null .
refuses "--undo takes a log and --yes" --undo x .
refuses "--undo takes a log and --yes" --undo x --link
cd "$work"
exit $failed
