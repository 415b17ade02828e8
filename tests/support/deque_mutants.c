/* SPDX-License-Identifier: Apache-2.0 */
#include "deque_check.h"
#include "mutants.h"

#include <stdio.h>

enum { MAX_KEPT = 15 };

static bool try_scenario(const struct deque_check *check, const struct deque_scenario *s, void *context)
{
	struct mutants_kill *kill = context;
	struct chk_config config = {.max_seconds = 60};
	struct chk_result r = deque_check_run(check->kind, s, config);

	kill->verdict = r.verdict;
	chk_result_clear(&r);
	if (kill->verdict == CHK_OK)
		return true;
	if (s->name)
		snprintf(kill->by, sizeof(kill->by), "%s", s->name);
	else
		deque_scenario_print(kill->by, sizeof(kill->by), s);
	return false;
}

static bool passes(void *context, struct mutants_kill *kill)
{
	return deque_scenarios_each(context, try_scenario, kill);
}

int deque_check_mutants(const struct deque_check *check, const char *expect)
{
	struct mutants_kept kept[MAX_KEPT + 1] = {{NULL, NULL}};
	struct deque_check copy = *check; /* a context is not const */
	char file[64], base[64], prefix[64];
	struct mutants m = {.name = check->kind, .file = file, .prefix = prefix, .kept = kept, .passes = passes};

	m.context = &copy;
	snprintf(file, sizeof(file), "/%s.h", check->kind);
	if (check->base) {
		snprintf(base, sizeof(base), "/%s.h", check->base);
		m.base = base;
	}
	snprintf(prefix, sizeof(prefix), "filchi_%s_", check->kind);
	for (unsigned i = 0; i < MAX_KEPT && check->kept && check->kept[i].edge; i++)
		kept[i] = (struct mutants_kept){check->kept[i].edge, check->kept[i].why};
	return mutants_run(&m, expect);
}
