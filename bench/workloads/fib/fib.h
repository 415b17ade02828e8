/* SPDX-License-Identifier: Apache-2.0 */
/* Fibonacci numbers by their definition. A task does almost nothing, so the time is the price of a spawn. */
#ifndef FILCHI_BENCH_FIB_H
#define FILCHI_BENCH_FIB_H

#include "../common/workload.h"

FILCH_BEGIN_DECLS
uint64_t filchi_fib(int n);
FILCH_END_DECLS

#endif
