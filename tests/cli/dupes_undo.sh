#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# dupes_undo.sh FILCH: the log of the actions of filch dupes, and what undo does with it.
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

# ---- the log ----
fresh
three
chmod 640 a d/b e/f/c
snapshot | awk '{ print $1, $3, $4, $5, $6 }' >"$work/before"
for action in --link --symlink --delete; do
	rm -f "$work/log"
	exits 0 dupes $action --yes --log "$work/log" .
	exits 0 dupes --undo "$work/log"
	out_has "restore $t/e/f/c"
	out_has "# 2 files could be restored; --yes does it"
	exits 0 dupes --undo "$work/log" --yes
	out_has "restored $t/d/b"
	for f in a d/b e/f/c; do echo "./$f"; done >"$work/names"
	snapshot | awk '{ print $1, $3, $4, $5, $6 }' >"$work/after"
	grep -F -f "$work/names" "$work/before" >"$work/1"
	grep -F -f "$work/names" "$work/after" >"$work/2"
	cmp "$work/1" "$work/2" || fail "undo of $action: $(diff "$work/1" "$work/2")"
	all_same
	nothing_aside
	exits 3 dupes --undo "$work/log" --yes # there is nothing to take back any more
	all_same
done
exits 1 dupes --link --yes --log "$work/log" . # a log is never overwritten
err_has "File exists"
rm "$work/log"
exits 0 dupes --link --yes --log "$work/log" .
echo other >a # the kept file has changed: no undo
exits 3 dupes --undo "$work/log" --yes
err_has "not restored: it, or the kept file, has changed since the action"
echo garbage >"$work/bad"
exits 1 dupes --undo "$work/bad"
err_has "is no log of filch dupes"
printf 'filch dupes log 1\nlink / ../../etc/passwd / x 1 1 1 1 1 1 644 0 0\n' >"$work/bad"
exits 3 dupes --undo "$work/bad" --yes
err_has "a line of the log is damaged"
exits 1 dupes --undo "$work/nothing"
if [ -e /dev/full ]; then
	fresh
	three
	ln -s /dev/full "$work/full"
	exits 1 dupes --link --yes --log "$work/full" .
	test "$(inode a)" != "$(inode d/b)" || fail "acted without a log"
fi


# ---- actions that a kill has cut off ----
# The log has one action without its end. The file that it was about is saved with its inode.
cut_off() { # ACTION
	fresh
	three
	rm a
	mkdir ../saved
	ln d/b ../saved/d
	ln e/f/c ../saved/c
	snapshot >"$work/before"
	exits 0 dupes "$1" --yes --log "$work/log" .
	grep -v '^done$' "$work/log" >"$work/cut"
	aside=e/f/$(sed -n 's/.* \(\.filch-[0-9a-f]*\) .*/\1/p' "$work/log")
}
# What the kill has left is made right: the file is the very one that it was.
undone() {
	exits 0 dupes --undo "$work/cut"
	exits 0 dupes --undo "$work/cut" --yes
	same_inode e/f/c ../saved/c
	test "$(cat d/b e/f/c)" = "$(printf 'content\ncontent')" || fail "cut off: content"
	nothing_aside
}
folder() { mkdir -m 700 "$aside"; }
for action in --link --symlink --delete; do
	cut_off $action # before anything was done
	ln -f ../saved/c e/f/c
	undone
	out_has "# 0 files restored"
	rm -r ../saved

	cut_off $action # an empty folder, before
	ln -f ../saved/c e/f/c
	folder
	undone
	rm -r ../saved

	cut_off $action # before the exchange, or after the name was taken
	folder
	if [ $action = --delete ]; then ln ../saved/c "$aside/file"; else
		mv e/f/c "$aside/file"
		ln ../saved/c e/f/c
	fi
	undone
	rm -r ../saved

	cut_off $action # after the exchange
	folder
	ln ../saved/c "$aside/file"
	undone
	out_has "# 1 files restored"
	rm -r ../saved

	cut_off $action # before the folder was removed
	folder
	exits 0 dupes --undo "$work/cut" --yes
	out_has "# 1 files restored"
	test "$(cat e/f/c)" = content && test ! -L e/f/c || fail "cut off $action"
	nothing_aside
	rm -r ../saved

	cut_off $action # the kept file has changed, but the old one is still there
	echo changed >d/b
	folder
	ln ../saved/c "$aside/file"
	exits 0 dupes --undo "$work/cut" --yes
	same_inode e/f/c ../saved/c
	nothing_aside
	rm -r ../saved

	cut_off $action # somebody else has the name now: nothing is lost
	rm -f e/f/c
	echo other >e/f/c
	folder
	ln ../saved/c "$aside/file"
	exits 3 dupes --undo "$work/cut" --yes
	test "$(cat e/f/c)" = other || fail "cut off $action: overwrote another file"
	test "$(cat "$aside/file")" = content || fail "cut off $action: lost the old file"
	rm -r ../saved
done
cut_off --delete # a part of a line, as a full disk or a kill leaves it
exits 0 dupes --undo "$work/log" --yes
for part in d 'delete /' 'delete / x / y'; do
	{ head -n 1 "$work/log" && printf '%s' "$part"; } >"$work/cut"
	exits 0 dupes --undo "$work/cut" --yes
done
rm -r ../saved

# ---- an undo in a directory of somebody else ----
fresh # a DIR is another directory now
mkdir one two
echo content >one/a
echo content >two/b
exits 0 dupes --delete --yes --log "$work/log" one two
mkdir outside
mv two two2
ln -s outside two
exits 3 dupes --undo "$work/log" --yes
err_has "has changed since the action"
test -z "$(ls outside)" || fail "undo has followed a link out of the DIR"
rm two
mv two2 two
exits 0 dupes --undo "$work/log" --yes
fresh # the new content of a file is not given to another one with a bit that makes it run as another user
three
chmod 4755 a d/b e/f/c
rm -f "$work/log"
exits 0 dupes --delete --yes --log "$work/log" .
chmod 755 a
exits 0 dupes --undo "$work/log" --yes
test "$(stat -c %a d/b)" = 755 || fail "undo has made a set-user-ID file: $(stat -c %a d/b)"
rm -f "$work/log"
chmod 4755 a d/b e/f/c
exits 0 dupes --delete --yes --log "$work/log" .
exits 0 dupes --undo "$work/log" --yes
test "$(stat -c %a d/b)" = 4755 || fail "undo has lost the set-user-ID bit: $(stat -c %a d/b)"
if [ "$(id -u)" = 0 ]; then # nor to a file of another user
	fresh
	three
	chown 12345 a
	rm -f "$work/log"
	exits 0 dupes --delete --yes --any-owner --log "$work/log" .
	exits 3 dupes --undo "$work/log" --yes
	test ! -e d/b || fail "undo has made a file of another user"
	exits 0 dupes --undo "$work/log" --yes --any-owner
	test "$(stat -c %u d/b)" = 0 || fail "undo: owner"
fi
cd "$work"
exit $failed
