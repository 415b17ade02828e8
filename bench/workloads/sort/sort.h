/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Numbers sorted by the sort that each runtime's library has. C and OpenMP have no fast one: these programs have a
 * quicksort, whose larger parts are tasks.
 */
#ifndef FILCHI_BENCH_SORT_H
#define FILCHI_BENCH_SORT_H

#include "../common/sort.h"
#include "../common/workload.h"

FILCH_BEGIN_DECLS

#define FILCHI_SORT_INSERTION 16 /* numbers, sorted by insertion */
#define FILCHI_SORT_TASK 4096	 /* numbers that are worth a task */

void filchi_library_sort(int64_t *a, size_t count);

FILCH_END_DECLS

#endif
