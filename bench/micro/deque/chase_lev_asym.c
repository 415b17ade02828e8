/* SPDX-License-Identifier: Apache-2.0 */
#include "../../../src/deque/chase_lev_asym.h"

#define KIND chase_lev_asym
#include "loops.h"
