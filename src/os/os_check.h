/* SPDX-License-Identifier: Apache-2.0 */
/* For tests under the checker. */
#ifndef FILCHI_OS_OS_CHECK_H
#define FILCHI_OS_OS_CHECK_H

/* Starts an execution: no wake has been counted yet. */
void filchi_os_check_start(void);

/* limit: this execution has time limits. time_over: from now on they have passed. A thread of the scenario calls it. */
void filchi_os_check_limit(void);
void filchi_os_check_time_over(void);

/* From now on this is the generation of the process. */
void filchi_process_check_set(unsigned generation);

#endif
