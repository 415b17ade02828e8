/* SPDX-License-Identifier: Apache-2.0 */
/* How an algorithm starts on the pool that its caller named. */
#ifndef FILCHI_ALGO_START_H
#define FILCHI_ALGO_START_H

#include "../pool/pool.h"

#include <stdbool.h>

/* Does the work of a call. workers: FILCH_RUN in it reaches a pool with workers; false: this thread is alone. */
typedef void filchi_start_fn(void *arg, bool workers);

/*
 * Calls run(arg, workers) once, and returns when it has returned. It runs in a worker of the pool or in the calling
 * thread; pool is the first argument of the public functions. small: too little work for a second thread, so that the
 * calling thread always does it. 0, or -ESHUTDOWN with a message.
 */
int filchi_start(struct filch_pool *pool, bool small, filchi_start_fn *run, void *arg);

#endif
