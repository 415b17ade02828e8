/* SPDX-License-Identifier: Apache-2.0 */
#include "../../../src/deque/bwos_lifo.h"

#define KIND bwos_lifo
#include "loops.h"
