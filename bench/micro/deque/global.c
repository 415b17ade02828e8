/* SPDX-License-Identifier: Apache-2.0 */
#include "../../../src/deque/global.h"

#define KIND global
#include "loops.h"
