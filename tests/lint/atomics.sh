#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# atomics.sh ROOT: in src/, search/, dd/, fiber/ and include/, shared memory is only touched through src/base/atomic.h, and each access names
# its edge. The macros of public headers use include/filch/detail/atomic.h, which src/base/atomic.h replaces for the
# checker.
#
#   - No other file includes <stdatomic.h> or uses _Atomic, volatile, atomic_*, memory_order*, __atomic_* or __sync_*.
#   - The last argument of every filchi_{load,store,exchange,cas,fetch_add,fence}_*(), and of FILCH_TASK_LOAD_() and
#     FILCH_TASK_STORE_(), is a tag, like E2 or OWN_TOP.
#   - The tag is in the table in the file's opening comment: a line " *   E2  ..." with just that indentation; lines
#     indented more continue it.
#   - A tag whose entry has an arrow names two ends: at least two accesses bear it.
#   - Only src/base/ asks whether it is compiled for the checker or a sanitizer. The switch of fibers, which is assembly and
#     has to tell sanitizers of itself, is exempt, and so is the state that goes with a fiber, which is assembly too.
set -eu
cd "$1"

folders=
for folder in src search dd fiber include; do
	if [ -d "$folder" ]; then
		folders="$folders $folder"
	fi
done
# Unquoted: a list of words.
files=$(find $folders -type f \( -name '*.c' -o -name '*.h' \) ! -path src/base/atomic.h \
	! -path include/filch/detail/atomic.h ! -path fiber/switch.h ! -path fiber/state.h ! -path fiber/switch_linux.c | LC_ALL=C sort)
if [ -z "$files" ]; then
	echo "atomics: no sources found"
	exit 1
fi

awk '
function fail(line, text) {
	print name ":" line ": " text
	bad = 1
}

# Adds a line to code with comments, strings and characters blanked; state carries comments over lines.
function clean(line,    out, c, two, n, i, quote) {
	out = ""
	quote = ""
	n = length(line)
	for (i = 1; i <= n; i++) {
		c = substr(line, i, 1)
		two = substr(line, i, 2)
		if (comment) {
			if (two == "*/") {
				comment = 0
				i++
			}
		} else if (quote != "") {
			if (c == "\\")
				i++
			else if (c == quote) {
				quote = ""
				out = out c
			}
		} else if (two == "/*") {
			comment = 1
			out = out " "
			i++
		} else if (two == "//")
			break
		else {
			if (c == "\"" || c == "\047")
				quote = c
			out = out c
		}
	}
	return out
}

# The table of edges in the opening comment.
function table(line,    tag) {
	if (opening == 2)
		return
	if (opening == 0) {
		if (line ~ /^[ \t]*$/ || line ~ /^\/\*.*\*\/[ \t]*$/)
			return
		if (line !~ /^\/\*/) {
			opening = 2
			return
		}
		opening = 1
	}
	if (line ~ /^ \*   [A-Z][A-Z0-9_]*( |$)/) {
		tag = substr(line, 6)
		sub(/ .*/, "", tag)
		listed[tag] = FNR
		entry = tag
	} else if (line !~ /^ \*    /)
		entry = ""
	if (entry != "" && index(line, "→"))
		arrow[entry] = 1
	if (line ~ /\*\//)
		opening = 2
}

# text starts at the bracket of a call; the last argument, or "" if the call does not end.
function last_argument(text,    i, n, c, depth, from) {
	depth = 0
	n = length(text)
	for (i = 1; i <= n; i++) {
		c = substr(text, i, 1)
		if (c == "(" || c == "[" || c == "{") {
			if (++depth == 1)
				from = i + 1
		} else if (c == ")" || c == "]" || c == "}") {
			if (--depth == 0) {
				text = substr(text, from, i - from)
				gsub(/[ \t\n\\]+/, " ", text)
				sub(/^ /, "", text)
				sub(/ $/, "", text)
				return text
			}
		} else if (c == "," && depth == 1)
			from = i + 1
	}
	return ""
}

function word(text, line, rest,    tag) {
	if (text ~ /^(_Atomic|volatile|__volatile__|__volatile)$/ || text ~ /^(atomic_|memory_order|__atomic_|__sync_)/)
		fail(line, text " is for src/base/atomic.h alone")
	if (text ~ /^(FILCH_CHECKED|__SANITIZE_[A-Z]+__|__has_feature)$/ && name !~ /^src\/base\//)
		fail(line, text ": only src/base/ may ask how it is compiled")
	if (text !~ /^filchi_(load|store|exchange|cas|fetch_add|fence)_/ && text !~ /^FILCH_TASK_(LOAD|STORE)_$/)
		return
	if (rest !~ /^[ \t\n\\]*\(/) {
		fail(line, text " without its arguments")
		return
	}
	sub(/^[ \t\n\\]*/, "", rest)
	tag = last_argument(rest)
	if (tag !~ /^[A-Z][A-Z0-9_]*$/)
		fail(line, text ": the last argument must be an edge, not \"" tag "\"")
	else if (!(tag in listed))
		fail(line, text ": edge " tag " is not in the table of the opening comment")
	else
		used[tag]++
}

# Walks over the identifiers of the cleaned file.
function scan(    text, line, gap) {
	text = code
	line = 1
	while (match(text, /[A-Za-z_][A-Za-z0-9_]*/)) {
		gap = substr(text, 1, RSTART - 1)
		line += gsub(/\n/, "", gap)
		gap = substr(text, RSTART, RLENGTH)
		text = substr(text, RSTART + RLENGTH)
		word(gap, line, text)
	}
}

function finish(    tag) {
	if (name == "")
		return
	scan()
	for (tag in arrow)
		if (used[tag] < 2)
			fail(listed[tag], "edge " tag " has " (used[tag] + 0) " of its two ends in the code")
}

FNR == 1 {
	finish()
	name = FILENAME
	code = ""
	comment = opening = 0
	entry = ""
	split("", listed)
	split("", arrow)
	split("", used)
}

{
	table($0)
	stripped = clean($0)
	if (stripped ~ /^[ \t]*#[ \t]*include[ \t]*<stdatomic\.h>/)
		fail(FNR, "only src/base/atomic.h includes <stdatomic.h>")
	if (stripped ~ /^[ \t]*#[ \t]*include/)
		stripped = ""
	code = code stripped "\n"
}

END {
	finish()
	exit bad
}
' $files
