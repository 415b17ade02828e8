#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The lint of fields must reject each way to name a field of another folder's struct.
set -eu
here=$(dirname "$0")
. "$here/inject.sh"
fields() { sh "$here/fields.sh" "$@"; }
lint=fields

inject LAYERS <<'END'
owner include/filch/detail src/task
open setup
END
inject include/filch/public.h <<'END'
struct filch_stats { int jobs; };
END
inject include/filch/detail/task.h <<'END'
struct filch_frame { int head; };
END
inject src/low/low.h <<'END'
#include <filch/detail/task.h>
#include <filch/public.h>
#include <stddef.h>
struct low { int field; struct { int nested; } inner; };
struct setup { int count; };
static inline int low_field(const struct low *l) { return l->field; }
#define LOW_FIELD(l) ((l)->field)
#define LOW_ONE ((struct low){1, {2}})
END
inject src/low/low.c <<'END'
#include "low.h"
int low(struct low *l);
int low(struct low *l) { return l->field + l->inner.nested; }
END
inject src/high/high.c <<'END'
#include "../low/low.h"
int high(struct low *l, struct setup *s, struct filch_stats *t);
int high(struct low *l, struct setup *s, struct filch_stats *t)
{
	struct low zero = {0}, one = LOW_ONE;
	struct setup open = {1};
	int numbers[] = {1, 2};
	return low_field(l) + LOW_FIELD(l) + s->count + t->jobs + low_field(&zero) + low_field(&one) + open.count + numbers[0];
}
END
if fields "$tree" | grep -q '^skipped'; then
	fields "$tree" || exit $?
fi
accepts "accessors, macros of the owner, open structs and public ones"

bad() { # name, code
	inject src/high/bad.c <<END
#include "../low/low.h"
#define FIELD(l) ((l)->field)
#define NAME(name) name
$2
END
	rejects "$1" "src/high/bad.c:[0-9]*: names $3"
	rm "$tree/src/high/bad.c"
}
bad "a plain access" "int f(struct low *l); int f(struct low *l) { return l->field; }" low.field
bad "an access by value" "int f(struct low l); int f(struct low l) { return l.field; }" low.field
bad "a macro" "int f(struct low *l); int f(struct low *l) { return FIELD(l); }" low.field
bad "an argument of a macro" "int f(struct low *l); int f(struct low *l) { return l->NAME(field); }" low.field
bad "sizeof" "size_t f(void); size_t f(void) { return sizeof(((struct low *)0)->field); }" low.field
bad "typeof" "int f(struct low *l); int f(struct low *l) { __typeof__(l->field) x = 1; return x; }" low.field
bad "a cast" "int f(void *l); int f(void *l) { return ((struct low *)l)->field; }" low.field
bad "offsetof" "size_t f(void); size_t f(void) { return offsetof(struct low, field); }" low.field
bad "a designated initializer" "struct low l = {.field = 1};" low.field
bad "an initializer by position" "struct low l = {1};" low.field
bad "a compound literal by position" "struct low f(void); struct low f(void) { return (struct low){1, {2}}; }" low
bad "a field of a struct without a name" "int f(struct low *l); int f(struct low *l) { return l->inner.nested; }" low
bad "a field of a task, outside of src/task" "int f(struct filch_frame *p); int f(struct filch_frame *p) { return p->head; }" \
	filch_frame.head
bad "an access in the checked build only" "#ifdef FILCH_CHECKED
int f(struct low *l); int f(struct low *l) { return l->field; }
#endif" low.field
accepts "the tree in order again"

inject LAYERS <<'END'
owner include/filch/detail src/task
open setup never
END
rejects "an open struct that nobody needs" "open never"
exit $failed
