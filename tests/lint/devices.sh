#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# devices.sh ROOT: no script tells a compiler or a linker to write to a file in /dev (-o, -MF, -MJ, --output). Some of
# these programs remove the output file first, and root can remove a device.
set -eu
cd "$1"

places=
for place in CMakeLists.txt CMakePresets.json Makefile bench check cmake examples scripts src tests tools; do
	if [ -e "$place" ]; then
		places="$places $place"
	fi
done
if [ -z "$places" ]; then
	echo "devices: no sources found"
	exit 1
fi
# Unquoted: a list of words.
if grep -rnE -e "(^|[^[:alnum:]_-])(-o|-M[FJ]|--output)[[:space:]=,;\"']*/dev/" $places; then
	echo "devices: write to a temporary file instead"
	exit 1
fi
