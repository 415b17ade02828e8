/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that is freed all at once. An arena whose fields are all 0 is empty. */
#ifndef FILCHI_BENCH_ARENA_H
#define FILCHI_BENCH_ARENA_H

#include <stdarg.h>
#include <stddef.h>

struct filchi_arena {
	struct filchi_arena_block *last;
	size_t left; /* of it */
};

/* Returns memory that is 0 and aligned for any type. NULL: no memory. */
void *filchi_arena_alloc(struct filchi_arena *a, size_t size);
/* Returns an array, in the same way. */
void *filchi_arena_array(struct filchi_arena *a, size_t count, size_t size);
/* Copies that many bytes and adds a 0. */
char *filchi_arena_copy(struct filchi_arena *a, const char *text, size_t length);
char *filchi_arena_print(struct filchi_arena *a, const char *format, va_list args)
	__attribute__((format(printf, 2, 0)));
void filchi_arena_free(struct filchi_arena *a);

#endif
