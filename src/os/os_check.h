/* SPDX-License-Identifier: Apache-2.0 */
/* For checks: the futexes of one execution start here. */
#ifndef FILCHI_OS_OS_CHECK_H
#define FILCHI_OS_OS_CHECK_H

void filchi_os_check_start(void);

#endif
