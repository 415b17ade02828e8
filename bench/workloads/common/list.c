/* SPDX-License-Identifier: Apache-2.0 */
#include "workload.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ADDRESS(name) &filchi_workload_##name,

const struct filchi_workload *filchi_workload(unsigned n)
{
	static const struct filchi_workload *const workloads[] = {FILCHI_WORKLOADS(ADDRESS) NULL};

	return n < sizeof(workloads) / sizeof(workloads[0]) ? workloads[n] : NULL;
}

unsigned filchi_workload_number(const char *text, unsigned min, unsigned max)
{
	unsigned long value;
	char *end;

	errno = 0;
	value = strtoul(text, &end, 10);
	return *text >= '0' && *text <= '9' && !*end && !errno && value >= min && value <= max ? (unsigned)value : 0;
}

unsigned filchi_workload_count(const char *size)
{
	return filchi_workload_number(size, 1, UINT_MAX);
}

static bool is_listed(const char *names, const char *size)
{
	size_t length = strlen(size);

	for (const char *name = names; length && (name = strstr(name, size)); name++)
		if ((name == names || name[-1] == ' ') && (!name[length] || name[length] == ','))
			return true;
	return false;
}

bool filchi_workload_fits(const struct filchi_workload *workload, const char *size, char *why, size_t room)
{
	unsigned number = filchi_workload_number(size, workload->least, workload->most);
	const char *dots = strlen(size) > 32 ? "..." : "";

	if (workload->names ? is_listed(workload->names, size)
			    : number && !(workload->doubling && number & (number - 1)))
		return true;
	if (workload->names)
		snprintf(why, room, "%s has no size '%.32s%s'; there are: %s", workload->name, size, dots,
			 workload->names);
	else
		snprintf(why, room, "%s has no size '%.32s%s'; sizes are %s from %u to %u", workload->name, size, dots,
			 workload->doubling ? "powers of two" : "whole numbers", workload->least, workload->most);
	return false;
}
