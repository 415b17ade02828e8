/* SPDX-License-Identifier: Apache-2.0 */
#include "../../../src/deque/chase_lev.h"

#define KIND chase_lev
#include "loops.h"
