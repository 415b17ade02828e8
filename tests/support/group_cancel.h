/* SPDX-License-Identifier: Apache-2.0 */
/* Scenarios of tests/check/group.c: groups that are cancelled. */
#ifndef TEST_SUPPORT_GROUP_CANCEL_H
#define TEST_SUPPORT_GROUP_CANCEL_H

void group_cancel(void *unused);
void group_cancel_before(void *unused);
void group_error_or_cancel(void *unused);
void group_cancel_running(void *unused);
void group_error_after_cancel(void *unused);
void group_cancel_alone(void *unused);

#endif
