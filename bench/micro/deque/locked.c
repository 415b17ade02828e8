/* SPDX-License-Identifier: Apache-2.0 */
#include "../../../src/deque/locked.h"

#define KIND locked
#include "loops.h"
