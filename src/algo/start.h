/* SPDX-License-Identifier: Apache-2.0 */
/* How an algorithm starts on the pool that its caller named. */
#ifndef FILCHI_ALGO_START_H
#define FILCHI_ALGO_START_H

#include "../pool/pool.h"

#include <stdbool.h>

/* Does the work of a call, with FILCH_RUN_ON(pool, ...). workers: the pool has workers; false: this thread is alone. */
typedef void filchi_start_fn(void *arg, struct filch_pool *pool, bool workers);

/*
 * Calls run(arg, pool, workers) once, and returns when it has returned. It runs in a worker of the pool, or in the
 * calling thread if the pool has no workers. pool is the first argument of the public functions. small: too little work
 * for a second thread, so that the calling thread always does it.
 */
void filchi_start(struct filch_pool *pool, bool small, filchi_start_fn *run, void *arg);

#endif
