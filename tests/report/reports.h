/* SPDX-License-Identifier: Apache-2.0 */
/* Made-up reports for pages. They are always the same. */
#ifndef TEST_PAGE_REPORTS_H
#define TEST_PAGE_REPORTS_H

#include "../../bench/report/html/figure.h"

/* A usual report. */
const struct filchi_report *sample_report(void);

/* A report with all possible difficulties. */
const struct filchi_report *awkward_report(void);

/* Text in the names of the awkward one. */
#define AWKWARD_NAME "<b>&\"'</b> ]]> --> </script>"

#endif
