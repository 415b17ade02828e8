/* SPDX-License-Identifier: Apache-2.0 */
/* Sleeping on a word (os/wait.h) under the checker: each permit is taken once, and each sleeper wakes up. */
#include "../../check/chk.h"
#include "../../src/os/os_check.h"
#include "../../src/os/wait.h"
#include "../fixtures/check_main.h"

#define BIT 1u
#define CHANGED 2u

struct scenario {
	unsigned takers; /* threads that take one permit each, or wait for the word to change */
	unsigned givers; /* threads that give the permits; the first gives those that are left over */
	bool tries;	 /* one taker never sleeps */
};

static struct {
	const struct scenario *s;
	struct filchi_permits permits;
	FILCHI_ATOMIC(uint32_t) taken, word;
} now;

/*
 * Edges of the test: they order nothing.
 *   TAKEN WORD
 */
static void take(void *tries)
{
	if (tries)
		while (!filchi_permits_try_take(&now.permits))
			filchi_spin_wait();
	else
		filchi_permits_take(&now.permits);
	(void)filchi_fetch_add_rlx(&now.taken, 1, TAKEN);
}

static void give_one(void *unused)
{
	(void)unused;
	filchi_permits_give(&now.permits, 1);
}

static void play_permits(void *arg)
{
	const struct scenario *s = now.s = arg;
	int id[CHK_MAX_THREADS];
	unsigned threads = 0;

	filchi_os_check_start();
	filchi_permits_init(&now.permits);
	filchi_atomic_init(&now.taken, 0);
	for (unsigned i = 0; i < s->takers; i++)
		id[threads++] = chk_thread(take, s->tries && !i ? &now : NULL);
	for (unsigned i = 1; i < s->givers; i++)
		id[threads++] = chk_thread(give_one, NULL);
	filchi_permits_give(&now.permits, s->takers - (s->givers - 1));
	while (threads)
		chk_join(id[--threads]);
	chk_assert(filchi_load_rlx(&now.taken, TAKEN) == s->takers);
	chk_assert(filchi_permits_count(&now.permits) == 0);
}

static void wait_for_change(void *unused)
{
	uint32_t seen;

	(void)unused;
	while ((seen = filchi_load_rlx(&now.word, WORD)) != CHANGED)
		chk_assert(!filchi_wait_bit(&now.word, seen, BIT, FILCHI_NO_DEADLINE));
}

static void play_bit(void *arg)
{
	int id[CHK_MAX_THREADS];

	now.s = arg;
	filchi_os_check_start();
	filchi_atomic_init(&now.word, 0);
	for (unsigned i = 0; i < now.s->takers; i++)
		id[i] = chk_thread(wait_for_change, NULL);
	if (filchi_exchange_rlx(&now.word, CHANGED, WORD) & BIT)
		filchi_futex_wake(&now.word, INT32_MAX);
	for (unsigned i = 0; i < now.s->takers; i++)
		chk_join(id[i]);
}

static const struct check_scenario scenarios[] = {
	{.name = "one", .play = play_permits, .arg = &(const struct scenario){1, 1, false}},
	{.name = "both_at_once", .play = play_permits, .arg = &(const struct scenario){2, 1, false}},
	{.name = "one_each", .play = play_permits, .arg = &(const struct scenario){2, 2, false}},
	{.name = "tries", .play = play_permits, .arg = &(const struct scenario){2, 1, true}},
	{.name = "three", .play = play_permits, .arg = &(const struct scenario){3, 2, false}, .walks = true},
	{.name = "bit", .play = play_bit, .arg = &(const struct scenario){.takers = 1}},
	{.name = "bit_two", .play = play_bit, .arg = &(const struct scenario){.takers = 2}},
	{.name = "bit_three", .play = play_bit, .arg = &(const struct scenario){.takers = 3}, .walks = true},
};

int main(int argc, char **argv)
{
	static const struct check_program program = {
		.mutants = {.name = "permits", .file = "/os/wait.h", .prefix = "filchi_"},
		.scenarios = scenarios,
		.count = sizeof(scenarios) / sizeof(scenarios[0]),
	};

	return check_main(&program, argc, argv);
}
