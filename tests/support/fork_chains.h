/* SPDX-License-Identifier: Apache-2.0 */
/* Scenarios of tests/check/fork.c: arg is a struct fork_scenario. */
#ifndef TEST_SUPPORT_FORK_CHAINS_H
#define TEST_SUPPORT_FORK_CHAINS_H

void fork_give_back(void *arg);
void fork_give_back_run(void *arg);
void fork_give_away(void *arg);
void fork_outside_in_deque(void *arg);
void fork_broken_chain(void *arg);
void fork_older_third(void *arg);

/* For struct check_program. */
const char *fork_fault(void);

#endif
