#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# layers.sh ROOT: every include of a file of this project is along an edge that ROOT/LAYERS allows.
#
# A quoted include must name a file of the project: beside the including file, or under include/, src/, check/, tests/
# or the root. Or it names a file that the build makes and that has its own line in LAYERS. An include in angle brackets
# counts if include/ has that file.
set -eu
cd "$1"

folders=
for folder in include src check tools bench examples tests search dd fiber; do
	if [ -d "$folder" ]; then
		folders="$folders $folder"
	fi
done

# Unquoted: a list of words.
files=$(find $folders -type f \( -name '*.c' -o -name '*.h' -o -name '*.cpp' \) | LC_ALL=C sort)
if [ -z "$files" ]; then
	echo "LAYERS: no sources found"
	exit 1
fi

awk '
function fail(text) {
	print text
	bad = 1
}

# Returns the folder above a path, "" at the top.
function above(path) {
	return sub(/\/[^\/]*$/, "", path) ? path : ""
}

# Returns the longest place that is the file itself or a folder above it.
function place_of(path) {
	while (path != "" && !(path in place))
		path = above(path)
	return path
}

function may_include(from, path) {
	while (path != "" && path != from && !((from, path) in allowed))
		path = above(path)
	return path != ""
}

# Turns a/b/../c into a/c, and ./a into a.
function normal(path,    n, i, part, out, depth) {
	n = split(path, part, "/")
	depth = 0
	for (i = 1; i <= n; i++) {
		if (part[i] == "" || part[i] == ".")
			continue
		if (part[i] == "..") {
			if (depth == 0)
				return ""
			depth--
		} else
			stack[++depth] = part[i]
	}
	out = stack[1]
	for (i = 2; i <= depth; i++)
		out = out "/" stack[i]
	return out
}

function find(from, name, angled,    i, dir, path) {
	if (angled)
		return (("include/" name) in known) ? "include/" name : ""
	dir = from
	sub(/[^\/]*$/, "", dir)
	path = normal(dir name)
	if (path in known)
		return path
	for (i = 1; i <= roots; i++) {
		path = normal(root[i] name)
		if (path in known)
			return path
	}
	return (name in place) ? name : ""
}

BEGIN {
	roots = split("include/ src/ check/ tests/", root, " ")
	root[++roots] = ""
	for (i = 2; i < ARGC; i++)
		known[ARGV[i]] = 1
}

FILENAME == "LAYERS" {
	sub(/#.*/, "")
	if (NF == 0 || $1 == "open" || $1 == "owner") # fields.py reads these
		next
	if ($2 != "->") {
		fail("LAYERS:" FNR ": expected: place -> place ...")
		next
	}
	if ($1 in place)
		fail("LAYERS:" FNR ": " $1 " appears twice")
	place[$1] = 1
	for (p = above($1); p != ""; p = above(p))
		holds[p] = 1
	for (i = 3; i <= NF; i++) {
		allowed[$1, $i] = 1
		mentioned[$i] = FNR
	}
	next
}

!checked {
	checked = 1
	for (p in mentioned)
		if (place_of(p) == "" && !(p in holds))
			fail("LAYERS:" mentioned[p] ": " p " belongs to no place")
}

FNR == 1 {
	here = place_of(FILENAME)
	if (here == "")
		fail(FILENAME ": belongs to no place in LAYERS")
}

/^[ \t]*#[ \t]*include/ {
	line = $0
	sub(/^[ \t]*#[ \t]*include[ \t]*/, "", line)
	angled = line ~ /^</
	if (line !~ /^<[^>]+>/ && line !~ /^"[^"]+"/) {
		fail(FILENAME ":" FNR ": cannot read this include")
		next
	}
	name = substr(line, 2)
	sub(/[">].*/, "", name)
	target = find(FILENAME, name, angled)
	if (target == "") {
		if (!angled)
			fail(FILENAME ":" FNR ": no file of this project is called \"" name "\"; system headers go in <>")
		next
	}
	if (here != "" && !may_include(here, target))
		fail(FILENAME ":" FNR ": " here " may not include " target)
}

END { exit bad }
' LAYERS $files
