/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes the system run out of memory at a chosen moment, and counts what was not given back.
 *
 * Link with -Wl,--wrap= for each of malloc, aligned_alloc, free, mmap, munmap and mprotect.
 */
#ifndef TEST_SUPPORT_OUT_OF_MEMORY_H
#define TEST_SUPPORT_OUT_OF_MEMORY_H

/* From now on the n-th call that asks for memory fails, and only that one; 0: none does. */
void out_of_memory_at(unsigned n);

/* Has it failed? */
int out_of_memory_happened(void);

/* Blocks and mappings not given back. */
long out_of_memory_live(void);

#endif
