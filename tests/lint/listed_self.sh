#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The lint of the lists must reject each file that no list names.
set -eu
here=$(dirname "$0")
. "$here/inject.sh"
listed() { sh "$here/listed.sh" "$1" "$1"; }
lint=listed

mkdir -p "$tree/check" "$tree/bench" "$tree/tools" "$tree/examples"
inject src/base/mem.c </dev/null
inject tests/unit/mem.c </dev/null
inject tests/cli/help.sh <<'END'
#!/bin/sh
END
inject tests/cli/included.sh <<'END'
# no program
END
inject compile_commands.json <<'END'
  "file": "/somewhere/src/base/mem.c",
  "file": "/somewhere/tests/unit/mem.c",
END
inject tests/CTestTestfile.cmake <<'END'
add_test([=[cli_help]=] "sh" "/somewhere/tests/cli/help.sh" "filch")
END
accepts "a tree in order"

inject tests/unit/clock.c </dev/null
rejects "a test that is not compiled" "tests/unit/clock.c: in no"
rm "$tree/tests/unit/clock.c"

inject src/deque/mem.c </dev/null
rejects "a source that is not compiled" "src/deque/mem.c: in no"
rm "$tree/src/deque/mem.c"

inject tests/cli/bench.sh <<'END'
#!/bin/sh
END
rejects "a script that is not run" "tests/cli/bench.sh: in no"
rm "$tree/tests/cli/bench.sh"

inject bench/workloads/common/CMakeLists.txt <<'END'
set(works
	fib
	queens)
END
inject bench/workloads/queens/openmp.c </dev/null
accepts "a program that another compiler compiles"
inject bench/queen/openmp.c </dev/null
rejects "one that is in no list" "bench/queen/openmp.c: in no"

exit $failed
