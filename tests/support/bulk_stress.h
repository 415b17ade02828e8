/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_SUPPORT_BULK_STRESS_H
#define TEST_SUPPORT_BULK_STRESS_H

/*
 * Runs all scenarios with many threads on one kind of bulk queue; the exit code.
 * FILCH_STRESS_SCALE multiplies the number of nodes (0.1, 10, ...), FILCH_DEEP by 20; sanitizers make do with fewer.
 */
int bulk_stress(const char *kind);

#endif
