/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_SUPPORT_DEQUE_STRESS_H
#define TEST_SUPPORT_DEQUE_STRESS_H

/*
 * Runs all scenarios with many threads on one kind of deque; the exit code.
 * FILCH_STRESS_SCALE multiplies the number of items (0.1, 10, ...), FILCH_DEEP by 20; sanitizers make do with fewer.
 */
int deque_stress(const char *kind);

#endif
