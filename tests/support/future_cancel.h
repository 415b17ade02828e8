/* SPDX-License-Identifier: Apache-2.0 */
/* Scenarios of tests/check/future.c: jobs that are cancelled, and jobs whose enclosing one is over. */
#ifndef TEST_SUPPORT_FUTURE_CANCEL_H
#define TEST_SUPPORT_FUTURE_CANCEL_H

void future_cancel(void *unused);
void future_two_cancel(void *unused);
void future_cancel_running(void *unused);
void future_cancel_above(void *unused);
void future_over(void *unused);
void future_over_above(void *notices);
void future_over_both(void *unused);
void future_over_pair(void *unused);

#endif
