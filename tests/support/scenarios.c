/* SPDX-License-Identifier: Apache-2.0 */
#include "scenarios.h"

#include <stdio.h>
#include <string.h>

/* As --scenario takes it: "before|owner|thief,thief@first", where sizes differ "@size,first". */
static void print(char *out, size_t length, const struct scenario *s, bool sizes)
{
	char size[24] = "";

	if (sizes)
		snprintf(size, sizeof(size), "%zu,", s->size);
	snprintf(out, length, "%s|%s|%s%s%s%s%s@%s%lld", s->before, s->owner, s->thief[0], s->thief[1] ? "," : "",
		 s->thief[1] ? s->thief[1] : "", s->thief[2] ? "," : "", s->thief[2] ? s->thief[2] : "", size,
		 (long long)s->first);
}

static bool call_for(const struct scenario_set *set, const struct scenario *s, check_call *call, void *context)
{
	char text[64];
	struct check_scenario scenario = {.name = s->name ? s->name : text,
					  .script = text,
					  .play = set->play,
					  .arg = s,
					  .deep = s->deep,
					  .walks = s == &set->walks,
					  .systematic = !s->name};

	print(text, sizeof(text), s, set->sizes);
	return call(&scenario, context);
}

/* With that script of the owner's. */
static bool each_around(const struct scenario_set *set, struct scenario *s, unsigned sets, check_call *call,
			void *context)
{
	for (const char *const *before = set->befores; *before; before++) {
		for (unsigned i = 0; i < 3 * sets; i++) {
			s->before = *before;
			s->size = set->rings[i / sets].size;
			s->first = set->rings[i / sets].first;
			memcpy(s->thief, set->thieves[i % sets], sizeof(s->thief));
			if (!call_for(set, s, call, context))
				return false;
		}
	}
	return true;
}

static bool each_systematic(const struct scenario_set *set, bool deep, check_call *call, void *context)
{
	unsigned longest = deep ? 4 : 3, letters = (unsigned)strlen(set->letters), scripts = 1;
	char owner[8] = "";
	struct scenario s = {.owner = owner};

	for (unsigned length = 1; length <= longest; length++) {
		scripts *= letters;
		/* Each script of that length, as the digits of a number. */
		for (unsigned number = 0; number < scripts; number++) {
			for (unsigned i = 0, rest = number; i < length; i++, rest /= letters)
				owner[i] = set->letters[rest % letters];
			if (!each_around(set, &s, deep ? set->sets_deep : set->sets, call, context))
				return false;
		}
	}
	return true;
}

bool scenarios_each(const void *of, bool deep, check_call *call, void *context)
{
	const struct scenario_set *set = of;
	const struct scenario *lists[] = {set->common, set->own};

	for (unsigned i = 0; i < 2; i++)
		for (const struct scenario *s = lists[i]; s && s->name; s++)
			if (!call_for(set, s, call, context))
				return false;
	return each_systematic(set, deep, call, context) && call_for(set, &set->walks, call, context);
}
