/* SPDX-License-Identifier: Apache-2.0 */
/* The atomics of this library are the macros of src/base/atomic.h, which defines no symbol. LAYERS says why. */
#ifndef FILCHI_FIBER_ATOMIC_H
#define FILCHI_FIBER_ATOMIC_H

#include "../src/base/atomic.h"
#include "../src/base/compiler.h"

#endif
