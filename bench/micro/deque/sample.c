/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Takes samples of each measure, for all kinds.
 *
 * Atomics:
 *   TURN   hand_over: store_rel turn -> wait_while: load_acq turn   one has the deque, then the other
 */
#include "../../../src/base/clock.h"
#include "deque.h"
#include "threads.h"

#include <sched.h>

#define CAPACITY 512u /* capacity of a deque for bursts: the default of deques */

/* Runs bursts of the owner for the time of a sample. Returns the time that they took. */
static int bursts(struct filchi_bench_threads *threads, double seconds, double *ns)
{
	uint64_t start = filchi_clock_ns();
	int err = threads->loops->owner(threads->queue, start + (uint64_t)(seconds * 1e9), &threads->tally);

	*ns = (double)(filchi_clock_ns() - start);
	return err ? filchi_bench_threads_fail(threads, err, "push") : 0;
}

/*
 * Uses CPU time, because the system may give the CPU of an owner alone to another program. With thieves, wall time
 * counts.
 */
int filchi_deque_bench_owner_alone(const struct filchi_bench_case *c, double *values, struct filchi_bench_error *error)
{
	const struct filchi_deque_bench_kind *kind = c->context;
	struct filchi_bench_threads threads = {.loops = kind->loops, .error = error, .capacity = CAPACITY};
	struct filchi_switches before = filchi_switches();
	double wall_ns, start;
	int err = filchi_bench_threads_start(&threads);

	if (err)
		return err;
	start = filchi_cpu_ns();
	err = bursts(&threads, kind->seconds, &wall_ns);
	filchi_bench_set(c, values, "ns_per_pair", (filchi_cpu_ns() - start) / (double)threads.tally.pops);
	filchi_bench_set(c, values, "pushes", (double)threads.tally.pushes);
	filchi_bench_set(c, values, "preemptions", (double)filchi_switches_since(before).involuntary);
	return filchi_bench_threads_stop(&threads, err);
}

int filchi_deque_bench_with_thieves(const struct filchi_bench_case *c, double *values, struct filchi_bench_error *error)
{
	const struct filchi_deque_bench_kind *kind = c->context;
	struct filchi_bench_threads threads = {
		.loops = kind->loops, .error = error, .capacity = CAPACITY, .thieves = kind->thieves};
	const struct filchi_bench_tally *t = &threads.tally;
	uint64_t attempts;
	double ns = 0;
	int err = filchi_bench_threads_start(&threads);

	if (err)
		return err;
	err = bursts(&threads, kind->seconds, &ns);
	err = filchi_bench_threads_stop(&threads, err);
	attempts = t->steals + t->lost + t->empty;
	filchi_bench_set(c, values, "owner_ops_per_s", (double)(t->pushes + t->pops) / ns * 1e9);
	filchi_bench_set(c, values, "steals_per_s", (double)t->steals / ns * 1e9);
	filchi_bench_set(c, values, "lost_share", filchi_share(t->lost, attempts));
	filchi_bench_set(c, values, "empty_share", filchi_share(t->empty, attempts));
	filchi_bench_set(c, values, "pushes", (double)t->pushes);
	filchi_bench_set(c, values, "pops", (double)t->pops);
	filchi_bench_set(c, values, "steals", (double)t->steals);
	filchi_bench_set(c, values, "left", (double)t->left);
	filchi_bench_set(c, values, "lost", (double)t->lost);
	filchi_bench_set(c, values, "empty", (double)t->empty);
	return err;
}

/* Owner and thief take turns: the owner fills the deque, the thief empties it. */
enum turn { TURN_OWNER, TURN_THIEF, TURN_END };

struct turns {
	FILCHI_OWN_LINE FILCHI_ATOMIC(int) turn;
	uint64_t thief_ns; /* total time of the thief's turns */
};

static void hand_over(struct turns *turns, enum turn turn)
{
	filchi_store_rel(&turns->turn, (int)turn, TURN);
}

/* Waits until the turn changes. Returns the new turn. */
static enum turn wait_while(struct turns *turns, enum turn turn)
{
	int now;

	for (unsigned i = 1; (now = filchi_load_acq(&turns->turn, TURN)) == (int)turn; i++) {
		filchi_spin_wait();
		if (i % FILCHI_BENCH_PATIENCE == 0)
			sched_yield();
	}
	return (enum turn)now;
}

static void rob(struct filchi_bench_thief *thief)
{
	struct turns *turns = thief->threads->context;

	while (wait_while(turns, TURN_OWNER) == TURN_THIEF) {
		uint64_t start = filchi_clock_ns();

		thief->threads->loops->rob(thief->threads->queue, &thief->tally);
		turns->thief_ns += filchi_clock_ns() - start;
		hand_over(turns, TURN_OWNER);
	}
}

/* Takes turns until the sample has lasted long enough. */
static int take_turns(struct filchi_bench_threads *threads, struct turns *turns, double seconds)
{
	uint64_t last = filchi_clock_ns() + (uint64_t)(seconds * 1e9);
	int err;

	do {
		err = threads->loops->fill(threads->queue, &threads->tally);
		if (err)
			break;
		hand_over(turns, TURN_THIEF);
		wait_while(turns, TURN_THIEF);
		threads->loops->drain(threads->queue, &threads->tally);
	} while (filchi_clock_ns() < last);
	hand_over(turns, TURN_END);
	return err ? filchi_bench_threads_fail(threads, err, "push") : 0;
}

int filchi_deque_bench_steal_alone(const struct filchi_bench_case *c, double *values, struct filchi_bench_error *error)
{
	const struct filchi_deque_bench_kind *kind = c->context;
	struct turns turns = {.turn = TURN_OWNER};
	struct filchi_bench_threads threads = {.loops = kind->loops,
					       .error = error,
					       .capacity = 2 * FILCHI_BENCH_FILL,
					       .thieves = 1,
					       .work = rob,
					       .context = &turns};
	uint64_t before; /* items that the owner stole itself, to make a deque share */
	int err = filchi_bench_threads_start(&threads);

	if (err)
		return err;
	err = take_turns(&threads, &turns, kind->seconds);
	before = threads.tally.steals;
	err = filchi_bench_threads_stop(&threads, err);
	filchi_bench_set(c, values, "ns_per_steal", filchi_share(turns.thief_ns, threads.tally.steals - before));
	filchi_bench_set(c, values, "steals", (double)(threads.tally.steals - before));
	return err;
}
