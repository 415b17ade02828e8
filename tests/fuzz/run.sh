#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# run.sh ROOT WORK [PROBLEM...]: compiles the fuzzer of the readers with clang, and runs each reader on its corpus and on
# changed copies of it: for a second, or for FILCH_FUZZ_SECONDS, or for ten minutes if FILCH_DEEP is set. An input that
# fails is kept in WORK/findings. Exit 77: there is no clang, or it has no libFuzzer.
set -eu
root=$1
work=$2
shift 2
seconds=${FILCH_FUZZ_SECONDS:-1}
if [ -n "${FILCH_DEEP:-}" ]; then seconds=600; fi

if ! command -v clang >/dev/null; then
	echo "skipped: no clang"
	exit 77
fi
mkdir -p "$work/findings"
echo 'int LLVMFuzzerTestOneInput(const char *b, unsigned long s); int LLVMFuzzerTestOneInput(const char *b, unsigned long s) { return b == 0 && s; }' \
	>"$work/there.c"
if ! clang -fsanitize=fuzzer "$work/there.c" -o "$work/there" 2>"$work/log"; then
	echo "skipped: clang has no libFuzzer"
	exit 77
fi

clang -std=c11 -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all -I"$root/include" -o "$work/fuzz" \
	"$root/tests/fuzz/reader.c" "$root/dd/problems/list.c" "$root/dd/problems/problem.c" "$root/dd/problems/text.c" \
	"$root"/dd/problems/*/read.c "$root"/dd/problems/*/check.c "$root"/dd/problems/*/generate.c -lm

failed=0
for path in "$root"/tests/fuzz/corpus/*; do
	problem=${path##*/}
	case " ${*:-$problem} " in *" $problem "*) ;; *) continue ;; esac
	ln -sf fuzz "$work/fuzz_$problem"
	mkdir -p "$work/corpus/$problem"
	# New inputs go to the first folder; the corpus of the sources stays as it is.
	if "$work/fuzz_$problem" -max_total_time="$seconds" -max_len=4096 -timeout=20 -rss_limit_mb=1024 \
		-artifact_prefix="$work/findings/$problem-" "$work/corpus/$problem" "$path" >"$work/log" 2>&1; then
		echo "ok: $problem: $(tail -n 1 "$work/log")"
	else
		echo "FAILED: $problem"
		tail -n 40 "$work/log"
		failed=1
	fi
done
exit $failed
