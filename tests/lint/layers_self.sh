#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The layering lint must reject each violation of its rule.
set -eu
here=$(dirname "$0")
. "$here/inject.sh"
layers() { sh "$here/layers.sh" "$@"; }
lint=layers

inject LAYERS <<'END'
include      -> # nothing
src/base     -> include
src/base/a.h -> check
src/deque    -> src/base include made.h
check        ->
made.h       ->
END
inject include/filch/base.h </dev/null
inject check/chk.h </dev/null
inject src/base/mem.h <<'END'
#include <filch/base.h>
#include <stdio.h>
END
inject src/base/a.h <<'END'
  #  include "../../check/chk.h"
END
inject src/deque/deque.c <<'END'
#include "../base/mem.h"
#include "base/mem.h"
#include "filch/base.h"
#include "made.h"
END
accepts "a tree in order"

inject src/base/up.c <<'END'
#include "../deque/deque.c"
END
rejects "an include upwards" "src/base/up.c:1: src/base may not include src/deque/deque.c"
rm "$tree/src/base/up.c"

inject src/base/mem.c <<'END'
#include "../../check/chk.h"
END
rejects "an edge that only one file has" "src/base/mem.c:1: src/base may not include check/chk.h"
rm "$tree/src/base/mem.c"

inject check/explore.c <<'END'
#include <filch/base.h>
END
rejects "the checker knowing filch" "check/explore.c:1: check may not include include/filch/base.h"
rm "$tree/check/explore.c"

inject src/base/made.c <<'END'
#include "made.h"
END
rejects "a made file where it is not allowed" "made.c:1: src/base may not include made.h"
rm "$tree/src/base/made.c"

inject src/deque/gone.c <<'END'
#include "gone.h"
END
rejects "a quoted include of no file" "gone.c:1: no file of this project"
rm "$tree/src/deque/gone.c"

inject src/deque/macro.c <<'END'
#include HEADER
END
rejects "an include it cannot read" "macro.c:1: cannot read"
rm "$tree/src/deque/macro.c"

inject src/other/text.c <<'END'
int a;
END
rejects "a folder without a place" "src/other/text.c: belongs to no place"
rm -r "$tree/src/other"

inject tests/unit/t.c <<'END'
int a;
END
rejects "a test folder without a place" "tests/unit/t.c: belongs to no place"
rm -r "$tree/tests"

accepts "the tree in order again"

echo "src/os -> other/nothing" >>"$tree/LAYERS"
rejects "an edge to an unknown place" "other/nothing belongs to no place"

exit $failed
