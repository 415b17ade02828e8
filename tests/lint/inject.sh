# shellcheck shell=sh
# SPDX-License-Identifier: Apache-2.0
#
# For the self-tests of the lints: a scratch tree to inject files in, and the expected results of the lint.
# Set lint to the command under test, one word such as the name of a function. Its argument is the scratch tree.

tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
failed=0

# inject PATH: writes standard input to PATH in the scratch tree.
inject() {
	mkdir -p "$tree/$(dirname "$1")"
	cat >"$tree/$1"
}

# accepts WHAT: the lint finds nothing wrong.
accepts() {
	if said=$($lint "$tree" 2>&1); then
		echo "ok: accepts $1"
	else
		echo "WRONG: does not accept $1: $said"
		failed=1
	fi
}

# rejects WHAT PATTERN: the lint fails, and its output matches PATTERN.
rejects() {
	if said=$($lint "$tree" 2>&1); then
		echo "WRONG: does not reject $1"
		failed=1
	elif echo "$said" | grep -q -e "$2"; then
		echo "ok: rejects $1"
	else
		echo "WRONG: rejects $1, but says: $said"
		failed=1
	fi
}
