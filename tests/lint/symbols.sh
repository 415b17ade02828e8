#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# symbols.sh dynamic|static LIBRARY PREFIX...: each public symbol of the library starts with one of the prefixes.
# dynamic reads the exported symbols of a shared library, static reads all global symbols of an archive.
set -eu
kind=$1
library=$2
shift 2

case $kind in
dynamic) options="-D --defined-only" ;;
static) options="-g --defined-only" ;;
*)
	echo "symbols.sh: unknown kind '$kind'; known: dynamic, static"
	exit 1
	;;
esac
if ! command -v nm >/dev/null; then
	echo "skipped: no nm"
	exit 77
fi

# Unquoted: a list of words. Lines are "address type name"; archives also have other lines.
LC_ALL=C nm $options "$library" | awk -v prefixes="$*" -v library="${library##*/}" '
BEGIN { n = split(prefixes, prefix, " ") }
NF != 3 || $3 ~ /^(_init|_fini|_end|_edata|__bss_start)$/ { next }
{
	count++
	for (i = 1; i <= n; i++)
		if (index($3, prefix[i]) == 1)
			next
	print library ": " $3 " (" $2 ") starts with none of: " prefixes
	bad = 1
}
END {
	if (count == 0) {
		print library ": no symbols at all"
		bad = 1
	}
	exit bad
}'
