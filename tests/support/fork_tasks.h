/* SPDX-License-Identifier: Apache-2.0 */
/* Tasks declared in a header, as a library would; the bodies are in fork_tasks.c. */
#ifndef TESTS_SUPPORT_FORK_TASKS_H
#define TESTS_SUPPORT_FORK_TASKS_H

#include <filch/fork.h>

FILCH_BEGIN_DECLS

FILCH_TASK_DECLARE(long, declared_fib, int, n);
FILCH_TASK_DECLARE(void, declared_fill, int *, to, int, value);
/* For FILCH_SPAWN_N. */
FILCH_TASK_DECLARE(unsigned long, declared_square, unsigned long, number);
FILCH_TASK_DECLARE(void, declared_number, int, number, int *, filled);
FILCH_TASK_DECLARE(long, declared_sum, unsigned short, number, int, depth);

FILCH_END_DECLS

#endif
