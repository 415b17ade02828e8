/* SPDX-License-Identifier: Apache-2.0 */
/* Reports to write pages of. Made up, and always the same. */
#ifndef TEST_PAGE_REPORTS_H
#define TEST_PAGE_REPORTS_H

#include "../../bench/report/html/figure.h"

/* Like a real one. */
const struct filchi_report *sample_report(void);

/* With everything that could go wrong with one. */
const struct filchi_report *awkward_report(void);

/* What is in the names of the awkward one. */
#define AWKWARD_NAME "<b>&\"'</b> ]]> --> </script>"

#endif
