#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The lint of the glossary must reject each violation of its rule.
set -eu
here=$(dirname "$0")
. "$here/inject.sh"
glossary() { sh "$here/glossary.sh" "$@"; }
lint=glossary

# words N: the first rows of a glossary, and N words.
words() {
	printf '%s\n' '# Glossary' '' '| Word | Meaning |' '|---|---|'
	i=0
	while [ $i -lt "$1" ]; do
		i=$((i + 1))
		echo "| word $i | The meaning, in \`src/file.c\`. A second sentence. |"
	done
}
files() { printf '%s\n' '' '| Question | File |' '|---|---|' '| What? Why? Who? |' "| \`src/$1\` |"; }

inject src/file.c </dev/null
{ words 60 && files file.c; } | inject docs/glossary.md
accepts "60 words"

{ words 61 && files file.c; } | inject docs/glossary.md
rejects "61 words" "61 words"

{ words 0 && files file.c; } | inject docs/glossary.md
rejects "no words" "0 words"

{ words 2 && echo '| word 1 | Once more. |'; } | inject docs/glossary.md
rejects "a word twice" "glossary.md:7: word 1 is explained twice"

{ words 2 && echo '| other | One. Two. Three. |'; } | inject docs/glossary.md
rejects "three sentences" "glossary.md:7: other has 3 sentences"

{ words 2 && files missing.c; } | inject docs/glossary.md
rejects "a file that does not exist" "there is no src/missing.c"

exit $failed
