#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# format.sh ROOT [-i]: clang-format would change no C file; with -i, formats all C files. Versions of clang-format differ
# in their results, so only one version counts. When clang-format breaks a long line of a comment, it may drop the space
# after the asterisk. Such a comment is an error as well.
set -eu
cd "$1"
version=14

tool=
for candidate in clang-format-$version clang-format; do
	if command -v $candidate >/dev/null && $candidate --version | grep -q "version $version\."; then
		tool=$candidate
		break
	fi
done
if [ -z "$tool" ]; then
	echo "skipped: no clang-format $version"
	exit 77
fi

folders=
for folder in include src check tools bench examples tests; do
	if [ -d "$folder" ]; then
		folders="$folders $folder"
	fi
done
mode="--dry-run -Werror --ferror-limit=1"
if [ "${2:-}" = -i ]; then
	mode=-i
fi
# Unquoted: lists of words.
find $folders -type f \( -name '*.c' -o -name '*.h' -o -name '*.cpp' \) -exec $tool $mode --style=file {} +
if find $folders -type f \( -name '*.c' -o -name '*.h' -o -name '*.cpp' \) -exec grep -nE '^ \*[^ /*	]' /dev/null {} +; then
	echo "these comments have no space after the asterisk: break their lines by hand"
	exit 1
fi
