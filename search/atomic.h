/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The atomics of this library are the macros of src/base/atomic.h, in the shipped build and in the checked one. That
 * header defines no symbol, so the library still links to the public interface of filch only.
 */
#ifndef FILCHI_SEARCH_ATOMIC_H
#define FILCHI_SEARCH_ATOMIC_H

#include "../src/base/atomic.h"
#include "../src/base/compiler.h"

#endif
