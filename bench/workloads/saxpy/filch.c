/* SPDX-License-Identifier: Apache-2.0 */
#include "saxpy.h"

#include <filch.h>

static void part(size_t from, size_t to, void *s)
{
	filchi_saxpy_part(s, from, to);
}

void filchi_saxpy(const struct filchi_saxpy *s, size_t count)
{
	filch_for(NULL, 0, count, 0, part, (void *)(uintptr_t)s);
}
