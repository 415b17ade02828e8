#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# uninstall.sh SOURCE BUILD: make uninstall removes each file that make install put into PREFIX, and no other file.
set -eu
source=$1
build=$2

work=$build/uninstall-test
rm -rf "$work" "$build/installed"
mkdir -p "$work"

# -o: the tree is built already.
run() { # TARGET VARIABLE=VALUE...
	make -s -C "$source" -o build "$@" BUILD="$build" >>"$work/log" 2>&1
}
files() { (cd "$1" && find . ! -type d | LC_ALL=C sort); }

# A prefix whose name has the project's name in it, with files of other programs.
prefix=$work/home/filch
mkdir -p "$prefix/include/filch" "$prefix/share/man/man1"
echo mine >"$prefix/include/filch/mine.h"
echo other >"$prefix/share/man/man1/other.1"
run install PREFIX="$prefix"
test -x "$prefix/bin/filch"
test "$(files "$prefix" | wc -l)" -gt 60
run uninstall PREFIX="$prefix"
printf './include/filch/mine.h\n./share/man/man1/other.1\n' >"$work/want"
files "$prefix" | diff "$work/want" -
test -z "$(find "$prefix" -mindepth 2 -type d -name filch ! -path '*/include/*')"

if run uninstall PREFIX="$prefix"; then
	echo "a second uninstall did not fail"
	exit 1
fi
grep -q 'nothing to uninstall' "$work/log"

# Two places, one of them below DESTDIR. Each is uninstalled by itself. A file of an older version goes, too.
run install PREFIX="$work/one"
run install PREFIX=/two DESTDIR="$work/stage"
touch "$work/one/bin/older"
printf '%s\n' "$work/one/bin/older" >"$build/install_manifest.txt"
cat "$build/install_manifest.txt" >>"$build/installed/$(echo "$work/one" | tr / -)"
count=$(files "$work/stage" | wc -l)
run uninstall PREFIX="$work/one"
test -z "$(files "$work/one")"
test "$(files "$work/stage" | wc -l)" = "$count"
run uninstall PREFIX=/two DESTDIR="$work/stage"
test -z "$(files "$work/stage")"
echo "$count files installed and removed"
