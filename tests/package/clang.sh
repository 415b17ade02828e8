#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# clang.sh SOURCE BUILD: clang builds everything with warnings as errors, and its build passes the unit tests. The checker
# and the checks are built with FILCH_DEEP only.
set -eu
source=$1
build=$2

if ! command -v clang >/dev/null; then
	echo "skipped: no clang"
	exit 77
fi
cmake -S "$source" -B "$build" -G "Unix Makefiles" -DCMAKE_C_COMPILER=clang -DCMAKE_BUILD_TYPE=Release \
	-DFILCH_TESTS=ON -DFILCH_WERROR=ON -DFILCH_VARIANTS= -DFILCH_CHECKS="${FILCH_DEEP:-OFF}" -DCMAKE_RULE_MESSAGES=OFF \
	-DCMAKE_TARGET_MESSAGES=OFF >/dev/null
cmake --build "$build" -j "$(nproc)"
cd "$build" && ctest --output-on-failure --no-label-summary -L unit --no-tests=error
