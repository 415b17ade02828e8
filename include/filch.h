/* SPDX-License-Identifier: Apache-2.0 */
/* filch: work stealing for C. This header includes all public headers of libfilch. */
#ifndef FILCH_H
#define FILCH_H

#include "filch/algo.h"
#include "filch/base.h"
#include "filch/bulk.h"
#include "filch/deque.h"
#include "filch/hooks.h"
#include "filch/pool.h"
#include "filch/sort.h"
#include "filch/task.h"

#endif
