#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# fiber_aarch64.sh ROOT: unit_fiber, compiled for AArch64 and run by qemu. The switch has assembly for this machine.
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
sources=$(find src fiber -name '*.c' ! -name '*_check.c')
# Unquoted: a list of files.
$cc -std=c11 -O1 -static -DFILCHI_BUILD_STATIC -D_GNU_SOURCE -Iinclude -Itests $sources tests/unit/fiber.c -pthread \
	-o "$scratch/fiber"
qemu-aarch64 "$scratch/fiber"
echo "unit_fiber passes"
