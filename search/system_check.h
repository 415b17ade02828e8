/* SPDX-License-Identifier: Apache-2.0 */
/* For checks. */
#ifndef FILCHI_SEARCH_SYSTEM_CHECK_H
#define FILCHI_SEARCH_SYSTEM_CHECK_H

/* The jobs of one execution start here. So many starts succeed. */
void filchi_search_check_start(unsigned limit);

#endif
