/* SPDX-License-Identifier: Apache-2.0 */
/* For checks. */
#ifndef FILCHI_OS_OS_CHECK_H
#define FILCHI_OS_OS_CHECK_H

/* The futexes of one execution start here. */
void filchi_os_check_start(void);

/* There are time limits in this execution, and they are over from some moment on: for a thread to say. */
void filchi_os_check_limit(void);
void filchi_os_check_time_over(void);

/* From here on it is that generation of the process. */
void filchi_process_check_set(unsigned generation);

#endif
