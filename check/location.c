/* SPDX-License-Identifier: Apache-2.0 */
/* Atomic locations: addresses numbered as they are met, with names for traces. */
#include "internal.h"

#include <stdio.h>

enum { SLOTS = 2 * MAX_LOCATIONS, NAME_BYTES = 48 };

static struct {
	uintptr_t address;
	char name[NAME_BYTES];
} locations[MAX_LOCATIONS];

static uint16_t slots[SLOTS]; /* a hash table of numbers, 0: free */
static unsigned count = 1;

void chki_locations_forget(void)
{
	memset(slots, 0, sizeof slots);
	count = 1;
}

unsigned chki_locations(void)
{
	return count;
}

uintptr_t chki_location_address(unsigned loc)
{
	return locations[loc].address;
}

/* "&d->slots[i & mask].item" becomes "slots": the member before the first index, or the last one. */
void chki_short_name(char *out, size_t size, const char *what)
{
	size_t n = strcspn(what, "[(");
	const char *start = what;

	for (size_t i = 0; i < n; i++)
		if (what[i] == '&' || what[i] == '.' || what[i] == '>' || what[i] == ' ')
			start = what + i + 1;
	if (start == what + n) {
		start = what;
		n = strlen(what);
	}
	n -= (size_t)(start - what);
	snprintf(out, size, "%.*s", (int)(n < size ? n : size - 1), start);
}

/* The number of the address, 0 if it has none; *slot is where it is or would be. */
static unsigned find(const void *at, size_t *slot)
{
	size_t i = ((uintptr_t)at >> 2) * 0x9E3779B97F4A7C15u >> 52;

	for (; slots[i]; i = (i + 1) % SLOTS)
		if (locations[slots[i]].address == (uintptr_t)at)
			break;
	*slot = i;
	return slots[i];
}

unsigned chki_location(const void *at, const char *what)
{
	size_t slot;
	unsigned loc = find(at, &slot);

	if (loc)
		return loc;
	if (count == MAX_LOCATIONS)
		chki_fail(CHK_MISUSE, "more than %d atomic locations", MAX_LOCATIONS);
	locations[count].address = (uintptr_t)at;
	chki_short_name(locations[count].name, NAME_BYTES, what);
	slots[slot] = (uint16_t)count;
	return count++;
}

/* Where several locations have one name, their places in memory tell them apart. */
void chki_location_name(unsigned loc, char *out, size_t size)
{
	unsigned same = 0, before = 0;

	for (unsigned i = 1; i < count; i++) {
		if (strcmp(locations[i].name, locations[loc].name))
			continue;
		same++;
		before += locations[i].address < locations[loc].address;
	}
	if (same > 1)
		snprintf(out, size, "%s[%u]", locations[loc].name, before);
	else
		snprintf(out, size, "%s", locations[loc].name);
}

void chki_name_at(const void *at, const struct chk_site *site, char *out, size_t size)
{
	size_t slot;
	unsigned loc = find(at, &slot);

	if (loc)
		chki_location_name(loc, out, size);
	else
		chki_short_name(out, size, site ? site->what : "memory");
}

void chk_name(const void *at, const char *name)
{
	unsigned loc = chki_location(at, name);

	snprintf(locations[loc].name, NAME_BYTES, "%s", name);
}
