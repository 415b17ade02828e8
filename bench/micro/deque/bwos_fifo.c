/* SPDX-License-Identifier: Apache-2.0 */
#include "../../../src/deque/bwos_fifo.h"

#define KIND bwos_fifo
#include "loops.h"
