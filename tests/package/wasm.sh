#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# wasm.sh SOURCE BUILD: the libraries without threads. First for this machine, under ASan and UBSan. Then for WebAssembly,
# with warnings as errors: unit tests and examples run under node, and the page of examples/web in a headless Chromium.
# With FILCH_DEEP all tests of FILCH_TESTS_SINGLE run in both. Otherwise one for each part of the library runs under node,
# and unit_single in both.
set -eu
source=$1
build=$2
deep=${FILCH_DEEP:-}
unset FILCH_DEEP
tests='single mem injector bulk deque_split algo_define search_modes dd'

# configure FOLDER OPTION...
configure() {
	folder=$1
	shift
	cmake -S "$source" -B "$folder" -G "Unix Makefiles" -DFILCH_TESTS=ON -DFILCH_WERROR=ON -DFILCH_VARIANTS= \
		-DCMAKE_RULE_MESSAGES=OFF -DCMAKE_TARGET_MESSAGES=OFF "$@" >/dev/null
}

# check FOLDER TESTS TARGET...: all of it, or these unit tests and targets.
check() {
	folder=$1
	names=$2
	shift 2
	if [ -n "$deep" ]; then
		cmake --build "$folder" -j "$(nproc)"
		cd "$folder" && ctest --output-on-failure --no-label-summary -L 'unit|example' --no-tests=error
	else
		# Unquoted: a list of targets.
		cmake --build "$folder" -j "$(nproc)" --target $(for name in $names; do echo "unit_$name"; done) "$@"
		cd "$folder" && ctest --output-on-failure --no-label-summary --no-tests=error \
			-R "^unit_($(echo "$names" | tr ' ' '|'))\$"
	fi
}

configure "$build/native" -DFILCH_THREADS=OFF -DCMAKE_BUILD_TYPE=Release -DFILCH_SANITIZE=asan
check "$build/native" single

for program in emcc node; do
	if ! command -v "$program" >/dev/null; then
		echo "skipped: no $program, so only the build for this machine was tested"
		exit 77
	fi
done
# A node that is not Debian's finds no modules of Debian, which emcc needs.
export NODE_PATH="${NODE_PATH:+$NODE_PATH:}/usr/share/nodejs"
# With -O1 emcc links in a third of the time.
configure "$build/node" -DCMAKE_TOOLCHAIN_FILE="$source/cmake/toolchains/wasm.cmake" -DCMAKE_BUILD_TYPE=Release \
	-DCMAKE_C_FLAGS_RELEASE="-O1 -DNDEBUG" -DCMAKE_CXX_FLAGS_RELEASE="-O1 -DNDEBUG"
check "$build/node" "$tests" example_independent example_page

browser=$(command -v chromium || command -v chromium-browser || true)
if [ -z "$browser" ]; then
	echo "no chromium: the page was not tested"
	exit 0
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# The output is in $work/dom, the console in $work/err.
browse() {
	rm -rf "$work/profile"
	HOME=$work timeout 1000 "$browser" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run \
		--disable-background-networking --disable-extensions --disable-sync --user-data-dir="$work/profile" \
		--enable-logging=stderr --v=0 --virtual-time-budget=60000 --dump-dom "file://$work/page.html" \
		>"$work/dom" 2>"$work/err" </dev/null || { tail -n 5 "$work/err" && exit 1; }
}

# show VERTICES: the page with that many vertices has the answer of the program, and nothing on the console.
show() {
	sed "s/id=\"vertices\" type=\"range\" min=\"3\" max=\"60\" value=\"9\"/id=\"vertices\" type=\"range\" min=\"3\" max=\"60\" value=\"$1\"/" \
		"$build/node/examples/independent_page.html" >"$work/page.html"
	# The clock of the page is virtual and may run out before WebAssembly is compiled, so the page gets several tries.
	for attempt in 1 2 3 4 5; do
		browse
		grep -q 'Loading …' "$work/dom" || break
		echo "try $attempt: the page was still loading"
	done
	size=$(node "$build/node/examples/independent.js" 1 "$1" 35 | cut -d' ' -f1)
	if ! grep -q "<body data-size=\"$size\">" "$work/dom" || grep CONSOLE "$work/err"; then
		echo "FAILED: the page does not show a set of $size vertices: $(grep -o 'id="said".*' "$work/dom")"
		exit 1
	fi
	echo "ok: the page shows a set of $size of $1 vertices"
}
show 9
grep -q '<div id="diagram"><svg' "$work/dom" || { echo "FAILED: the page has no diagram" && exit 1; }
show 40
