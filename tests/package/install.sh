#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# install.sh SOURCE BUILD CC: programs can be built with the installed files, by pkg-config and by CMake, with either
# library,
# in C and in C++, from a folder that the build did not know. Each header compiles alone, in C11 and in C++.
# The static library can be linked into a shared one.
# The manual, the documents and the examples are installed, and each example compiles alone.
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

doc=$(dirname "$(find "$prefix" -name README.md)")
man=$(dirname "$(dirname "$(find "$prefix" -name filch.7)")")
(cd "$source" && ls README.md CHANGELOG.md LICENSE docs/*.md examples/*.c examples/*.cpp) >"$work/documents"
while read -r file; do
	cmp "$source/$file" "$doc/$file"
done <"$work/documents"
for page in "$source"/man/*; do
	cmp "$page" "$man/man${page##*.}/${page##*/}"
done
# man NAME finds the page of each function and macro.
for page in "$source"/man/*.3; do
	for name in $(sed -n 's/^\.Nm \([^ ]*\).*/\1/p' "$page"); do
		test "$name.3" = "${page##*/}" || grep -qx "\.so man3/${page##*/}" "$man/man3/$name.3"
	done
done
echo "$(wc -l <"$work/documents") documents, $(ls "$source/man" | wc -l) pages of the manual"

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
		file=$source/tests/package/consumer/$program.c
		echo "pkg-config, shared: $program"
		# Unquoted, because pkg-config prints several words.
		"$cc" -std=c11 "$file" $(pkg-config --cflags --libs filch) -o "$work/$program.shared"
		LD_LIBRARY_PATH=$libdir "$work/$program.shared"
		echo "pkg-config, static: $program"
		"$cc" -std=c11 "$file" $(pkg-config --cflags filch) "$libdir/libfilch.a" -pthread -o "$work/$program.static"
		"$work/$program.static"
	done
	for file in "$doc"/examples/*.c; do
		echo "example: ${file##*/}"
		case $file in
		*/search_*) package=filch-search ;;
		*/fiber_*) package=filch-fiber ;;
		*/solve_*) # a shared object for filch solve
			"$cc" -O2 -Wall -Wextra -Werror -shared -fPIC "$file" -o "$work/example.so" $(pkg-config --cflags filch)
			echo "163 70 9 45 5 12 2 1 1" >"$work/letter"
			LD_LIBRARY_PATH=$libdir "$prefix/bin/filch" solve "$work/example.so" "$work/letter" >>"$work/log"
			continue
			;;
		*) package=filch ;;
		esac
		"$cc" -O2 -Wall -Wextra -Werror "$file" -o "$work/example" $(pkg-config --cflags --libs $package)
		LD_LIBRARY_PATH=$libdir "$work/example" >>"$work/log"
	done
	if command -v c++ >/dev/null; then
		for file in "$doc"/examples/*.cpp; do
			echo "example: ${file##*/}"
			c++ -O2 -Wall -Wextra -Werror "$file" -o "$work/example" $(pkg-config --cflags --libs filch)
			LD_LIBRARY_PATH=$libdir "$work/example" >>"$work/log"
		done
		echo "pkg-config, C++"
		c++ -Wall -Wextra -Wpedantic -Werror -x c++ "$source/tests/package/consumer/task.c" -x none \
			$(pkg-config --cflags --libs filch) -o "$work/task.cxx"
		LD_LIBRARY_PATH=$libdir "$work/task.cxx"
	fi
fi

echo "find_package"
cmake -S "$source/tests/package/consumer" -B "$work/cmake" -G "Unix Makefiles" -DCMAKE_C_COMPILER="$cc" \
	-DCMAKE_PREFIX_PATH="$prefix" >>"$work/log"
cmake --build "$work/cmake" >>"$work/log"
for program in consumer_static consumer_shared task_static task_shared task_cxx; do
	if [ "$program" != task_cxx ] || [ -x "$work/cmake/task_cxx" ]; then
		"$work/cmake/$program"
	fi
done
echo "shared libraries with the static library in them"
"$work/cmake/host" "$work/cmake/libplugin_one.so" "$work/cmake/libplugin_two.so"
# A program must not use some functions of that copy of filch and some of its own copy.
if command -v nm >/dev/null; then
	if nm -D --defined-only "$work/cmake/libplugin_one.so" | grep ' filch'; then
		echo "a shared library with libfilch.a in it exports symbols of filch"
		exit 1
	fi
fi
# dlopen() has room for about 1,600 bytes of thread-local variables of all libraries together.
if command -v readelf >/dev/null; then
	bytes=$(readelf -lW "$work/cmake/libplugin_one.so" | awk '$1 == "TLS" { print $6 }')
	test $((bytes)) -lt 400
fi
