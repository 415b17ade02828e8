/* SPDX-License-Identifier: Apache-2.0 */
/* Time that only goes forward. In a checked build it stands still: an execution must not depend on it. */
#ifndef FILCHI_BASE_CLOCK_H
#define FILCHI_BASE_CLOCK_H

#include <stdint.h>

uint64_t filchi_clock_ns(void);

#endif
