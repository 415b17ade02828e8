/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_SUPPORT_DEQUE_UNIT_H
#define TEST_SUPPORT_DEQUE_UNIT_H

/* Runs all single-threaded scenarios on one kind of deque; the exit code. Link with out_of_memory.c. */
int deque_unit(const char *kind);

#endif
