#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# format.sh ROOT [-i]: clang-format would change no C file; with -i, formats all C files. Versions of clang-format differ
# in their results, so only one version counts.
#
# clang-format leaves comments alone, because it would join the lines of a list. So this lint looks at them itself: no line
# has more than 120 columns, and a space follows the star of a line.
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
for folder in include src search fiber check tools bench examples tests; do
	if [ -d "$folder" ]; then
		folders="$folders $folder"
	fi
done
mode="--dry-run -Werror --ferror-limit=1"
if [ "${2:-}" = -i ]; then
	mode=-i
fi
# Unquoted: lists of words.
files=$(find $folders -type f \( -name '*.c' -o -name '*.h' -o -name '*.cpp' \))
printf '%s\n' $files | xargs $tool $mode --style=file

comments() {
	# Without the second and later bytes of a character.
	expand "$1" | LC_ALL=C tr -d '\200-\277' | LC_ALL=C awk -v file="$1" '
		length > 120 { print file ":" FNR ": has " length " columns: at most 120 are allowed"; bad = 1 }
		inside && /^ *\*[^ \/]/ { print file ":" FNR ": has no space after the star of a comment"; bad = 1 }
		/^ *\/\*/ { inside = 1 }
		/\*\// { inside = 0 }
		END { exit bad }'
}
failed=0
for file in $files; do
	comments "$file" || failed=1
done
exit $failed
