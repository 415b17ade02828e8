#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The devices lint must reject each violation of its rule.
set -eu
here=$(dirname "$0")
. "$here/inject.sh"
devices() { sh "$here/devices.sh" "$@"; }
lint=devices
# In two parts, because the lint would find the whole word here.
dev=/dev

rejects "a tree without sources" "no sources found"

inject tests/unit/good.sh <<END
cc -c a.c -o "\$work/a.o" >$dev/null 2>&1 <$dev/null
ps -o pid= 2>$dev/null
filch bench --json $dev/full
script -qec 'filch bench' $dev/null
END
inject Makefile <<END
all:
	cc -o a a.c >$dev/null
END
accepts "a tree in order"

# bad FILE WHAT: the lint rejects the line from standard input.
bad() {
	inject "$1"
	rejects "$2" "^$1:1:"
	rm "$tree/$1"
}
bad tests/unit/bad.sh "an object file" <<END
cc -c a.c -o $dev/null
END
bad tests/package/bad.sh "a program, with quotes and no space" <<END
cc a.c -o"$dev/null" -O2
END
bad scripts/bad "a list of headers" <<END
cc -MMD -MF $dev/null -c a.c
END
bad bench/CMakeLists.txt "the long name" <<END
execute_process(COMMAND ld --output=$dev/full a.o)
END
bad cmake/bad.cmake "a list of CMake" <<END
set(flags "-o;$dev/null")
END

exit $failed
