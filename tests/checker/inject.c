/* SPDX-License-Identifier: Apache-2.0 */
/* --inject of a program of checks: it must report exactly the scenarios that never reach their ends. */
#include "../fixtures/check_main.h"

static uint32_t flag;

static bool is_set(void)
{
	return chk_load(&flag, sizeof(flag), CHK_SITE(CHK_LOAD, "flag", "", CHK_RLX, CHK_RLX));
}

static void set(void *unused)
{
	(void)unused;
	chk_store(&flag, sizeof(flag), 1, CHK_SITE(CHK_STORE, "flag", "", CHK_RLX, CHK_RLX));
}

static void begin(void)
{
	chk_init(&flag, sizeof(flag), 0, CHK_SITE(CHK_STORE, "flag", "", CHK_RLX, CHK_RLX));
}

/* Some executions end early, but not all. */
static void ends(void *unused)
{
	int id;

	(void)unused;
	begin();
	id = chk_thread(set, NULL);
	chk_assume(is_set());
	chk_join(id);
}

static void cut_off(void *unused)
{
	(void)unused;
	begin();
	chk_assume(is_set());
}

static void waits(void *unused)
{
	(void)unused;
	begin();
	while (!is_set())
		chk_spin();
}

static void fails(void *unused)
{
	(void)unused;
	begin();
	chk_assert(is_set());
}

static int inject(void (*play)(void *), bool walks)
{
	const struct check_scenario scenarios[] = {{.name = "ends", .play = ends},
						   {.name = "other", .play = play, .walks = walks}};
	const struct check_program program = {.mutants = {.name = "inject"}, .scenarios = scenarios, .count = 2};
	char name[] = "inject", option[] = "--inject";
	char *argv[] = {name, option, NULL};

	return check_main(&program, 2, argv);
}

int main(void)
{
	int wrong = 0;

	for (int walks = 0; walks < 2; walks++) {
		wrong += inject(ends, walks) != 0;
		wrong += inject(cut_off, walks) != 1;
		wrong += inject(waits, walks) != 1;
		wrong += inject(fails, walks) != 1;
	}
	printf("%d of 8 wrong\n", wrong);
	return wrong != 0;
}
