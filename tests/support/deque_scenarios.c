/* SPDX-License-Identifier: Apache-2.0 */
#include "deque_check.h"

#include <stdio.h>
#include <stdlib.h>

/*
 * One owner and one to three thieves over: the last item, more thieves than items, growth under a steal, emptied and
 * filled again, indices that wrap. Bounds are those of the letters: every execution of them is explored.
 */
static const struct deque_scenario common[] = {
	{"smoke", 2, 0, "", "++--", {"s"}, false},
	{"last_item", 2, 0, "s+", "-", {"s"}, false},
	{"last_item_2", 2, 0, "s+", "-", {"s", "s"}, false},
	{"two_left", 2, 0, "s++", "--", {"ss"}, false},
	{"two_left_2", 2, 0, "s++", "--", {"s", "s"}, false},
	{"stampede", 2, 0, "s++", "-", {"s", "s", "s"}, false},
	{"empty_again", 2, 0, "s+", "-+-", {"s"}, false},
	{"empty_again_2", 2, 0, "s+", "-+-", {"s", "s"}, false},
	{"publish", 2, 0, "", "+", {"s"}, false},
	{"publish_2", 2, 0, "", "++", {"s", "s"}, false},
	{"growth", 2, 0, "s++", "+-", {"s"}, false},
	{"growth_2", 2, 0, "s++", "+", {"s", "s"}, false},
	{"growth_twice", 2, 0, "s++", "+++", {"s"}, false},
	{"ring", 2, 2, "s++", "+-+", {"ss"}, false},
	{"wraparound", 2, UINT64_MAX, "", "++-", {"ss"}, false},
	{"wraparound_growth", 2, UINT64_MAX - 1, "++s", "++-", {"s"}, false},
	{"no_loss_no_double", 2, 0, "s+", "+-+-", {"ss"}, false},
	{"no_loss_no_double_2", 2, 0, "s++", "-+-", {"ss", "ss"}, false},
	{"no_loss_no_double_3", 2, 0, "s++", "+--", {"ss", "s"}, false},
	{"growth_deep", 2, 0, "s++", "++--", {"ss", "ss"}, true},
	{NULL, 0, 0, NULL, NULL, {NULL}, false},
};

static const char *const befores[] = {"", "+", "s+", "s++", "s++s"};
static const uint64_t firsts[] = {0, 2, UINT64_MAX};
static const char *const thieves[][3] = {
	{"s"}, {"ss"}, {"s", "s"}, /* and in a deep run: */ {"sss"}, {"ss", "s"}, {"s", "s", "s"}, {"ss", "ss"},
};

void deque_scenario_print(char *out, size_t size, const struct deque_scenario *s)
{
	snprintf(out, size, "%s|%s|%s%s%s%s%s@%lld", s->before, s->owner, s->thief[0], s->thief[1] ? "," : "",
		 s->thief[1] ? s->thief[1] : "", s->thief[2] ? "," : "", s->thief[2] ? s->thief[2] : "",
		 (long long)s->first);
}

/* Each script of that length, as the bits of a number. */
static void owner_script(char *out, unsigned length, unsigned bits)
{
	for (unsigned i = 0; i < length; i++)
		out[i] = bits >> i & 1 ? '-' : '+';
	out[length] = 0;
}

static bool each_systematic(const struct deque_check *check, deque_scenario_call *call, void *context, bool deep)
{
	/* A crowd of thieves is left to the kind that it is made from, if there is one. */
	unsigned longest = deep ? 4 : 3, sets = !deep ? 3 : check->base ? 4 : 7;
	char owner[8];
	struct deque_scenario s = {.capacity = 2, .owner = owner};

	for (unsigned length = 1; length <= longest; length++) {
		for (unsigned bits = 0; bits < 1u << length; bits++) {
			owner_script(owner, length, bits);
			for (unsigned i = 0; i < sizeof(befores) / sizeof(befores[0]) * 3 * sets; i++) {
				s.before = befores[i / 3 / sets];
				s.first = firsts[i / sets % 3];
				for (unsigned t = 0; t < 3; t++)
					s.thief[t] = thieves[i % sets][t];
				if (!call(check, &s, context))
					return false;
			}
		}
	}
	return true;
}

bool deque_scenarios_each(const struct deque_check *check, deque_scenario_call *call, void *context)
{
	const struct deque_scenario *lists[] = {common, check->own};
	bool deep = getenv("FILCH_DEEP") != NULL;

	for (unsigned i = 0; i < 2; i++)
		for (const struct deque_scenario *s = lists[i]; s && s->name; s++)
			if ((deep || !s->deep) && !call(check, s, context))
				return false;
	return each_systematic(check, call, context, deep);
}
