/* SPDX-License-Identifier: Apache-2.0 */
#include "../../../src/deque/private.h"

#define KIND private
#include "loops.h"
