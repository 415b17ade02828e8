/* SPDX-License-Identifier: Apache-2.0 */
/* For task_cxx.sh: what the two files of its program share. */
#ifndef TASK_CXX_H
#define TASK_CXX_H

#include <filch.h>

FILCH_TASK_DECLARE(long, shared, int, n, const char *, text);

double other_work();

#endif
