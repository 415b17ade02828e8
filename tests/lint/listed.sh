#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# listed.sh ROOT BUILD: the tree BUILD compiles every source in ROOT, and runs every shell test of the program. A test
# that no list names would never run, and so never fail.
set -eu
root=$1
build=$2

# has_own_compiler FILE: a CMakeLists.txt that uses filch_peer lists the file in its own folder.
has_own_compiler() {
	list=$root/$(dirname "$1")/CMakeLists.txt
	grep -q 'filch_peer(' "$list" 2>/dev/null && grep -q " $(basename "$1") \([a-z_]*\.c \)*COMPILER" "$list"
}

missing=0
# The exceptions are sources of builds without threads (package/wasm.sh), sources that a test script compiles itself, and
# programs of filch bench that need another compiler or a library. The folders of these programs are in a list of bench/workloads/common/CMakeLists.txt, checked below. All
# programs of bench/workloads/spawn have their own compiler, and that folder has its own CMakeLists.txt.
for file in $(cd "$root" && find src search dd fiber check bench tools examples tests -name '*.c' \
	! -path 'tests/package/*' ! -path 'tests/fuzz/*' ! -path 'tests/unit/codegen_*' ! -name '*single.c' ! -path 'bench/*/openmp.c' ! -path 'bench/workloads/uts/*' |
	LC_ALL=C sort); do
	if ! grep -q "\"file\": \".*/$file\"" "$build/compile_commands.json" && ! has_own_compiler "$file"; then
		echo "$file: in no CMakeLists.txt"
		missing=1
	fi
done
for file in $(cd "$root" && find bench -name openmp.c ! -path 'bench/workloads/common/*' | LC_ALL=C sort); do
	folder=$(basename "$(dirname "$file")")
	if ! grep -q "[[:space:]]$folder)*\$" "$root/bench/workloads/common/CMakeLists.txt" 2>/dev/null &&
		! grep -q " openmp.c COMPILER" "$root/$(dirname "$file")/CMakeLists.txt" 2>/dev/null; then
		echo "$file: in no CMakeLists.txt"
		missing=1
	fi
done
for file in $(cd "$root" && find tests/cli -name '*.sh' | LC_ALL=C sort); do
	if ! grep -q "add_test.*/$file\"" "$build/tests/CTestTestfile.cmake"; then
		# A file that other scripts include has no "#!" line.
		if head -n 1 "$root/$file" | grep -q '^#!'; then
			echo "$file: in no CMakeLists.txt"
			missing=1
		fi
	fi
done
exit $missing
