#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# manual_self.sh CC: the lint of section 3 of the manual must reject each mistake that it is for.
set -eu
here=$(dirname "$0")
cc=$1
if ! command -v nm >/dev/null; then
	echo "skipped: no nm"
	exit 77
fi
scratch=$(mktemp -d)

. "$here/inject.sh"
trap 'rm -rf "$tree" "$scratch"' EXIT
manual() { sh "$here/manual.sh" "$1" "$scratch/lib.so"; }
lint=manual

# library NAME...: exports functions of these names.
library() {
	printf 'int %s(void) { return 0; }\n' "$@" >"$scratch/lib.c"
	"$cc" -shared -fPIC "$scratch/lib.c" -o "$scratch/lib.so"
}

header() {
	inject include/filch/thing.h <<'END'
#ifndef FILCH_THING_H
#define FILCH_THING_H
/* FILCH_API int filch_old(void); */
#define FILCH_API
#define FILCH_MAX(a, b) \
	((a) > (b) ? (a) : (b))
#define FILCH_HELPER_ 1
typedef int filch_thing_fn(void *arg);
struct filch_thing_options {
	int size; /* of a thing */
	filch_thing_fn *fn;
};
FILCH_API int filch_thing_create(struct filch_thing **out,
				 filch_thing_fn *fn); /* of two lines */
FILCH_API const char *filch_thing_name(void);
FILCH_API void filch_thing_helper_(int number);
static inline void filch_thing_touch(struct filch_thing *const *things)
{
	filch_thing_helper_(1);
}
#endif
END
	inject include/filch/detail/thing.h <<'END'
#define FILCH_DETAIL 1
END
}

page() {
	inject man/filch_thing.3 <<'END'
.Dt FILCH_THING 3
.Sh NAME
.Nm filch_thing_create ,
.Nm filch_thing_name ,
.Nm filch_thing_touch ,
.Nm FILCH_MAX
.Nd things
.Sh SYNOPSIS
.In filch/thing.h
.Ft typedef int
.Fn filch_thing_fn "void *arg"
.Ft int
.Fo filch_thing_create
.Fa "struct filch_thing **out"
.Fa "filch_thing_fn *fn"
.Fc
.Ft const char *
.Fn filch_thing_name void
.Ft void
.Fn filch_thing_touch "struct filch_thing *const *things"
.Bd -literal
FILCH_MAX(a, b)
.Ed
.Sh DESCRIPTION
.Fn filch_other "int not_here"
.Bd -literal
struct filch_thing_options {
	int size;
	filch_thing_fn *fn; /* is called */
};
.Ed
.Sh RETURN VALUE
.Sh ERRORS
.Sh EXAMPLES
.Sh SEE ALSO
.Xr filch_thing_name 3 ,
.Xr qsort 3
END
}

# edit EXPRESSION: changes the page.
edit() {
	page
	sed "$1" "$tree/man/filch_thing.3" >"$scratch/page"
	mv "$scratch/page" "$tree/man/filch_thing.3"
}

library filch_thing_create filch_thing_name filch_thing_helper_ filchi_internal
header
page
accepts "a page for each name"

edit '/^\.Nm filch_thing_name/d'
rejects "a function in no page" "name, in no page of man/: filch_thing_name"
edit '/^\.Nm filch_thing_touch/d'
rejects "an inline function in no page" "name, in no page of man/: filch_thing_touch"
edit '/^\.Nm FILCH_MAX/d'
rejects "a macro in no page" "name, in no page of man/: FILCH_MAX"
edit 's/^\.Nd/.Nm filch_old\n&/'
rejects "a function that does not exist" "name, only in man/: filch_old"
edit 's/^\.Nd/.Nm FILCH_DETAIL\n&/'
rejects "a macro of a detail header" "name, only in man/: FILCH_DETAIL"
edit '/^FILCH_MAX/d'
rejects "a macro without a synopsis" "FILCH_MAX is in NAME but not in SYNOPSIS"

edit 's/^\.Fa "filch_thing_fn \*fn"/.Fa "filch_thing_fn *function"/'
rejects "another parameter" "prototype, in no page of man/: int filch_thing_create(struct filch_thing \*\*out, filch_thing_fn \*fn)"
edit 's/^\.Ft const char/.Ft char/'
rejects "another type" "prototype, only in man/: char \*filch_thing_name(void)"
edit '/^\.Fn filch_thing_fn/d'
rejects "a type of functions that is missing" "prototype, in no page of man/: typedef int filch_thing_fn"

edit 's/^	int size/	int number/'
rejects "a struct with another field" "struct of man/ differs from the header: struct filch_thing_options"

edit '/^\.Sh ERRORS/d'
rejects "a page without ERRORS" "filch_thing.3: the sections are"
edit 's/^\.Xr filch_thing_name/.Xr filch_nothing/'
rejects "a reference to no page" ".Xr filch_nothing 3: there is no such page"
page
sed 's/^\.Dt.*/.Dt FILCH_OTHER 3/' "$tree/man/filch_thing.3" | inject man/filch_other.3
rejects "a name in two pages" "filch_thing_name: in NAME of two pages"
rm "$tree/man/filch_other.3"

library filch_thing_create filch_thing_name filch_thing_new
rejects "a new function in the library" "name, in no page of man/: filch_thing_new"
rm "$tree/man/filch_thing.3"
rejects "no manual" "no page man/"
exit $failed
