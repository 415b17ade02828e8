/* SPDX-License-Identifier: Apache-2.0 */
/* Quicksort: sorts the two parts at the same time, and small parts by insertion. */
#ifndef FILCHI_BENCH_QUICKSORT_H
#define FILCHI_BENCH_QUICKSORT_H

#include "../common/sort.h"
#include "../common/workload.h"

FILCH_BEGIN_DECLS

#define FILCHI_QUICKSORT_SMALL 32

void filchi_quicksort(int64_t *a, size_t count);

FILCH_END_DECLS

#endif
