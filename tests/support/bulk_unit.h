/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_SUPPORT_BULK_UNIT_H
#define TEST_SUPPORT_BULK_UNIT_H

#include <stddef.h>

/*
 * Runs all scenarios on one kind of bulk queue; the exit code. slack: by how many nodes a steal of that proportion of a
 * queue of 10,000, pushed in batches of 1,000, may be off.
 */
int bulk_unit(const char *kind, size_t slack);

#endif
