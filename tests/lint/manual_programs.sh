#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# manual_programs.sh ROOT CC LIBRARY...: each program in EXAMPLES of ROOT/man/*.3 compiles without a warning and exits with
# 0, with workers and without. Each page has at least one.
set -eu
root=$1
cc=$2
shift 2
libraries=$*
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

for page in "$root"/man/*.3; do
	name=${page##*/}
	rm -f "$work"/*.c
	awk -v work="$work" '
	/^\.Sh / { examples = $0 == ".Sh EXAMPLES" }
	examples && /^\.Bd/ { out = work "/" ++n ".c"; next }
	/^\.Ed/ { out = ""; next }
	out != "" { gsub(/\\e/, "\\"); print >out }' "$page"
	set -- "$work"/*.c
	if [ ! -e "$1" ]; then
		echo "$name: no program in EXAMPLES"
		failed=1
		continue
	fi
	for program in "$@"; do
		what="$name, program $(basename "$program" .c)"
		if ! "$cc" -O2 -Wall -Wextra -Werror -I"$root/include" "$program" $libraries -pthread -lm -o "$work/program"; then
			echo "WRONG: $what does not compile"
			failed=1
			continue
		fi
		for workers in 2 0; do
			if FILCH_WORKERS=$workers timeout 60 "$work/program" >"$work/out" 2>&1; then
				echo "ok: $what, $workers workers: $(head -n 1 "$work/out")"
			else
				echo "WRONG: $what, $workers workers: fails: $(cat "$work/out")"
				failed=1
			fi
		done
	done
done
exit $failed
