#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# glossary.sh ROOT: docs/glossary.md has at most 60 words, each once, with one or two sentences. The files that it names
# exist.
set -eu
cd "$1"

# sed takes out the code, which may have full stops.
sed 's/`[^`]*`/code/g' docs/glossary.md | awk -F ' *[|] *' '
function wrong(text) { print "docs/glossary.md:" FNR ": " text; bad = 1 }
/^[|]/ && $2 ~ /^(Word|Question|-+)$/ { words = $2 == "Question" ? 0 : $2 == "Word" ? 1 : words; next }
/^[|]/ && words {
	count++
	if (seen[$2]++)
		wrong($2 " is explained twice")
	sentences = gsub(/[.]( |$)/, "", $3)
	if (sentences < 1 || sentences > 2)
		wrong($2 " has " sentences " sentences: one or two are allowed")
}
END {
	if (!count || count > 60)
		wrong(count + 0 " words: 1 to 60 are allowed")
	exit bad
}'
for file in $(grep -o '`[a-z_]*/[a-z_/]*[.][a-z]*`' docs/glossary.md | tr -d '`'); do
	if [ ! -f "$file" ]; then
		echo "docs/glossary.md: there is no $file"
		exit 1
	fi
done
