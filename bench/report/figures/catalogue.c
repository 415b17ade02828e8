/* SPDX-License-Identifier: Apache-2.0 */
#include "figures.h"

#include <string.h>

const struct filchi_entry *filchi_entry(unsigned n)
{
	static const struct filchi_entry *const parts[] = {
		filchi_entries_own,	   filchi_entries_spawn,	filchi_entries_search,
		filchi_entries_dd,	   filchi_entries_ufp,		filchi_entries_ranks,
		filchi_entries_bulk,	   filchi_entries_thesis_owner, filchi_entries_thesis_thief,
		filchi_entries_thesis_app, filchi_entries_thesis_dupes, filchi_entries_lace};

	for (size_t part = 0; part < sizeof(parts) / sizeof(parts[0]); part++)
		for (const struct filchi_entry *e = parts[part]; e->id; e++)
			if (!n--)
				return e;
	return NULL;
}

const struct filchi_entry *filchi_entry_find(const char *id, size_t length)
{
	const struct filchi_entry *e;

	for (unsigned n = 0; (e = filchi_entry(n)); n++)
		if (strlen(e->id) == length && !memcmp(e->id, id, length))
			return e;
	return NULL;
}
