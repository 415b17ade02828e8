# SPDX-License-Identifier: Apache-2.0
#
# Sourced by the tests of the command line: a folder to work in, and checks with messages.
# $filch is the program. The output of a run is in $work/out and $work/err.

filch=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# The shortest possible run of a benchmark.
short="--runs 1 --seconds 0.001"

fail() {
	echo "FAILED: $*"
	failed=1
	if [ -s "$work/out" ]; then sed 's/^/    out: /' "$work/out"; fi
	if [ -s "$work/err" ]; then sed 's/^/    err: /' "$work/err"; fi
}

# exits CODE ARGUMENT...: filch with the arguments ends with that exit code.
exits() {
	expected=$1
	shift
	code=0
	"$filch" "$@" >"$work/out" 2>"$work/err" </dev/null || code=$?
	if [ "$code" != "$expected" ]; then
		fail "filch $*: exit code $code, not $expected"
	else
		echo "ok: filch $*: exit code $code"
	fi
}

# out_has TEXT, err_has TEXT: the last run printed it.
out_has() {
	grep -qF -e "$1" "$work/out" || fail "not on standard output: $1"
}
err_has() {
	grep -qF -e "$1" "$work/err" || fail "not on standard error: $1"
}

# silent out|err: the last run printed nothing there.
silent() {
	if [ -s "$work/$1" ]; then fail "printed on std$1, which should be silent"; fi
}

# refuses TEXT ARGUMENT...: the command in $command, with these arguments, is a usage error with that text. $try is the
# command that the message recommends.
refuses() {
	text=$1
	shift
	exits 2 $command "$@"
	silent out
	err_has "$text"
	err_has "Try '$try'."
}

# ends_by SIGNAL FILE ARGUMENT...: filch with these arguments and --json FILE, interrupted, ends by the signal and leaves
# no file.
ends_by() {
	signal=$1
	file=$2
	shift 2
	# env: a shell starts a background job with SIGINT ignored; this undoes that.
	env --default-signal "$filch" "$@" --json "$work/$file" >"$work/out" 2>"$work/err" &
	pid=$!
	started $pid
	kill -s "$signal" $pid
	code=0
	wait $pid || code=$?
	if [ "$code" -le 128 ]; then fail "SIG$signal: exit code $code"; fi
	nothing_left "$file"
	echo "ok: SIG$signal: exit code $code"
}

# all_accounted FILE PATTERN: each sample of the measures that match the pattern has pushes, and
# pushes = pops + steals + left. A measure that ends in _0 has no steals. Prints the number of measures.
all_accounted() {
	awk -v pattern="$2" '
	/"measure":/ { counted = $0 ~ pattern; alone = /_0"/; expected += counted }
	counted && /"(pushes|pops|steals|left)": / { gsub(/[^a-z]/, ""); name = $0 }
	counted && /"samples"/ && name != "" {
		gsub(/.*\[|\].*/, "")
		n = split($0, number, ", ")
		for (i = 1; i <= n; i++)
			seen[name, i] = number[i] + 0 # also 1.024e+06
		if (name == "left") {
			cases++
			for (i = 1; i <= n; i++)
				if (seen["pushes", i] != seen["pops", i] + seen["steals", i] + seen["left", i] ||
				    seen["pushes", i] == 0 || (alone && seen["steals", i] > 0))
					bad = 1
		}
		name = ""
	}
	END { print cases; exit cases != expected || bad }' "$1"
}

no_escapes() {
	if LC_ALL=C grep -q "$(printf '\033')" "$1"; then fail "escape codes in ${1##*/}"; fi
}

# started PID: waits until the process has opened the file of --json, which has no name yet.
started() {
	tries=0
	while ! ls -l "/proc/$1/fd" 2>/dev/null | grep -q "$work/.*(deleted)"; do
		tries=$((tries + 1))
		if [ $tries = 6000 ]; then
			fail "did not start"
			break
		fi
		sleep 0.1
	done
}

# nothing_left FILE: the file does not exist, and no temporary file with a longer or hidden name.
nothing_left() {
	if ls -A "$work" | grep -qF -e "$1" -e .filch-; then
		fail "left a file behind: $(ls -A "$work")"
	fi
}

# valid_json FILE: replaces strings by S, other values by V, and then arrays and objects of these, until one V is left.
valid_json() {
	left=$(tr '\n\t' '  ' <"$1" | awk '
		{
			gsub(/"([^"\\]|\\["\\\/bfnrt]|\\u[0-9a-fA-F][0-9a-fA-F][0-9a-fA-F][0-9a-fA-F])*"/, "S")
			gsub(/-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?|true|false|null/, "V")
			gsub(/ /, "")
			while (gsub(/\[((S|V)(,(S|V))*)?\]|\{(S:(S|V)(,S:(S|V))*)?\}/, "V"))
				;
			print
		}')
	if [ "$left" != V ]; then fail "not JSON: $1: what is left is $left"; fi
	if command -v jq >/dev/null && ! jq -e . "$1" >/dev/null; then fail "jq does not read $1"; fi
}
