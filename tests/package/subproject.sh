#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# subproject.sh SOURCE BUILD CC: a project that contains filch gets the library and nothing else. Its build type and its
# warnings are its own, and only the library that it links with is built. It installs the library only if it asks for that.
set -eu
source=$1
build=$2
cc=$3

rm -rf "$build"
mkdir -p "$build"

configure() { # NAME OPTION...
	name=$1
	shift
	cmake -S "$source/tests/package/parent" -B "$build/$name" -G "Unix Makefiles" -DCMAKE_C_COMPILER="$cc" \
		-DFILCH="$source" -DCMAKE_INSTALL_LIBDIR=lib -DCMAKE_EXPORT_COMPILE_COMMANDS=ON "$@" >"$build/$name.log"
	LC_ALL=C sort "$build/$name/targets" >"$build/$name.targets"
}
build() { cmake --build "$build/$1" -j 2 >>"$build/$1.log"; }
same() { # WHAT WANT FILE
	printf '%s\n' $2 | diff - "$3" || {
		echo "$1: not as expected"
		exit 1
	}
}
built() { (cd "$build/$1" && find . ! -path '*/CMakeFiles/*' \( -name 'lib*' -o -perm -u+x -type f \) | LC_ALL=C sort) >"$build/built"; }
installed() {
	cmake --install "$build/$1" --prefix "$build/$1.prefix" >>"$build/$1.log"
	(cd "$build/$1.prefix" && find . ! -type d | LC_ALL=C sort) >"$build/installed"
}

echo "one library"
configure plain -DPARENT_LINK=filch::filch
same "targets" "filch filch_dd filch_dd_shared filch_fiber filch_fiber_shared filch_problems filch_search filch_search_mpi filch_search_mpi_shared filch_search_shared filch_shared filch_ufp program" "$build/plain.targets"
grep -q '^CMAKE_BUILD_TYPE:STRING=$' "$build/plain/CMakeCache.txt"
if grep -q -e -Werror "$build/plain/compile_commands.json"; then
	echo "warnings are errors in another project"
	exit 1
fi
build plain
built plain
same "files built" "./filch/src/libfilch.a ./program" "$build/built"
"$build/plain/program"
installed plain
same "files installed" "./bin/program" "$build/installed"

echo "the other library"
configure shared -DPARENT_LINK=filch::filch_shared
cmake --build "$build/shared" --target help | sed -n 's/^\.\.\. //p' | grep -qx filch_shared
! grep -q 'all: .*filch/src/CMakeFiles/filch.dir/all' "$build/shared/CMakeFiles/Makefile2"

echo "installed with the project"
configure install -DPARENT_LINK=filch::filch -DFILCH_INSTALL=ON
build install
installed install
{
	echo ./bin/program
	(cd "$source/include" && find . -name '*.h' | sed 's|^\.|./include|')
	printf './lib/%s\n' cmake/filch/filch-config-version.cmake cmake/filch/filch-config.cmake \
		cmake/filch/filch-targets-noconfig.cmake cmake/filch/filch-targets.cmake libfilch.a libfilch.so libfilch_search.a libfilch_search.so \
		libfilch_dd.a libfilch_dd.so libfilch_fiber.a libfilch_fiber.so pkgconfig/filch.pc pkgconfig/filch-search.pc pkgconfig/filch-dd.pc \
		libfilch_search_mpi.a libfilch_search_mpi.so pkgconfig/filch-search-mpi.pc pkgconfig/filch-fiber.pc
	(cd "$build/install/filch/src" && ls libfilch.so.*) | sed 's|^|./lib/|'
	(cd "$build/install/filch/search" && ls libfilch_search.so.*) | sed 's|^|./lib/|'
	(cd "$build/install/filch/search/mpi" && ls libfilch_search_mpi.so.*) | sed 's|^|./lib/|'
	(cd "$build/install/filch/dd" && ls libfilch_dd.so.*) | sed 's|^|./lib/|'
	(cd "$build/install/filch/fiber" && ls libfilch_fiber.so.*) | sed 's|^|./lib/|'
} | LC_ALL=C sort >"$build/want"
diff "$build/want" "$build/installed"
cmake -S "$source/tests/package/consumer" -B "$build/consumer" -G "Unix Makefiles" -DCMAKE_C_COMPILER="$cc" \
	-DCMAKE_PREFIX_PATH="$build/install.prefix" >"$build/consumer.log"
cmake --build "$build/consumer" --target consumer_static >>"$build/consumer.log"
"$build/consumer/consumer_static"

echo "names of all targets"
configure all -DPARENT_LINK=filch::filch -DFILCH_TOOLS=ON -DFILCH_CHECKS=ON
grep -q '^filch_tool$' "$build/all.targets"
if grep -vE '^(filch|filch_.*|program)$' "$build/all.targets"; then
	echo "targets that do not start with filch_"
	exit 1
fi
