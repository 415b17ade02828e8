/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The default pool under the checker: threads start and stop it while others use it. No thread frees the pool while
 * another one uses it. No thread sees an incomplete pool, and stop ends when the last user has left. The pool has no
 * workers, because they play no part here: so the checker explores all executions.
 */
#include "../fixtures/check_main.h"
#include "../fixtures/pool/fixture.h"

/* Includes the source for its variables, so that each execution starts with their initial values. */
#include "../../src/pool/default_pool.c"

struct scenario {
	unsigned users, uses; /* threads that use the pool, and uses by each */
	unsigned rounds;      /* of start and stop */
	bool races;	      /* another thread starts and stops as well */
};

static void use(void *arg)
{
	const struct scenario *s = arg;

	for (unsigned i = 0; i < s->uses; i++) {
		struct filchi_pool_hold hold;

		if (filchi_pool_hold(&hold, NULL))
			continue;
		/* The pool is complete, and stays complete. */
		chk_assert(filchi_plain_get(&hold.pool->is_default));
		chk_assert(filchi_load_rlx(&hold.pool->jobs_outside, FLAG) == 0);
		filchi_pool_release(&hold);
	}
}

static void start_and_stop(void *arg)
{
	const struct scenario *s = arg;
	struct filch_options options = {.struct_size = sizeof(options), .workers = FILCH_NONE};

	for (unsigned i = 0; i < s->rounds; i++) {
		int err = filch_start(&options);

		chk_assert(!err || (s->races && err == -EALREADY));
		chk_assert(filch_stop() == 0);
	}
}

static void begin(void)
{
	fixture_empty();
	filchi_atomic_init(&lock.word, 0);
	filchi_atomic_init(&default_pool, NULL);
	filchi_atomic_init(&holders, 0);
	filchi_atomic_init(&starts, 0);
	filchi_atomic_init(&ending, 0);
}

static void play(void *arg)
{
	const struct scenario *s = arg;
	int id[CHK_MAX_THREADS];
	unsigned n = 0;

	begin();
	for (unsigned i = 0; i < s->users; i++)
		id[n++] = chk_thread(use, arg);
	if (s->races)
		id[n++] = chk_thread(start_and_stop, arg);
	start_and_stop(arg);
	while (n)
		chk_join(id[--n]);
	chk_assert(!filchi_load_rlx(&default_pool, FLAG));
	chk_assert(!HOLDERS(filchi_load_rlx(&holders, FLAG)));
}

/* A child of fork(): a thread of the parent used the pool at the fork. The first user makes it again. */
static void forked(void *arg)
{
	struct filch_options options = {.struct_size = sizeof(options), .workers = FILCH_NONE};
	struct filchi_pool_hold hold;
	struct filch_pool *old;
	int id;

	begin();
	chk_assert(filch_start(&options) == 0);
	chk_assert(filchi_pool_hold(&hold, NULL) == 0);
	old = hold.pool;
	filchi_process_check_set(1);
	id = chk_thread(use, arg);
	use(arg);
	chk_join(id);
	chk_assert(filchi_pool_hold(&hold, NULL) == 0);
	chk_assert(hold.pool != old && hold.pool->generation == 1);
	filchi_pool_release(&hold);
	chk_assert(filch_stop() == 0);
	chk_assert(filch_pool_destroy(old) == 0);
}

#define SCENARIO(name_, ...)                                                                                           \
	{                                                                                                              \
		.name = name_, .play = play, .arg = &(const struct scenario)                                           \
		{                                                                                                      \
			__VA_ARGS__                                                                                    \
		}                                                                                                      \
	}
static const struct check_scenario scenarios[] = {
	SCENARIO("user", 1, 1, 1, false),
	SCENARIO("user_twice", 1, 2, 1, false),
	SCENARIO("again", 1, 1, 2, false),
	SCENARIO("two_users", 2, 1, 1, false),
	SCENARIO("race", 0, 0, 1, true),
	{.name = "forked", .play = forked, .arg = &(const struct scenario){.uses = 1}},
};

int main(int argc, char **argv)
{
	static const struct check_program program = {
		.mutants = {.name = "default_pool", .file = "/pool/default_pool.c", .prefix = "filch_"},
		.scenarios = scenarios,
		.max_events = 600,
		.count = sizeof(scenarios) / sizeof(scenarios[0]),
	};

	return check_main(&program, argc, argv);
}
