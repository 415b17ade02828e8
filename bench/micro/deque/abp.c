/* SPDX-License-Identifier: Apache-2.0 */
#include "../../../src/deque/abp.h"

#define KIND abp
#include "loops.h"
