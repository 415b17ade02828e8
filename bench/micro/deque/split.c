/* SPDX-License-Identifier: Apache-2.0 */
#include "../../../src/deque/split.h"

#define KIND split
#include "loops.h"
