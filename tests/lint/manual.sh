#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# manual.sh ROOT LIBRARY...: section 3 of the manual, ROOT/man/*.3, describes the public interface, no more and no less.
#
#   names        NAME has the functions that a LIBRARY exports or that the headers define inline, and the FILCH_* macros of
#                the headers. Names that end in _, folders below include/filch and the lines of not_for_users do not count.
#   prototypes   SYNOPSIS has the prototypes of the headers. White space does not count.
#   structs      a struct filch_* that DESCRIPTION shows has the fields of the headers.
#   sections     each page has all sections, in order.
#   references   each .Xr to a page of filch names one.
set -eu
root=$1
shift
libraries=$*
if ! command -v nm >/dev/null; then
	echo "skipped: no nm"
	exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
LC_ALL=C
export LC_ALL

not_for_users='FILCH_API FILCH_BEGIN_DECLS FILCH_END_DECLS'

# same WHAT FOUND DOCUMENTED
same() {
	comm -23 "$2" "$3" | sed "s|^|$1, in no page of man/: |" >"$work/differ"
	comm -13 "$2" "$3" | sed "s|^|$1, only in man/: |" >>"$work/differ"
	if [ -s "$work/differ" ]; then
		cat "$work/differ"
		failed=1
	fi
}

# section NAME PAGE: the lines of the section.
section() {
	awk -v name="$1" '/^\.Sh / { inside = substr($0, 5) == name; next } inside' "$2"
}

# prototypes: one on each line of the output, from C without comments.
prototypes() {
	awk '
	{ all = all " " $0 }
	END {
		n = split(all, piece, /[;{}]/)
		for (i = 1; i <= n; i++) {
			p = piece[i]
			gsub(/FILCH_(BEGIN|END)_DECLS/, "", p)
			gsub(/[ \t]+/, " ", p)
			gsub(/ *\* */, " *", p)
			gsub(/\* \*/, "**", p)
			gsub(/\( /, "(", p)
			sub(/^ /, "", p)
			sub(/ $/, "", p)
			if (p ~ /^(FILCH_API|static inline|typedef) .*filch_[a-z_]*[a-z]\(/) {
				sub(/^(FILCH_API|static inline) /, "", p)
				print p
			}
		}
	}'
}

# c_only FILE...: the headers without comments and preprocessor lines.
c_only() {
	awk '
	{
		line = $0
		out = ""
		while (line != "")
			if (comment && (at = index(line, "*/"))) {
				comment = 0
				line = substr(line, at + 2)
			} else if (comment) {
				line = ""
			} else if ((at = index(line, "/*"))) {
				out = out substr(line, 1, at - 1) " "
				comment = 1
				line = substr(line, at + 2)
			} else {
				out = out line
				line = ""
			}
		directive = more || out ~ /^[ \t]*#/
		more = directive && out ~ /\\$/
		if (!directive)
			print out
	}' "$@"
}

# page_prototypes PAGE: of its SYNOPSIS, as C.
page_prototypes() {
	section SYNOPSIS "$1" | awk '
	function quoted(text,    list, at) {
		while (match(text, /"[^"]*"|[^ ]+/)) {
			at = substr(text, RSTART, RLENGTH)
			gsub(/"/, "", at)
			list = list (list == "" ? "" : ", ") at
			text = substr(text, RSTART + RLENGTH)
		}
		return list
	}
	function say(name, list) {
		print (type ~ /^typedef / ? "" : "FILCH_API ") type " " name "(" list ");"
	}
	/^\.Ft / { type = substr($0, 5); gsub(/"/, "", type) }
	/^\.Fn / { rest = $0; sub(/^\.Fn [^ ]+ */, "", rest); say($2, quoted(rest)) }
	/^\.Fo / { name = $2; list = "" }
	/^\.Fa / { list = list (list == "" ? "" : ", ") quoted(substr($0, 5)) }
	/^\.Fc/ { say(name, list) }'
}

set -- "$root"/man/*.3
test -e "$1" || { echo "no page man/*.3"; exit 1; }

# Names.
for page in "$@"; do
	section NAME "$page" | sed -n 's/^\.Nm \([^ ]*\).*/\1/p'
done | sort >"$work/all"
uniq -d "$work/all" >"$work/twice"
if [ -s "$work/twice" ]; then
	sed 's/$/: in NAME of two pages/' "$work/twice"
	failed=1
fi
sort -u "$work/all" >"$work/documented"
c_only "$root"/include/filch/*.h >"$work/c"
{
	nm -D --defined-only $libraries | awk 'NF == 3 && $3 ~ /^filch_/ { print $3 }'
	sed -n 's/^static inline [^(]*[ *]\(filch_[a-z_]*\)(.*/\1/p' "$work/c"
	sed -n 's/^[ \t]*#[ \t]*define[ \t]*\(FILCH_[A-Z0-9_]*\).*/\1/p' "$root"/include/filch/*.h | grep -v '_H$' || true
} | grep -v '_$' | sort -u >"$work/found"
for name in $not_for_users; do
	grep -vx "$name" "$work/found" >"$work/rest" || true
	mv "$work/rest" "$work/found"
done
same name "$work/found" "$work/documented"

# Prototypes of functions, and the macros.
prototypes <"$work/c" | sort >"$work/declared"
for page in "$@"; do
	page_prototypes "$page"
done | prototypes | sort >"$work/shown"
same prototype "$work/declared" "$work/shown"
for page in "$@"; do
	section SYNOPSIS "$page" >"$work/synopsis"
	for name in $(section NAME "$page" | sed -n 's/^\.Nm \([^ ]*\).*/\1/p'); do
		case $name in
		FILCH_NONE) ;; # a constant, of the options
		*)
			if ! grep -qw -e "$name" "$work/synopsis"; then
				echo "${page##*/}: $name is in NAME but not in SYNOPSIS"
				failed=1
			fi
			;;
		esac
	done
done

# structs: each struct filch_*, on one line, from C without comments.
structs() {
	tr '\n\t' '  ' | awk '
	{
		while (match($0, /struct filch_[a-z_]* \{[^}]*\};/)) {
			s = substr($0, RSTART, RLENGTH)
			$0 = substr($0, RSTART + RLENGTH)
			gsub(/ +/, " ", s)
			print s
		}
	}'
}

structs <"$work/c" | sort >"$work/declared"
for page in "$@"; do
	section DESCRIPTION "$page" | sed '/^\.[A-Z]/d' | c_only | structs
done | sort >"$work/shown"
comm -13 "$work/declared" "$work/shown" | sed 's/^/struct of man\/ differs from the header: /' >"$work/differ"
if [ -s "$work/differ" ]; then
	cat "$work/differ"
	failed=1
fi

# Sections, and references.
for page in "$@"; do
	sed -n 's/^\.Sh //p' "$page" | tr '\n' ',' >"$work/sections"
	if [ "$(cat "$work/sections")" != "NAME,SYNOPSIS,DESCRIPTION,RETURN VALUE,ERRORS,EXAMPLES,SEE ALSO," ]; then
		echo "${page##*/}: the sections are $(cat "$work/sections")"
		failed=1
	fi
done
ls "$root"/man | sed 's/\.\([0-9]\)$/ \1/' >"$work/pages"
sed 's/$/ 3/' "$work/documented" >>"$work/pages"
sed -n 's/^\.Xr \([^ ]*\) \([0-9]\).*/\1 \2/p' "$root"/man/* | grep -i '^filch' | sort -u >"$work/references" || true
while read -r reference; do
	if ! grep -qx -e "$reference" "$work/pages"; then
		echo "man/: .Xr $reference: there is no such page"
		failed=1
	fi
done <"$work/references"
exit $failed
