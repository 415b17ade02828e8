#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# cross.sh SOURCE BUILD MACHINE: the libraries, for another machine, with warnings as errors. The unit tests and examples
# run under qemu-user, except those that take long there. aarch64 is built always. With FILCH_DEEP also the others, with
# the programs, and all tests run. Only then is the whole installed.
set -eu
source=$1
build=$2
machine=$3
deep=${FILCH_DEEP:-}
unset FILCH_DEEP # the tests themselves stay short: an emulator is slow

if [ "$machine" != aarch64 ] && [ -z "$deep" ]; then
	echo "skipped: only with FILCH_DEEP"
	exit 77
fi
for program in "$machine-linux-gnu-gcc" "qemu-$machine"; do
	if ! command -v "$program" >/dev/null; then
		echo "skipped: no $program"
		exit 77
	fi
done
# These take more than ten seconds each under the emulator. task_run, spawn_n and group use the same code as the longest.
long='unit_(algo|algo_define|algo_keys|algo_sort|dd_problems|injector|local|options|spawn_n_jobs|task|task_debug|waits)$|example_(fib|sort)$'
cmake -S "$source" -B "$build" -G "Unix Makefiles" -DCMAKE_TOOLCHAIN_FILE="$source/cmake/toolchains/$machine.cmake" \
	-DCMAKE_BUILD_TYPE=Release -DFILCH_TESTS=ON -DFILCH_WERROR=ON -DFILCH_VARIANTS= -DFILCH_TOOLS="${deep:-OFF}" \
	-DCMAKE_RULE_MESSAGES=OFF -DCMAKE_TARGET_MESSAGES=OFF >/dev/null
if [ -n "$deep" ]; then
	cmake --build "$build" -j "$(nproc)"
	cmake --install "$build" --prefix "$build/installed" >/dev/null
	test -f "$build/installed/bin/filch"
	cd "$build" && ctest --output-on-failure --no-label-summary -L 'unit|stress|example' --no-tests=error -j 2
else
	# Only the programs that run. A test has the name of its program, except the tests with other arguments.
	cd "$build"
	names=$(ctest -N -L 'unit|example' -E "$long" | awk '/Test +#/ { print $NF }')
	# Unquoted: a list of targets.
	cmake --build . -j "$(nproc)" --target $(cmake --build . --target help | awk '{ print $2 }' | grep -Fx "$names")
	ctest --output-on-failure --no-label-summary -L 'unit|example' -E "$long" --no-tests=error -j 2
fi
