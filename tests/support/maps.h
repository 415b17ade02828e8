/* SPDX-License-Identifier: Apache-2.0 */
/* What the kernel says about a mapping of this process. */
#ifndef TEST_SUPPORT_MAPS_H
#define TEST_SUPPORT_MAPS_H

#include "test.h"

#include <stdint.h>
#include <string.h>

struct test_map {
	uintptr_t from, to;
	char access[8];	 /* such as rw-p */
	char flags[160]; /* VmFlags of proc(5), with a blank before and after each */
};

/* Of the mapping that has this address. False: none has. */
static inline int test_map_of(const void *address, struct test_map *map)
{
	FILE *f = fopen("/proc/self/smaps", "r");
	char line[1024];
	int here = 0, found = 0;

	TEST_CHECK(f);
	while (!found && fgets(line, sizeof(line), f)) {
		unsigned long from, to;
		char access[8];

		if (sscanf(line, "%lx-%lx %7s", &from, &to, access) == 3) {
			here = (uintptr_t)address >= from && (uintptr_t)address < to;
			map->from = from;
			map->to = to;
			memcpy(map->access, access, sizeof(access));
		} else if (here && !strncmp(line, "VmFlags:", 8)) {
			line[strcspn(line, "\n")] = '\0';
			snprintf(map->flags, sizeof(map->flags), "%.150s ", line + 8);
			found = 1;
		}
	}
	fclose(f);
	return found;
}

/* Two letters of proc(5), with a blank before and after: is that flag set? */
static inline int test_map_has(const struct test_map *map, const char *flag)
{
	return strstr(map->flags, flag) != NULL;
}

/* A number of /proc/self/status in kB. */
static inline long test_status_kb(const char *name)
{
	FILE *f = fopen("/proc/self/status", "r");
	char line[256];
	long kb = -1;

	TEST_CHECK(f);
	while (kb < 0 && fgets(line, sizeof(line), f))
		if (!strncmp(line, name, strlen(name)) && line[strlen(name)] == ':')
			kb = strtol(line + strlen(name) + 1, NULL, 10);
	fclose(f);
	TEST_CHECK(kb >= 0);
	return kb;
}

#endif
