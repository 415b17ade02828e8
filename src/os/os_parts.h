/* SPDX-License-Identifier: Apache-2.0 */
/* What os_linux.c and thread_linux.c share. */
#ifndef FILCHI_OS_OS_PARTS_H
#define FILCHI_OS_OS_PARTS_H

#include <stddef.h>

/* Address space with that protection, as mmap() has it, which gets memory as it is touched. NULL when there is none. */
void *filchi_vm_grow(size_t bytes, int protection);

#endif
