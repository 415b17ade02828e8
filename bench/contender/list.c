/* SPDX-License-Identifier: Apache-2.0 */
#include "work.h"

#include <errno.h>
#include <stdlib.h>

#define ADDRESS(name) &filchi_work_##name,

const struct filchi_work *filchi_work(unsigned n)
{
	static const struct filchi_work *const works[] = {FILCHI_WORKS(ADDRESS) NULL};

	return n < sizeof(works) / sizeof(works[0]) ? works[n] : NULL;
}

unsigned filchi_work_number(const char *size, unsigned min, unsigned max)
{
	unsigned long value;
	char *end;

	errno = 0;
	value = strtoul(size, &end, 10);
	return *size >= '0' && *size <= '9' && !*end && !errno && value >= min && value <= max ? (unsigned)value : 0;
}
