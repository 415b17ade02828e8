#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# fields.sh ROOT: runs fields.py with a Python that has the bindings of libclang (Debian: python3-clang).
set -u
here=$(dirname "$0")
for python in python3 /usr/bin/python3; do
	if "$python" -c 'import clang.cindex' 2>/dev/null; then
		exec "$python" "$here/fields.py" "$1"
	fi
done
echo "skipped: no Python with the bindings of libclang (python3-clang)"
exit 77
