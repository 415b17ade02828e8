#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# fiber_gdb.sh ROOT CC LIBRARY...: gdb's backtrace in a fiber has the functions of the fiber, and ends at its entry.
set -eu
root=$1
cc=$2
shift 2
if ! command -v gdb >/dev/null; then
	echo "skipped: no gdb"
	exit 77
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cat >"$scratch/fiber.c" <<'END'
#include <filch.h>
#include <filch/fiber.h>

__attribute__((noinline)) void innermost(void)
{
	__asm__("" ::: "memory");
}

__attribute__((noinline)) static int outer(void *arg, void **result)
{
	(void)arg;
	(void)result;
	filch_fiber_yield();
	innermost();
	return 7;
}

int main(void)
{
	struct filch_options o = {.struct_size = sizeof(o), .workers = 1};
	struct filch_fiber *f;

	return filch_start(&o) || filch_fiber_start(&f, NULL, outer, NULL, NULL) || filch_fiber_join(f, NULL) != 7;
}
END
"$cc" -g -O1 -I "$root/include" "$scratch/fiber.c" "$@" -pthread -o "$scratch/fiber"
if ! gdb -batch -nx -ex 'set debuginfod enabled off' -ex 'break innermost' -ex run -ex bt "$scratch/fiber" >"$scratch/out" 2>&1 ||
	! grep -q 'Breakpoint 1, ' "$scratch/out"; then
	cat "$scratch/out"
	echo "skipped: gdb cannot run programs here"
	exit 77
fi
grep '^#' "$scratch/out"
for function in innermost outer filchi_fiber_main filchi_context_start; do
	if ! grep -q "^#.* $function " "$scratch/out"; then
		echo "$function is missing"
		exit 1
	fi
done
if grep -q '^#4' "$scratch/out" || grep -qi 'corrupt' "$scratch/out"; then
	echo "the backtrace does not end at the entry"
	exit 1
fi
