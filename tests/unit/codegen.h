/* SPDX-License-Identifier: Apache-2.0 */
/* The functions that codegen.sh compares: the same in codegen_layer.c and in codegen_c11.c. */
#ifndef TEST_UNIT_CODEGEN_H
#define TEST_UNIT_CODEGEN_H

#include "../../src/deque/chase_lev.h"

int codegen_push(struct filchi_chase_lev *q, uintptr_t item);
int codegen_pop(struct filchi_chase_lev *q, uintptr_t *item);
int codegen_steal(struct filchi_chase_lev *q, uintptr_t *item);
size_t codegen_size(const struct filchi_chase_lev *q);

#endif
