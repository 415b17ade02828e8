/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How a scheduler is stopped, under the checker: scenarios of tests/check/sched.c in which the workers are not started,
 * but acted by threads that call what a worker would call.
 */
#ifndef TEST_SUPPORT_SCHED_STOP_H
#define TEST_SUPPORT_SCHED_STOP_H

void sched_gate(void *unused);
void sched_permit(void *unused);
void sched_end(void *unused);

#endif
