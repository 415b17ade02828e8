#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# symbols_self.sh CC: the symbols lint must reject each violation of its rule.
set -eu
here=$(dirname "$0")
cc=$1
if ! command -v nm >/dev/null; then
	echo "skipped: no nm"
	exit 77
fi
scratch=$(mktemp -d)

. "$here/inject.sh"
trap 'rm -rf "$tree" "$scratch"' EXIT

# The tree is a library here: builds it from standard input, then runs the lint on it.
build() {
	cat >"$scratch/lib.c"
	"$cc" -c -fPIC "$scratch/lib.c" -o "$scratch/lib.o"
	"$cc" -shared "$scratch/lib.o" -o "$scratch/lib.so"
	rm -f "$scratch/lib.a"
	ar rc "$scratch/lib.a" "$scratch/lib.o"
}
static() { sh "$here/symbols.sh" static "$scratch/lib.a" filch_ filchi_; }
dynamic() { sh "$here/symbols.sh" dynamic "$scratch/lib.so" filch_; }

build <<'END'
#define HIDDEN __attribute__((visibility("hidden")))
static int local(void) { return 1; }
HIDDEN int filchi_internal(void) { return local(); }
int filch_public(void) { return filchi_internal(); }
int filch_data = 1;
END
lint=static
accepts "an archive in order"
lint=dynamic
accepts "a shared library in order"

build <<'END'
int filch_public(void) { return 1; }
int filchi_internal(void) { return 1; }
END
rejects "an internal function exported" "filchi_internal (T) starts with none of"

build <<'END'
int filch_public(void) { return 1; }
int helper(void) { return 1; }
END
rejects "a stray function exported" "helper (T) starts with none of"
lint=static
rejects "a stray function in an archive" "helper (T) starts with none of"

build <<'END'
int filch_public(void) { return 1; }
int table[4] = {1};
END
rejects "stray data in an archive" "table (D) starts with none of"

build <<'END'
typedef int nothing;
END
rejects "an empty archive" "no symbols at all"

exit $failed
