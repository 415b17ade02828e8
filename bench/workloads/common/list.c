/* SPDX-License-Identifier: Apache-2.0 */
#include "work.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ADDRESS(name) &filchi_work_##name,

const struct filchi_work *filchi_work(unsigned n)
{
	static const struct filchi_work *const works[] = {FILCHI_WORKS(ADDRESS) NULL};

	return n < sizeof(works) / sizeof(works[0]) ? works[n] : NULL;
}

unsigned filchi_work_number(const char *text, unsigned min, unsigned max)
{
	unsigned long value;
	char *end;

	errno = 0;
	value = strtoul(text, &end, 10);
	return *text >= '0' && *text <= '9' && !*end && !errno && value >= min && value <= max ? (unsigned)value : 0;
}

unsigned filchi_work_count(const char *size)
{
	return filchi_work_number(size, 1, UINT_MAX);
}

static bool is_listed(const char *names, const char *size)
{
	size_t length = strlen(size);

	for (const char *name = names; length && (name = strstr(name, size)); name++)
		if ((name == names || name[-1] == ' ') && (!name[length] || name[length] == ','))
			return true;
	return false;
}

bool filchi_work_fits(const struct filchi_work *work, const char *size, char *why, size_t room)
{
	unsigned number = filchi_work_number(size, work->least, work->most);
	const char *dots = strlen(size) > 32 ? "..." : "";

	if (work->names ? is_listed(work->names, size) : number && !(work->doubling && number & (number - 1)))
		return true;
	if (work->names)
		snprintf(why, room, "%s has no size '%.32s%s'; there are: %s", work->name, size, dots, work->names);
	else
		snprintf(why, room, "%s has no size '%.32s%s'; sizes are %s from %u to %u", work->name, size, dots,
			 work->doubling ? "powers of two" : "whole numbers", work->least, work->most);
	return false;
}
