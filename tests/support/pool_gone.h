/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Scenarios of tests/check/future.c: a job tells the main thread that it runs, and the main thread destroys the pool.
 * The thread that has submitted the job may be inside of filch_submit still.
 */
#ifndef TEST_SUPPORT_POOL_GONE_H
#define TEST_SUPPORT_POOL_GONE_H

void pool_gone(void *unused);
void pool_gone_future(void *unused);
/* The job is refused for want of memory. With this for fail_alloc: allocation 40 of each thread fails. */
void pool_gone_refused(void *unused);
#define POOL_GONE_REFUSED ((uint64_t)1 << 40)

#endif
