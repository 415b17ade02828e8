#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The lint of the examples in the README must reject each violation of its rule.
set -eu
here=$(dirname "$0")
. "$here/inject.sh"
readme() { sh "$here/readme.sh" "$1"; }
lint=readme

inject examples/deque.c <<'END'
/* licence */
int main(void)
{
	return 0;
}
END
inject README.md <<'END'
Text (`examples/deque.c`):
```
make
```
```c
int main(void)
{
	return 0;
}
```
END
accepts "the same program"

sed 's/return 0/return 1/' "$tree/README.md" | inject README.other
mv "$tree/README.other" "$tree/README.md"
rejects "another program" "README.md (<) is not examples/deque.c (>)"

echo "Text." | inject README.md
rejects "a README without it" "shows no example"

printf '%s\n' 'Text.' '```c' 'int x;' '```' | inject README.md
rejects "a program that is no example" "names no example"
exit $failed
