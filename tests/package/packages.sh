#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# packages.sh BUILD: cpack makes a package for Debian and an archive of the library and of the programs for comparison.
# Each has the files that belong to it and no other. The package of the library needs no other runtime, and lintian finds
# no errors.
set -eu
build=$1
work=$build/package-test
failed=0

rm -rf "$work"
mkdir -p "$work"
# Everything is built, and with the name of another generator cpack does not build it again.
if ! (cd "$build" && cpack -D CPACK_CMAKE_GENERATOR=Ninja -B "$work") >"$work/log" 2>&1; then
	cat "$work/log"
	exit 1
fi

fail() {
	echo "FAILED: $*"
	failed=1
}

# check_PART NAME LIST: the files of the list are those of the part.
check_library() {
	for file in lib/libfilch.a lib/libfilch.so lib/libfilch_search.so include/filch.h include/filch/task.h \
		include/filch/detail/cast.h lib/pkgconfig/filch.pc lib/cmake/filch/filch-config.cmake bin/filch \
		share/man/man1/filch.1 share/man/man3/filch_start.3 share/man/man7/filch.7 \
		share/doc/filch/README.md share/doc/filch/copyright; do
		grep -q "/$file\(\.gz\)\?\$\|/$file -> " "$2" || fail "$1 lacks $file"
	done
	! grep 'libexec/.*bench-' "$2" || fail "$1 has programs for comparison"
}

check_bench() {
	for file in bench-serial bench-filch; do
		grep -q "libexec/filch/$file\$" "$2" || fail "$1 lacks $file"
	done
	! grep 'libfilch\|include/\|/man/\|bin/filch' "$2" || fail "$1 has files of the library"
}

for name in library bench; do
	case $name in library) part=filch-[0-9] ;; bench) part=filch-bench-[0-9] ;; esac
	# Unquoted: a pattern for one file.
	tar tzf "$work"/$part*.tar.gz >"$work/$name.tar.list"
	check_$name "the archive of $name" "$work/$name.tar.list"
	echo "archive of $name: $(wc -l <"$work/$name.tar.list") files"
done
if command -v dpkg-deb >/dev/null; then
	for name in library bench; do
		case $name in library) deb=filch_ ;; bench) deb=filch-bench_ ;; esac
		dpkg-deb -c "$work"/$deb*.deb >"$work/$name.deb.list"
		check_$name "the package of $name" "$work/$name.deb.list"
		echo "package of $name: $(dpkg-deb -f "$work"/$deb*.deb Depends)"
	done
	! dpkg-deb -f "$work"/filch_*.deb Depends | grep 'tbb\|omp\|ssl' || fail "the library depends on another runtime"
else
	echo "no dpkg-deb: that part is left out"
fi
if command -v lintian >/dev/null; then
	# clang itself puts the folder of its OpenMP into a program.
	lintian --allow-root --suppress-tags custom-library-search-path --fail-on error "$work"/*.deb >"$work/lintian" 2>&1 || {
		grep '^E:' "$work/lintian"
		fail "lintian finds errors"
	}
else
	echo "no lintian: that part is left out"
fi
exit $failed
