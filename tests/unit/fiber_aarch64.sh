#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# fiber_aarch64.sh ROOT: unit_fiber, unit_fiber_io and unit_fiber_traps, compiled for AArch64 and run by qemu, which
# has no io_uring. The switch has assembly for this machine.
set -eu
cd "$1"
cc=aarch64-linux-gnu-gcc
if ! command -v $cc >/dev/null || ! command -v qemu-aarch64 >/dev/null; then
	echo "skipped: no $cc or no qemu-aarch64"
	exit 77
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
if ! echo 'int main(void) { return 0; }' | $cc -static -x c - -o "$scratch/empty"; then
	echo "skipped: $cc cannot link a static program"
	exit 77
fi
for file in $(find src fiber -name '*.c' ! -name '*_check.c' ! -name '*_single.c') tests/unit/fiber.c tests/unit/fiber_io.c \
	tests/unit/fiber_traps.c; do
	$cc -std=gnu11 -O1 -DFILCHI_BUILD_STATIC -Iinclude -Itests -c "$file" \
		-o "$scratch/$(echo "$file" | tr / _).o"
done
cd "$scratch"
for test in fiber fiber_io fiber_traps; do
	$cc -static "tests_unit_$test.c.o" src_*.o fiber_*.o -pthread -lm -o $test
	qemu-aarch64 ./$test
	echo "unit_$test passes"
done
