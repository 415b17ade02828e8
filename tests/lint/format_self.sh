#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The format lint must reject each violation of its rule.
set -eu
here=$(dirname "$0")
. "$here/inject.sh"
format() { sh "$here/format.sh" "$@"; }
lint=format

cp "$here/../../.clang-format" "$tree"
inject src/good.c <<'END'
int filch_answer(int *p)
{
	if (p)
		return *p;
	switch (*p) {
	case 1:
		return 2;
	}
	return 42;
}
END
status=0
$lint "$tree" >/dev/null 2>&1 || status=$?
if [ $status = 77 ]; then
	echo "skipped: no clang-format"
	exit 77
fi
accepts "a file in order"

inject src/bad.c <<'END'
int filch_answer(int* p) {
  return 42;
}
END
rejects "a file out of order" "src/bad.c:1:"

$lint "$tree" -i
accepts "the file put in order"

inject src/comments.c <<'END'
/*
 * A list:
 *
 *   one     has a line
 *   three   has
 *           two
 */
int answer(int *p, int *q)
{
	*p = 1;
	/* One line. */
	*q = 0;
	return 1;
}
END
accepts "a list in a comment, and stars in code"

inject src/comments.c <<'END'
/*
 * One line and
 *another one.
 */
int answer;
END
rejects "a star without a space" "src/comments.c:3: has no space"

inject src/comments.c <<'END'
/* A comment that is too long, with an arrow → ...................................................................................... */
END
rejects "a long line" "src/comments.c:1: has 136 columns"
rm "$tree/src/comments.c"

exit $failed
