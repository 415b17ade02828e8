#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# install.sh SOURCE BUILD CC: what is installed is enough to build against, through pkg-config and through CMake, with
# either library, from C and from C++, from a place the build did not know; each header stands alone, in C11 and in C++.
set -eu
source=$1
build=$2
cc=$3

work=$build/install-test
prefix=$work/prefix
rm -rf "$work"
mkdir -p "$work"
cmake --install "$build" --prefix "$prefix" >"$work/log"
test -x "$prefix/bin/filch"

for header in $(cd "$prefix/include" && find . -name '*.h'); do
	echo "header $header"
	printf '#include <%s>\nextern int not_empty;\n' "${header#./}" >"$work/header.c"
	"$cc" -std=c11 -Wall -Wextra -Wpedantic -Werror -I"$prefix/include" -fsyntax-only "$work/header.c"
	if command -v c++ >/dev/null; then
		c++ -Wall -Wextra -Wpedantic -Werror -I"$prefix/include" -fsyntax-only -x c++ "$work/header.c"
	fi
done

if ! command -v pkg-config >/dev/null; then
	echo "no pkg-config: that part is left out"
elif echo "$prefix" | grep -q '[[:space:]]'; then
	echo "blanks in the path, which the shell would split in what pkg-config prints: that part is left out"
else
	PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name filch.pc)")
	export PKG_CONFIG_PATH
	libdir=$(pkg-config --variable=libdir filch)
	for program in consumer task; do
		file=$source/tests/build/consumer/$program.c
		echo "pkg-config, shared: $program"
		# Unquoted: pkg-config gives several words.
		"$cc" -std=c11 "$file" $(pkg-config --cflags --libs filch) -o "$work/$program.shared"
		LD_LIBRARY_PATH=$libdir "$work/$program.shared"
		echo "pkg-config, static: $program"
		"$cc" -std=c11 "$file" $(pkg-config --cflags filch) "$libdir/libfilch.a" -pthread -o "$work/$program.static"
		"$work/$program.static"
	done
	if command -v c++ >/dev/null; then
		echo "pkg-config, C++"
		c++ -Wall -Wextra -Wpedantic -Werror -x c++ "$source/tests/build/consumer/task.c" -x none \
			$(pkg-config --cflags --libs filch) -o "$work/task.cxx"
		LD_LIBRARY_PATH=$libdir "$work/task.cxx"
	fi
fi

echo "find_package"
cmake -S "$source/tests/build/consumer" -B "$work/cmake" -G "Unix Makefiles" -DCMAKE_C_COMPILER="$cc" \
	-DCMAKE_PREFIX_PATH="$prefix" >>"$work/log"
cmake --build "$work/cmake" >>"$work/log"
for program in consumer_static consumer_shared task_static task_shared task_cxx; do
	if [ "$program" != task_cxx ] || [ -x "$work/cmake/task_cxx" ]; then
		"$work/cmake/$program"
	fi
done
